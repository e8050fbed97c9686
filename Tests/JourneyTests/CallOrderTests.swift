// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import RubixWire
import RubixFlow
import Testing

@testable import GatehouseApp

/// Checklist line 1: each call without a token, out of order, with a bad body. Repetitions are in `WholeJourneyTests`.
@Suite("Journey: calls that are refused", .onOneEngine)
struct CallOrderTests {
  /// Calls of customers and staff that are not in the table of steps.
  private static let others: [(method: String, path: String)] = [
    ("GET", "/auth/me"), ("PUT", "/auth/me"), ("DELETE", "/auth/logout"), ("GET", "/steps"), ("GET", "/documents"),
    ("GET", "/documents/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01"),
    ("GET", "/documents/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01/preview"), ("GET", "/faces/liveness/challenge"),
    ("GET", "/aml/screening"), ("GET", "/compliance/crs"), ("GET", "/compliance/fatca"), ("GET", "/compliance/kyc"),
    ("GET", "/agents/slots"), ("GET", "/agents/appointments/current"), ("POST", "/agents/verification"),
    ("GET", "/agents/calls"), ("GET", "/customers"), ("GET", "/customers/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01"),
    ("POST", "/agents/calls/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01/start"),
    ("POST", "/agents/calls/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01/end"),
    ("POST", "/customers/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01/aml/decision"), ("DELETE", "/agents/auth/logout"),
    ("POST", "/customers/3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01/retake"),
  ]

  private static func send(
    _ method: String, _ path: String, _ body: String?, token: String?, in journey: JourneyTestApp
  ) async throws -> TransportResponse {
    var headers: TransportHeaders = [:]
    if body != nil { headers["content-type"] = "application/json" }
    headers[OnboardingHeader.accessToken] = token
    return try await journey.transport.send(
      TransportRequest(
        method: method, url: JourneyTestApp.address.appending(path: "api/v1/onboarding\(path)"), headers: headers,
        body: body.map { Data($0.utf8) }))
  }

  private static func code(_ answer: TransportResponse) throws -> ProblemCode {
    try WireJSON.decode(ProblemDetails.self, from: answer.body).code
  }

  @Test("1. missing token: every call of a customer or of staff says 401, and with an unknown token, too")
  func missingToken() async throws {
    try await JourneyTestApp.run { journey in
      for (method, path) in RubixCall.all.map({ ("POST", $0.path) }) + Self.others {
        let body = method == "GET" || method == "DELETE" ? nil : "{}"
        let without = try await Self.send(method, path, body, token: nil, in: journey)
        #expect(without.status == 401, "\(method) \(path)")
        #expect(try Self.code(without) == .tokenMissing, "\(method) \(path)")
        #expect(without.headers["www-authenticate"] == #"Bearer error="invalid_token""#)
        let forged = try await Self.send(method, path, body, token: "e30.e30.e30", in: journey)
        #expect(forged.status == 401, "\(method) \(path)")
        #expect(try Self.code(forged) == .tokenInvalid, "\(method) \(path)")
      }
    }
  }

  @Test("1. wrong order: 409 names what is in order, also when the body is no JSON; nothing is stored (§5.1)")
  func wrongOrder() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      let token = try #require(try await phone.store.load()).accessToken
      let before = try await phone.app.me()
      let inOrder = Set(before.nextSteps.map(\.path))
      for call in RubixCall.all where !inOrder.contains(call.path) {
        let answer = try await Self.send("POST", call.path, "no JSON", token: token, in: journey)
        #expect(answer.status == 409, "\(call.path)")
        let problem = try WireJSON.decode(ProblemDetails.self, from: answer.body)
        #expect(problem.code == .stepOutOfOrder, "\(call.path)")
        #expect(problem.lastStep == before.lastStep.rawValue && problem.expectedSteps?.isEmpty == false, "\(call.path)")
      }
      #expect(try await phone.app.me() == before)
    }
  }

  @Test("1. bad body: each call in its turn refuses what is no JSON and what it does not know, and stays where it was")
  func badBody() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      let register = try await Self.send("POST", "/auth/register", "[", token: nil, in: journey)
      #expect(try (register.status, Self.code(register)) == (400, .invalidJSON))
      try await phone.register()
      try await Self.refuseAll(phone, "/sessions", "/otp/sms/send", "/otp/email/send")
      try await phone.faces(checking: { try await Self.refuseAll(phone, $0) })
      try await Self.refuseAll(phone, "/documents/passport/upload", "/documents/driving-license/upload")
      try await phone.document(.passport, JourneyPapers.passport)
      try await Self.refuseAll(phone, "/documents/passport/process", "/documents/verification")
      try await phone.matched()
      _ = try await phone.app.sendOTP(.sms)
      try await Self.refuseAll(phone, "/otp/sms/verify")
      journey.clock.advance(by: .seconds(61))
      try await phone.contacts()
      try await Self.refuseAll(phone, "/aml/screening")
      try await phone.screened()
      try await Self.refuseAll(phone, "/compliance/crs", "/compliance/fatca", "/compliance/kyc")
      try await phone.forms()
      try await Self.refuseAll(phone, "/agents/appointments")
    }
  }

  private static func refuseAll(_ phone: JourneyPhone, _ paths: String...) async throws {
    let before = try await phone.app.me()
    let token = try #require(try await phone.store.load()).accessToken
    for path in paths {
      let garbage = try await send("POST", path, "no JSON", token: token, in: phone.journey)
      #expect(garbage.status == 400, "\(path)")
      #expect(try code(garbage) == .invalidJSON, "\(path)")
      let unknown = try await send("POST", path, #"{"surprise":true}"#, token: token, in: phone.journey)
      // A missing member may be seen before an unknown one.
      #expect(unknown.status == 400 || unknown.status == 422, "\(path)")
      #expect([.unknownField, .validationFailed].contains(try code(unknown)), "\(path)")
    }
    #expect(try await phone.app.me() == before)
  }
}
