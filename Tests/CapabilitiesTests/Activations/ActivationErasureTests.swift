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
    let house = try await ActivationsHouse(issuesRecoveryCodes: true)
    let joined = try await house.activeDevice()
    let id = joined.id
    var device = joined.device
    let started = try await house.initiate()
    let before = try await house.activations.find(id)
    let right = try device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8))
    let wrong = try device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8), spoiling: [.knowledge])
    try await house.database.write { _ = try $0.execute("ALTER TABLE audit_line RENAME TO audit_line_away") }
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await house.verify(right) }, { _ = try await house.verify(wrong) },
      { _ = try await house.activations.block(id, by: .system) },
      { _ = try await house.activations.remove(id, revokingRecovery: true, by: .system) },
      { _ = try await house.activations.rename(id, to: "x", by: .system) },
      { _ = try await house.activations.setFlags(["x"], of: id, by: .system) },
      { _ = try await house.activations.createToken(for: before, type: .possession) },
      { _ = try await house.activations.vaultKey(of: before, reason: .notSpecified) },
      { _ = try await house.initiate() }, { _ = try await house.create(house.newDevice(), .code(started.code)) },
    ]
    for call in calls { await #expect(throws: (any Error).self) { try await call() } }
    try await house.database.write { _ = try $0.execute("ALTER TABLE audit_line_away RENAME TO audit_line") }
    #expect(try await house.activations.find(id) == before)
    #expect(try await house.activations.list(application: house.application).count == 2)
    let tokens = try await house.database.read {
      try $0.first("SELECT COUNT(*) AS n FROM activation_token")?.get("n", as: Int.self)
    }
    #expect(tokens == 0)
    // The code is still good, and so is the signature: neither was used up.
    _ = try await house.create(house.newDevice(), .code(started.code)).created()
    #expect(try await house.verify(right).isValid)
    #expect(try await house.faults() == [])
  }

  @Test("a user who is forgotten has no row left, their devices prove nothing, and the audit still verifies")
  func forgotten() async throws {
    let house = try await ActivationsHouse(issuesRecoveryCodes: true)
    var (device, id) = try await house.activeDevice()
    let recovery = try #require(try device.joined().recovery)
    _ = try await house.activations.createToken(for: house.activations.find(id), type: .possession)
    _ = try await house.temporaryKey(for: device, ofActivation: true)
    let (_, other) = try await house.activeDevice { $0.user = "eve" }
    let count = try await house.database.write { [activations = house.activations] tx in
      try activations.forget(user: "ada", tenant: "acme", reason: "REQUEST", by: .system, in: tx)
    }
    #expect(count == 1)
    #expect(try await house.activations.list(application: house.application).map(\.id) == [other])
    #expect(try await !house.verify(device.sign(.possession, uriID: "/pay", body: Data("body".utf8))).isValid)
    let (code, puk) = (try RecoveryCode(text: recovery.recoveryCode), try RecoveryPUK(text: recovery.puk))
    #expect(
      try await ActivationsHouse.problem {
        _ = try await house.create(house.newDevice(), .recovery(code, puk))
      } == "activation-invalid")
    #expect(try await house.activations.history(id).isEmpty)
    #expect(try await house.faults() == [])
  }
}
