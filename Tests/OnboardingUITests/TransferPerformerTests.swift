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
    let kept = Mutex<InitiateTransferRequest?>(nil)

    var ports: FinapticPorts {
      FinapticPorts(
        keepTransfer: { one in self.kept.withLock { $0 = one } }, keptTransfer: { self.kept.withLock { $0 } },
        displayName: "Ada")
    }
  }

  /// What the screens are told when an effect is carried out.
  private func told(_ effect: FinapticEffect, _ bank: Bank, _ device: Device) async throws -> [String] {
    let performer = FinapticPerformer(try await bank.sdk(), ports: device.ports)
    var told: [String] = []
    await performer.perform(effect) { event in
      switch event {
      case .accounts(.transfer(.settled(let status))): told.append("\(status)")
      case .accounts(.transfer(.failed(let code))): told.append(code.rawValue)
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
      let (bank, device) = (Bank(["initiateTransfer": one.sent, "getTransferDetails": one.found]), Device())
      let told = try await told(.transfer(FinapticSpecimen.pending), bank, device)
      #expect(told == [one.told] && (device.kept.withLock { $0 } != nil) == one.isKept, "\(number): \(told)")
    }
  }
}
