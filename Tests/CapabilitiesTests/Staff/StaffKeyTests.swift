// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: security keys")
struct StaffKeyTests {
  private let webAuthn = WebAuthn(relyingParty: "localhost", origin: "http://localhost:8080")
  private let session = SessionFamily.ID(rawValue: "session-1")

  private func member(_ app: StaffTestApp, _ email: String = "agent@example.com") async throws -> StaffMember {
    let member = try await app.add(email: email)
    // As set up long ago.
    try await app.database.write { tx in
      _ = try StaffFactorStore(tx).confirm(member.id, sealed: Data([1]), step: 1, at: Instant(milliseconds: 1))
    }
    return member
  }

  private func register(
    _ authenticator: SoftwareAuthenticator, _ member: StaffMember, _ app: StaffTestApp
  ) async throws {
    let factors = app.staff.factors
    let (client, attestation) = authenticator.registration(
      try await factors.challenge(for: .registration, in: session))
    try await factors.register(
      clientData: client, attestation: attestation, of: member, in: session, with: webAuthn)
  }

  @Test("a key is registered once, for members who have an app")
  func registration() async throws {
    let app = try await StaffTestApp()
    let authenticator = SoftwareAuthenticator()
    let bare = try await app.add(email: "bare@example.com")
    try await app.openSession("session-1", of: bare)
    await #expect(throws: Problem.self) { try await register(authenticator, bare, app) }
    let member = try await self.member(app)
    try await register(authenticator, member, app)
    #expect(try await app.staff.factors.state(of: member.id).keys.map(\.credential.id) == [authenticator.id])
    let again = await #expect(throws: Problem.self) { try await register(authenticator, member, app) }
    #expect(again?.code == "security-key-exists")
    #expect(try await app.lines(of: member.id.rawValue).map(\.action) == ["staff.added", "staff.key_added"])
  }

  @Test("a key that is added or removed ends every other session; a removed one proves nothing")
  func removal() async throws {
    let app = try await StaffTestApp()
    let (factors, authenticator) = (app.staff.factors, SoftwareAuthenticator())
    let (member, other) = (try await member(app), try await member(app, "other@example.com"))
    for id in ["session-1", "session-2"] { try await app.openSession(id, of: member) }
    try await register(authenticator, member, app)
    #expect(try await app.isOpen("session-1"))
    #expect(try await !app.isOpen("session-2"))
    try await app.openSession("session-3", of: member)
    // Of another member it is not known.
    await #expect(throws: Problem.notFound) { try await factors.removeKey(authenticator.id, of: other, in: session) }
    #expect(try await app.isOpen("session-3"))
    try await factors.removeKey(authenticator.id, of: member, in: session)
    #expect(try await app.isOpen("session-1"))
    #expect(try await !app.isOpen("session-3"))
    let (client, data, signature) = try authenticator.assertion(
      try await factors.challenge(for: .assertion, in: session), counter: 2)
    let proof = try await factors.prove(
      .init(credential: authenticator.id, clientData: client, authenticatorData: data, signature: signature),
      of: member, in: session, with: webAuthn)
    #expect(proof == .refused)
    let lines = try await app.lines(of: member.id.rawValue)
    #expect(
      lines.filter { $0.actor == member.actor }.map(\.action) == ["staff.key_added", "staff.key_removed"])
  }

  @Test("a challenge counts once, for its session and ceremony, and for five minutes")
  func challenges() async throws {
    let app = try await StaffTestApp()
    let (factors, authenticator) = (app.staff.factors, SoftwareAuthenticator())
    let member = try await self.member(app)
    try await app.openSession("session-1", of: member)
    try await register(authenticator, member, app)
    func prove(
      _ challenge: Data, counter: UInt32, in session: SessionFamily.ID? = nil
    ) async throws -> StaffFactors.Proof {
      let (client, data, signature) = try authenticator.assertion(challenge, counter: counter)
      return try await factors.prove(
        .init(credential: authenticator.id, clientData: client, authenticatorData: data, signature: signature),
        of: member, in: session ?? self.session, with: webAuthn)
    }
    let first = try await factors.challenge(for: .assertion, in: session)
    #expect(try await prove(first, counter: 2, in: .init(rawValue: "session-2")) == .refused)
    #expect(try await prove(first, counter: 2) == .accepted(by: "security-key"))
    #expect(try await prove(first, counter: 3) == .refused)
    let wrong = try await factors.challenge(for: .registration, in: session)
    #expect(try await prove(wrong, counter: 3) == .refused)
    let late = try await factors.challenge(for: .assertion, in: session)
    app.clock.advance(.minutes(5))
    #expect(try await prove(late, counter: 3) == .refused)
    // An old counter is a clone's.
    let cloned = try await factors.challenge(for: .assertion, in: session)
    #expect(try await prove(cloned, counter: 2) == .refused)
    let reasons = try await app.lines(of: member.id.rawValue).compactMap { $0.facts["reason"] }
    #expect(reasons.last == "key-counter")
    app.clock.advance(.minutes(15))
    #expect(try await prove(try await factors.challenge(for: .assertion, in: session), counter: 3) != .refused)
  }

  @Test("another member's key is refused")
  func foreign() async throws {
    let app = try await StaffTestApp()
    let (factors, authenticator) = (app.staff.factors, SoftwareAuthenticator())
    let member = try await self.member(app)
    try await app.openSession("session-1", of: member)
    try await register(authenticator, member, app)
    let other = try await self.member(app, "other@example.com")
    let (client, data, signature) = try authenticator.assertion(
      try await factors.challenge(for: .assertion, in: session), counter: 2)
    #expect(
      try await factors.prove(
        .init(credential: authenticator.id, clientData: client, authenticatorData: data, signature: signature),
        of: other, in: session, with: webAuthn) == .refused)
  }
}
