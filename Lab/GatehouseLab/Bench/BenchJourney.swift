// SPDX-License-Identifier: Apache-2.0

import Demonstration
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import RubixFlow
import RubixWire

/// A whole journey without pictures, call by call over one connection, each call timed from its first byte sent to its
/// last byte received. The wait for a code, which the worker sends meanwhile, is no step.
struct BenchJourney: Sendable {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// How often another slot is tried when another booking was faster.
  static let slotsTriedMax = 10

  private let inbox: CodeInbox
  private let contactNo: String
  private let email: String
  private let deviceID: String
  private var accessToken: String?
  private(set) var id = ""
  private(set) var latencies = Latencies()

  /// - Parameter number: sets the customers of one installation apart.
  init(_ number: Int, inbox: CodeInbox) {
    self.inbox = inbox
    contactNo = "+9655\(1_000_000 + number)"
    email = "bench\(number)@example.com"
    deviceID = "bench-device-\(1_000_000 + number)"
  }

  /// Registers and opens a capture session. The pictures would come next.
  mutating func begin(over connection: LoopbackConnection) throws {
    let now = WireInstant(millisecondsSince1970: World.live.now().milliseconds)
    let request = RegisterRequest(
      deviceID: deviceID, platform: .android, contactNo: contactNo, email: email, locale: "en",
      consents: ConsentCode.known.map { ConsentGrant(code: $0, version: "2026-01", acceptedAt: now) })
    let answer = try send("POST", "auth/register", request, over: connection)
    id = try WireJSON.decode(OnboardingView.self, from: Data(answer.body)).id
    accessToken = answer.header(OnboardingHeader.accessToken)
    _ = try send("POST", "sessions", EmptyBody(), over: connection)
  }

  /// From matched documents to a booked call.
  mutating func finish(over connection: LoopbackConnection) throws {
    for channel in OTPChannel.allCases {
      _ = try send("POST", "otp/\(channel.rawValue)/send", EmptyBody(), over: connection)
      let code = try inbox.code(to: channel == .sms ? contactNo : email)
      _ = try send(
        "POST", "otp/\(channel.rawValue)/verify", VerifyOTPRequest(code: code, type: channel), over: connection)
    }
    _ = try send("POST", "aml/screening", EmptyBody(), over: connection)
    let today = WireDate(daysSince1970: Int(World.live.now().milliseconds / 86_400_000))
    guard let forms = ComplianceForms(try me(over: connection).customer, today: today) else {
      throw Refused(description: "the application has no name after its match")
    }
    _ = try send("POST", "compliance/crs", forms.crs, over: connection)
    _ = try send("POST", "compliance/fatca", forms.fatca, over: connection)
    _ = try send("POST", "compliance/kyc", forms.kyc, over: connection)
    try book(after: today, over: connection)
    guard try me(over: connection).lastStep == .agentVerificationScheduled else {
      throw Refused(description: "the call is not booked at the end")
    }
  }

  private mutating func book(after today: WireDate, over connection: LoopbackConnection) throws {
    let day = WireDate(daysSince1970: today.daysSince1970 + 1 + Int(World.live.number(below: 12)))
    let answer = try send("GET", "agents/slots?from=\(day)&to=\(day)", EmptyBody?.none, over: connection)
    let slots = try WireJSON.decode(SlotList.self, from: Data(answer.body)).slots
    for _ in 0..<Self.slotsTriedMax where !slots.isEmpty {
      let slot = slots[Int(World.live.number(below: UInt64(slots.count)))]
      do {
        _ = try send("POST", "agents/appointments", AppointmentRequest(callTime: slot.start), over: connection)
        return
      } catch let refused as Refused where refused.description.contains("slot-taken") { continue }
    }
    throw Refused(description: "no slot was to be had")
  }

  private mutating func me(over connection: LoopbackConnection) throws -> OnboardingView {
    try WireJSON.decode(
      OnboardingView.self, from: Data(send("GET", "auth/me", EmptyBody?.none, over: connection).body))
  }

  private mutating func send(
    _ method: String, _ path: String, _ body: (some Encodable)?, over connection: LoopbackConnection
  ) throws -> LoopbackConnection.Answer {
    var head = "\(method) /api/v1/onboarding/\(path) HTTP/1.1\r\n"
    if let accessToken { head += "\(OnboardingHeader.accessToken): \(accessToken)\r\n" }
    if method == "POST" { head += "\(OnboardingHeader.idempotencyKey): \(World.live.uuid())\r\n" }
    let request = LoopbackConnection.request(head, body: try body.map { try WireJSON.encode($0) })
    let start = ContinuousClock.now
    let answer = try connection.send(request)
    latencies.add(ContinuousClock.now - start)
    guard (200..<300).contains(answer.status) else {
      let problem = try? WireJSON.decode(ProblemDetails.self, from: Data(answer.body))
      throw Refused(description: "\(method) \(path): \(answer.status) \(problem?.code.rawValue ?? "")")
    }
    return answer
  }
}
