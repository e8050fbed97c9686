// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import GatehouseWire
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: second factors")
struct SecondFactorTests {
  static let refused = "401 UNAUTHENTICATED MFA_ERROR"

  /// A user whose address is verified, signed up and not in.
  static func verified(_ app: AccountTestApp) async throws {
    #expect(try await app.signUp().status == 200)
    #expect(try await app.call(.post, app.link("verify-email")).status == 303)
  }

  /// The same, signed in.
  static func signedIn(_ app: AccountTestApp) async throws -> String {
    try await verified(app)
    let state: FinapticAPI.AuthState = try await app.signIn().view()
    return state.accessToken
  }

  /// A code of the mailbox for who enrols another factor.
  static func mailed(_ app: AccountTestApp, _ token: String) async throws -> String {
    app.clock.advance(by: .minutes(1))
    let asked = try await app.call("enrolAuthenticatorApp", proof(), token: token)
    #expect(asked.refusal == refused && asked.message.contains("by e-mail"))
    return try await app.code()
  }

  @Test("never asks for none; step-up only for scopes; always for everybody")
  func policy() async throws {
    try await AccountTestApp.run(mfa: .never) { app async throws in
      #expect(try await app.signUp().status == 200)
      #expect(try await app.signIn(scope: "view:card_number").status == 200)
    }
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      #expect(try await app.signUp().status == 200)
      #expect(try await app.signIn().status == 200)
      #expect(try await app.signIn(scope: "view:card_number").refusal == Self.refused)
    }
    try await AccountTestApp.run(mfa: .always) { app async throws in
      #expect(try await app.signUp().status == 200)
      let answer = try await app.signIn()
      #expect(answer.refusal == Self.refused)
      #expect(answer.message.contains("you have none"))
      // The password still comes first.
      #expect(try await app.signIn(AccountTestApp.email, "Wrong7Password").code == "SIGNIN_INVALID_PASSWORD")
    }
  }

  @Test("by e-mail: asked for, sent, typed; wrong and used ones are refused")
  func email() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Self.verified(app)
      let asked = try await app.signIn()
      #expect(asked.refusal == Self.refused)
      #expect(asked.message.contains("code is needed"))
      let code = try await app.code()
      let wrong = code == "000000" ? "000001" : "000000"
      for left in (1...4).reversed() {
        #expect(try await app.signIn(code: wrong).message.contains("tries left: \(left)"))
      }
      #expect(try await app.signIn(code: code).status == 200)
      #expect(try await app.signIn(code: code).refusal == Self.refused)
      #expect(try await app.signIn(code: "12345").message.contains("six digits"))
      try await Self.expectLog(app)
    }
  }

  /// Staff of the tenant's desk find each code that was typed, and nothing of a request that only asked for one.
  private static func expectLog(_ app: AccountTestApp) async throws {
    let repository = ProofRepository(app.app.core, [.finaptic(app.app.core)])
    func reader(_ scope: TenantScope, email: String = "r@bank.example") -> RecordReader {
      RecordReader(chain: "reader", actor: "agent:1", email: email, scope: scope)
    }
    let (mine, other) = (reader(.only("finaptic-7")), reader(.allBut(["finaptic-7"])))
    let states = try await repository.page(.init(), for: mine).rows.map(\.state)
    #expect(states == ["refused", "refused", "verified"] + Array(repeating: "refused", count: 4))
    let user = try await app.user().id.rawValue
    #expect(try await repository.page(.init(name: user), for: mine).rows.count == states.count)
    #expect(try await repository.page(.init(), for: other).rows.isEmpty)
    let proof = try #require(try await repository.page(.init(state: "verified"), for: mine).rows.first)
    let facts = try await repository.record(proof.id, for: mine).facts.map { "\($0.code) \($0.value)" }
    #expect(facts.contains("factor email") && facts.contains("asked sign-in") && facts.contains("user \(user)"))
    await #expect(throws: Problem.notFound) { try await repository.record(proof.id, for: other) }
    await #expect(throws: Problem.self) {
      try await repository.record(proof.id, for: reader(.only("finaptic-7"), email: AccountTestApp.email))
    }
  }

  @Test("a code is over after five minutes, and after five wrong tries; asking at once sends no second one")
  func ends() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Self.verified(app)
      #expect(try await app.signIn().refusal == Self.refused)
      let first = try await app.code()
      #expect(try await app.signIn().message.contains("ask again in"))
      #expect(try await app.code() == first)
      app.clock.advance(by: .minutes(5))
      #expect(try await app.signIn(code: first).message.contains("expired"))
      #expect(try await app.signIn().refusal == Self.refused)
      let second = try await app.code()
      let wrong = second == "000000" ? "000001" : "000000"
      for _ in 1...5 { #expect(try await app.signIn(code: wrong).refusal == Self.refused) }
      #expect(try await app.signIn(code: second).message.contains("No code is waiting"))
    }
  }

  static func proof(_ code: String? = nil, phone: String? = nil, factor: String? = nil) -> FactorEnrolment.Proof {
    var proof = FactorEnrolment.Proof()
    (proof.password, proof.mfaCode, proof.phoneNumber, proof.factor) = (AccountTestApp.password, code, phone, factor)
    return proof
  }

  @Test("an authenticator app: enrolled by its first code, preferred from then on, no code counts twice")
  func phoneApp() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await Self.signedIn(app)
      let mailed = try await Self.mailed(app, token)
      var weak = Self.proof(mailed)
      weak.password = "Wrong7Password"
      #expect(try await app.call("enrolAuthenticatorApp", weak, token: token).code == "SIGNIN_INVALID_PASSWORD")
      let phoneApp: FactorEnrolment.AuthenticatorApp = try await app.call(
        "enrolAuthenticatorApp", Self.proof(mailed), token: token
      ).view()
      #expect(phoneApp.uri.hasPrefix("otpauth://totp/Maple%20Bank:"))
      let secret = try #require(Self.bytes(base32: phoneApp.secret))
      func code(_ steps: Int64 = 0) -> String {
        TimeCode.code(secret, step: TimeCode.step(at: app.clock.now) + steps)
      }
      // Proposed, not yet confirmed: it does not count.
      app.clock.advance(by: .minutes(1))
      #expect(try await app.signIn(scope: "view:card_number").message.contains("by e-mail"))
      let bad = FactorEnrolment.Code(code: code(5))
      #expect(try await app.call("confirmAuthenticatorApp", bad, token: token).code == "MFA_ERROR")
      let good = FactorEnrolment.Code(code: code())
      #expect(try await app.call("confirmAuthenticatorApp", good, token: token).json == "{}")
      #expect(try await app.signIn(scope: "view:card_number").message.contains("authenticator app"))
      #expect(try await app.signIn(scope: "view:card_number", code: code()).message.contains("used before"))
      app.clock.advance(by: .seconds(30))
      #expect(try await app.signIn(scope: "view:card_number", code: code()).status == 200)
      #expect(try await app.signIn(scope: "view:card_number", code: code()).refusal == Self.refused)
      let factors: FactorEnrolment.Factors = try await app.call("getSecondFactors", EmptyBody(), token: token).view()
      #expect(factors.factors == ["totp"] && factors.isEmailVerified)
      app.clock.advance(by: .seconds(30))
      #expect(try await app.call("removeSecondFactor", Self.proof(factor: "totp"), token: token).code == "MFA_ERROR")
      let removed = try await app.call("removeSecondFactor", Self.proof(code(), factor: "totp"), token: token)
      #expect(removed.json == "{}")
      #expect(try await app.signIn(scope: "view:card_number").message.contains("by e-mail"))
    }
  }

  @Test(
    "a user who is blocked, or signs out, while the password is compared changes no factor", arguments: [true, false])
  func endedMeanwhile(isBlocked: Bool) async throws {
    try await AccountTestApp.run { app async throws in
      let token = try await Self.signedIn(app)
      let (user, dependencies) = (try await app.user(), app.service.dependencies)
      let (factors, sessions) = (dependencies.factors, dependencies.sessions)
      let secret = Data(repeating: 7, count: 20)
      try await app.database.write { tx in
        try SecondFactorStore(tx).propose(.totp, factors.seal(secret, .totp, of: user.id, in: tx), of: user.id)
        _ = try SecondFactorStore(tx).confirm(.totp, step: nil, of: user.id, at: Instant(milliseconds: 0))
      }
      let identity = try await sessions.verify(token, tenant: FinapticTenant.session(AccountTestApp.tenant))
      let caller = try #require(FinapticSignedIn(identity))
      let core = CoreDependencies(
        database: OvertakenDatabase(app.database, beforeWrite: 2) {
          if isBlocked {
            _ = try await dependencies.users.setBlocked(
              true, user.id.rawValue, tenant: AccountTestApp.tenant, by: "agent:1")
          } else {
            try await app.database.write { _ = try sessions.revoke(identity.family, in: $0) }
          }
        }, world: app.clock.world, vault: app.vault, blobs: dependencies.core.blobs)
      let enrolment = FactorEnrolment(
        core: core, factors: factors, passwords: dependencies.passwords, passcodes: dependencies.passcodes,
        sessions: sessions, policy: dependencies.policy)
      let code = TimeCode.code(secret, step: TimeCode.step(at: app.clock.now))
      let refusal = await #expect(throws: Problem.self) {
        try await enrolment.remove(Self.proof(code, factor: "totp"), caller)
      }
      #expect(refusal?.code == "token-revoked")
      #expect(try await app.database.read { try SecondFactorStore($0).confirmed(of: user.id) } == [.totp])
    }
  }

  @Test("five wrong codes of an app lock it for five minutes")
  func appLock() async throws {
    try await AccountTestApp.run(mfa: .always) { app async throws in
      try await Self.verified(app)
      let user = try await app.user()
      let secret = Data(repeating: 7, count: 20)
      let factors = app.service.dependencies.factors
      try await app.database.write { tx in
        try SecondFactorStore(tx).propose(.totp, factors.seal(secret, .totp, of: user.id, in: tx), of: user.id)
        _ = try SecondFactorStore(tx).confirm(.totp, step: nil, of: user.id, at: Instant(milliseconds: 0))
      }
      func code() -> String { TimeCode.code(secret, step: TimeCode.step(at: app.clock.now)) }
      let wrong = code() == "000000" ? "000001" : "000000"
      for _ in 1...5 { #expect(try await app.signIn(code: wrong).message.contains("wrong")) }
      #expect(try await app.signIn(code: code()).message.contains("five minutes"))
      app.clock.advance(by: .minutes(5))
      #expect(try await app.signIn(code: code()).status == 200)
    }
  }

  @Test("a telephone number: enrolled by the code that it got, asked from then on")
  func phone() async throws {
    try await AccountTestApp.run(mfa: .stepUpOnly) { app async throws in
      let token = try await Self.signedIn(app)
      let number = "+15145550123"
      for text in ["5145550123", "+19005550123", "+441632960123", nil] {
        let answer = try await app.call("enrolPhone", Self.proof(phone: text), token: token)
        #expect(answer.error?.details?.fieldViolations?.map(\.field) == ["phoneNumber"], "\(text ?? "nil")")
      }
      let mailed = try await Self.mailed(app, token)
      #expect(try await app.call("enrolPhone", Self.proof(mailed, phone: number), token: token).json == "{}")
      let code = FactorEnrolment.Code(code: try await app.code(to: number))
      #expect(try await app.call("confirmPhone", code, token: token).json == "{}")
      #expect(try await app.call("confirmPhone", code, token: token).code == "MFA_ERROR")
      app.clock.advance(by: .minutes(1))
      #expect(try await app.signIn(scope: "view:card_number").message.contains("by SMS"))
      let typed = try await app.code(to: number)
      #expect(try await app.signIn(scope: "view:card_number", code: typed).status == 200)
    }
  }

  @Test("a tenant's users enrol the numbers that it serves, and its texts end with its budget of the day (issue 24)")
  func allowance() async throws {
    let folder = try TestFolder(["sms.json": Data(#"{"finaptic/7": {"prefixes": ["44"], "per_day": 1}}"#.utf8)])
    try await AccountTestApp.run(mfa: .stepUpOnly, smsTenants: folder.file("sms.json")) { app async throws in
      let (token, number) = (try await Self.signedIn(app), "+447700900123")
      let mailed = try await Self.mailed(app, token)
      let refused = try await app.call("enrolPhone", Self.proof(mailed, phone: "+15145550123"), token: token)
      #expect(refused.error?.details?.fieldViolations?.map(\.field) == ["phoneNumber"])
      #expect(try await app.call("enrolPhone", Self.proof(mailed, phone: number), token: token).json == "{}")
      #expect(try await app.messages(to: number).map(\.tenant) == [TenantID("finaptic", "7")])
      let code = FactorEnrolment.Code(code: try await app.code(to: number))
      #expect(try await app.call("confirmPhone", code, token: token).json == "{}")
      app.clock.advance(by: .minutes(1))
      #expect(try await app.signIn(scope: "view:card_number").message.contains("by SMS"))
      #expect(try await app.messages(to: number).count == 1)
      app.clock.advance(by: .days(1))
      #expect(try await app.signIn(scope: "view:card_number").message.contains("by SMS"))
      #expect(try await app.messages(to: number).count == 2)
    }
  }

  static func bytes(base32 text: String) -> Data? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (bytes, buffer, bits) = (Data(), 0, 0)
    for letter in text {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      (buffer, bits) = (buffer << 5 | value, bits + 5)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(buffer >> bits & 255))
        buffer &= (1 << bits) - 1
      }
    }
    return bytes
  }
}
