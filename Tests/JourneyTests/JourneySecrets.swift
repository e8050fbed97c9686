// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import Synchronization

/// What went over the wire in a test and must be in no log: names, contacts, devices, codes, passwords, tokens.
final class JourneySecrets: Sendable {
  private static let members: Set<String> = [
    "first_name", "last_name", "contact_no", "email", "device_id", "date_of_birth", "code", "password", "full_name",
    "document_number", "tin", "street", "line1",
  ]
  private static let headers = ["x-access-token", "x-refresh-token", "authorization"]

  private let known = Mutex<Set<String>>([])

  var all: Set<String> { known.withLock { $0 } }

  func note(_ text: String) { known.withLock { _ = $0.insert(text) } }

  /// The same network, with an ear.
  func heard(over transport: HTTPTransport) -> HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      let answer = try await transport.send(request, progress: progress)
      for headers in [request.headers, answer.headers] {
        for name in Self.headers { if let value = headers[name] { self.note(value) } }
      }
      if let body = request.body { self.note(body) }
      self.note(answer.body)
      return answer
    }
  }

  private func note(_ body: Data) {
    guard let value = try? JSONSerialization.jsonObject(with: body) else { return }
    find(in: value)
  }

  private func find(in value: Any) {
    if let list = value as? [Any] { list.forEach(find) }
    guard let object = value as? [String: Any] else { return }
    for (name, member) in object {
      // A problem's `code` is a word, a passcode is digits.
      if Self.members.contains(name), let text = member as? String, name != "code" || text.allSatisfy(\.isNumber) {
        note(text)
      }
      find(in: member)
    }
  }

  /// Whether a record of the log holds any of it. Short ones are looked for as words: an id may hold six such digits.
  func isIn(_ record: String) -> Bool {
    let words = Set(record.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    return all.contains { secret in
      secret.count >= 8 ? record.contains(secret) : secret.count >= 3 && words.contains(secret)
    }
  }
}
