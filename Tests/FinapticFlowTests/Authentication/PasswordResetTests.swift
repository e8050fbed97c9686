// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Identity
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: links in mail")
struct PasswordResetTests {
  private func ask(_ app: AccountTestApp, _ email: String?) async throws -> AccountTestApp.Answer {
    try await app.call("resetPassword", FinapticAPI.ResetPasswordRequest(email: email))
  }

  private func set(
    _ app: AccountTestApp, _ path: String, _ password: String, _ repeated: String? = nil
  ) async throws -> AccountTestApp.Answer {
    func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
    let form = "username=x&password=\(escaped(password))&repeated=\(escaped(repeated ?? password))"
    return try await app.call(
      .post, path, Data(form.utf8), headers: ["Content-Type": "application/x-www-form-urlencoded"])
  }

  @Test("known and unknown addresses get the same answer; only users get mail; an invalid address is refused")
  func asked() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      #expect(try await ask(app, "Sample@Finaptic.com").json == "{}")
      #expect(try await ask(app, "nobody@mail.ca").json == "{}")
      #expect(try await app.messages(to: "nobody@mail.ca").isEmpty)
      #expect(try await app.messages().count == 2)
      for text in [nil, "", "sample", "a@b"] {
        let answer = try await ask(app, text)
        #expect(answer.refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT")
        #expect(answer.error?.details?.fieldViolations?.map(\.field) == ["email"])
      }
    }
  }

  @Test("the page sets a password once: sessions end, the lock opens, the old password is refused")
  func reset() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      for _ in 1...10 { _ = try await app.signIn(AccountTestApp.email, "Wrong7Password") }
      #expect(try await app.signIn().code == "SIGNIN_ERROR")
      _ = try await ask(app, AccountTestApp.email)
      let path = try await app.link("reset-password")
      let page = try await app.call(.get, path)
      #expect(page.status == 200)
      #expect(page.json.contains("s•••@finaptic.com") && page.json.contains("Maple Bank"))
      #expect(!page.json.contains(AccountTestApp.email) && !page.json.contains("<script"))
      #expect(page.headers[.init("Cache-Control")!] == "no-store")
      #expect(try await set(app, path, "Zebrafish7Lantern").status == 303)
      #expect(try await app.call(.get, "/finaptic/pages/password-set").status == 200)
      #expect(try await app.signIn(AccountTestApp.email, "Zebrafish7Lantern").status == 200)
      #expect(try await app.signIn().code == "SIGNIN_INVALID_PASSWORD")
      #expect(try await app.userInfo(state.accessToken).code == "UNAUTHENTICATED")
      #expect(try await app.refresh(state.refreshToken).code == "SIGNIN_ERROR")
      #expect(try await app.call(.get, path).status == 410)
      #expect(try await set(app, path, "Otherfish7Lantern").status == 410)
      let user = try await app.user()
      #expect(try await app.story(user.id.rawValue).contains("finaptic.user.passwordReset"))
    }
  }

  @Test("a password that breaks a rule is said on the page, and the link stays good")
  func rules() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      _ = try await ask(app, AccountTestApp.email)
      let path = try await app.link("reset-password")
      for (password, repeated, word) in [
        ("Short7", nil, "12 to 128"), ("Password1234", nil, "too common"), ("Finaptic7Lantern", nil, "part of your"),
        (AccountTestApp.password, nil, "that you have"), ("Zebrafish7Lantern", "Zebrafish7", "not the same"),
      ] as [(String, String?, String)] {
        let answer = try await set(app, path, password, repeated)
        #expect(answer.status == 400)
        #expect(answer.json.contains(word))
        #expect(!answer.json.contains(password))
      }
      #expect(try await set(app, path, "Zebrafish7Lantern").status == 303)
    }
  }

  @Test("another password than the present was not computed in vain, and the present one was")
  func computed() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let (parts, usual) = (app.service.dependencies, app.service.dependencies.passwordReset)
      // It takes more than a millisecond.
      let passwords = Passwords(
        world: parts.core.world, threads: parts.passwords.threads, cost: PasswordCost(memory: 16_384, passes: 2))
      let reset = PasswordReset(
        core: usual.core, links: usual.links, passwords: passwords, sessions: usual.sessions, policy: usual.policy)
      func token() async throws -> String {
        app.clock.advance(by: .seconds(1))
        _ = try await ask(app, AccountTestApp.email)
        return String(try #require(try await app.link("reset-password").split(separator: "/").last))
      }
      try await reset.set("Zebrafish7Lantern", by: token())
      let link = try await token()
      let (same, other) = (RequestComputing(mustRest: false), RequestComputing(mustRest: false))
      await #expect(throws: Problem.self) {
        try await RequestComputing.$current.withValue(same) { try await reset.set("Zebrafish7Lantern", by: link) }
      }
      #expect(same.inVain > 0)
      try await RequestComputing.$current.withValue(other) { try await reset.set("Lantern7Zebrafish", by: link) }
      #expect(other.ofUse > 0)
    }
  }

  @Test("a link lasts an hour; an invalid one is refused; a verification link sets no password")
  func links() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      _ = try await ask(app, AccountTestApp.email)
      let path = try await app.link("reset-password")
      #expect(
        try await app.call(.get, "/finaptic/pages/reset-password/\(String(repeating: "A", count: 43))").status == 404)
      let verify = try await app.link("verify-email")
      let token = try #require(verify.split(separator: "/").last)
      #expect(try await app.call(.get, "/finaptic/pages/reset-password/\(token)").status == 404)
      app.clock.advance(by: .minutes(59) + .seconds(59))
      #expect(try await app.call(.get, path).status == 200)
      app.clock.advance(by: .seconds(1))
      #expect(try await app.call(.get, path).status == 410)
      #expect(try await set(app, path, "Zebrafish7Lantern").status == 410)
      #expect(try await app.signIn().status == 200)
    }
  }

  @Test("of two who use a link at once, one sets a password")
  func race() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      _ = try await ask(app, AccountTestApp.email)
      let path = try await app.link("reset-password")
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...4 { group.addTask { try await set(app, path, "Zebrafish7Lantern\(number)").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 303 } == 1)
      #expect(statuses.filter { $0 != 303 }.allSatisfy { $0 == 410 })
    }
  }

  @Test("the link of the sign-up mail asks: opening it verifies nothing, its form does, however often it is sent")
  func verify() async throws {
    try await AccountTestApp.run { app async throws in
      let state = try await app.signedIn()
      let path = try await app.link("verify-email")
      // As the scanner of a mail server does.
      for _ in 1...2 {
        let page = try await app.call(.get, path)
        #expect(page.status == 200 && page.json.contains(#"<form method="post" action="\#(path)">"#))
      }
      let before: FinapticAPI.UserInfo = try await app.userInfo(state.accessToken).view()
      #expect(!before.isEmailVerified)
      for _ in 1...2 { #expect(try await app.call(.post, path).status == 303) }
      #expect(try await app.call(.get, "/finaptic/pages/email-verified").status == 200)
      let info: FinapticAPI.UserInfo = try await app.userInfo(state.accessToken).view()
      #expect(info.isEmailVerified)
      let user = try await app.user()
      #expect(try await app.story(user.id.rawValue).filter { $0 == "finaptic.user.emailVerified" }.count == 1)
    }
  }

  @Test("one address gets five links in an hour, and the answer does not show it")
  func flood() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      for _ in 1...8 { #expect(try await ask(app, AccountTestApp.email).json == "{}") }
      let links = try await app.messages().filter { $0.body.contains("reset-password") }
      #expect(links.count == 5)
    }
  }
}
