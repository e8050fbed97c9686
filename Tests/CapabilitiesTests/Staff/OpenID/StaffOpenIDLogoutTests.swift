// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing

@testable import Identity

@Suite("Staff: a provider tells that a session there ended")
struct StaffOpenIDLogoutTests {
  /// A logout token, and whether it ends the member's session.
  struct Word: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isTaken = false
    var ends = false
    var signer = PlayedProvider.Signer.rs256
    var type: String? = "logout+jwt"
    let edit: @Sendable (inout [String: Any]) -> Void

    init(_ description: String, _ edit: @escaping @Sendable (inout [String: Any]) -> Void = { _ in }) {
      (testDescription, self.edit) = (description, edit)
    }

    func with(_ change: (inout Word) -> Void) -> Word {
      var word = self
      change(&word)
      return word
    }

    static func good(_ description: String, _ edit: @escaping @Sendable (inout [String: Any]) -> Void = { _ in })
      -> Word
    { Word(description, edit).with { ($0.isTaken, $0.ends) = (true, true) } }

    /// A token that is taken, and ends no session here.
    static func idle(_ description: String, _ edit: @escaping @Sendable (inout [String: Any]) -> Void) -> Word {
      Word(description, edit).with { $0.isTaken = true }
    }

    static func age(_ name: String, _ seconds: Int) -> @Sendable (inout [String: Any]) -> Void {
      { $0[name] = (($0["iat"] as? Int) ?? 0) + seconds }
    }

