// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import Kit
import RubixFlow
import Storage
import Testing
import TestSupport

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: who works, and when", .ownFile)
struct StaffAvailabilityTests {
  private static let password = "correct horse battery 9"

  private func member() async throws -> (BackupTestApp, StaffMember) {
    let made = try await BackupTestApp()
    let member = try await made.app.staff.add(
      NewStaffMember(
        tenant: "default", email: "aya@bank.example", name: "Aya", gender: .female, languages: ["en"],
        permissions: [.attendVideo], password: Self.password), by: "operator")
    return (made, member)
  }

  @Test("who is suspended is out at once and comes back in only when resumed")
  func suspension() async throws {
    let (made, member) = try await member()
    let (app, duty) = (made.app, StaffAvailability(app: made.app))
    let family = try await app.database.write { tx in
      try app.rubix.agentSessions.open(subject: member.id.rawValue, tenant: "default", device: "desk", in: tx).family
    }
    let identity = try await app.rubix.agentSessions.verify(
      app.rubix.agentSessions.accessToken(for: family).token, tenant: "default")
    #expect(try await duty.setActive(false, of: member.id, by: "operator").isEmpty)
    await #expect(throws: Problem.self) {
      try await app.database.read { try app.rubix.agentSessions.requireLive(identity, in: $0) }
    }
    func signIn() async throws -> StaffAuthentication<StaffMember> {
      try await app.staff.authenticate(email: member.email, password: Self.password, tenant: "default")
    }
    guard case .refused = try await signIn() else { return #expect(Bool(false), "let in") }
    _ = try await duty.setActive(true, of: member.id, by: "operator")
    guard case .accepted = try await signIn() else { return #expect(Bool(false), "kept out") }
    let actions = try await app.database.read { try AuditStore($0).lines(of: member.id.rawValue).map(\.action) }
    #expect(actions == ["staff.added", "staff.suspended", "agent.sign_in_failed", "staff.resumed"])
  }

  @Test("a leave of days is as long as the days are where the institution is, the last one included")
  func leave() async throws {
    let (made, member) = try await member()
    let duty = StaffAvailability(app: made.app)
    let (leave, calls) = try await duty.addLeave(from: "2026-12-24", until: "2026-12-26", of: member.id, by: "operator")
    #expect(
      leave.time.lowerBound.rfc3339 == "2026-12-24T00:00:00Z" && leave.time.upperBound.rfc3339 == "2026-12-27T00:00:00Z"
    )
    #expect(calls.isEmpty)
    let (short, _) = try await duty.addLeave(
      from: "2026-12-01T08:00:00Z", until: "2026-12-01T12:00:00+03:00", of: member.id, by: "operator")
    #expect(short.time.upperBound.rfc3339 == "2026-12-01T09:00:00Z")
    #expect(try await duty.leaves() == [short, leave])
    try await duty.removeLeave(short.id, by: "operator")
    #expect(try await duty.leaves() == [leave])
    await #expect(throws: (any Error).self) { try await duty.removeLeave(short.id, by: "operator") }
  }

  @Test(
    "what is no leave is refused",
    arguments: [
      ("2026-12-26", "2026-12-24"), ("2026-12-24", "soon"), ("", ""), ("2026-01-01", "2026-01-02"),
      ("2026-12-24", "2028-12-24"), ("2026-12-24T08:00:00Z", "2026-12-24T08:00:00Z"),
    ])
  func noLeave(from: String, until: String) async throws {
    let (made, member) = try await member()
    await #expect(throws: (any Error).self) {
      try await StaffAvailability(app: made.app).addLeave(from: from, until: until, of: member.id, by: "operator")
    }
  }
}
