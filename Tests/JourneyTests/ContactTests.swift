// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import RubixOnboarding
import Testing

@testable import GatehouseApp

/// Checklist lines 6 and 7 through the whole stack; the boundaries of every number are in the passcodes' own tests.
@Suite("Journey: contacts and reinstalling")
struct ContactTests {
  private static func wrong(_ code: String) -> String { code == "000000" ? "111111" : "000000" }

  @Test(
    "7. OTP: tries are counted down, the fifth wrong one voids the code, and the right one comes too late",
    .onOneEngine)
  func tries() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      _ = try await phone.app.sendOTP(.sms)
      let code = try await journey.code(to: phone.contactNo)
      for left in [4, 3, 2, 1] {
        let refused = try await problem { _ = try await phone.app.verifyOTP(.sms, code: Self.wrong(code)) }
        #expect(refused?.code == .otpMismatch && refused?.attemptsLeft == left)
        // What is no code of six digits is not counted, and is told how many are left all the same.
        let short = try await problem { _ = try await phone.app.verifyOTP(.sms, code: "12345") }
        #expect(short?.code == .otpMismatch && short?.attemptsLeft == left)
      }
      _ = try await problem { _ = try await phone.app.verifyOTP(.sms, code: Self.wrong(code)) }
      let late = try await problem { _ = try await phone.app.verifyOTP(.sms, code: code) }
      #expect(late?.code == .otpMismatch && late?.attemptsLeft == 0)
      try await phone.expect(.smsOTPSent, next: .session)
      #expect(try await phone.app.me().flags.isContactNoVerified == false)
    }
  }

  @Test(
    "7. OTP: five minutes are enough for an SMS and one second more is not; a second send has to wait a minute",
    .onOneEngine)
  func time() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      _ = try await phone.app.sendOTP(.sms)
      let code = try await journey.code(to: phone.contactNo)
      #expect(try await problem { _ = try await phone.app.sendOTP(.sms) }?.code == .rateLimited)
      journey.clock.advance(by: .seconds(301))
      #expect(try await problem { _ = try await phone.app.verifyOTP(.sms, code: code) }?.status == 410)
    }
  }

  @Test(
    "7. OTP: the old code is void after a resend; of two verifies at once both are told the same truth", .onOneEngine)
  func resend() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      _ = try await phone.app.sendOTP(.email)
      let old = try await journey.code(to: phone.email)
      journey.clock.advance(by: .seconds(61))
      _ = try await phone.app.sendOTP(.email)
      let new = try await journey.code(to: phone.email)
      if old != new {
        #expect(try await problem { _ = try await phone.app.verifyOTP(.email, code: old) }?.code == .otpMismatch)
      }
      async let first = phone.app.verifyOTP(.email, code: new)
      async let second = phone.restarted().verifyOTP(.email, code: new)
      let answers = try await [first, second]
      // Exactly one used the code; the other one is told that it was used.
      #expect(answers.filter { $0.alreadyVerified == true }.count == 1)
      #expect(try await problem { _ = try await phone.app.sendOTP(.email) }?.code == .stepAlreadyCompleted)
    }
  }

  @Test("6. reinstall: same device and phone without tokens is a new id; earlier data is unreachable by any call")
  func reinstall() async throws {
    try await JourneyTestApp.run { journey in
      let former = JourneyPhone(journey)
      try await former.register()
      try await former.faces()
      try await former.document(.passport, JourneyPapers.passport)
      let before = try await former.app.me()
      let latter = JourneyPhone(journey)
      try await latter.register()
      let view = try await latter.app.me()
      #expect(view.id != before.id && view.documents.isEmpty && view.session == nil && view.customer.lastName == nil)
      #expect(try await latter.app.documents().documents.isEmpty)
      for document in before.documents {
        #expect(try await problem { _ = try await latter.app.document(document.id) }?.code == .notFound)
        #expect(try await problem { _ = try await latter.app.preview(document.id) }?.code == .notFound)
      }
      // Who proves to have the phone ends the earlier application, not before (§3.5).
      #expect(try await former.app.me().status == .pending)
      _ = try await latter.app.sendOTP(.sms)
      _ = try await latter.app.verifyOTP(.sms, code: journey.code(to: latter.contactNo))
      try await former.expect(before.lastStep, next: nil, .abandoned)
      #expect(try await problem { _ = try await former.app.verifyDocuments() }?.code == .applicationClosed)
      #expect(try await former.app.resume() == .finished(.abandoned))
    }
  }

  @Test(
    "4. tokens: an old access token is renewed once for both waiting calls; a logout ends the way back", .onOneEngine)
  func tokens() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      let before = try await phone.store.load()
      journey.clock.advance(by: .minutes(16))
      async let first = phone.app.me()
      async let second = phone.app.steps()
      #expect(try await first.lastStep == second.lastStep)
      let after = try await phone.store.load()
      #expect(after != before && after?.deviceID == before?.deviceID)
      try await phone.app.logout()
      #expect(try await phone.app.resume() == .startFresh)
      #expect(journey.record.accepted.contains("POST /auth/refresh-token"))
    }
  }
}
