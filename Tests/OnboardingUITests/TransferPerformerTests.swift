// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseUI
import ScreenSpecimens
import Synchronization
import TestSupport
import Testing

@testable import FinapticUI

/// What becomes of a transfer whose answer is lost or refused, against a server that is played.
@MainActor
@Suite("Screens: Finaptic's transfers", .storeless)
struct TransferPerformerTests {
  /// Answers by the name of the call, one after the other: a status and a body, or nothing for a broken connection.
  private final class Bank: Sendable {
    typealias Answer = (status: Int, body: String)?
    private let script: Mutex<[String: [Answer]]>
    let calls = Mutex<[String]>([])

    init(_ script: [String: [Answer]]) { self.script = Mutex(script) }

    func sdk() async throws -> FinapticSDK {
      let key = #"{"v":1,"env":"sandbox","tenantId":7,"baseUrl":"https://bank.example","clientKey":"ck-7"}"#
      let transport = HTTPTransport { [self] (request, _) async throws(TransportError) in
        let name = request.url.lastPathComponent
        if name == "configuration" { return TransportResponse(status: 200, body: Data(Self.configuration.utf8)) }
        calls.withLock { $0.append(name) }
        let answer = script.withLock { script -> Answer in
          script[name, default: []].isEmpty ? nil : script[name, default: []].removeFirst()
        }
        guard let answer else { throw TransportError(.connectionLost) }
        return TransportResponse(status: answer.status, body: Data(answer.body.utf8))
      }
      return try await FinapticSDK.make(
        sdkKey: Data(key.utf8).base64EncodedString(),
        options: FinapticOptions(
          store: MemorySecureStore(), transport: transport,
          clock: ClientClock(uptime: { .seconds(1) }, pause: { (_) async throws(CancellationError) in })))
    }

    private static let configuration =
      #"{"reference_data_version":"1","consents":["#
      + ["TERMS_OF_USE_OF_APP", "ELECTRONIC_COMMUNICATION", "PRIVACY_POLICY", "PRODUCT_AGREEMENT"].map {
        #"{"document_type":"CONSENT_TYPE_\#($0)","document_name_and_version":"1","needed_before_validation":true}"#
      }.joined(separator: ",") + "]}"

