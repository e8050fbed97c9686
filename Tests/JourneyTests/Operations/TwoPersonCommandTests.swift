// SPDX-License-Identifier: Apache-2.0

import Activations
import ArgumentParser
import Casework
import Foundation
import Identity
import Kit
import PowerAuthCore
import Storage
import Testing
import TestSupport

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: what two persons do at the command line", .ownFile)
struct TwoPersonCommandTests {
  /// An installation with PowerAuth alone, in which two persons let a device in.
  private struct Place {
    let app: App
    let options: [String]
    let asker: StaffMember
    let checker: StaffMember
    private let folder: TestFolder

    init() async throws {
      folder = try TestFolder()
      let (data, config) = (folder.file("data"), folder.file("settings.json"))
      try Data(#"{"wultra": {"unblockFourEyes": true}}"#.utf8).write(to: URL(fileURLWithPath: config))
      let settings = BackupTestApp.settings("data", in: folder)
      try await settings.putSchema()
      let app = try await App.open(
        settings, logger: settings.logger("two"), passwordCost: PasswordCost(memory: 8, passes: 1))
      self.app = app
      options = ["--data", data, "--config", config, "--log", "error"]
      func member(_ email: String, _ permissions: Set<StaffPermission>) async throws -> StaffMember {
        try await app.staff.add(
          NewStaffMember(
            tenant: "default", email: email, name: "Aya", gender: .female, languages: ["en"],
            permissions: permissions, password: "utopia lies westward 9"), by: "operator")
      }
      asker = try await member("aya@bank.example", [.blockUsers])
      checker = try await member("omar@bank.example", [.approveVerdicts])
    }

    /// A device that the bank's own server activated, and blocked.
    func blockedDevice() async throws -> Activation.ID {
      let release = try await app.activations.applications.add("Bank", tenant: "default", by: .init("operator"))
      let started = try await app.activations.initiate(
        InitiateActivation(application: release.application.id, user: "ada", commitsItself: true),
        by: .init("operator"))
      let device = TestDevice(configuration: release.configuration, random: World.live.random)
      let outcome = try await app.activations.create(
        NewDevice(
          device.introduction(name: "Phone"), applicationKey: release.version.applicationKey, version: .v33),
        .code(started.code))
      guard case .created(let created) = outcome else { throw Problem.notFound }
      return try await app.activations.block(created.activation.id, reason: "LOST", by: .client("bank")).id
    }

    func pending() async throws -> [Approval.ID] {
      try await app.approvalCommands.pending(for: CaseWorker(checker)).map(\.id)
    }

    func unblock(_ device: Activation.ID, _ more: [String]) async throws {
      try await PowerAuthActivationCommand.Unblock.parse([device.rawValue] + more + options).run()
    }

    func takeBack(_ approval: Approval.ID, by agent: String?) async throws {
      let acting = agent.map { ["--agent", $0] } ?? []
      try await CaseCommand.TakeBack.parse([approval.rawValue.uppercased()] + acting + options).run()
    }
  }

  @Test("a blocked device is asked for by one, agreed to at the desk by another, and let in by the same command")
  func unblock() async throws {
    let place = try await Place()
    let device = try await place.blockedDevice()
    let words = ["--reason", "OPERATIONAL_ERROR", "--agent", place.asker.email]
    for lacking in [[], ["--agent", place.asker.email], ["--reason", "OPERATIONAL_ERROR"]] {
      let error = await #expect(throws: PowerAuthOperationsError.self) { try await place.unblock(device, lacking) }
      #expect(error?.text.contains("/console/approvals") == true)
    }
    let forbidden = await #expect(throws: Problem.self) {
      try await place.unblock(device, ["--reason", "OPERATIONAL_ERROR", "--agent", place.checker.email])
    }
    #expect(forbidden?.code == "forbidden")
    for _ in 0..<2 {
      await #expect(throws: ExitCode.waits) { try await place.unblock(device, words) }
    }
    let approval = try #require(try await place.pending().first)
    #expect(try await place.pending().count == 1)
    _ = try await place.app.approvalCommands.decide(approval, agreeing: true, by: CaseWorker(place.checker))
    #expect(try await place.app.activations.find(device).state == .blocked)
    try await place.unblock(device, words + ["--approval", approval.rawValue])
    #expect(try await place.app.activations.find(device).state == .active)
    let line = try await place.app.database.read { tx in
      try AuditStore(tx).lines(of: "activation:\(device)").last { $0.action == "activation.unblocked" }
    }
    #expect(line?.actor == place.asker.actor && line?.facts["checker"] == place.checker.actor)
  }

  @Test("who asked takes it back by command, which others cannot, and asks anew")
  func takeBack() async throws {
    let place = try await Place()
    let device = try await place.blockedDevice()
    let words = ["--reason", "OPERATIONAL_ERROR", "--agent", place.asker.email]
    await #expect(throws: ExitCode.waits) { try await place.unblock(device, words) }
    let first = try #require(try await place.pending().first)
    for stranger in [nil, place.checker.email] {
      let problem = await #expect(throws: Problem.self) { try await place.takeBack(first, by: stranger) }
      #expect(problem?.code == "not-found")
    }
    try await place.takeBack(first, by: place.asker.email)
    #expect(try await place.pending().isEmpty)
    let again = await #expect(throws: Problem.self) { try await place.takeBack(first, by: place.asker.email) }
    #expect(again?.code == "approval-decided")
    #expect(try await place.app.activations.find(device).state == .blocked)
    await #expect(throws: ExitCode.waits) { try await place.unblock(device, words) }
    #expect(try await place.pending() != [first])
    #expect(try await place.pending().count == 1)
    let lines = try await place.app.database.read { try AuditStore($0).lines(of: "approval-\(first)") }
    #expect(lines.map(\.action) == ["approval.asked", "approval.withdrawn"])
    #expect(lines.last?.actor == place.asker.actor)
  }
}
