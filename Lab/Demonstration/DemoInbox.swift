// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport

/// Where the messages of a demonstration arrive: the development outbox, for everybody.
struct DemoInbox: Sendable {
  /// Between two looks.
  private static let delay = Duration.milliseconds(50)

  let address: URL
  private let transport = HTTPTransport.live()

  init(address: URL) { self.address = address }

  /// The codes in the messages to a phone number or an address, the first one first.
  func codes(to recipient: String) async throws -> [String] {
    let answer = try await transport.send(
      TransportRequest(method: "GET", url: address.appending(path: "dev/outbox.json")))
    return try JSONDecoder().decode(Content.self, from: answer.body).messages.reversed().compactMap { message in
      guard message.to == recipient, let code = message.body.firstMatch(of: #/\b[0-9]{6,8}\b/#) else { return nil }
      return String(code.output)
    }
  }

  /// Until it is worth looking again.
  func pause() async throws { try await ClientClock.live.pause(for: Self.delay) }

  private struct Content: Decodable {
    struct Message: Decodable {
      let to: String
      let body: String
    }
    let messages: [Message]
  }
}
