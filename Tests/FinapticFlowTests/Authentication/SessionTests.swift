// SPDX-License-Identifier: Apache-2.0

@testable import Identity
import Foundation
import FinapticWire
import Kit
import Storage
import Testing

@testable import FinapticFlow

@Suite("Finaptic: sessions")
struct SessionTests {
  static let over = "401 UNAUTHENTICATED UNAUTHENTICATED"
  static let refused = "401 UNAUTHENTICATED SIGNIN_ERROR"

  @Test("an access token is a JWT that says who, as what and until when")
  func claims() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let user = try await app.user()
      let claims = try AccountTestApp.claims(state.accessToken)
      #expect(claims["sub"] as? String == user.id.rawValue)
      #expect(claims["roles"] as? [String] == ["unverified"])
      #expect(claims["customer_id"] == nil)
      #expect(claims["scope"] as? String == "")
      #expect(claims["exp"] as? Int == Int(app.clock.now.seconds) + 900)
      #expect(state.expiresIn == 900)
      let info: FinapticAPI.UserInfo = try await app.userInfo(state.accessToken).view()
      #expect(info == .init(username: "username", email: AccountTestApp.email, isEmailVerified: false))
    }
  }

  @Test("a user who became a customer is one from the next token on")
  func customer() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let user = try await app.user()
      let customer = app.clock.world.randomUUID()
      @Sendable func become(_ tx: any SQLTransaction) throws -> Bool {
        try FinapticUserStore(tx, vault: app.service.dependencies.core.vault).setCustomer(customer, of: user.id)
      }
      #expect(try await app.database.write(become))
      #expect(try await !app.database.write(become))
      let next: FinapticAPI.AuthState = try await app.refresh(state.refreshToken).view()
      let claims = try AccountTestApp.claims(next.accessToken)
      #expect(claims["roles"] as? [String] == ["customer"])
      #expect(claims["customer_id"] as? String == customer)
    }
  }

  @Test("an access token ends to the second; a changed one, a missing one and another tenant's are refused")
  func accessToken() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let token = state.accessToken
      #expect(try await app.userInfo(nil).refusal == Self.over)
      #expect(try await app.userInfo(token, key: app.otherKey).refusal == Self.over)
      #expect(try await app.userInfo(String(token.dropLast(4)) + "AAAA").refusal == Self.over)
      #expect(try await app.userInfo(state.refreshToken).refusal == Self.over)
      // Another module's token, signed by the same key.
      let other = Sessions(
        policy: .init(audience: "rubix-onboarding", scope: "onboarding", refreshPrefix: "x_"),
        signer: app.signer, vault: app.vault, limits: RateLimits(world: app.clock.world),
        audit: Audit(world: app.clock.world, vault: app.vault), world: app.clock.world)
      let user = try await app.user()
      let (family, _) = try await app.database.write {
        try other.open(subject: user.id.rawValue, tenant: "finaptic-7", device: "d", in: $0)
      }
      #expect(try await app.userInfo(other.accessToken(for: family).token).refusal == Self.over)
      app.clock.advance(by: .seconds(899))
      #expect(try await app.userInfo(token).status == 200)
      app.clock.advance(by: .seconds(1))
      #expect(try await app.userInfo(token).refusal == Self.over)
    }
  }

  @Test("a refresh token is good once; its second use ends the family")
  func reuse() async throws {
    try await AccountTestApp.run { app async throws in
      let first = try await app.signedIn()
      let second: FinapticAPI.AuthState = try await app.refresh(first.refreshToken).view()
      #expect(second.refreshToken != first.refreshToken)
      #expect(try await app.refresh(first.refreshToken).refusal == Self.refused)
      #expect(try await app.refresh(second.refreshToken).refusal == Self.refused)
      #expect(try await app.userInfo(second.accessToken).refusal == Self.over)
      #expect(try await app.signIn().status == 200)
    }
  }

  @Test("the same refresh under its key is answered the same: a lost answer costs no session")
  func lostAnswer() async throws {
    try await AccountTestApp.run { app async throws in
      let first = try await app.signedIn()
      let once = "0190b0c0-0000-4000-8000-000000000004"
      let second: FinapticAPI.AuthState = try await app.refresh(first.refreshToken, once: once).view()
      #expect(try await app.refresh(first.refreshToken, once: once).view() == second)
      #expect(try await app.refresh(second.refreshToken).status == 200)
    }
  }

  @Test("under another key a spent token is a stolen one: it gives nothing, and the family ends")
  func stolen() async throws {
    try await AccountTestApp.run { app async throws in
      let first = try await app.signedIn()
      let (own, other) = ("0190b0c0-0000-4000-8000-000000000005", "0190b0c0-0000-4000-8000-000000000006")
      let second: FinapticAPI.AuthState = try await app.refresh(first.refreshToken, once: own).view()
      #expect(try await app.refresh(first.refreshToken, once: other).refusal == Self.refused)
      #expect(try await app.refresh(second.refreshToken, once: other).refusal == Self.refused)
      #expect(try await app.userInfo(second.accessToken).refusal == Self.over)
    }
  }

  @Test("of two refreshes of one token at once, one is answered at most once, and the family ends")
  func race() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let answers = try await withThrowingTaskGroup(of: AccountTestApp.Answer.self) { group in
        for _ in 1...4 { group.addTask { try await app.refresh(state.refreshToken) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0.status == 200 } == 1)
      #expect(answers.filter { $0.status != 200 }.allSatisfy { $0.refusal == Self.refused })
    }
  }

  @Test("a refresh token ends after thirty days, is the tenant's, and an unknown one is refused")
  func refreshEnds() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      #expect(try await app.refresh(state.refreshToken, key: app.otherKey).refusal == Self.refused)
      #expect(try await app.refresh("fnr_nobody").refusal == Self.refused)
      #expect(try await app.refresh("").refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT")
      app.clock.advance(by: .days(30))
      #expect(try await app.refresh(state.refreshToken).refusal == Self.refused)
    }
  }

  @Test("signing out ends this session and no other, and may be said twice")
  func signOut() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let other: FinapticAPI.AuthState = try await app.signIn().view()
      for _ in 1...2 {
        let out = FinapticAPI.RefreshTokenRequest(refreshToken: state.refreshToken)
        #expect(try await app.call("signOut", out).json == "{}")
      }
      #expect(try await app.call("signOut", FinapticAPI.RefreshTokenRequest(refreshToken: "fnr_x")).status == 200)
      #expect(try await app.userInfo(state.accessToken).refusal == Self.over)
      #expect(try await app.refresh(state.refreshToken).refusal == Self.refused)
      #expect(try await app.userInfo(other.accessToken).status == 200)
      let user = try await app.user()
      #expect(try await app.story(user.id.rawValue).filter { $0 == "finaptic.user.signedOut" }.count == 1)
    }
  }

  @Test("a stepped-up scope counts five minutes and is not carried over")
  func stepUp() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let state: FinapticAPI.AuthState = try await app.signIn(
        scope: "view:card_number remove:authorized_user"
      ).view()
      #expect(state.expiresIn == 300)
      #expect(
        try AccountTestApp.claims(state.accessToken)["scope"] as? String == "remove:authorized_user view:card_number")
      #expect(try await app.userInfo(state.accessToken).status == 200)
      app.clock.advance(by: .minutes(5))
      #expect(try await app.userInfo(state.accessToken).refusal == Self.over)
      let next: FinapticAPI.AuthState = try await app.refresh(state.refreshToken).view()
      #expect(try AccountTestApp.claims(next.accessToken)["scope"] as? String == "")
      #expect(next.expiresIn == 900)
    }
  }

  @Test("a missing scope is refused by its name, a present one is not")
  func scopes() throws {
    let family = SessionFamily.ID(rawValue: "f")
    func signedIn(_ scope: String) throws -> FinapticSignedIn {
      try #require(
        FinapticSignedIn(
          AccessIdentity(
            subject: "u", family: family, tenant: "finaptic-7", scope: scope,
            grant: AccessGrant(roles: ["customer"], customer: "c", scope: scope))))
    }
    try signedIn("view:card_number remove:authorized_user").require(.removeAuthorizedUser)
    #expect {
      try signedIn("view:card_number").require(.removeAuthorizedUser)
    } throws: { error in
      let problem = error as? Problem
      return problem.map { FinapticDialect.code($0).family } == .permissionDenied
        && problem?.detail.contains("remove:authorized_user") == true
    }
  }
}
