// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import Testing

@Suite("Staff: administration of the tenant's own people")
struct StaffAdministrationTests {
  private struct Office {
    let app: StaffTestApp
    let administration: StaffAdministration
    let boss: StaffMember
    let agent: StaffMember

    init() async throws {
      app = try await StaffTestApp()
      administration = StaffAdministration(
        app.staff, links: .init(prefix: "https://console.bank.example/console/invitation/", goByMail: false))
      boss = try await app.add(email: "boss@example.com", permissions: [.manageStaff])
      agent = try await app.add()
    }

    func order(_ reason: String = "correction", by member: StaffMember? = nil) throws -> StaffOrder {
      try StaffOrder(by: (member ?? boss).id, reason: reason, reference: "HR-7")
    }

    func story(_ id: StaffMember.ID) async throws -> [AuditLine] {
      try await app.database.read { try AuditStore($0).lines(of: id.rawValue) }
    }

    func token(_ issued: StaffAdministration.Issued) -> String {
      String((issued.address ?? "").split(separator: "/").last ?? "")
    }
  }

  @Test("a member who lacks the permission, works elsewhere or is suspended changes nothing, in the domain itself")
  func refused() async throws {
    let office = try await Office()
    let (administration, agent) = (office.administration, office.agent)
    let stranger = try await office.app.add(
      email: "boss@other.example", tenant: "other", permissions: [.manageStaff])
    for (actor, category) in [(agent, Problem.Category.forbidden), (stranger, .notFound)] {
      let order = try office.order(by: actor)
      let target = actor.id == agent.id ? office.boss.id : agent.id
      func refusal(_ body: () async throws -> Void) async -> Problem.Category? {
        do { try await body() } catch let problem as Problem { return problem.category } catch { return nil }
        return nil
      }
      #expect(await refusal { try await administration.setRoles([.agent], of: target, by: order) } == category)
      #expect(await refusal { try await administration.setActive(false, of: target, by: order) } == category)
      #expect(await refusal { _ = try await administration.resetPassword(of: target, by: order) } == category)
      #expect(await refusal { _ = try await administration.resetFactors(of: target, by: order) } == category)
      #expect(await refusal { try await administration.endSessions(of: target, by: order) } == category)
      #expect(await refusal { _ = try await administration.detail(of: target, seenBy: actor.id) } == category)
    }
    #expect(try await administration.list(seenBy: stranger.id).map(\.member.id) == [stranger.id])
    #expect(try await office.app.signIn() == .accepted(agent))
  }

