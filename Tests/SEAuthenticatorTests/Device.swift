// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import GatehouseTransport
import SEAuthenticatorCore
import SaltEdgeCore
import Synchronization
import TestSupport
import Testing

/// The platform that published calls find, with a scripted network: what is sent is kept, what is answered is told.
final class Device: Sendable {
  static let base = "https://bank.example/prefix"
  static let guid = "0B2E1C1C-0000-4000-8000-000000000001"
  static let now = 1_795_240_800.0

  let store = MemorySecureStore()
  private let sent = Mutex<[TransportRequest]>([])
  private let answers: [String: TransportResponse]

  /// - Parameter answers: status and body by method and path.
  init(_ answers: [String: (status: Int, body: String)] = [:], failure: TransportError? = nil) {
    self.answers = answers.mapValues { TransportResponse(status: $0.status, body: Data($0.body.utf8)) }
    SEAuthenticatorPlatform.current = SEAuthenticatorPlatform(
      store: store,
      transport: HTTPTransport { (request, _) async throws(TransportError) in
        self.sent.withLock { $0.append(request) }
        if let failure { throw failure }
        guard let answer = self.answers["\(request.method) \(request.url.path)"] else {
          throw TransportError(.unexpectedCall)
        }
        return answer
      },
      clock: ClientClock(wallTime: { Self.now }) { (_) async throws(CancellationError) in },
      // The app has asked by itself.
      device: .init(userAgent: "Test"), userPresence: { true })
  }

  var requests: [TransportRequest] { sent.withLock { $0 } }

  /// With a connection's keys in the store: its own and, for v2, the bank's.
  static func connected(_ answers: [String: (status: Int, body: String)] = [:]) throws -> Device {
    let device = Device(answers)
    let own = try #require(try keys.get().first).pkcs8PEM
    let bank = try #require(try keys.get().last).publicKey.pem
    _ = try #require(SECryptoHelper.createKey(from: own, isPublic: false, tag: SETagHelper.create(for: guid)))
    _ = try #require(SECryptoHelper.createKey(from: bank, isPublic: true, tag: "\(guid)_provider_public_key"))
    return device
  }

  /// The device's and the bank's.
  static let keys = Result { [try TestKeys.device(), try TestKeys.bank()] }
}

/// The main queue, which has a thread of its own on Linux.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static func mark() { _ = key }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// What a failure closure was told.
struct Refused: Error, Equatable {
  let word: String
}

/// Waits for one of the closures of a published call.
func told<Answer: Decodable & Sendable>(
  _ call: (SEHTTPResponse<Answer>, @escaping FailureBlock) -> Void
) async -> Result<Answer, Refused> {
  await withCheckedContinuation { continuation in
    call(
      { continuation.resume(returning: .success($0)) }, { continuation.resume(returning: .failure(.init(word: $0))) })
  }
}
