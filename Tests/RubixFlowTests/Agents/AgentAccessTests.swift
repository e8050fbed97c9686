import GatehouseWire
import RubixWire
import HTTP
import Kit
import Testing

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
