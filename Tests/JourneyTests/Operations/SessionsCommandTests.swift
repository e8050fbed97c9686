// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import GatehouseApp
@testable import Identity
@testable import Kit
@testable import gatehouse

@Suite("Operations: the end of many sessions", .ownFile)
struct SessionsCommandTests {
  private let made: BackupTestApp

  init() async throws { made = try await BackupTestApp() }

  private func run(_ line: String) async throws -> FailureReport? {
    let words = line.split(separator: " ").map(String.init)
    let options = ["--data", made.settings.dataFolder, "--log", "critical"]
    let parsed = try DocumentedCommandTests.parse(words + options)
    var command = try #require(parsed as? any AsyncParsableCommand, "\(line)")
    do { try await command.run() } catch { return FailureReport(error, of: type(of: command)) }
    return nil
  }

  private func add(
    _ name: String, _ permissions: Set<StaffPermission>, of institution: String = "default"
  ) async throws -> StaffMember {
    try await made.app.staff.add(
      NewStaffMember(
        tenant: institution, email: "\(name)@bank.example", name: name, gender: .female, languages: ["en"],
        permissions: permissions, password: "utopia lies westward 9"), by: "operator")
  }

  private func open(_ subject: String, _ tenant: String) async throws -> SessionFamily.ID {
    let now = World.live.wall()
    let family = SessionFamily(
      id: .init(made.clock.world), tenant: tenant, subject: subject, device: "d", expiresAt: now + .days(1),
      revokedReason: nil)
    try await made.app.database.write { try SessionStore($0).insert(family, at: now + .seconds(-60)) }
    return family.id
  }

  private func isOpen(_ id: SessionFamily.ID) async throws -> Bool {
    try await made.app.database.read { try SessionStore($0).family(id)?.revokedReason == nil }
  }

  private func lines(_ tenant: String) async throws -> [AuditLine] {
    try await made.app.database.read { try AuditStore($0).lines(of: "sessions-\(tenant)") }
  }

  @Test("those of staff, of customers or of one customer end, and no others; the audit tells who ended them")
  func ends() async throws {
    try await made.app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    let member = try await add("boss", [.manageStaff, .blockUsers])
    let staff = try await open(member.id.rawValue, "default")
    let (annID, bobID) = (made.clock.world.uuid(), made.clock.world.uuid())
    let (ann, bob) = (try await open(annID, "default"), try await open(bobID, "default"))
    let other = try await open(made.clock.world.uuid(), "finaptic-7")
    func areOpen() async throws -> [Bool] {
      var all: [Bool] = []
      for id in [staff, ann, bob, other] { all.append(try await isOpen(id)) }
      return all
    }
    let refused = try await run("sessions end --customers --yes")
    #expect(refused?.exit == .usage && refused?.message.contains("--agent") == true)
    #expect(try await areOpen() == [true, true, true, true])
    let agent = "--yes --agent \(member.email)"
    // A member of staff is no customer, and ends with the staff only.
    #expect(try await run("sessions end --customer \(member.id) \(agent)") == nil)
    #expect(try await areOpen() == [true, true, true, true])
    #expect(try await run("sessions end --customer \(annID.uppercased()) \(agent)") == nil)
    #expect(try await areOpen() == [true, false, true, true])
    #expect(try await run("sessions end --customers \(agent)") == nil)
    #expect(try await areOpen() == [true, false, false, true])
    #expect(try await run("sessions end --staff \(agent)") == nil)
    #expect(try await areOpen() == [false, false, false, true])
    #expect(try await run("sessions end --customers --tenant finaptic-7 \(agent)") == nil)
    #expect(try await areOpen() == [false, false, false, false])
    let told = try await lines("default")
    #expect(told.map(\.action) == Array(repeating: "sessions.ended", count: 4))
    #expect(told.allSatisfy { $0.actor == member.actor })
    #expect(told.map { $0.facts["count"] } == ["0", "1", "1", "1"])
    #expect(told.map { $0.facts["whose"] } == [member.id.rawValue, annID, "customers", "staff"])
    #expect(try await lines("finaptic-7").map { $0.facts["count"] } == ["1"])
  }

  /// Sessions of the console are of no institution: `--staff` left every one of them open.
  @Test("sessions of staff at the console end too, and those of another institution's staff do not")
  func console() async throws {
    let member = try await add("boss", [.manageStaff])
    let foreign = try await add("nora", [.manageStaff], of: "north")
    let (own, other) = (try await open(member.id.rawValue, "console"), try await open(foreign.id.rawValue, "console"))
    #expect(try await run("sessions end --staff --yes --agent \(member.email)") == nil)
    #expect(try await !isOpen(own))
    #expect(try await isOpen(other))
  }

  @Test("staff are of an institution, and a customer is named by the id, because the audit tells whose sessions ended")
  func refused() async throws {
    try await made.app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    let staff = try await run("sessions end --staff --tenant finaptic-7 --yes")
    #expect(staff?.exit == .usage && staff?.message.contains("institution") == true)
    let named = #expect(throws: (any Error).self) {
      try DocumentedCommandTests.parse(["sessions", "end", "--customer", "ann@bank.example"])
    }
    let report = FailureReport(try #require(named), of: SessionsCommand.End.self)
    #expect(report.exit == .usage && !report.message.contains("ann@"))
    for tenant in ["default", "finaptic-7"] { #expect(try await lines(tenant).isEmpty) }
  }

  @Test("many end batch by batch, each once, with a line each, also what a node opened whose clock is ahead")
  func batches() async throws {
    let (world, core) = (made.clock.world, made.app.core)
    let now = core.world.wall()
    func insert(_ subject: String, at opened: Instant) async throws -> SessionFamily.ID {
      let family = SessionFamily(
        id: .init(world), tenant: "default", subject: subject, device: "d", expiresAt: now + .days(1),
        revokedReason: nil)
      try await core.database.write { try SessionStore($0).insert(family, at: opened) }
      return family.id
    }
    var ids: [SessionFamily.ID] = []
    for number in 0..<7 { ids.append(try await insert("customer-\(number)", at: now)) }
    // Of another node: sessions of its last seconds stayed open.
    ids.append(try await insert("late", at: now + .seconds(4)))
    let ending = SessionEnding(core: core)
    #expect(try await ending.end(.customers, of: "default", by: "operator", batch: 3) == 8)
    for id in ids { #expect(try await isOpen(id) == false) }
    #expect(try await ending.end(.customers, of: "default", by: "operator", batch: 3) == 0)
    #expect(try await lines("default").map { $0.facts["count"] } == ["3", "3", "2", "0"])
  }

  @Test("a node whose clock is ahead ends what others take for open; what ended for all is left")
  func expiry() async throws {
    let (world, core) = (made.clock.world, made.app.core)
    let now = core.world.wall()
    var ids: [SessionFamily.ID] = []
    for seconds in [-3, -3600] {
      let family = SessionFamily(
        id: .init(world), tenant: "default", subject: "c\(seconds)", device: "d", expiresAt: now + .seconds(seconds),
        revokedReason: nil)
      try await core.database.write { try SessionStore($0).insert(family, at: now + .hours(-2)) }
      ids.append(family.id)
    }
    #expect(try await SessionEnding(core: core).end(.customers, of: "default", by: "operator") == 1)
    #expect(try await !isOpen(ids[0]))
    #expect(try await isOpen(ids[1]))
  }
}
