// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Identity
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

/// A name that no one looks up would stand in the audit log as the person who acted.
@Suite("Operations: who is named by --agent (issue 24)", .ownFile)
struct NamedAgentTests {
  /// Beside the lines of `UnknownTenantTests` and `MissingStoreTests`. `MEMBER`, `LEAVE`, `FILE` and `DIR` are there.
  private static let lines = """
    customer export --customer 01a22a50-a65e-7897-938e-e737e35f9909 --to DIR
    customer erase --customer 01a22a50-a65e-7897-938e-e737e35f9909 --reason art-17-request --yes
    finaptic tenant add 8 --name n --kind sandbox
    lists update FILE
    payments folder finaptic-7 DIR
    sessions end --staff --customers --yes
    staff join-openid MEMBER --subject s
    staff leave add MEMBER --from 2026-12-24 --until 2026-12-26
    staff leave remove LEAVE
    staff permissions MEMBER attend:video
    staff reset-second-factor MEMBER
    staff resume MEMBER
    staff suspend MEMBER
    """.split(separator: "\n").map(String.init)

  /// Of these `--agent` is a filter, or they read standard input first.
  private static let others: Set<String> = ["chat queue", "chat reply", "case note", "staff add", "staff password"]

  private static func takesAgent(_ command: CommandReference.Command) -> Bool {
    (command.arguments ?? []).contains { $0.preferredName?.name == "agent" }
  }

  /// What is to be played of each command that takes a person's name.
  private static func played(_ commands: Set<String>) -> [String: String] {
    let ofTenants = UnknownTenantTests.lines.map {
      $0.split(separator: " ").map { $0 == "T" ? "finaptic-7" : $0 }.joined(separator: " ")
    }
    var played: [String: String] = [:]
    for line in ofTenants + MissingStoreTests.lines.map(String.init) + Self.lines {
      let named = commands.filter { line == $0 || line.hasPrefix($0 + " ") }
      if let name = named.max(by: { $0.count < $1.count }) { played[name] = line.replacing(" --agent a", with: "") }
    }
    return played
  }

  @Test(
    "who is no member, or suspended, is refused by every command that takes a name, and nothing changes",
    .timeLimit(.minutes(5)))
  func refused() async throws {
    let folder = try TestFolder(["list.csv": Data("id,name\n1,Ann\n".utf8)])
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let app = try await App.open(
      settings, logger: settings.logger("agents"), passwordCost: PasswordCost(memory: 8, passes: 1))
    try await app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    let all = Set(StaffRole.permissions(of: Set(StaffRole.allCases)))
    func add(_ name: String, _ permissions: Set<StaffPermission>) async throws -> StaffMember {
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: "\(name)@bank.example", name: name, gender: .female, languages: ["en"],
          permissions: permissions, password: "utopia lies westward 9"), by: "operator")
    }
    let (aya, gone) = (try await add("aya", [.attendVideo]), try await add("gone", all))
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(false, of: gone.id, by: "operator", in: $0)
    }
    let options = ["--data", settings.dataFolder, "--log", "critical"]
    let day = String((World.live.now() + .days(3)).rfc3339.prefix(10))
    let leave = ["staff", "leave", "add", aya.id.rawValue, "--from", day, "--until", day]
    #expect(try await Self.run(leave + options) == nil)
    let leaves = try await StaffAvailability(app: app).leaves()
    let found = try #require(leaves.first)
    let before = try await Self.lines(app)

    let commands = try CommandReference.shared.get().all.filter {
      $0.command.shown.isEmpty && Self.takesAgent($0.command)
    }
    let names = Set(commands.map { $0.words.dropFirst().joined(separator: " ") })
    let played = Self.played(names)
    #expect(names.subtracting(played.keys).subtracting(Self.others) == [] && names.count > 60)
    for (name, line) in played where !Self.others.contains(name) {
      let words = line.split(separator: " ").map { word in
        switch word {
        case "MEMBER": aya.id.rawValue
        case "LEAVE": found.id.rawValue
        case "FILE": folder.file("list.csv")
        case "DIR": folder.path
        default: String(word)
        }
      }
      for agent in ["Mickey Mouse", gone.email] {
        let report = try await Self.run(words + ["--agent", agent] + options)
        #expect(
          report?.exit == .refused && report?.message.contains("\(agent) is no active member of staff here") == true,
          "\(line): \(report as Any)")
      }
    }
    #expect(try await Self.lines(app) == before)
    #expect(try await StaffAvailability(app: app).leaves().map(\.id) == [found.id])
  }

  @Test("what shows customers names who looks, as soon as there is a member of staff who may look")
  func looks() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let app = try await App.open(
      settings, logger: settings.logger("looks"), passwordCost: PasswordCost(memory: 8, passes: 1))
    try await app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    let looks = [
      "case list", "case show x", "case release x --why duty", "case hand-over x --to a --why duty", "receipt write x",
      "screen hits", "screen replay x", "wultra review list", "oneassist membership list",
      "finaptic user show finaptic-7 x", "powerauth activation list --user u",
      "finaptic application show 01a22a50-a65e-7897-938e-e737e35f9909",
      "powerauth activation show 01a22a50-a65e-7897-938e-e737e35f9909",
    ]
    let options = ["--data", settings.dataFolder, "--log", "critical"]
    func report(_ line: String, _ more: String...) async throws -> FailureReport? {
      try await Self.run(line.split(separator: " ").map(String.init) + more + options)
    }
    func add(_ name: String, _ permissions: Set<StaffPermission>) async throws -> StaffMember {
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: "\(name)@bank.example", name: name, gender: .female, languages: ["en"],
          permissions: permissions, password: "utopia lies westward 9"), by: "operator")
    }
    // One who manages the staff may not look.
    _ = try await add("boss", [.manageStaff])
    for line in looks { #expect(try await report(line)?.exit != .usage, "\(line) is this machine's user's before") }
    let member = try await add("aya", [.readCustomers, .decideAML])
    let before = try await Self.lines(app)
    for line in looks {
      let refused = try await report(line)
      #expect(refused?.exit == .usage && refused?.message.contains("--agent") == true, "\(line): \(refused as Any)")
    }
    #expect(try await Self.lines(app) == before)
    // What this machine's user asked for is taken back by no one else.
    #expect(try await report("case take-back x")?.exit != .usage)
    let empty = [
      "screen hits", "wultra review list", "oneassist membership list", "powerauth activation list --user u",
    ]
    for line in empty {
      #expect(try await report(line, "--agent", member.email) == nil, "\(line)")
    }
    let actor = member.actor
    let own = try await app.database.read { tx in
      try tx.first("SELECT COUNT(*) AS count FROM audit_line WHERE actor = \(actor)")?.get("count", as: Int.self)
    }
    #expect(own == 4)
  }

  private static func lines(_ app: App) async throws -> Int {
    try await app.database.read { tx in
      try tx.query("SELECT COUNT(*) AS count FROM audit_line").first?.get("count", as: Int.self) ?? 0
    }
  }

  private static func run(_ words: [String]) async throws -> FailureReport? {
    var command = try #require(try DocumentedCommandTests.parse(words) as? any AsyncParsableCommand, "\(words)")
    do { try await command.run() } catch { return FailureReport(error, of: type(of: command)) }
    return nil
  }
}
