// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RubixOnboarding

@Suite("Onboarding client: every call goes to its path")
struct PathTests {
  typealias Call = @Sendable (RubixOnboarding) async throws(RubixError) -> Void

  private static let day = WireDate(daysSince1970: 20_000)
  private static let instant = WireInstant(millisecondsSince1970: 0)

  static let calls: [(String, Call)] = [
    ("POST auth/register", { (app) async throws(RubixError) in _ = try await app.register(Sample.registration) }),
    ("GET auth/me", { (app) async throws(RubixError) in _ = try await app.me() }),
    ("PUT auth/me", { (app) async throws(RubixError) in _ = try await app.updateMe(UpdateMeRequest()) }),
    ("DELETE auth/logout", { (app) async throws(RubixError) in try await app.logout() }),
    ("POST sessions", { (app) async throws(RubixError) in _ = try await app.createSession(restart: true) }),
    (
      "POST faces/selfie/upload",
      { (app) async throws(RubixError) in _ = try await app.uploadSelfie(Data(), subType: .faceCapture) }
    ),
    ("GET faces/liveness/challenge", { (app) async throws(RubixError) in _ = try await app.livenessChallenge() }),
    ("POST faces/liveness/upload", { (app) async throws(RubixError) in _ = try await app.uploadLiveness(Data()) }),
    (
      "POST documents/driving-license/upload",
      { (app) async throws(RubixError) in _ = try await app.upload(.drivingLicense, file: Data()) }
    ),
    (
      "POST documents/nationality-id-front/process",
      { (app) async throws(RubixError) in _ = try await app.process(.nationalIDFront) }
    ),
    ("POST documents/verification", { (app) async throws(RubixError) in _ = try await app.verifyDocuments() }),
    ("GET documents", { (app) async throws(RubixError) in _ = try await app.documents() }),
    ("GET documents/d-1", { (app) async throws(RubixError) in _ = try await app.document("d-1") }),
    ("GET documents/d-1/preview", { (app) async throws(RubixError) in _ = try await app.preview("d-1") }),
    ("POST otp/sms/send", { (app) async throws(RubixError) in _ = try await app.sendOTP(.sms) }),
    ("POST otp/email/verify", { (app) async throws(RubixError) in _ = try await app.verifyOTP(.email, code: "1") }),
    ("POST aml/screening", { (app) async throws(RubixError) in _ = try await app.screenAML() }),
    ("GET compliance/fatca", { (app) async throws(RubixError) in _ = try await app.template(.fatca) }),
    (
      "POST compliance/kyc",
      { (app) async throws(RubixError) in
        _ = try await app.submitKYC(KYCSubmission(templateID: "t", version: 1, results: []))
      }
    ),
    (
      "GET agents/slots", { (app) async throws(RubixError) in _ = try await app.slots(from: Self.day, to: Self.day) }
    ),
    (
      "GET agents/available",
      { (app) async throws(RubixError) in _ = try await app.available(callTime: Self.instant, gender: .male) }
    ),
    (
      "POST agents/appointments",
      { (app) async throws(RubixError) in _ = try await app.book(AppointmentRequest(callTime: Self.instant)) }
    ),
    ("GET agents/appointments/current", { (app) async throws(RubixError) in _ = try await app.currentAppointment() }),
    (
      "POST agents/appointments/current/cancel",
      { (app) async throws(RubixError) in _ = try await app.cancelAppointment() }
    ),
    ("GET steps", { (app) async throws(RubixError) in _ = try await app.steps() }),
    ("GET reference/countries", { (app) async throws(RubixError) in _ = try await app.countries() }),
    ("GET reference/currencies", { (app) async throws(RubixError) in _ = try await app.currencies() }),
  ]

  @Test("method, path, and the token in its header alone", arguments: calls.indices)
  func path(index: Int) async throws {
    let (expected, call) = Self.calls[index]
    let device = try await Device.registered()
    await device.bank.on(expected, .problem(403, "forbidden"))
    do {
      try await call(device.app())
      Issue.record("a refusal was taken for an answer")
    } catch {
      guard case .problem(let problem) = error else { throw error }
      #expect(problem.code == .forbidden)
    }
    let request = try #require(await device.bank.requests.first)
    #expect(request.call == expected)
    #expect(!request.url.absoluteString.contains("A1"))
    #expect((request.headers["idempotency-key"] != nil) == (request.method == "POST"))
    #expect((request.body != nil) == ["POST", "PUT"].contains(request.method))
  }
}
