import GatehouseWire
import RubixWire
import HTTP
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: staff sign in")
struct AgentAccessTests {
  private func body(_ name: String, _ password: String = DeskHouse.password) throws -> RequestContent {
    try DeskHouse.content(AgentLoginRequest(username: name, password: password))
  }

  @Test("the right password opens a session of the staff's own audience")
  func accepted() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (view, tokens) = try await house.access.signIn(body("agent@bank.example"), tenant: house.tenant, address: nil)
    #expect(view.agentID == agent.member.id.rawValue)
    #expect(view.permissions.contains(.attendVideo))
    let identity = try await house.rubix.agentSessions.verify(tokens.access, tenant: house.tenant.id)
    #expect(identity.subject == agent.member.id.rawValue)
    await #expect(throws: Problem.self) {
      try await house.rubix.sessions.verify(tokens.access, tenant: house.tenant.id)
    }
  }

  @Test("a wrong password, an unknown name and another bank look the same")
  func refused() async throws {
    let house = try await DeskHouse()
    _ = try await house.agent()
    let other = try house.rubix.tenants.find("other")
    let refusals = [
      try await problem {
        try await house.access.signIn(
          body("agent@bank.example", "wrong password 1"), tenant: house.tenant, address: nil)
      },
      try await problem {
        try await house.access.signIn(body("nobody@bank.example"), tenant: house.tenant, address: nil)
      },
      try await problem { try await house.access.signIn(body("agent@bank.example"), tenant: other, address: nil) },
    ]
    #expect(refusals.map { $0?.code } == Array(repeating: "credentials-invalid", count: 3))
    #expect(Set(refusals.map { $0?.detail }).count == 1)
  }

  @Test("wrong passwords lock the name for a while")
  func locked() async throws {
    let house = try await DeskHouse()
    _ = try await house.agent()
    for _ in 1...5 {
      _ = try await problem {
        try await house.access.signIn(
          body("agent@bank.example", "wrong password 1"), tenant: house.tenant, address: nil)
      }
    }
    let refusal = try await problem {
      try await house.access.signIn(body("agent@bank.example"), tenant: house.tenant, address: nil)
    }
    #expect(refusal?.category == .locked)
    #expect((refusal?.retryAfterSeconds ?? 0) > 0)
  }

  @Test("one address cannot try without end")
  func limited() async throws {
    let house = try await DeskHouse()
    for number in 1...AgentAccess.byAddress.count {
      let refusal = try await problem {
        try await house.access.signIn(body("nobody\(number)@bank.example"), tenant: house.tenant, address: "192.0.2.1")
      }
      #expect(refusal?.code == "credentials-invalid")
    }
    let refusal = try await problem {
      try await house.access.signIn(body("nobody@bank.example"), tenant: house.tenant, address: "192.0.2.1")
    }
    #expect(refusal?.code == "rate-limited")
  }

  @Test("refreshing rotates; a dismissed member's session ends")
  func refresh() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    let (_, first) = try await house.access.signIn(body("agent@bank.example"), tenant: house.tenant, address: nil)
    let empty = try DeskHouse.content(EmptyBody())
    let (_, second) = try await house.access.refresh(first.refresh, empty, tenant: house.tenant)
    #expect(second.refresh != first.refresh)
    try await house.core.database.write { try house.staff.setActive(false, of: agent.member.id, in: $0) }
    let refusal = try await problem {
      try await house.access.refresh(second.refresh, empty, tenant: house.tenant)
    }
    #expect(refusal?.code == "refresh-invalid")
    #expect(
      try await problem { try await house.access.refresh(" ", empty, tenant: house.tenant) }?.code == "missing-header")
  }

  @Test("after signing out nothing more can be done")
  func signOut() async throws {
    let house = try await DeskHouse()
    let agent = try await house.agent()
    try await house.access.signOut(agent)
    let refusal = try await problem { try await house.queue.page(.all, after: nil, limit: 10, for: agent) }
    #expect(refusal?.code == "token-revoked")
  }
}
