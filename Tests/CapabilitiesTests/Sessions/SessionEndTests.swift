// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: their end and their beginning again")
struct SessionEndTests {
  @Test("after a logout neither token speaks, and the refusal does not speak of reuse", arguments: Engine.available)
  func logout(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let second = try #require(try await app.refresh(first).token)
    try await app.database.write { [sessions = app.sessions] in try sessions.revoke(family.id, in: $0) }
    #expect(try await app.refusal(of: family) == "token-revoked")
    for token in [first, second] { #expect(try await app.refresh(token) == .refused("refresh-invalid")) }
  }

  @Test("ending every session of a subject ends those and no others", arguments: Engine.available)
  func all(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (one, _) = try await app.open()
    let (two, _) = try await app.open(device: "tablet")
    let (other, token) = try await app.database.write { [sessions = app.sessions] in
      try sessions.open(subject: "11111111-2222-4333-8444-555555555555", tenant: "acme", device: "phone", in: $0)
    }
    try await app.database.write { [sessions = app.sessions, customer = app.customer] in
      try sessions.revokeAll(of: customer, in: $0)
    }
    #expect(try await app.refusal(of: one) == "token-revoked")
    #expect(try await app.refusal(of: two) == "token-revoked")
    #expect(try await app.refresh(token).token != nil)
    #expect(other.revokedReason == nil)
  }

  @Test("a family is valid for its own subject only, and an unknown one is refused", arguments: Engine.available)
  func otherSubject(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let stolen = AccessIdentity(
      subject: "11111111-2222-4333-8444-555555555555", family: family.id, tenant: "acme", scope: "onboarding")
    let unknown = AccessIdentity(
      subject: app.customer, family: .init(rawValue: "none"), tenant: "acme", scope: "onboarding")
    for identity in [stolen, unknown] {
      await #expect(throws: Problem.self) {
        try await app.database.read { [sessions = app.sessions] in try sessions.requireLive(identity, in: $0) }
      }
    }
  }

  @Test(
    "a lost first answer is given again, with the same token, until that token is used", arguments: Engine.available)
  func reopen(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open(seed: "seed")
    let again = try await reopen(app, "seed")
    #expect(again?.token == first && again?.family == family.id)
    _ = try await app.refresh(first)
    #expect(try await reopen(app, "seed") == nil)
  }

  @Test("another seed or another subject opens nothing", arguments: Engine.available)
  func otherSeed(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    _ = try await app.open(seed: "seed")
    #expect(try await reopen(app, "seeds") == nil)
    #expect(try await reopen(app, "seed", subject: "11111111-2222-4333-8444-555555555555") == nil)
  }

  @Test(
    "a session that ended or outlived its life is not opened again", arguments: Engine.available,
    ["logout", "idle", "absolute"])
  func reopenEnded(engine: Engine, end: String) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open(seed: "seed")
    switch end {
    case "logout":
      try await app.database.write { [sessions = app.sessions] in try sessions.revoke(family.id, in: $0) }
    case "idle": app.clock.advance(by: .days(30))
    default: app.clock.advance(by: .days(90))
    }
    #expect(try await reopen(app, "seed") == nil)
  }

  private func reopen(
    _ app: SessionsTestApp, _ seed: String, subject: String? = nil
  ) async throws -> (family: SessionFamily.ID, token: String)? {
    let subject = subject ?? app.customer
    return try await app.database.read { [sessions = app.sessions] in
      try sessions.reopen(subject: subject, refreshSeed: seed, in: $0).map { ($0.family.id, $0.refreshToken) }
    }
  }
}
