// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport
import Synchronization

/// What the bank does beside the nodes for Finaptic's customers: by the commands that an operator types it has a tenant
/// and the key of its app, and over the sandbox's controls it pays money in.
final class FinapticBank: Sendable {
  /// Applicants of this middle name are refused at their documents, until they call themselves otherwise.
  static let refusedName = "Expired"
  private static let tenant = "7"
  private static let networksMax = 16

  private let sdkKey: String
  private let address: URL
  private let credentials: String
  /// Shared by phones, so that none has connections of its own to keep.
  private let networks = (0..<FinapticBank.networksMax).map { _ in HTTPTransport.live() }
  private let answers = Mutex<[Int: Int]>([:])

  /// The sandbox's file of profiles.
  static func profiles() throws -> Data {
    let refused: [String: Any] = [
      "status": "Data Collection", "failureStatusCodes": ["FAILURE_CODE_ID_EXPIRED"],
    ]
    let profile: [String: Any] = [
      "id": "chaos-expired", "category": "kyc",
      "input": ["firstName": "Ada", "middleName": refusedName, "lastName": "Byron"],
      "expect": ["validateDocuments": refused, "validateApplication": refused],
    ]
    return try JSONSerialization.data(withJSONObject: ["profiles": [profile]])
  }

  init(_ stage: ChaosStage) throws {
    func command(_ arguments: String...) throws -> [String: String] {
      let (status, output) = try stage.run(["finaptic"] + arguments)
      guard status == 0 else {
        throw Children.NotStarted(description: "gatehouse finaptic \(arguments[0]) left with \(status)")
      }
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ": ") }
      return Dictionary(lines.compactMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }) { $1 }
    }
    _ = try command("tenant", "add", Self.tenant, "--name", "Chaos", "--kind", "sandbox")
    let key = try command("key", "issue", Self.tenant, "--name", "app")
    let client = try command("sandbox-client", Self.tenant, "--name", "chaos")
    guard let sdkKey = key["SDK key"], let id = client["Client"], let secret = client["Secret"] else {
      throw Children.NotStarted(description: "gatehouse finaptic printed no key and no client")
    }
    (self.sdkKey, address) = (sdkKey, stage.address)
    credentials = Data("\(id):\(secret)".utf8).base64EncodedString()
  }

  /// A phone's way to the nodes; what they answer is counted.
  func transport(_ serial: Int) -> HTTPTransport {
    let (live, place) = (networks[serial % networks.count], "10.\(serial >> 8 & 0xff).\(serial & 0xff).7")
    return HTTPTransport { [self] (request, progress) async throws(TransportError) in
      var request = request
      request.headers["X-Forwarded-For"] = place
      let answer = try await live.send(request, progress: progress)
      answers.withLock { $0[answer.status, default: 0] += 1 }
      return answer
    }
  }

  /// A fresh start of the app on a phone.
  func app(_ serial: Int, _ store: MemorySecureStore) async throws(FinapticError) -> FinapticSDK {
    try await FinapticSDK.make(
      sdkKey: sdkKey,
      options: FinapticOptions(store: store, queue: .global(), transport: transport(serial), log: { _ in }))
  }

  /// Pays in. The same key is the same deposit, however often it is asked for.
  /// - Returns: whether it is known to be booked.
  func deposit(_ cents: Int, on account: String, key: String, by transport: HTTPTransport) async throws -> Bool {
    let body: [String: Any] = [
      "account_id": account, "amount": ["amount": "\(Decimal(cents) / 100)", "currency": "CAD"],
    ]
    let answer = try await transport.send(
      TransportRequest(
        method: "POST", url: address.appending(path: "finaptic/sandbox/v1/deposits"),
        headers: [
          "authorization": "Basic \(credentials)", "content-type": "application/json", "idempotency-key": key,
        ], body: try JSONSerialization.data(withJSONObject: body)))
    return answer.isSuccess
  }

  /// Answers by HTTP status.
  var answered: [Int: Int] { answers.withLock { $0 } }
}
