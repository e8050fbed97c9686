// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

/// A page compares the current password, which takes a while, before it changes anything. A person who ends the
/// session meanwhile wants to keep the change out.
@Suite("Staff: changes in a session that ended meanwhile")
struct StaffEndedSessionTests {
  private static let session = SessionFamily.ID(rawValue: "session-1")
  private static let webAuthn = WebAuthn(relyingParty: "localhost", origin: "http://localhost:8080")

  /// How a session ends beside the change.
  enum Ending: CaseIterable {
    case signedOut, sessionsEnded, suspended, passwordReset, outlived
  }

  private func end(_ ending: Ending, of member: StaffMember, _ app: StaffTestApp) async throws {
    let now = app.clock.world.now()
    if ending == .outlived { return app.clock.advance(.hours(12)) }
    try await app.database.write { [staff = app.staff] tx in
      switch ending {
      case .signedOut: try SessionStore(tx).revoke(Self.session, reason: .logout, at: now)
      case .sessionsEnded: try SessionStore(tx).revokeAll(of: member.id.rawValue, at: now)
      case .suspended: try staff.setActive(false, of: member.id, by: "agent:boss", in: tx)
      case .passwordReset: try staff.voidPassword(of: member.id, in: tx)
      case .outlived: break
      }
    }
  }

  private func isRefused(_ change: () async throws -> Void) async -> Bool {
    await #expect(throws: Problem.self) { try await change() }?.code == "token-revoked"
  }

  @Test("another password is not set, so that what an administrator did stays", arguments: Ending.allCases)
  func password(_ ending: Ending) async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    try await app.openSession("session-1", of: member)
    try await end(ending, of: member, app)
    let stored = try await app.storedHash()
    #expect(
      await isRefused {
        try await app.staff.setPassword(
          "another horse entirely", of: member.id, by: member.actor, keeping: Self.session)
      })
    #expect(try await app.storedHash() == stored)
    #expect(try await !app.lines(of: member.id.rawValue).contains { $0.action == "staff.password_set" })
  }

  @Test("a sandbox whose clock was moved a day ahead takes changes still: sessions end by the machine's time")
  func movedClock() async throws {
    let app = try await StaffTestApp()
    let (clock, member) = (app.clock, try await app.add())
    let given = try await app.enrolmentCode(for: member)
    try await app.openSession("session-1", of: member)
    let moved = World(now: { clock.now + .days(1) }, wall: { clock.now }, random: clock.world.random)
    let staff = Staff(
      core: CoreDependencies(database: app.database, world: moved, vault: app.vault, blobs: app.core.blobs),
      threads: BlockingThreadPool("test", width: 1), cost: StaffTestApp.cheap)
    try await staff.setPassword(
      "another horse entirely", of: member.id, by: member.actor, keeping: Self.session)
    let secret = Data(
      base32: try await staff.factors.enrolment(of: member, in: Self.session, issuer: "Bank").secret)
    let set = try await staff.factors.confirm(
      app.code(secret), enrolmentCode: given, of: member, in: Self.session)
    #expect(set.recoveryCodes != nil)
    let (authenticator, challenge) = (
      SoftwareAuthenticator(), try await staff.factors.challenge(for: .registration, in: Self.session)
    )
    let (client, attestation) = authenticator.registration(challenge)
    try await staff.factors.register(
      clientData: client, attestation: attestation, of: member, in: Self.session, with: Self.webAuthn)
    try await staff.factors.removeKey(authenticator.id, of: member, in: Self.session)
    #expect(try await app.isOpen("session-1"))
  }

  @Test("a security key is neither added nor taken away", arguments: Ending.allCases)
  func keys(_ ending: Ending) async throws {
    let app = try await StaffTestApp()
    let (factors, member) = (app.staff.factors, try await app.add())
    // As set up long ago.
    try await app.database.write { tx in
      _ = try StaffFactorStore(tx).confirm(member.id, sealed: Data([1]), step: 1, at: Instant(milliseconds: 1))
    }
    func register(_ authenticator: SoftwareAuthenticator, _ challenge: Data) async throws {
      let (client, attestation) = authenticator.registration(challenge)
      try await factors.register(
        clientData: client, attestation: attestation, of: member, in: Self.session, with: Self.webAuthn)
    }
    try await app.openSession("session-1", of: member)
    let (first, second) = (SoftwareAuthenticator(), SoftwareAuthenticator())
    try await register(first, try await factors.challenge(for: .registration, in: Self.session))
    try await end(ending, of: member, app)
    let challenge = try await factors.challenge(for: .registration, in: Self.session)
    #expect(await isRefused { try await register(second, challenge) })
    #expect(await isRefused { try await factors.removeKey(first.id, of: member, in: Self.session) })
    #expect(try await factors.state(of: member.id).keys.map(\.credential.id) == [first.id])
  }

  @Test("an authenticator app is not set up, and its enrolment code is left", arguments: Ending.allCases)
  func authenticator(_ ending: Ending) async throws {
    let app = try await StaffTestApp()
    let (factors, member) = (app.staff.factors, try await app.add())
    let given = try await app.enrolmentCode(for: member)
    func confirm(in session: SessionFamily.ID) async throws -> StaffFactors.Confirmation {
      let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
      return try await factors.confirm(app.code(secret), enrolmentCode: given, of: member, in: session)
    }
    try await app.openSession("session-1", of: member)
    try await end(ending, of: member, app)
    #expect(await isRefused { _ = try await confirm(in: Self.session) })
    #expect(try await !factors.state(of: member.id).isEnrolled)
    try await app.openSession("session-2", of: member)
    #expect(try await confirm(in: .init(rawValue: "session-2")).recoveryCodes != nil)
  }
}