    static let all: [Word] = [
      good("the subject"), good("the session alone") { ($0["sub"], $0["sid"]) = (nil, "sid-1") },
      good("both") { $0["sid"] = "sid-1" },
      good("a session that is not known of a subject that is") { $0["sid"] = "x" },
      good("by a type in capitals").with { $0.type = "LOGOUT+JWT" },
      Word("by the type of before").with { $0.type = "JWT" }, Word("without a type").with { $0.type = nil },
      good("several audiences") { $0["aud"] = ["gatehouse", "other"] },
      good("by ES256").with { $0.signer = .es256 },
      idle("another subject") { $0["sub"] = "subject-2" },
      idle("another session alone") { ($0["sub"], $0["sid"]) = (nil, "sid-2") },
      idle("a session of another subject") { ($0["sub"], $0["sid"]) = ("subject-2", "sid-1") },
      Word("neither subject nor session") { $0["sub"] = nil }, Word("an empty session") { $0["sid"] = "" },
      Word("a session that is a number") { $0["sid"] = 1 }, Word("a nonce") { $0["nonce"] = "n" },
      Word("no events") { $0["events"] = nil }, Word("another event") { $0["events"] = ["http://other": [:]] },
      Word("an event that is no object") { $0["events"] = [OpenIDLogout.event: true] },
      Word("events that are a list") { $0["events"] = [OpenIDLogout.event] }, Word("no id") { $0["jti"] = nil },
      Word("another issuer") { $0["iss"] = "https://login.evil.example" },
      Word("another audience") { $0["aud"] = "other" },
      Word("expired", age("exp", -61)), Word("issued tomorrow", age("iat", 86_400)),
      Word("issued long ago", age("iat", -3600)), Word("no expiry") { $0["exp"] = nil },
      Word("alg none").with { $0.signer = .none }, Word("a stranger's key").with { $0.signer = .stranger },
      Word("HS256 with the public key").with { $0.signer = .hs256WithPublicKey },
      Word("another type").with { $0.type = "at+jwt" },
    ]
  }

  @Test("a logout token ends the member's sessions, by subject and by session, and nothing else is one")
  func words() async throws {
    let bank = try await OpenIDTestApp()
    bank.script { $0.edit = { $0["sid"] = "sid-1" } }
    let member = try #require(try await bank.signIn().member)
    for (number, word) in Word.all.enumerated() {
      let session = "session-\(number)"
      try await bank.app.openSession(session, of: member)
      let token = try bank.provider.logoutToken("jti-\(number)", by: word.signer, type: word.type, word.edit)
      let isTaken = try await bank.openID.logOut(token, tenant: "bank", network: nil) == nil
      let isOpen = try await bank.app.isOpen(session)
      #expect(isTaken == word.isTaken && isOpen == !word.ends, "\(word)")
    }
    let ended = try await bank.lines(member.id.rawValue).count { $0 == "agent.signed_out by openid" }
    #expect(ended == Word.all.count { $0.ends })
  }

  @Test(
    "where the settings allow it, a logout token may have the type of before, or none, and no other one",
    arguments: [("JWT" as String?, true), (nil, true), ("logout+jwt", true), ("at+jwt", false), ("", false)])
  func formerType(type: String?, isTaken: Bool) async throws {
    let bank = try await OpenIDTestApp { $0.allowsUntypedLogout = true }
    let member = try #require(try await bank.signIn().member)
    try await bank.app.openSession("session", of: member)
    let token = try bank.provider.logoutToken("jti", by: .rs256, type: type) { _ in }
    #expect(try await bank.openID.logOut(token, tenant: "bank", network: nil) == (isTaken ? nil : .type))
    #expect(try await bank.app.isOpen("session") != isTaken)
    // What has a nonce is an ID token, whatever its type.
    let other = try bank.provider.logoutToken("jti-2", by: .rs256, type: type) { $0["nonce"] = "n" }
    #expect(try await bank.openID.logOut(other, tenant: "bank", network: nil) == (isTaken ? .nonce : .type))
  }

  @Test("the same token again ends nothing, and an ID token is refused")
  func again() async throws {
    let bank = try await OpenIDTestApp()
    let member = try #require(try await bank.signIn().member)
    let token = try bank.provider.logoutToken("jti", by: .rs256, type: "logout+jwt") { _ in }
    #expect(try await bank.openID.logOut(token, tenant: "bank", network: nil) == nil)
    try await bank.app.openSession("session", of: member)
    #expect(try await bank.openID.logOut(token, tenant: "bank", network: nil) == nil)
    #expect(try await bank.app.isOpen("session"))
    await #expect(throws: Problem.notFound) { try await bank.openID.logOut(token, tenant: "other", network: nil) }
    // A logout token is no ID token either.
    #expect(throws: OpenIDRefusal.type) { try OpenIDToken(token) }
    bank.script { $0.isDown = true }
    bank.app.clock.advance(.hours(2))
    await #expect(throws: Problem.unavailable) { try await bank.openID.logOut(token, tenant: "bank", network: nil) }
  }

  @Test("a token that comes while the member is on the way back keeps them out, by subject and by session")
  func onTheWay() async throws {
    let bank = try await OpenIDTestApp()
    bank.script { $0.edit = { $0["sid"] = "sid-1" } }
    let edits: [@Sendable (inout [String: Any]) -> Void] = [
      { _ in }, { ($0["sub"], $0["sid"]) = (nil, "sid-1") }, { $0["sid"] = "sid-1" },
    ]
    for (number, edit) in edits.enumerated() {
      let (address, ticket) = try await bank.begin()
      let (code, state) = try bank.provider.authorize(address)
      let token = try bank.provider.logoutToken("way-\(number)", by: .rs256, type: "logout+jwt", edit)
      #expect(try await bank.openID.logOut(token, tenant: "bank", network: nil) == nil)
      #expect(try await bank.complete(code, state, ticket) == .refused(.expired))
      // What the provider gives afterwards is good again.
      bank.app.clock.advance(.seconds(1))
      #expect(try await bank.signIn().member != nil)
    }
    // The end of another subject's session keeps no one else out.
    let other = try bank.provider.logoutToken("way-x", by: .rs256, type: "logout+jwt") { $0["sub"] = "subject-2" }
    #expect(try await bank.openID.logOut(other, tenant: "bank", network: nil) == nil)
    #expect(try await bank.signIn().member != nil)
  }

  @Test("a member is admitted with the session or not at all, so that a token finds the one or the other")
  func together() async throws {
    struct NoSession: Error {}
    let bank = try await OpenIDTestApp()
    let (address, ticket) = try await bank.begin()
    let (code, state) = try bank.provider.authorize(address)
    await #expect(throws: NoSession.self) {
      try await bank.openID.complete(
        .init(state: state, code: code, issuer: nil, network: nil), ticket: ticket, tenant: "bank",
        redirect: OpenIDTestApp.redirect
      ) { (_, _, _) -> Bool in throw NoSession() }
    }
    #expect(try await bank.app.staff.list(tenant: "bank").isEmpty)
  }
}
