// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: no factor is got around, and none is guessed")
struct FactorGuessingTests {
  private typealias Factors = SecondFactorTests

  private static let secret = Data(repeating: 7, count: 20)

  private static func code(_ app: AccountTestApp, _ steps: Int64 = 0) -> String {
    TimeCode.code(secret, step: TimeCode.step(at: app.clock.now) + steps)
  }

  /// Why a code is refused; nil for one that is taken.
  private static func message(_ code: String, _ user: FinapticUser, _ app: AccountTestApp) async throws -> String? {
    let factors = app.service.dependencies.factors
    return try await app.database.write { try factors.problem(code, of: user, in: $0)?.detail }
  }

  private static func putApp(_ app: AccountTestApp) async throws {
    let (user, factors) = (try await app.user(), app.service.dependencies.factors)
    try await app.database.write { tx in
      try SecondFactorStore(tx).propose(.totp, factors.seal(secret, .totp, of: user.id, in: tx), of: user.id)
      _ = try SecondFactorStore(tx).confirm(.totp, step: nil, of: user.id, at: Instant(milliseconds: 0))
    }
  }

  @Test("the password alone enrols nothing: who has a mailbox shows it, who has nothing is told what to do")
  func enrolment() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await app.signedIn().accessToken
      for method in ["enrolAuthenticatorApp", "enrolPhone"] {
        let answer = try await app.call(method, Factors.proof(phone: "+15145550123"), token: token)
        #expect(answer.refusal == Factors.refused && answer.message.contains("confirm your e-mail address"))
      }
      #expect(try await app.call(.post, app.link("verify-email")).status == 303)
      for code in [nil, "000000"] {
        let answer = try await app.call("enrolAuthenticatorApp", Factors.proof(code), token: token)
        #expect(answer.refusal == Factors.refused)
      }
      let good = try await app.code()
      #expect(try await app.call("enrolAuthenticatorApp", Factors.proof(good), token: token).status == 200)
      // And once only.
      #expect(
        try await app.call("enrolPhone", Factors.proof(good, phone: "+15145550123"), token: token).status == 401)
    }
  }

  @Test("a first proof of an address by a new password removes the factors that another person enrolled")
  func foreignFactor() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await app.signedIn().accessToken
      try await Self.putApp(app)
      _ = try await app.call("resetPassword", FinapticAPI.ResetPasswordRequest(email: AccountTestApp.email))
      let form = "password=Zebrafish7Lantern&repeated=Zebrafish7Lantern"
      let set = try await app.call(
        .post, app.link("reset-password"), Data(form.utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(set.status == 303)
      #expect(try await app.userInfo(token).status == 401)
      let answer = try await app.signIn(AccountTestApp.email, "Zebrafish7Lantern", scope: "view:card_number")
      #expect(answer.message.contains("by e-mail"))
    }
  }

  @Test("an app that is the user's own outlives a new password")
  func ownFactor() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      try await Factors.verified(app)
      try await Self.putApp(app)
      _ = try await app.call("resetPassword", FinapticAPI.ResetPasswordRequest(email: AccountTestApp.email))
      let form = "password=Zebrafish7Lantern&repeated=Zebrafish7Lantern"
      let set = try await app.call(
        .post, app.link("reset-password"), Data(form.utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(set.status == 303)
      let answer = try await app.signIn(AccountTestApp.email, "Zebrafish7Lantern", scope: "view:card_number")
      #expect(answer.message.contains("authenticator app"))
    }
  }

  @Test("the right password, asked with too often, is never counted as a wrong one; the code that came with it is used")
  func patience() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await Factors.signedIn(app)
      try await Self.putApp(app)
      let number = "+15145550123"
      #expect(
        try await app.call("enrolPhone", Factors.proof(Self.code(app), phone: number), token: token).json == "{}")
      // A code of a step to come is taken too: each is another one, and each request comes too soon.
      #expect(
        try await app.call("enrolPhone", Factors.proof(Self.code(app, 1), phone: number), token: token).code
          == "RESOURCE_EXHAUSTED")
      let again = try await app.call("enrolPhone", Factors.proof(Self.code(app, 1), phone: number), token: token)
      #expect(again.refusal == Factors.refused && again.message.contains("used before"))
      let (user, service) = (try await app.user(), app.service)
      try await app.database.write { tx in
        for _ in 1...5 {
          _ = try service.dependencies.core.limits.count(
            service.dependencies.policy.enrolmentsPerUser, by: user.id.rawValue, in: tx)
        }
      }
      for _ in 1...12 {
        app.clock.advance(by: .seconds(30))
        let proof = Factors.proof(Self.code(app, 1), phone: number)
        #expect(try await app.call("enrolPhone", proof, token: token).code == "RESOURCE_EXHAUSTED")
      }
      #expect(try await app.signIn().status == 200)
    }
  }

  @Test("a user enrols five numbers a day, and a number is written to five times a day by all of them")
  func enrolmentLimits() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await Factors.signedIn(app)
      try await Self.putApp(app)
      func enrol(_ number: String, _ token: String) async throws -> String? {
        app.clock.advance(by: .minutes(2))
        return try await app.call("enrolPhone", Factors.proof(Self.code(app), phone: number), token: token).code
      }
      for digit in 1...5 { #expect(try await enrol("+1514555012\(digit)", token) == nil) }
      let sixth = try await app.call(
        "enrolPhone", Factors.proof(Self.code(app, 1), phone: "+15145550126"), token: token)
      #expect(sixth.code == "RESOURCE_EXHAUSTED" && sixth.headers[.init("Retry-After")!] != nil)
      #expect(try await app.messages(to: "+15145550126").isEmpty)
      // The next day they may again.
      app.clock.advance(by: .hours(24))
      let state: FinapticAPI.AuthState = try await app.signIn().view()
      #expect(try await enrol("+15145550126", state.accessToken) == nil)
    }
  }

  @Test("a hundred wrong codes of an app in a row lock it for a day; a right one begins anew")
  func aHundred() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Factors.verified(app)
      try await Self.putApp(app)
      let user = try await app.user()
      func message(_ code: String) async throws -> String? { try await Self.message(code, user, app) }
      func wrong() -> String { Self.code(app) == "000000" ? "000001" : "000000" }
      for _ in 1...99 {
        #expect(try await message(wrong())?.contains("wrong") == true)
        app.clock.advance(by: .minutes(5))
      }
      #expect(try await message(Self.code(app)) == nil)
      for _ in 1...100 {
        app.clock.advance(by: .minutes(5))
        #expect(try await message(wrong())?.contains("wrong") == true)
      }
      app.clock.advance(by: .minutes(5))
      #expect(try await message(Self.code(app))?.contains("tomorrow") == true)
      app.clock.advance(by: .hours(24))
      #expect(try await message(Self.code(app)) == nil)
    }
  }

  @Test("a right code of an app that was used before is refused, and counts for no lock")
  func usedBefore() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Factors.verified(app)
      try await Self.putApp(app)
      let user = try await app.user()
      func message(_ code: String) async throws -> String? { try await Self.message(code, user, app) }
      let used = Self.code(app)
      #expect(try await message(used) == nil)
      for _ in 1...8 { #expect(try await message(used)?.contains("used before") == true) }
      #expect(try await message(Self.code(app, 1)) == nil)
    }
  }

  @Test("who guessed too many mailed codes is told that no more are sent, not that one was")
  func mailLocked() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Factors.verified(app)
      let user = try await app.user()
      var answers: [String] = []
      // Some codes, and five wrong tries at each, until no more are sent.
      for _ in 1...8 {
        app.clock.advance(by: .minutes(10))
        answers.append(try await app.signIn().message)
        guard answers.last?.contains("it was sent") == true else { break }
        let code = try await app.code()
        let wrong = code == "000000" ? "000001" : "000000"
        for _ in 1...5 { _ = try await app.signIn(code: wrong) }
      }
      #expect(answers.last == "Too many wrong codes: try again tomorrow.")
      #expect(answers.dropLast().allSatisfy { $0.contains("it was sent") } && answers.count > 1)
      #expect(user.emailVerifiedAt != nil)
    }
  }
}