  @Test("no member administers their own account")
  func own() async throws {
    let office = try await Office()
    let order = try office.order()
    await #expect(throws: Problem.self) {
      try await office.administration.setRoles([.administrator, .compliance], of: office.boss.id, by: order)
    }
    await #expect(throws: Problem.self) {
      try await office.administration.setActive(false, of: office.boss.id, by: order)
    }
    #expect(try await office.app.staff.find(office.boss.id) == office.boss)
  }

  @Test("a role gives its permissions, leaves those of no role, and the audit names who and why")
  func roles() async throws {
    let office = try await Office()
    try await office.app.database.write { [staff = office.app.staff, id = office.agent.id] tx in
      try staff.setPermissions([.init(rawValue: "read:reports"), .chatCustomers], of: id, by: "operator", in: tx)
    }
    try await office.administration.setRoles([.compliance], of: office.agent.id, by: office.order("changed-duty"))
    let member = try await office.app.staff.find(office.agent.id)
    #expect(member.roles == [.compliance])
    let kept: Set<StaffPermission> = [.init(rawValue: "read:reports"), .chatCustomers]
    #expect(member.permissions == StaffRole.compliance.permissions.union(kept))
    let line = try #require(try await office.story(member.id).last)
    #expect(line.action == "staff.permissions_set" && line.actor == office.boss.actor)
    #expect(line.facts["reason"] == "changed-duty" && line.facts["reference"] == "HR-7")
  }

  @Test("what reaches beyond the institution is given, and such a member reset, only by who holds it")
  func beyondTenant() async throws {
    let office = try await Office()
    let (administration, app) = (office.administration, office.app)
    func code(_ body: () async throws -> Void) async -> String? {
      do { try await body() } catch let problem as Problem { return problem.code } catch { return "\(error)" }
      return nil
    }
    let invitee = StaffAdministration.Invitee(
      email: "new@example.com", name: "Bo Li", gender: .male, languages: ["fr"], roles: [.operator])
    let order = try office.order()
    #expect(await code { _ = try await administration.invite(invitee, by: order) } == "role-beyond-tenant")
    for role in [StaffRole.operator, .maintainer, .auditor, .analyst] {
      let refused = await code { try await administration.setRoles([role], of: office.agent.id, by: order) }
      #expect(refused == "role-beyond-tenant")
    }
    let keeper = try await app.add(
      email: "keeper@example.com", permissions: StaffRole.operator.permissions.union([.manageStaff]))
    #expect(await code { _ = try await administration.resetPassword(of: keeper.id, by: order) } == "role-beyond-tenant")
    #expect(await code { _ = try await administration.resetFactors(of: keeper.id, by: order) } == "role-beyond-tenant")
    // The operator of the installation suspended them.
    let (staff, id) = (app.staff, keeper.id)
    try await app.database.write { try staff.setActive(false, of: id, by: "operator:eve", in: $0) }
    #expect(await code { try await administration.setActive(true, of: id, by: order) } == "role-beyond-tenant")
    #expect(try await staff.find(id).isActive == false)
    try await app.database.write { try staff.setActive(true, of: id, by: "operator:eve", in: $0) }
    try await administration.setRoles([.operator], of: office.agent.id, by: office.order(by: keeper))
    // What the member has already may stay.
    try await administration.setRoles([.operator, .agent], of: office.agent.id, by: order)
    #expect(try await app.staff.find(office.agent.id).roles.contains(.operator))
  }

  @Test("a reviewer may read and decide, and no more; an older release's permission is kept, listed, and opens nothing")
  func reviewer() async throws {
    let office = try await Office()
    let old = StaffPermission(rawValue: "review:memberships")
    let member = try await office.app.add(
      email: "old@example.com", permissions: [.attendVideo, .readCustomers, old])
    #expect(member.roles == [.reviewer] && member.otherPermissions == [old])
    #expect(try await office.app.staff.list(tenant: member.tenant).contains(member))
    #expect(try await office.administration.list(seenBy: office.boss.id).contains { $0.member == member })
    try await office.administration.setRoles([.reviewer], of: member.id, by: office.order())
    #expect(try await office.app.staff.find(member.id).permissions == member.permissions)
    // Every permission of a role opens something: who is given a role may do what it is called.
    #expect(StaffRole.permissions(of: Set(StaffRole.allCases)).contains(old) == false)
    try await office.administration.setRoles([.agent, .reviewer], of: office.agent.id, by: office.order())
    #expect(try await office.app.staff.find(office.agent.id).roles == [.agent])
  }

  @Test("an invited member sets the first password by the link, once, and is given a code for an app")
  func invitation() async throws {
    let office = try await Office()
    let invitee = StaffAdministration.Invitee(
      email: "new@example.com", name: "Bo Li", gender: .male, languages: ["fr"], roles: [.agent, .reviewer])
    let issued = try await office.administration.invite(invitee, by: office.order("joined"))
    let token = office.token(issued)
    #expect(token.count == 64)
    #expect(try await office.app.signIn("none", email: "new@example.com") == .refused)
    let listed = try await office.administration.list(seenBy: office.boss.id)
    #expect(listed.filter { $0.status == .invited }.map(\.member.id) == [issued.member.id])
    #expect(listed.filter { $0.status == .active }.count == 2)

    #expect(try await office.administration.holder(of: token).id == issued.member.id)
    await #expect(throws: Problem.self) { _ = try await office.administration.accept(token, password: "short") }
    let code = try await office.administration.accept(token, password: "utopia lies westward 9")
    #expect(code != nil)
    #expect(try await office.app.signIn("utopia lies westward 9", email: "new@example.com") == .accepted(issued.member))
    await #expect(throws: Problem.self) {
      _ = try await office.administration.accept(token, password: "utopia lies eastward 9")
    }
    await #expect(throws: Problem.self) {
      _ = try await office.administration.invite(invitee, by: office.order("joined"))
    }
    let story = try await office.story(issued.member.id)
    #expect(story.first?.action == "staff.invited" && story.first?.facts["reason"] == "joined")
    #expect(!story.contains { $0.facts.values.contains(token) })
  }

  @Test("a reset takes the password and the sessions; a link is over after three days, when replaced, when suspended")
  func reset() async throws {
    let office = try await Office()
    let first = office.token(try await office.administration.resetPassword(of: office.agent.id, by: office.order()))
    #expect(try await office.app.signIn() == .refused)
    let second = office.token(try await office.administration.resetPassword(of: office.agent.id, by: office.order()))
    await #expect(throws: Problem.self) { _ = try await office.administration.holder(of: first) }
    #expect(try await office.administration.holder(of: second).id == office.agent.id)
    office.app.clock.advance(StaffLink.lifetime)
    await #expect(throws: Problem.self) { _ = try await office.administration.holder(of: second) }

    let third = office.token(try await office.administration.resetPassword(of: office.agent.id, by: office.order()))
    try await office.administration.setActive(false, of: office.agent.id, by: office.order("left"))
    await #expect(throws: Problem.self) { _ = try await office.administration.holder(of: third) }
    try await office.administration.setActive(true, of: office.agent.id, by: office.order())
    await #expect(throws: Problem.self) { _ = try await office.administration.holder(of: third) }
  }

  @Test("a reason and a reference are codes, so that no words about a person get into the audit log")
  func codes() throws {
    let id = StaffMember.ID(rawValue: "one")
    for (reason, reference) in [(nil, nil), ("because", nil), ("left", "Ada Anyder is ill"), ("left", "é")]
      as [(String?, String?)]
    {
      #expect(throws: Problem.self) { try StaffOrder(by: id, reason: reason, reference: reference) }
    }
    #expect(try StaffOrder(by: id, reason: "left", reference: "").reference == nil)
  }
}
