// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Testing

@Suite("Staff: the first way into a sandbox")
struct FirstRunTests {
  private func administration(_ app: StaffTestApp) -> StaffAdministration {
    StaffAdministration(app.staff, links: .init(prefix: "http://localhost/console/invitation/", goByMail: false))
  }

  @Test("a link makes the first administrator when it is used, once, within a quarter of an hour")
  func once() async throws {
    let app = try await StaffTestApp()
    let administration = administration(app)
    let late = try #require(try await administration.firstRun(tenant: "bank"))
    #expect(try await app.staff.list(tenant: "bank").isEmpty)
    app.clock.advance(StaffAdministration.firstRunLifetime)
    await #expect(throws: Problem.self) { _ = try await administration.enter(late, by: "operator:sam") }

    let replaced = try #require(try await administration.firstRun(tenant: "bank"))
    let token = try #require(try await administration.firstRun(tenant: "bank"))
    await #expect(throws: Problem.self) { _ = try await administration.enter(replaced, by: "operator:sam") }
    let member = try await administration.enter(token, by: "operator:sam")
    #expect(member.permissions == StaffRole.permissions(of: Set(StaffRole.allCases)))
    let added = try #require(try await app.lines(of: member.id.rawValue).first)
    #expect(added.action == "staff.invited" && added.actor == "operator:sam")
    await #expect(throws: Problem.self) { _ = try await administration.enter(token, by: "operator:sam") }
    // Until a member has a password, the next start signs the same administrator in.
    let again = try #require(try await administration.firstRun(tenant: "bank"))
    #expect(try await administration.enter(again, by: "operator:sam").id == member.id)
  }

  @Test("there is no such link where an administrator has a password, or the first one was suspended")
  func closed() async throws {
    let app = try await StaffTestApp()
    let administration = administration(app)
    let early = try #require(try await administration.firstRun(tenant: "bank"))
    let boss = try await app.add(email: "boss@example.com", permissions: [.manageStaff])
    #expect(try await administration.firstRun(tenant: "bank") == nil)
    await #expect(throws: Problem.self) { _ = try await administration.enter(early, by: "operator:sam") }

    let other = try #require(try await administration.firstRun(tenant: "other"))
    let first = try await administration.enter(other, by: "operator:sam")
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(false, of: first.id, by: boss.actor, in: $0)
    }
    #expect(try await administration.firstRun(tenant: "other") == nil)
  }
}
