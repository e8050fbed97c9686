// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import RubixWire
import HTTP
import Identity
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: staff sign in")
struct AgentAccessTests {
  private func body(_ name: String, _ password: String = AgentTestApp.password) throws -> RequestContent {
    try AgentTestApp.content(AgentLoginRequest(username: name, password: password))
  }

  @Test("the right password opens a session of the staff's own audience")
  func accepted() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (view, tokens) = try await app.access.signIn(body("agent@bank.example"), tenant: app.tenant, address: nil)
    #expect(view.agentID == agent.member.id.rawValue)
    #expect(view.permissions.contains(.attendVideo))
    let identity = try await app.rubix.agentSessions.verify(tokens.access, tenant: app.tenant.id)
    #expect(identity.subject == agent.member.id.rawValue)
    await #expect(throws: Problem.self) {
      try await app.rubix.sessions.verify(tokens.access, tenant: app.tenant.id)
    }
  }

  private func otp(_ name: String, _ code: String?) throws -> RequestContent {
    try AgentTestApp.content(AgentLoginRequest(username: name, password: AgentTestApp.password, otp: code))
  }

  @Test("who has an authenticator app signs in with its code, once each, where a second factor is asked for or not")
  func secondFactor() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let member = agent.member
    var strict = app.tenant
    strict.staffSecondFactor = true
    let required = strict
    func signIn(_ code: String?, tenant: Tenant) async throws -> String? {
      try await problem {
        try await app.access.signIn(otp("agent@bank.example", code), tenant: tenant, address: "192.0.2.1")
      }?.code
    }
    #expect(try await signIn(nil, tenant: app.tenant) == nil)
    #expect(try await signIn(nil, tenant: required) == "second-factor-not-enrolled")
    #expect(try await signIn("000000", tenant: required) == "second-factor-not-enrolled")
    _ = try await app.staff.factors.enrolment(of: member, in: .init(rawValue: "enrolment"), issuer: "Bank")
    // An app whose setup was not confirmed does not count as a second factor.
    #expect(try await signIn(nil, tenant: app.tenant) == nil)
    let (secret, recovery) = try await app.enrol(member)
    func code() -> String { TimeCode.code(secret, step: TimeCode.step(at: app.clock.now)) }
    for tenant in [app.tenant, required] {
      #expect(try await signIn(nil, tenant: tenant) == "second-factor-required")
      #expect(try await signIn("000000", tenant: tenant) == "second-factor-invalid")
      #expect(try await signIn(code(), tenant: tenant) == "second-factor-invalid")
      app.clock.advance(by: .seconds(30))
      #expect(try await signIn(code(), tenant: tenant) == nil)
    }
    #expect(try await signIn(recovery[0], tenant: required) == nil)
    #expect(try await signIn(recovery[0], tenant: required) == "second-factor-invalid")
    for _ in 1...4 { _ = try await signIn("000000", tenant: required) }
    app.clock.advance(by: .seconds(30))
    #expect(try await signIn(code(), tenant: required) == "login-locked")
    let lines = try await app.core.database.read { try AuditStore($0).lines(of: member.id.rawValue) }
    #expect(
      lines.filter { $0.action == "agent.signed_in" }.compactMap { $0.facts["factor"] } == [
        "none", "none", "authenticator", "authenticator", "recovery-code",
      ])
    #expect(lines.contains { $0.action == "agent.locked_out" && $0.facts["network"] == "192.0.2.0/24" })
  }

  @Test(
    "another password that is set while a member signs in keeps out who has the former one, whenever it is set",
    arguments: 1...4, [false, true])
  func overtaken(write: Int, withFactor: Bool) async throws {
    let app = try await AgentTestApp()
    let member = try await app.agent().member
    var code: String?
    if withFactor { code = try await app.enrol(member).recoveryCodes[0] }
    let changes = Counter()
    let core = CoreDependencies(
      database: OvertakenDatabase(app.core.database, beforeWrite: write) {
        try await app.staff.setPassword("utopia lies westward 9", of: member.id, by: "operator")
        _ = changes.next()
      }, world: app.core.world, vault: app.core.vault, blobs: app.core.blobs)
    let access = AgentAccess(
      core: core, agentSessions: app.rubix.agentSessions,
      staff: Staff(
        core: core, threads: BlockingThreadPool("hash", width: 1), cost: AgentTestApp.passwordCost))
    let login = try otp("agent@bank.example", code)
    let refusal = try await problem { try await access.signIn(login, tenant: app.tenant, address: nil) }
    let isChanged = changes.count == 1
    #expect(refusal?.code == (isChanged ? "credentials-invalid" : nil))
    let open = try await app.core.database.read { tx in
      try app.rubix.agentSessions.records(of: member.id.rawValue, in: tx).count { $0.revokedAt == nil }
    }
    #expect(!isChanged || open == 0)
    // The member was overtaken where there is anything to overtake.
    #expect(isChanged || write > 2)
  }

  @Test("a wrong password, an unknown name and another bank look the same")
  func refused() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let other = try app.rubix.tenants.find("other")
    let refusals = [
      try await problem {
        try await app.access.signIn(
          body("agent@bank.example", "wrong password 1"), tenant: app.tenant, address: nil)
      },
      try await problem {
        try await app.access.signIn(body("nobody@bank.example"), tenant: app.tenant, address: nil)
      },
      try await problem { try await app.access.signIn(body("agent@bank.example"), tenant: other, address: nil) },
    ]
    #expect(refusals.map { $0?.code } == Array(repeating: "credentials-invalid", count: 3))
    #expect(Set(refusals.map { $0?.detail }).count == 1)
  }

  @Test("wrong passwords lock the name for a while")
  func locked() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    for _ in 1...5 {
      _ = try await problem {
        try await app.access.signIn(
          body("agent@bank.example", "wrong password 1"), tenant: app.tenant, address: nil)
      }
    }
    let refusal = try await problem {
      try await app.access.signIn(body("agent@bank.example"), tenant: app.tenant, address: nil)
    }
    #expect(refusal?.category == .locked)
    #expect((refusal?.retryAfterSeconds ?? 0) > 0)
  }

  @Test("one address cannot try without end")
  func limited() async throws {
    let app = try await AgentTestApp()
    for number in 1...AgentAccess.byAddress.count {
      let refusal = try await problem {
        try await app.access.signIn(body("nobody\(number)@bank.example"), tenant: app.tenant, address: "192.0.2.1")
      }
      #expect(refusal?.code == "credentials-invalid")
    }
    let refusal = try await problem {
      try await app.access.signIn(body("nobody@bank.example"), tenant: app.tenant, address: "192.0.2.1")
    }
    #expect(refusal?.code == "rate-limited")
  }

  @Test("refreshing rotates; a dismissed member's session ends")
  func refresh() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (_, first) = try await app.access.signIn(body("agent@bank.example"), tenant: app.tenant, address: nil)
    let empty = try AgentTestApp.content(EmptyBody())
    let (_, second) = try await app.access.refresh(first.refresh, empty, tenant: app.tenant)
    #expect(second.refresh != first.refresh)
    try await app.core.database.write {
      try app.staff.setActive(false, of: agent.member.id, by: "operator", in: $0)
    }
    let refusal = try await problem {
      try await app.access.refresh(second.refresh, empty, tenant: app.tenant)
    }
    #expect(refusal?.code == "refresh-invalid")
    #expect(
      try await problem { try await app.access.refresh(" ", empty, tenant: app.tenant) }?.code == "missing-header")
  }

  @Test("after signing out nothing more can be done")
  func signOut() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    try await app.access.signOut(agent)
    let refusal = try await problem { try await app.queue.page(.all, after: nil, limit: 10, for: agent) }
    #expect(refusal?.code == "token-revoked")
  }
}
