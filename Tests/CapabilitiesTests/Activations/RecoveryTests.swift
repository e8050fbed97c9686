// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: by recovery code")
struct RecoveryTests {
  private static func lost(
    _ app: ActivationsTestApp
  ) async throws -> (id: Activation.ID, code: RecoveryCode, puk: RecoveryPUK) {
    let (device, id) = try await app.activeDevice()
    let recovery = try #require(try device.joined().recovery)
    return (id, try RecoveryCode(text: recovery.recoveryCode), try RecoveryPUK(text: recovery.puk))
  }

  private static func wrong(_ puk: RecoveryPUK) throws -> RecoveryPUK {
    try RecoveryPUK(text: String(puk.text.map { $0 == "9" ? "0" : "9" }))
  }

  @Test("a new device takes the lost one's place, waits for its commit, and gets a code of its own")
  func replaced() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let (lost, code, puk) = try await Self.lost(app)
    let created = try await app.create(app.newDevice(), .recovery(code, puk)).created()
    #expect(created.activation.state == .pendingCommit && created.activation.user == "ada")
    #expect(created.recovery != nil && created.recovery?.code != code)
    #expect(try await app.activations.find(lost).state == .removed)
    #expect(try await app.actions(lost).suffix(2) == ["recovery.used", "activation.replaced"])
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(code, puk))
      } == "activation-invalid")
    // The new one's code is good from the commit on.
    let next = try #require(created.recovery)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(next.code, next.puk))
      } == "activation-invalid")
    _ = try await app.activations.commit(created.activation.id, by: .client("bank"))
    _ = try await app.create(app.newDevice(), .recovery(next.code, next.puk)).created()
    #expect(try await app.faults() == [])
  }

  @Test("wrong PUKs count, also when they race, and five block the code")
  func counted() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let (lost, code, puk) = try await Self.lost(app)
    let wrong = try Self.wrong(puk)
    let refusals = try await withThrowingTaskGroup(of: ActivationRefusal?.self) { group in
      for _ in 0..<12 {
        group.addTask {
          do {
            return try await app.create(app.newDevice(), .recovery(code, wrong)).refusal
          } catch let problem as Problem where problem == .activationInvalid { return nil }
        }
      }
      return try await group.reduce(into: [ActivationRefusal]()) { if let refusal = $1 { $0.append(refusal) } }
    }
    #expect(refusals.count == 5)
    // The one that blocks the code asks for none.
    #expect(refusals.filter { $0.currentRecoveryPukIndex == 1 }.count == 4)
    #expect(refusals.contains(ActivationRefusal()))
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(code, puk))
      } == "activation-invalid")
    #expect(try await app.activations.find(lost).state == .active)
    #expect(try await app.actions(lost).last == "recovery.blocked")
  }

  @Test("what is no PUK counts as a wrong one, and the answer tells which is asked for; none at all is no request")
  func malformed() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let (lost, code, puk) = try await Self.lost(app)
    func identity(_ attributes: [String: String]) throws -> ActivationIdentity {
      let inner = ECIESRequest(ephemeralPublicKey: Data([0]), encryptedData: Data([0]), mac: Data([0]))
      return try ActivationIdentity(
        ActivationRequest(type: .recovery, identityAttributes: attributes, activationData: inner))
    }
    for text in [String(puk.text.dropLast()), puk.text + "0", "PUK", " \(puk.text)"] {
      let asked = try identity(["recoveryCode": code.text, "puk": text])
      #expect(try await app.create(app.newDevice(), asked).refusal?.currentRecoveryPukIndex == 1, "\(text.count)")
    }
    #expect(try await app.actions(lost).last == "recovery.refused")
    for attributes in [["recoveryCode": code.text], ["recoveryCode": code.text, "puk": ""], ["puk": puk.text]] {
      #expect(try await ActivationsTestApp.problem { _ = try identity(attributes) } == "activation-invalid")
    }
    _ = try await app.create(app.newDevice(), identity(["recoveryCode": "R:" + code.text, "puk": puk.text])).created()
  }

  @Test("a right PUK forgives the wrong ones before it")
  func forgiven() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let (_, code, puk) = try await Self.lost(app)
    for _ in 0..<4 {
      #expect(try await app.create(app.newDevice(), .recovery(code, try Self.wrong(puk))).refusal != nil)
    }
    _ = try await app.create(app.newDevice(), .recovery(code, puk)).created()
  }

  @Test("a code on paper asks for its PUKs one after the other, once its user confirmed it")
  func paper() async throws {
    let app = try await ActivationsTestApp()
    let issued = try await app.activations.issueRecoveryCode(
      user: "ada", application: app.application, puks: 3, by: .client("bank"))
    #expect(issued.puks.count == 3)
    let (_, id) = try await app.activeDevice()
    let (_, stranger) = try await app.activeDevice { $0.user = "eve" }
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(issued.code, issued.puks[0]))
      } == "activation-invalid")
    let (mine, theirs) = (try await app.activations.find(id), try await app.activations.find(stranger))
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.activations.confirmRecovery(issued.code, of: theirs)
      } == "recovery-invalid")
    #expect(try await app.activations.confirmRecovery(issued.code, of: mine) == false)
    #expect(try await app.activations.confirmRecovery(issued.code, of: mine) == true)
    for (index, puk) in issued.puks.enumerated() {
      let later = issued.puks[(index + 1) % issued.puks.count]
      #expect(
        try await app.create(app.newDevice(), .recovery(issued.code, later)).refusal?.currentRecoveryPukIndex
          == index + 1)
      _ = try await app.create(app.newDevice(), .recovery(issued.code, puk)).created()
    }
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(issued.code, issued.puks[2]))
      } == "activation-invalid")
  }

  @Test("a code ends with its activation when it is removed so, and is of no use in another app")
  func revoked() async throws {
    let app = try await ActivationsTestApp(issuesRecoveryCodes: true)
    let (lost, code, puk) = try await Self.lost(app)
    let other = try await app.activations.applications.add("Other", tenant: "acme", by: .init("operator"))
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(of: other), .recovery(code, puk))
      } == "activation-invalid")
    _ = try await app.activations.remove(lost, revokingRecovery: true, by: .system)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .recovery(code, puk))
      } == "activation-invalid")
  }
}
