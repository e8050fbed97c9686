// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: sign up")
struct SignUpTests {
  @Test("every published profile comes out as it says", .enabled(if: !PublishedProfiles.of("signUp").isEmpty))
  func profiles() async throws {
    for profile in PublishedProfiles.of("signUp") {
      try await AccountTestApp.run { app async throws in
        let answer = try await app.signUp(
          profile.input["email"].text, profile.input["password"].text ?? "", username: profile.input["username"].text)
        let expected = profile.expect["error"].text.map(Self.wire)
        #expect(answer.code == expected, "\(profile.id): \(answer.json)")
        if let isTaken = profile.expect["success"].flag { #expect((answer.code == nil) == isTaken, "\(profile.id)") }
      }
    }
  }

  /// `signupCredentialError` is `SIGNUP_CREDENTIAL_ERROR`.
  private static func wire(_ name: String) -> String {
    name.replacing(#/[A-Z]/#) { "_" + $0.output }.uppercased()
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let email: String?
    let password: String
    let username: String?
    let refusal: String
    let message: String

    init(
      _ name: String, _ email: String?, _ password: String, _ username: String?, _ refusal: String, _ message: String
    ) {
      (testDescription, self.email, self.password) = (name, email, password)
      (self.username, self.refusal, self.message) = (username, refusal, message)
    }
  }

  static let credential = "400 INVALID_ARGUMENT SIGNUP_CREDENTIAL_ERROR"
  static let info = "400 INVALID_ARGUMENT SIGNUP_ERROR"

  private static let refusals = [
    Refusal("nothing at all", nil, "", nil, credential, "e-mail"),
    Refusal("no address", "sample", "short", "a@b.ca", credential, "e-mail"),
    Refusal(
      "a name that is an address, before the password", "u@mail.ca", "short", "a@b.ca", info, "username must not"),
    Refusal("a name of 16", "u@mail.ca", "short", "abcdefghijklmnop", credential, "username has"),
    Refusal("a name with a blank", "u@mail.ca", "short", "a b", credential, "username has"),
    Refusal("eleven characters", "u@mail.ca", "Abcdefghij1", nil, credential, "12 to 128"),
    Refusal("129 characters", "u@mail.ca", "Aa1" + String(repeating: "x", count: 126), nil, credential, "12 to 128"),
    Refusal("no upper case", "u@mail.ca", "quartz7lantern", nil, credential, "at least one"),
    Refusal("no lower case", "u@mail.ca", "QUARTZ7LANTERN", nil, credential, "at least one"),
    Refusal("no digit", "u@mail.ca", "QuartzLanterns", nil, credential, "at least one"),
    Refusal("common", "u@mail.ca", "Qwertyuiop2024", nil, credential, "too common"),
    Refusal("common, before the user's own", "password1@mail.ca", "Password1234", nil, credential, "too common"),
    Refusal("a piece of the address", "anna.marguerite@mail.ca", "MargueriteOak77", nil, info, "part of your"),
    Refusal("the domain", "u@quartz.ca", "Quartz7Lantern", nil, info, "part of your"),
    Refusal("the username", "u@mail.ca", "Lantern7Quartz", "lantern", info, "part of your"),
  ]

  @Test("the first rule that fails is the one that is named")
  func refused() async throws {
    try await AccountTestApp.run { app async throws in
      for refusal in Self.refusals {
        let answer = try await app.signUp(refusal.email, refusal.password, username: refusal.username)
        #expect(answer.refusal == refusal.refusal, "\(refusal.testDescription)")
        #expect(answer.message.contains(refusal.message), "\(refusal.testDescription): \(answer.message)")
        let kept = try await app.database.read { try $0.query("SELECT id FROM finaptic_user").count }
        #expect(kept == 0, "\(refusal.testDescription)")
        #expect(answer.error?.details?.source == "authentication", "\(refusal.testDescription)")
        #expect(answer.error?.details?.refNumber?.isEmpty == false, "\(refusal.testDescription)")
        let field = answer.error?.details?.fieldViolations?.first?.field
        #expect(field?.hasPrefix("credential.") == true, "\(refusal.testDescription)")
      }
    }
  }

  @Test("pieces of less than four characters do not count")
  func shortPieces() async throws {
    try await AccountTestApp.run { app async throws in
      let answer = try await app.signUp("a.bob@mail.ca", "BobQuartz7Lantern", username: "qua")
      #expect(answer.status == 200)
    }
  }

  @Test("address and name are taken in any case; the address is looked at first; another tenant does not mind")
  func taken() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let both = try await app.signUp("SAMPLE@finaptic.com", username: "USERNAME")
      #expect(both.refusal == "409 ALREADY_EXISTS SIGNUP_ERROR")
      #expect(both.message.contains("e-mail"))
      let name = try await app.signUp("other@mail.ca", username: "USERNAME")
      #expect(name.refusal == "409 ALREADY_EXISTS SIGNUP_ERROR")
      #expect(name.message.contains("username"))
      #expect(try await app.signUp("other@mail.ca", username: nil).status == 200)
      #expect(try await app.signUp(key: app.otherKey).status == 200)
    }
  }

  @Test("it does not sign in, mails one link, and writes it to the user's audit")
  func done() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().json == "{}")
      #expect(try await app.messages().count == 1)
      let user = try await app.user()
      #expect(try await app.story(user.id.rawValue) == ["finaptic.user.signedUp"])
      #expect(UUID(uuidString: user.id.rawValue) != nil && user.id.rawValue == user.id.rawValue.lowercased())
    }
  }

  @Test("of two who sign up with one address at once, one does")
  func race() async throws {
    try await AccountTestApp.run { app async throws in
      let codes = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 1...6 {
          group.addTask { try await app.signUp(username: "user\(number)").code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.filter { $0 != nil && $0 != "SIGNUP_ERROR" } == [])
      let kept = try await app.database.read { try $0.query("SELECT id FROM finaptic_user").count }
      #expect(kept == 1)
    }
  }

  @Test("the same call under its key is answered the same; another body under it is aborted")
  func repeated() async throws {
    try await AccountTestApp.run { app async throws in
      let once = "0190b0c0-0000-4000-8000-000000000001"
      func again(_ password: String) async throws -> AccountTestApp.Answer {
        try await app.call(
          "signUp",
          FinapticAPI.SignUpRequest(credential: .init(email: AccountTestApp.email, password: password)), once: once)
      }
      for _ in 1...2 {
        let answer = try await again(AccountTestApp.password)
        #expect(answer.status == 200)
      }
      let other = try await again("Quartz7Lantern")
      #expect(other.refusal == "409 ABORTED ABORTED")
      let messages = try await app.messages()
      #expect(messages.count == 1)
      app.clock.advance(by: .hours(24) + .seconds(1))
      let later = try await again(AccountTestApp.password)
      #expect(later.refusal == "409 ALREADY_EXISTS SIGNUP_ERROR")
    }
  }

  @Test("neither password nor address nor name is anywhere in the store")
  func sealed() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(
        try await app.signUp("traceable.person@mail.ca", "Zebrafish7Lantern", username: "tracename").status == 200)
      let bytes = try await app.made.bytesOnDisk()
      for text in ["traceable.person@mail.ca", "Zebrafish7Lantern", "tracename"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) lies in the store")
      }
    }
  }
}
