// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import RubixFlow
import Storage
import Testing
import TestSupport

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: accounts of staff at the command line", .ownFile)
struct StaffCommandTests {
  private struct Place {
    let app: App
    let options: [String]

    init() async throws {
      let folder = try TestFolder()
      let settings = BackupTestApp.settings("data", in: folder)
      self.folder = folder
      try await settings.putSchema()
      app = try await App.open(
        settings, logger: settings.logger("staff"), passwordCost: PasswordCost(memory: 8, passes: 1))
      options = ["--data", settings.dataFolder, "--log", "error"]
    }

    private let folder: TestFolder

    func add(_ email: String, _ permissions: Set<StaffPermission>) async throws -> StaffMember {
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: email, name: "Aya", gender: .female, languages: ["en"], permissions: permissions,
          password: "utopia lies westward 9"), by: "operator")
    }

    func story(_ member: StaffMember) async throws -> [String] {
      try await app.database.read {
        try AuditStore($0).lines(of: member.id.rawValue).map { "\($0.action) by \($0.actor)" }
      }
    }
  }

  @Test("a permission that opens nothing is a wrong line; one that a member has from an older release may stay")
  func permissions() async throws {
    let typed = ["staff", "add", "--email", "a@bank.example", "--name", "A", "--gender", "F", "--permissions"]
    let wrong = try #require(throws: (any Error).self) { _ = try Gatehouse.parseAsRoot(typed + ["atend:video"]) }
    let report = FailureReport(wrong)
    #expect(report.exit == .usage && report.message.contains("no permission is called atend:video"))
    #expect(report.message.contains("attend:video, block:users") && !report.message.contains("review:memberships"))
    #expect(throws: Never.self) { try Gatehouse.parseAsRoot(typed + ["attend:video, manage:outbox"]) }

    let place = try await Place()
    let old = StaffPermission(rawValue: "review:memberships")
    let (aya, bo) = (try await place.add("aya@bank.example", [old]), try await place.add("bo@bank.example", []))
    let wanted = "read:customers,review:memberships"
    // Also by the address, as it may be typed.
    try await StaffCommand.Permissions.parse(["AYA@bank.example", wanted] + place.options).run()
    #expect(try await place.app.staff.find(aya.id).permissions == [.readCustomers, old])
    await #expect(throws: (any Error).self) {
      try await StaffCommand.Permissions.parse([bo.id.rawValue, wanted] + place.options).run()
    }
    #expect(try await place.app.staff.find(bo.id).permissions == [])
    let alone = try await #require(throws: CommandFailure.self) {
      try await StaffCommand.Join.parse([bo.email, "--subject", "s"] + place.options).run()
    }
    #expect(alone.exit == .refused && alone.description.contains("identity provider"))
    for unknown in ["cy@bank.example", "cy"] {
      let failure = try await #require(throws: CommandFailure.self) {
        try await StaffCommand.Suspend.parse([unknown] + place.options).run()
      }
      #expect(failure.exit == .notFound && failure.description.contains("member of staff"))
    }
  }

  @Test("the operator acts until there is a member who manages staff; from then on one of those is named")
  func administrators() async throws {
    let place = try await Place()
    let aya = try await place.add("aya@bank.example", [.readCustomers])
    let permissions = [aya.id.rawValue, "read:customers,attend:video"] + place.options
    try await StaffCommand.Permissions.parse(permissions).run()
    let boss = try await place.add("boss@bank.example", [.manageStaff])
    for agent in [[], ["--agent", "Mickey Mouse"], ["--agent", "aya@bank.example"]] {
      await #expect(throws: (any Error).self) { try await StaffCommand.Permissions.parse(permissions + agent).run() }
    }
    try await StaffCommand.Permissions.parse(permissions + ["--agent", boss.email]).run()
    try await StaffCommand.Suspend.parse([aya.id.rawValue, "--agent", boss.id.rawValue] + place.options).run()
    try await StaffCommand.Resume.parse([aya.id.rawValue, "--agent", boss.email] + place.options).run()
    try await StaffCommand.ResetFactors.parse([aya.id.rawValue, "--agent", boss.email] + place.options).run()
    #expect(
      try await place.story(aya) == [
        "staff.added by operator", "staff.permissions_set by \(OperatorOptions.machineUser)",
        "staff.permissions_set by \(boss.actor)",
        "staff.suspended by \(boss.actor)", "staff.resumed by \(boss.actor)", "staff.factors_reset by \(boss.actor)",
        "staff.enrolment_code_issued by \(boss.actor)",
      ])
    #expect(try await place.app.staff.find(aya.id).permissions == [.readCustomers, .attendVideo])
  }

  @Test("an administrator does not change, suspend or join the own account at the command line, as on the console")
  func ownAccount() async throws {
    let place = try await Place()
    let boss = try await place.add("boss@bank.example", [.manageStaff])
    let own = [boss.email, "--agent", boss.id.rawValue] + place.options
    await #expect(throws: Problem.ownAccount) {
      try await StaffCommand.Permissions.parse(own + ["manage:staff,decide:aml"]).run()
    }
    await #expect(throws: Problem.ownAccount) { try await StaffCommand.Suspend.parse(own).run() }
    await #expect(throws: Problem.ownAccount) { try await StaffCommand.Join.parse(own + ["--subject", "s"]).run() }
    let after = try await place.app.staff.find(boss.id)
    #expect(after.permissions == [.manageStaff] && after.isActive)
    // Who has lost the way in, and with it every administrator, gets it back at the machine.
    try await StaffCommand.ResetFactors.parse(own).run()
    #expect(try await place.story(boss).first == "staff.added by operator")
    #expect(try await place.story(boss).contains("staff.factors_reset by \(boss.actor)"))
  }

  @Test(
    "adding a member and resetting the second factor print a code, which sets one app up",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"))
  func enrolmentCodes() async throws {
    let place = try await Place()
    func run(_ arguments: [String], _ typed: String = "") throws -> String {
      let (process, input, output) = (ChildProcess(), Pipe(), Pipe())
      process.executableURL = ServedProcess.program
      process.arguments = ["staff"] + arguments + place.options
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(typed.utf8))
      try input.fileHandleForWriting.close()
      let printed = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let match = String(decoding: printed, as: UTF8.self).firstMatch(of: /Enrolment code: ([a-z2-7]{5}-[a-z2-7]{5})/)
      return String(try #require(match).1)
    }
    let added = try run(
      ["add", "--email", "aya@bank.example", "--name", "Aya", "--gender", "F"], "utopia lies westward 9\n")
    let (staff, clock) = (place.app.staff, place.app.world)
    let aya = try #require(try await staff.list(tenant: "default").first)
    let sessions = place.app.rubix.agentSessions
    func isSetUp(with enrolmentCode: String) async throws -> Bool {
      let session = try await place.app.database.write { tx in
        try sessions.open(subject: aya.id.rawValue, tenant: "default", device: "desk", in: tx).family.id
      }
      let secret = Data(base32: try await staff.factors.enrolment(of: aya, in: session, issuer: "Bank").secret)
      let code = TimeCode.code(secret, step: TimeCode.step(at: clock.now()))
      let outcome = try await staff.factors.confirm(code, enrolmentCode: enrolmentCode, of: aya, in: session)
      if case .confirmed = outcome { return true } else { return false }
    }
    #expect(try await isSetUp(with: added))
    let reset = try run(["reset-second-factor", aya.id.rawValue])
    #expect(try await !isSetUp(with: added))
    #expect(try await isSetUp(with: reset))
  }

  @Test("clients of Finaptic's tenants are added by this machine's user")
  func clients() async throws {
    let place = try await Place()
    try await place.app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    try await FinapticCommand.BankCommand.Client.parse(["7"] + place.options).run()
    try await FinapticSandboxClient.parse(["7"] + place.options).run()
    try await ChatCommand.Client.parse(["7"] + place.options).run()
    let actors = try await place.app.database.read { tx in
      try tx.query("SELECT actor FROM audit_line WHERE action = 'client.added'").map {
        try $0.get("actor", as: String.self)
      }
    }
    #expect(actors == Array(repeating: OperatorOptions.machineUser, count: 3))
  }

  @Test("no tenant, price, block or erasure by a member of staff without the permission")
  func administration() async throws {
    let place = try await Place()
    try await place.app.finaptic.dependencies.tenants.add(7, name: "Bank", kind: .sandbox, by: "test")
    let aya = try await place.add("aya@bank.example", [.readCustomers, .attendVideo, .manageStaff])
    let boss = try await place.add("boss@bank.example", [.manageTenants, .blockUsers, .eraseCustomers])
    for command in [
      { try await FinapticCommand.TenantCommand.Add.parse(["8", "--name", "B", "--kind", "sandbox"] + $0).run() },
      { try await FinapticCommand.TenantCommand.MFA.parse(["7", "always"] + $0).run() },
      {
        try await FinapticCommand.TenantCommand.Document.parse(
          ["7", "CONSENT_TYPE_PRIVACY_POLICY", "https://bank.example/privacy"] + $0
        ).run()
      },
      {
        try await FinapticCommand.BankCommand.Terms.parse(
          ["7", "current_account.v39", "--monthly-fee", "4.95"] + $0
        ).run()
      },
      { try await FinapticCommand.UserCommand.Block.parse(["7", "ada@bank.example"] + $0).run() },
      {
        try await EraseCommand.parse(
          ["--customer", "00000000-0000-4000-8000-000000000000", "--reason", "art-17-request", "--yes"] + $0
        ).run()
      },
    ] as [([String]) async throws -> Void] {
      let problem = try #require(
        await #expect(throws: Problem.self) { try await command(["--agent", aya.email] + place.options) })
      #expect(problem.code == "forbidden")
      do { try await command(["--agent", boss.email] + place.options) } catch {
        #expect((error as? Problem)?.code != "forbidden", "\(error)")
      }
    }
    // What came of it is told of the member, and of no user of the machine.
    let lines = try await place.app.database.read { tx in
      try tx.query("SELECT action, actor FROM audit_line WHERE action LIKE 'finaptic.t%' AND actor <> 'test'")
        .map { (action: try $0.get("action", as: String.self), actor: try $0.get("actor", as: String.self)) }
    }
    #expect(
      Set(lines.map(\.action)) == [
        "finaptic.tenant.added", "finaptic.tenant.mfa", "finaptic.tenant.document", "finaptic.terms.set",
      ])
    #expect(lines.allSatisfy { $0.actor == boss.actor }, "\(lines.map(\.actor))")
  }

  @Test("no review, picture or chat by someone who is no active, permitted member of staff")
  func reviewers() async throws {
    let place = try await Place()
    let aya = try await place.add("aya@bank.example", [.decideAML])
    for agent in ["Mickey Mouse", aya.id.rawValue, aya.email] {
      for command in [
        { try await WultraCommand.Decide.parse(["none", "accepted", "--agent", agent] + place.options).run() },
        { try await WultraCommand.Pictures.parse(["none", "nowhere", "--agent", agent] + place.options).run() },
        { try await OneAssistCommand.Verdict.parse(["none", "approve", "--agent", agent] + place.options).run() },
        { try await OneAssistCommand.Erase.parse(["none", "--agent", agent] + place.options).run() },
      ] as [() async throws -> Void] {
        let problem = try #require(await #expect(throws: Problem.self) { try await command() })
        #expect(problem.code == "forbidden")
      }
    }
  }
}