    static func refusal(_ status: Int, _ code: String, _ word: String? = nil) -> Answer {
      let details = word.map { #","details":{"error_code":"\#($0)","source":"core"}"# } ?? ""
      return (status, #"{"code":"\#(code)","message":"no"\#(details)}"#)
    }

    static let details: Answer = (
      200,
      #"{"transaction_id":"t1","lifecycle_transaction_id":"l1","status":"COMPLETED","customer_role":"INITIATOR","#
        + #""transfer_type":"INTERNAL_ACCOUNT_TO_ACCOUNT","clearing_system_ref_number":"t1"}"#
    )
    static let notBooked = refusal(400, "INVALID_ARGUMENT", "TRANS_INVALID_TRANSACTION")
    static let throttled = refusal(429, "RESOURCE_EXHAUSTED")
    static let denied = refusal(403, "PERMISSION_DENIED")
  }

  /// What the device keeps.
  private final class Device: Sendable {
    private struct Full: Error {}
    let kept: Mutex<[KeptTransfer]>
    private let isFull: Bool

    init(_ kept: [KeptTransfer] = [], isFull: Bool = false) {
      self.kept = Mutex(kept)
      self.isFull = isFull
    }

    var ports: FinapticPorts {
      FinapticPorts(
        keepTransfers: { [self] all in
          if isFull { throw Full() }
          kept.withLock { $0 = all }
        }, keptTransfers: { [self] in kept.withLock { $0 } }, displayName: "Ada")
    }
  }

  private nonisolated static let now = 1_800_000_000.0
  private static let ada: Bank.Answer = (200, #"{"email":"Ada@utopia.example","is_email_verified":true}"#)

  private func kept(_ key: UUID, by email: String, days: Double = 0) -> KeptTransfer {
    var request = FinapticSpecimen.pending
    request.idempotencyKey = key
    return KeptTransfer(request, owner: KeptTransfer.owner(email: email), at: Self.now - days * 86_400)
  }

  /// What the screens are told when an effect is carried out.
  private func told(_ effect: FinapticEffect, _ bank: Bank, _ device: Device) async throws -> [String] {
    let clock = ClientClock(wallTime: { Self.now }, pause: { (_) async throws(CancellationError) in })
    let performer = FinapticPerformer(try await bank.sdk(), ports: device.ports, clock: clock)
    var told: [String] = []
    await performer.perform(effect) { event in
      switch event {
      case .accounts(.transfer(.settled(let status))): told.append("\(status)")
      case .accounts(.transfer(.failed(let code))): told.append(code.rawValue)
      case .accounts(.transfer(.notSent(let why))), .accounts(.transfer(.unsettled(let why))):
        told.append(why.rawValue)
      case .pending(let request): told.append("pending \(request.idempotencyKey == FinapticSpecimen.key)")
      case .signedIn: told.append("in")
      case .signedOut: told.append("out")
      case .sign(.resetSent): told.append("reset")
      case .sessionOver: told.append("over")
      default: told.append("other")
      }
    }
    return told
  }

  @Test("a key is forgotten only when it is known what became of its transfer, whichever attempt was refused")
  func refused() async throws {
    let cases: [(sent: [Bank.Answer], found: [Bank.Answer], told: String, isKept: Bool)] = [
      ([nil, Bank.throttled], [], "RESOURCE_EXHAUSTED", true),
      ([nil, Bank.denied], [Bank.details], "completed", false),
      ([nil, Bank.denied], [Bank.notBooked], "PERMISSION_DENIED", false),
      ([nil, Bank.denied], [Bank.throttled], "RESOURCE_EXHAUSTED", true),
      ([nil, Bank.denied], [Bank.denied], "UNKNOWN", true),
      ([Bank.refusal(401, "UNAUTHENTICATED")], [], "over", true),
    ]
    for (number, one) in cases.enumerated() {
      let device = Device()
      let bank = Bank(["initiateTransfer": one.sent, "getTransferDetails": one.found, "getUserInfo": [Self.ada]])
      let told = try await told(.transfer(FinapticSpecimen.pending), bank, device)
      #expect(told == [one.told] && device.kept.withLock { $0 }.isEmpty != one.isKept, "\(number): \(told)")
    }
  }

  @Test("what the bank tells of a transfer settles it, and what it does not tell leaves it kept")
  func lookedUp() async throws {
    let own = kept(FinapticSpecimen.key, by: "ada@utopia.example")
    let cases: [(found: Bank.Answer, told: String, isKept: Bool)] = [
      (Bank.details, "completed", false), (Bank.notBooked, "transferNotMade", true),
      (Bank.throttled, "failureTooOften", true),
    ]
    for one in cases {
      let device = Device([own])
      let told = try await told(.lookUp(own.request), Bank(["getTransferDetails": [one.found]]), device)
      #expect(told == [one.told] && device.kept.withLock { $0 }.isEmpty != one.isKept, "\(told)")
    }
  }

  @Test("a kept transfer is offered to its own user only, and another user's stays for 90 days")
  func owners() async throws {
    let credential = Credential(email: "ada@utopia.example", password: "secret words")
    let tokens: Bank.Answer = (200, #"{"access_token":"a","refresh_token":"r","expires_in":900}"#)
    let bobs = kept(FinapticSpecimen.key, by: "bob@utopia.example", days: 89)
    let own = kept(FinapticSpecimen.key, by: "ada@utopia.example", days: 400)
    for (one, expected) in [(bobs, ["in"]), (own, ["in", "pending true"])] {
      let bank = Bank(["signIn": [tokens], "getUserInfo": [Self.ada]])
      #expect(try await told(.signIn(credential, code: nil), bank, Device([one])) == expected)
    }
    // Signing out forgets nothing.
    let left = Device([own])
    #expect(try await told(.signOut, Bank([:]), left) == ["out"] && left.kept.withLock { $0 } == [own])

    // Beside another user's a new one is kept; what is too old goes.
    let device = Device([bobs, kept(UUID(), by: "eve@utopia.example", days: 91)])
    var request = FinapticSpecimen.pending
    request.idempotencyKey = UUID()
    let lost = Bank(["getUserInfo": [Self.ada]])
    #expect(try await told(.transfer(request), lost, device) == ["UNAVAILABLE"])
    let keys = device.kept.withLock { $0.map(\.request.idempotencyKey) }
    #expect(keys == [bobs.request.idempotencyKey, request.idempotencyKey])
    // An own one whose outcome is not known comes first: a second one may be the same money.
    let first = Bank(["getUserInfo": [Self.ada]])
    #expect(try await told(.transfer(request), first, Device([own])) == ["pending true"])
    #expect(first.calls.withLock { $0 } == ["getUserInfo"])
  }

  @Test("a new password is asked for without signing in")
  func reset() async throws {
    let bank = Bank(["resetPassword": [(200, "{}")]])
    #expect(try await told(.resetPassword(email: "ada@utopia.example"), bank, Device()) == ["reset"])
    #expect(bank.calls.withLock { $0 } == ["resetPassword"])
  }

  @Test("what cannot be kept is not sent")
  func full() async throws {
    let bank = Bank(["getUserInfo": [Self.ada]])
    #expect(try await told(.transfer(FinapticSpecimen.pending), bank, Device(isFull: true)) == ["transferNotKept"])
    #expect(bank.calls.withLock { $0 } == ["getUserInfo"])
    let strange = Bank([:])
    #expect(try await told(.transfer(FinapticSpecimen.pending), strange, Device()) == ["failureOffline"])
    #expect(strange.calls.withLock { $0 }.allSatisfy { $0 == "getUserInfo" })
  }
}
