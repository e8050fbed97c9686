// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import OneAssistWire
import Synchronization

/// The server as the SDK sees it: one order, and whatever a test wants it to say instead.
final class FakeServer: Sendable {
  typealias Reply = @Sendable (TransportRequest) async -> Result<TransportResponse, TransportError>

  static let code = "ACT-1"
  static let reference = "5b3f"
  static let secret = Data(repeating: 7, count: 32)

  struct State {
    var status: String? = "POSTDTLPENDING"
    var documents: [(name: String, status: String?)] = []
    var linkSentAt: String?
    var address: OneAssist.OrderInfo.Address?
    var purchase: Int64? = 9_876_543_210
    var replies: [String: Reply] = [:]
    var requests: [TransportRequest] = []
    /// Milliseconds by which this server's clock is ahead of the device's.
    var ahead: Int64 = 0
    var keys = 0
    /// What pictures read.
    var text = "IMEI 35 900011 000001 2"
  }

  private let state = Mutex(State())
  private let clock: SteppedClock

  init(_ clock: SteppedClock) { self.clock = clock }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
  var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// Names of the calls, in their order.
  var calls: [String] { requests.map { Self.name($0) } }

  /// The last request of a name.
  func last(_ name: String) -> TransportRequest? { requests.last { Self.name($0) == name } }

  func lastBody(_ name: String) -> String { String(decoding: last(name)?.body ?? Data(), as: UTF8.self) }

  /// Lets a call answer something else.
  func answer(_ name: String, _ reply: @escaping Reply) { change { $0.replies[name] = reply } }

  func answer(_ name: String, status: Int, _ json: String) {
    answer(name) { _ in .success(TransportResponse(status: status, body: Data(json.utf8))) }
  }

  /// Lets a call answer as it does by itself.
  func restore(_ name: String) { change { $0.replies[name] = nil } }

  var transport: HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      self.change { $0.requests.append(request) }
      let name = Self.name(request)
      if let reply = self.state.withLock({ $0.replies[name] }) { return try await reply(request).get() }
      return TransportResponse(status: 200, body: self.body(name, request))
    }
  }

  private func body(_ name: String, _ request: TransportRequest) -> Data {
    let time = Int64(clock.wall * 1000)
    return state.withLock { state in
      let task = OneAssist.TaskInfo(status: state.status)
      switch name {
      case "info": return Self.envelope(Self.order(state))
      case "documents":
        var device = OneAssist.RequiredDocuments.Device()
        device.verificationDocuments = state.documents.map { .init(name: $0.name, status: $0.status) }
        return Self.envelope(
          OneAssist.RequiredDocuments(
            activityReferenceId: Self.reference, deviceDetails: [device], taskInfo: task))
      case "lead":
        if state.status == "POSTDTLPENDING",
          String(decoding: request.body ?? Data(), as: UTF8.self).contains("\"imei\":\"")
        {
          state.status = "POSTDTLCOMPLETE"
        }
        return Self.envelope(OneAssist.TaskStatus(taskInfo: .init(status: state.status)))
      case "link":
        state.linkSentAt = "2026-11-22T08:00:00Z"
        return Self.envelope(
          OneAssist.LinkAnswer(sentAt: state.linkSentAt, retryAfterSeconds: 30, maskedNumber: nil, taskInfo: task))
      case "key":
        state.keys += 1
        var key = OneAssist.ScreenKey()
        (key.hashKey, key.sessionId) = (Self.secret.base64EncodedString(), "session-\(state.keys)")
        (key.issuedAt, key.serverTime) = (time + state.ahead, time + state.ahead)
        (key.stepMillis, key.validSeconds, key.taskInfo) = (1000, 900, task)
        return Self.envelope(key)
      case "text": return Self.envelope(OneAssist.TextAnswer(text: state.text))
      default: return Self.envelope(OneAssist.DocumentAnswer(docId: "d", taskInfo: task))
      }
    }
  }

  private static func order(_ state: State) -> OneAssist.OrderInfo {
    var info = OneAssist.OrderInfo(taskInfo: state.status.map { .init(status: $0) })
    var customer = OneAssist.OrderInfo.Customer()
    (customer.mobileNo, customer.addressInfo, customer.activityRefId) = (state.purchase, state.address, reference)
    info.customerInfo = [customer]
    info.activationInfo = .init(activationCode: code)
    info.uploadLink = .init(sentAt: state.linkSentAt, maskedNumber: nil)
    return info
  }

  static func envelope(_ content: some Codable & Sendable & Equatable) -> Data {
    (try? WireJSON.encode(OneAssist.Envelope(content))) ?? Data()
  }

  static func name(_ request: TransportRequest) -> String {
    let path = request.url.path
    let names = [
      ("/order/info", "info"), ("/activation/documents", "documents"), ("/asset/document/link", "link"),
      ("/activation/asset/document", "upload"), ("/lead", "lead"), ("/events", "event"), ("/image-data", "text"),
    ]
    return names.first { path.hasSuffix($0.0) }?.1 ?? (path.contains("/order/hash-key/") ? "key" : path)
  }
}
