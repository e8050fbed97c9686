// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

extension StaffTestApp {
  func lines(of chain: String) async throws -> [AuditLine] {
    try await database.read { try AuditStore($0).lines(of: chain) }
  }

  func openSession(_ id: String, of member: StaffMember) async throws {
    let now = clock.world.now()
    try await database.write { tx in
      try SessionStore(tx).insert(
        SessionFamily(
          id: .init(rawValue: id), tenant: "console", subject: member.id.rawValue, device: "",
          expiresAt: now + .hours(12), revokedReason: nil), at: now)
    }
  }

  func isOpen(_ id: String) async throws -> Bool {
    try await database.read { tx in
      let family = try SessionStore(tx).family(.init(rawValue: id))
      return family != nil && family?.revokedReason == nil
    }
  }
}

@Suite("Staff: the audit")
struct StaffAuditTests {
  @Test("adding, passwords, permissions, suspension and return are lines that name who did it")
  func changes() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let staff = app.staff
    try await staff.setPassword("another horse entirely", of: member.id, by: "agent:boss")
    try await app.database.write { tx in
      try staff.setPermissions([.decideAML], of: member.id, by: "agent:boss", in: tx)
      try staff.setActive(false, of: member.id, by: "agent:boss", in: tx)
      try staff.setActive(true, of: member.id, by: "agent:boss", in: tx)
    }
    let lines = try await app.lines(of: member.id.rawValue)
    #expect(
      lines.map { "\($0.action) by \($0.actor)" } == [
        "staff.added by operator", "staff.password_set by agent:boss", "staff.permissions_set by agent:boss",
        "staff.suspended by agent:boss", "staff.resumed by agent:boss",
      ])
    #expect(lines[0].facts == ["tenant": "bank", "permissions": "attend:video read:customers"])
    #expect(lines[2].facts == ["before": "attend:video read:customers", "after": "decide:aml"])
  }

  @Test("failed sign-ins and lock-outs are lines with the network, and without what was typed")
  func failures() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    func signIn(_ email: String, _ password: String) async throws {
      _ = try await app.staff.authenticate(
        email: email, password: password, tenant: "bank", network: "192.0.2.0/24")
    }
    for _ in 1...5 { try await signIn(member.email, "wrong horse battery") }
    try await signIn(member.email, StaffTestApp.password)
    let lines = try await app.lines(of: member.id.rawValue).dropFirst()
    #expect(
      lines.map(\.action)
        == Array(repeating: "agent.sign_in_failed", count: 5) + ["agent.locked_out", "agent.sign_in_failed"])
    #expect(lines.map { $0.facts["reason"] } == Array(repeating: "password", count: 6) + ["locked"])
    #expect(lines.allSatisfy { $0.facts["network"] == "192.0.2.0/24" && $0.actor == "system" })
    try await signIn("nobody@example.com", "wrong horse battery")
    let unknown = try #require(try await app.lines(of: Staff.unknownChain).last)
    #expect(unknown.action == "agent.sign_in_failed" && unknown.facts["reason"] == "unknown")
    let text = "\(lines) \(unknown)"
    for typed in ["wrong horse", StaffTestApp.password, "nobody", "agent@example.com"] {
      #expect(!text.contains(typed))
    }
  }

  @Test("another password ends every session but the one it was changed in; a suspension ends all")
  func sessions() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    try await app.openSession("one", of: member)
    try await app.openSession("two", of: member)
    try await app.staff.setPassword(
      "another horse entirely", of: member.id, by: member.actor, keeping: .init(rawValue: "two"))
    #expect(try await !app.isOpen("one"))
    #expect(try await app.isOpen("two"))
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(false, of: member.id, by: "agent:boss", in: $0)
    }
    #expect(try await !app.isOpen("two"))
  }

  @Test("who acts by a command is an active member of the tenant with the permissions, by id or address")
  func acting() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let staff = app.staff
    for name in [member.id.rawValue, member.id.rawValue.uppercased(), "agent@example.com", "Agent@Example.com"] {
      #expect(try await staff.acting(name, of: ["bank"], may: .readCustomers, .attendVideo) == member)
    }
    for (name, tenant, permission) in [
      ("Mickey Mouse", "bank", .readCustomers), ("", "bank", .readCustomers),
      ("agent@example.com", "other", .readCustomers),
      (member.id.rawValue, "other", .readCustomers), (member.id.rawValue, "bank", .manageStaff),
    ] as [(String, String, StaffPermission)] {
      let problem = try #require(
        await #expect(throws: Problem.self) { try await staff.acting(name, of: [tenant], may: permission) })
      #expect(problem.code == "forbidden")
    }
    try await app.database.write { try staff.setActive(false, of: member.id, by: "operator", in: $0) }
    await #expect(throws: Problem.self) { try await staff.acting(member.email, of: ["bank"], may: .readCustomers) }
  }
}
