// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: what those who manage them do")
struct ActivationMovesTests {
  @Test("block, unblock, rename, flags and removal, each with one line of the audit")
  func all() async throws {
    let app = try await ActivationsTestApp()
    let (_, id) = try await app.activeDevice()
    let activations = app.activations
    #expect(try await activations.block(id, reason: "LOST", by: .agent("7")).blockedReason == "LOST")
    let unblocked = try await activations.unblock(id, by: .agent("7"))
    #expect(unblocked.state == .active && unblocked.blockedReason == nil)
    #expect(try await activations.rename(id, to: "Ada's phone", by: .device).device.name == "Ada's phone")
    #expect(try await activations.addFlags(["A", "B", "A"], to: id, by: .flow("wultra")).flags == ["A", "B"])
    #expect(try await activations.removeFlags(["A", "C"], from: id, by: .flow("wultra")).flags == ["B"])
    #expect(try await activations.setFlags(["C"], of: id, by: .flow("wultra")).flags == ["C"])
    // Nothing changes, so nothing is written.
    #expect(try await activations.setFlags(["C"], of: id, by: .flow("wultra")).flags == ["C"])
    let removed = try await activations.remove(id, by: .client("bank"))
    #expect(removed.state == .removed)
    let lines = try await activations.history(id)
    #expect(
      lines.map(\.action) == [
        "activation.initiated", "activation.keysExchangedAndCommitted", "activation.blocked",
        "activation.unblocked", "activation.renamed", "activation.flagged", "activation.flagged",
        "activation.flagged", "activation.removed",
      ])
    #expect(lines.map(\.actor).suffix(4) == ["flow:wultra", "flow:wultra", "flow:wultra", "client:bank"])
    #expect(!lines.contains { line in line.facts.values.contains { $0.contains("Ada") || $0.contains("ada") } })
    #expect(try await app.faults() == [])
  }

  @Test("what a state does not allow is refused and changes nothing", arguments: ActivationState.allCases)
  func refused(state: ActivationState) async throws {
    let app = try await ActivationsTestApp()
    let id = try await app.activation(in: state)
    let before = try await app.activations.find(id)
    #expect(before.state == state)
    let calls: [(ActivationEvent, @Sendable () async throws -> Activation)] = [
      (.committed, { try await app.activations.commit(id, by: .system) }),
      (.blocked, { try await app.activations.block(id, by: .system) }),
      (.unblocked, { try await app.activations.unblock(id, by: .system) }),
    ]
    for (event, call) in calls where !activationFlow.allows(event, from: state) {
      #expect(try await ActivationsTestApp.problem { _ = try await call() } == "activation-state")
    }
    if state == .removed {
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.activations.remove(id, by: .system) }
          == "activation-state")
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.activations.setFlags(["A"], of: id, by: .system) }
          == "activation-state")
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.activations.rename(id, to: "x", by: .system) }
          == "activation-state")
    }
    #expect(try await app.activations.find(id) == before)
  }

  @Test("an activation that is not there is not found, whatever is asked of it")
  func unknown() async throws {
    let app = try await ActivationsTestApp()
    let id = Activation.ID.random(app.clock.world)
    let calls: [@Sendable () async throws -> Activation] = [
      { try await app.activations.find(id) }, { try await app.activations.commit(id, by: .system) },
      { try await app.activations.block(id, by: .system) }, { try await app.activations.unblock(id, by: .system) },
      { try await app.activations.remove(id, by: .system) },
      { try await app.activations.rename(id, to: "x", by: .system) },
      { try await app.activations.setFlags(["x"], of: id, by: .system) },
    ]
    for call in calls { #expect(try await ActivationsTestApp.problem { _ = try await call() } == "not-found") }
  }

  @Test("a person's activations are found by their name in their tenant, newest first")
  func list() async throws {
    let app = try await ActivationsTestApp()
    let (_, first) = try await app.activeDevice()
    app.clock.advance(by: .seconds(1))
    let (_, second) = try await app.activeDevice()
    _ = try await app.activeDevice { $0.user = "eve" }
    let other = try await app.activations.applications.add("Other", tenant: "acme", by: .init("operator"))
    #expect(try await app.activations.list(user: "ada", tenant: "acme").map(\.id) == [second, first])
    #expect(try await app.activations.list(user: "ada", application: other.application.id, tenant: "acme").isEmpty)
    #expect(try await app.activations.list(user: "ada", tenant: "other").isEmpty)
    #expect(try await app.activations.list(application: app.application).count == 3)
  }

  @Test("of ten that block at once one does")
  func race() async throws {
    let app = try await ActivationsTestApp()
    let (_, id) = try await app.activeDevice()
    let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask {
          try await ActivationsTestApp.problem { _ = try await app.activations.block(id, by: .system) } == nil
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(winners == 1)
    #expect(try await app.actions(id).count { $0 == "activation.blocked" } == 1)
  }

  @Test("nothing that identifies or proves lies on the disk in clear")
  func atRest() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let started = try await app.initiate {
      $0.user = "ada.lovelace@example.org"
      $0.otp = "OTP-4711-XYZ"
      $0.externalID = "external-0815-abc"
      $0.commitsItself = true
    }
    var device = app.newDevice()
    let created = try await app.create(device, .code(started.code), otp: "OTP-4711-XYZ").created()
    try device.complete(created.wire)
    let token = try await app.activations.createToken(for: created.activation, type: .possession)
    _ = try await app.temporaryKey(for: device, ofActivation: true)
    let disk = try await app.made.bytesOnDisk()
    let joined = try device.joined()
    let recovery = try #require(joined.recovery)
    var secrets = [
      "ada.lovelace@example.org", "OTP-4711-XYZ", "external-0815-abc", "My phone", "iPhone12,3", started.code.text,
      recovery.recoveryCode, recovery.puk, app.release.configuration.applicationSecret.text, token.tokenSecret,
    ].map { Data($0.utf8) }
    secrets += [
      joined.keys.transport.key.bytes, joined.keys.vault.bytes, joined.keys.signature.knowledge?.bytes ?? Data(),
      app.release.configuration.applicationSecret.key.bytes, Data(base64Encoded: token.tokenSecret) ?? Data(),
    ]
    for secret in secrets {
      #expect(secret.count >= 8 && disk.range(of: secret) == nil)
    }
    #expect(disk.range(of: Data(created.activation.id.rawValue.utf8)) != nil)
  }
}

extension ActivationsTestApp {
  /// An activation that got into a state by the usual way.
  func activation(in state: ActivationState) async throws -> Activation.ID {
    switch state {
    case .created: return try await initiate().activation.id
    case .pendingCommit:
      let started = try await initiate()
      return try await create(newDevice(), .code(started.code)).created().activation.id
    case .active: return try await activeDevice().id
    case .blocked:
      let id = try await activeDevice().id
      return try await activations.block(id, by: .system).id
    case .removed:
      let id = try await activeDevice().id
      return try await activations.remove(id, by: .system).id
    }
  }
}
