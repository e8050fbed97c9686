// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: whole or not at all, and gone when forgotten")
struct ActivationErasureTests {
  @Test("what cannot be written down does not happen: without an audit nothing changes")
  func atomic() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let joined = try await app.activeDevice()
    let id = joined.id
    var device = joined.device
    let started = try await app.initiate()
    let before = try await app.activations.find(id)
    let right = try device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8))
    let wrong = try device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8), spoiling: [.knowledge])
    try await app.database.write { _ = try $0.execute("ALTER TABLE audit_line RENAME TO audit_line_away") }
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await app.verify(right) }, { _ = try await app.verify(wrong) },
      { _ = try await app.activations.block(id, by: .system) },
      { _ = try await app.activations.remove(id, revokingRecovery: true, by: .system) },
      { _ = try await app.activations.rename(id, to: "x", by: .system) },
      { _ = try await app.activations.setFlags(["x"], of: id, by: .system) },
      { _ = try await app.activations.createToken(for: before, type: .possession) },
      { _ = try await app.activations.vaultKey(of: before, reason: .notSpecified) },
      { _ = try await app.initiate() }, { _ = try await app.create(app.newDevice(), .code(started.code)) },
    ]
    for call in calls { await #expect(throws: (any Error).self) { try await call() } }
    try await app.database.write { _ = try $0.execute("ALTER TABLE audit_line_away RENAME TO audit_line") }
    #expect(try await app.activations.find(id) == before)
    #expect(try await app.activations.list(application: app.application).count == 2)
    let tokens = try await app.database.read {
      try $0.first("SELECT COUNT(*) AS n FROM activation_token")?.get("n", as: Int.self)
    }
    #expect(tokens == 0)
    // The code is still good, and so is the signature: neither was used up.
    _ = try await app.create(app.newDevice(), .code(started.code)).created()
    #expect(try await app.verify(right).isValid)
    #expect(try await app.faults() == [])
  }

  @Test("a user who is forgotten has no row left, their devices prove nothing, and the audit still verifies")
  func forgotten() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    var (device, id) = try await app.activeDevice()
    let recovery = try #require(try device.joined().recovery)
    _ = try await app.activations.createToken(for: app.activations.find(id), type: .possession)
    _ = try await app.temporaryKey(for: device, ofActivation: true)
    let (_, other) = try await app.activeDevice { $0.user = "eve" }
    let count = try await app.database.write { [activations = app.activations] tx in
      try activations.forget(user: "ada", tenant: "acme", reason: "REQUEST", by: .system, in: tx)
    }
    #expect(count == 1)
    #expect(try await app.activations.list(application: app.application).map(\.id) == [other])
    #expect(try await !app.verify(device.sign(.possession, uriID: "/pay", body: Data("body".utf8))).isValid)
    let (code, puk) = (try RecoveryCode(text: recovery.recoveryCode), try RecoveryPUK(text: recovery.puk))
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(code, puk))
      } == "activation-invalid")
    #expect(try await app.activations.history(id).isEmpty)
    #expect(try await app.faults() == [])
  }
}
