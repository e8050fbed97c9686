// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Identity
import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: sign in", .timeLimit(.minutes(5)))
struct SignInTests {
  static let wrong = "401 UNAUTHENTICATED SIGNIN_INVALID_PASSWORD"

  @Test("by address or name in any case, or by both of one user")
  func accepted() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      #expect(try await app.signIn("Sample@Finaptic.com").status == 200)
      #expect(try await app.signIn(nil, username: "USERname").status == 200)
      #expect(try await app.signIn(username: "Username").status == 200)
      let user = try await app.user()
      let story = try await app.story(user.id.rawValue)
      #expect(story.suffix(3) == Array(repeating: "finaptic.user.signedIn", count: 3)[...])
    }
  }

  @Test("unknown, wrong, of another tenant, or of two users: one answer")
  func wrong() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      #expect(try await app.signUp("other@mail.ca", username: "other").status == 200)
      var messages: Set<String> = []
      for answer in [
        try await app.signIn("nobody@mail.ca"), try await app.signIn(AccountTestApp.email, "Password1234!@#"),
        try await app.signIn(username: "other"), try await app.signIn(username: "nobody"),
        try await app.signIn("not an address"), try await app.signIn(key: app.otherKey),
        try await app.signIn(AccountTestApp.email, String(repeating: "x", count: 5000)),
      ] {
        #expect(answer.refusal == Self.wrong)
        messages.insert(answer.message)
      }
      #expect(messages.count == 1)
    }
  }

  @Test("what cannot be tried is said all at once, and is not counted")
  func malformed() async throws {
    try await AccountTestApp.run { app async throws in
      let answer = try await app.call(
        "signIn", FinapticAPI.SignInRequest(credential: .init(), scope: "view:card_number drink:coffee"))
      #expect(answer.refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT")
      let fields = answer.error?.details?.fieldViolations?.map(\.field)
      #expect(fields == ["credential", "credential.password", "scope"])
    }
  }

  @Test("ten failures lock for a quarter of an hour, whether there is such a user or not", arguments: [true, false])
  func lockOut(isKnown: Bool) async throws {
    try await AccountTestApp.run { app async throws in
      if isKnown { #expect(try await app.signUp().status == 200) }
      for _ in 1...10 { #expect(try await app.signIn(AccountTestApp.email, "Wrong7Password").refusal == Self.wrong) }
      let locked = try await app.signIn()
      #expect(locked.refusal == "401 UNAUTHENTICATED SIGNIN_ERROR")
      #expect(locked.message.contains("15 min"))
      app.clock.advance(by: .minutes(15) - .seconds(1))
      #expect(try await app.signIn().code == "SIGNIN_ERROR")
      app.clock.advance(by: .seconds(1))
      #expect(try await app.signIn().code == (isKnown ? nil : "SIGNIN_INVALID_PASSWORD"))
      guard isKnown else { return }
      let story = try await app.story(app.user().id.rawValue)
      #expect(story.filter { $0 == "finaptic.user.lockedOut" }.count == 1)
    }
  }

  @Test("a right password resets the count; both names count for one user")
  func countReset() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      for number in 1...9 {
        let answer =
          try await number.isMultiple(of: 2)
          ? app.signIn(AccountTestApp.email, "Wrong7Password")
          : app.signIn(nil, "Wrong7Password", username: "username")
        #expect(answer.refusal == Self.wrong)
      }
      // The tenth may still be right.
      #expect(try await app.signIn().status == 200)
      for _ in 1...9 { #expect(try await app.signIn(AccountTestApp.email, "Wrong7Password").refusal == Self.wrong) }
      #expect(try await app.signIn().status == 200)
    }
  }

  @Test("a sign-in for which there was no thread is told when to come again, and is no wrong password")
  func crowded() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let parts = app.service.dependencies
      let threads = BlockingThreadPool("test", width: 1, pendingMax: 1)
      let passwords = Passwords(world: parts.core.world, threads: threads, cost: parts.passwords.cost)
      let command = SignInCommand(
        core: parts.core, factors: parts.factors, passwords: passwords, sessions: parts.sessions, policy: parts.policy)
      let key = try await parts.tenants.issueKey("another", tenant: AccountTestApp.tenant, by: "test").key
      let tenant = try await parts.tenants.find(AccountTestApp.tenant)
      func signIn(_ password: String = AccountTestApp.password) async throws -> FinapticAPI.AuthState {
        try await command.signIn(
          .init(credential: .init(email: AccountTestApp.email, password: password)), tenant: tenant, key: key,
          from: "192.0.2.0/24")
      }
      for _ in 1...9 { await #expect(throws: Problem.passwordWrong) { try await signIn("Wrong7Password") } }
      let gate = DispatchSemaphore(value: 0)
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let held = Task {
        try await threads.run {
          continuation.yield()
          gate.wait()
        }
      }
      for await _ in started { break }
      for _ in 1...20 { await #expect(throws: Passwords.crowded) { try await signIn() } }
      gate.signal()
      try await held.value
      #expect(try await signIn().accessToken.isEmpty == false)
    }
  }

  @Test("guesses side by side cannot pass the limit")
  func race() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let codes = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 1...14 { group.addTask { try await app.signIn(AccountTestApp.email, "Wrong7Password").code } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == "SIGNIN_INVALID_PASSWORD" } <= 10)
      #expect(codes.count { $0 == nil } == 0)
    }
  }

  @Test("a wrong password that is sent again under its key is counted once")
  func repeatedFailure() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      for _ in 1...12 {
        let answer = try await app.signIn(
          AccountTestApp.email, "Wrong7Password", once: "0190b0c0-0000-4000-8000-000000000002")
        #expect(answer.refusal == Self.wrong)
      }
      #expect(try await app.signIn().status == 200)
    }
  }

  @Test("a success that is sent again under its key gives the same session")
  func repeatedSuccess() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let once = "0190b0c0-0000-4000-8000-000000000003"
      let first: FinapticAPI.AuthState = try await app.signIn(once: once).view()
      #expect(try await app.signIn(once: once).view() == first)
    }
  }

  @Test("passwords from before the rules: too weak is wrong, known to others is an error")
  func outdated() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let user = try await app.user()
      for (password, code, word) in [
        ("Short7", "SIGNIN_INVALID_PASSWORD", "rules"), ("Password1234", "SIGNIN_ERROR", "known to others"),
      ] {
        let hash = try PasswordHash(
          password, cost: PasswordCost(memory: 8, passes: 1), world: app.clock.world)
        try await app.database.write { [vault = app.vault] in
          try FinapticUserStore($0, vault: vault).setPasswordHash(hash.text, of: user.id)
        }
        let answer = try await app.signIn(AccountTestApp.email, password)
        #expect(answer.code == code)
        #expect(answer.message.contains(word))
      }
    }
  }

  @Test("of sign-ins side by side with a password that was stored as scrypt, all are let in, and it is stored anew")
  func scrypt() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let user = try await app.user()
      // By Python's `hashlib.scrypt`.
      let former = "$scrypt$ln=10,r=8,p=1$c2l4dGVlbiBieXRlcyBvaw$JLLdnd/XMghe6ZDyNbvmHL6YER2RbujojKrY2GeG6gE"
      try await app.database.write { [vault = app.vault] in
        try FinapticUserStore($0, vault: vault).setPasswordHash(former, of: user.id)
      }
      #expect(try await app.signIn(AccountTestApp.email, "Password1234!@#").status == 401)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await app.signIn().status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == [200, 200, 200, 200])
      let stored = try await app.database.read { [vault = app.vault] in
        try FinapticUserStore($0, vault: vault).find(user.id)?.passwordHash
      }
      #expect(stored?.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$") == true)
    }
  }

  @Test("an operator's look at a user is in the audit with who looked; one that finds no user is not")
  func lookedAt() async throws {
    try await AccountTestApp.run { app async throws in
      _ = try await app.signedIn()
      let users = app.service.dependencies.users
      let summary = try await users.look(AccountTestApp.email, tenant: AccountTestApp.tenant, by: "agent:1")
      #expect(summary.email.contains("•") && summary.sessions.count == 1)
      await #expect(throws: Problem.notFound) {
        try await users.look(AccountTestApp.email, tenant: AccountTestApp.otherTenant, by: "agent:1")
      }
      let user = try await app.user()
      let lines = try await app.database.read { try AuditStore($0).lines(of: "finaptic-user-\(user.id)") }
      let looks = lines.filter { $0.action == "finaptic.user.seen" }
      #expect(looks.map(\.actor) == ["agent:1"] && looks.first?.facts == ["why": "direct"])
    }
  }

  @Test("who was blocked is told so for the right password only, and every session is over")
  func blocked() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let users = app.service.dependencies.users
      let (email, tenant) = (AccountTestApp.email, AccountTestApp.tenant)
      let block = try await users.setBlocked(true, AccountTestApp.username, tenant: tenant, by: "operator:eve")
      #expect(block == .done(isNew: true))
      #expect(try await users.setBlocked(true, email, tenant: tenant, by: "operator") == .done(isNew: false))
      #expect(try await app.signIn().refusal == "401 UNAUTHENTICATED SIGNIN_USER_BLOCKED")
      #expect(try await app.signIn(AccountTestApp.email, "Wrong7Password").refusal == Self.wrong)
      #expect(try await app.userInfo(state.accessToken).refusal == "401 UNAUTHENTICATED UNAUTHENTICATED")
      #expect(try await app.refresh(state.refreshToken).refusal == "401 UNAUTHENTICATED SIGNIN_ERROR")
      #expect(try await users.setBlocked(false, email, tenant: tenant, by: "agent:7") == .done(isNew: true))
      #expect(try await app.signIn().status == 200)
      await #expect(throws: Problem.notFound) {
        _ = try await users.setBlocked(true, AccountTestApp.email, tenant: AccountTestApp.otherTenant, by: "operator")
      }
      // The log names who did it.
      let user = try await app.user()
      let lines = try await app.database.read { try AuditStore($0).lines(of: "finaptic-user-\(user.id)") }
      let acts = lines.filter { $0.action.hasSuffix("locked") }.map { "\($0.action) by \($0.actor)" }
      #expect(acts == ["finaptic.user.blocked by operator:eve", "finaptic.user.unblocked by agent:7"])
    }
  }
}
