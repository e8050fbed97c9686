// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: by code")
struct ActivationCodeTests {
  @Test("a device with the code waits for the commit, then both sides show the same fingerprint")
  func happy() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate { $0.flags = ["VERIFICATION_PENDING", "A", "A"] }
    #expect(started.activation.state == .created)
    var device = app.newDevice()
    let created = try await app.create(device, .code(started.code)).created()
    try device.complete(created.wire)
    #expect(created.activation.state == .pendingCommit && created.activation.user == "ada")
    #expect(created.activation.flags == ["VERIFICATION_PENDING", "A"])
    #expect(created.activation.device == .init(name: "My phone", platform: "iOS", info: "iPhone12,3"))
    let activation = try await app.activations.commit(started.activation.id, by: .client("bank"))
    #expect(activation.state == .active && activation.expiresAt == nil)
    let joined = try device.joined()
    let fingerprint = ActivationFingerprint(
      devicePublicKey: device.privateKey.publicKey, activationIdentifier: joined.identifier.text,
      serverPublicKey: joined.serverPublicKey)
    #expect(activation.fingerprint == fingerprint.text)
    #expect(
      try await app.actions(started.activation.id) == [
        "activation.initiated", "activation.keysExchanged", "activation.committed",
      ])
    #expect(try await app.faults() == [])
  }

  @Test("the id is a UUID of version 4, and the QR text verifies under the key that the app was built with")
  func names() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate()
    let id = Array(started.activation.id.rawValue)
    #expect(id.count == 36 && id[14] == "4" && "89ab".contains(id[19]))
    let scanned = try ScannedCode(text: started.scannable)
    #expect(scanned.code == started.code && scanned.signature == started.signature)
    #expect(
      app.release.configuration.masterPublicKey.isValidSignature(
        started.signature, for: Data(started.code.text.utf8)))
    #expect(started.olderScannables.isEmpty)
  }

  @Test("an activation that commits itself is active with the key exchange")
  func autoCommit() async throws {
    let app = try await ActivationsTestApp()
    let (_, id) = try await app.activeDevice()
    #expect(try await app.activations.find(id).state == .active)
    #expect(try await app.actions(id).last == "activation.keysExchangedAndCommitted")
  }

  @Test("a code is good once: neither a second device nor a foreign app gets in")
  func once() async throws {
    let app = try await ActivationsTestApp()
    let other = try await app.activations.applications.add("Other", tenant: "acme", by: .init("operator"))
    let started = try await app.initiate()
    let stranger = app.newDevice(of: other)
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.create(stranger, .code(started.code)) }
        == "activation-invalid")
    _ = try await app.create(app.newDevice(), .code(started.code)).created()
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.create(app.newDevice(), .code(started.code)) }
        == "activation-invalid")
    let unknown = ActivationCode(Randomness(app.clock.world.random))
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.create(app.newDevice(), .code(unknown)) }
        == "activation-invalid")
  }

  @Test("of twenty devices that race for one code one gets in")
  func race() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate()
    let second = try app.otherNode()
    let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<20 {
        group.addTask {
          do {
            _ = try await app.create(
              app.newDevice(), .code(started.code), by: index.isMultiple(of: 2) ? nil : second
            ).created()
            return true
          } catch let problem as Problem where problem == .activationInvalid { return false }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(winners == 1)
    #expect(try await app.activations.find(started.activation.id).state == .pendingCommit)
  }

  @Test("a code lives five minutes: refused to the millisecond, and the sweep writes it down")
  func expiry() async throws {
    let app = try await ActivationsTestApp()
    let (first, second) = (try await app.initiate(), try await app.initiate())
    app.clock.advance(by: .minutes(5) - .milliseconds(1))
    _ = try await app.create(app.newDevice(), .code(first.code)).created()
    app.clock.advance(by: .milliseconds(1))
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.create(app.newDevice(), .code(second.code)) }
        == "activation-invalid")
    // Joined, but not committed in time.
    #expect(try await app.activations.find(first.activation.id).state == .removed)
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.activations.commit(first.activation.id, by: .system) }
        == "activation-state")
    #expect(try await app.activations.sweepLapsed() == 2)
    #expect(try await app.activations.sweepLapsed() == 0)
    #expect(try await app.actions(first.activation.id).last == "activation.lapsed")
    #expect(try await app.actions(second.activation.id).last == "activation.lapsed")
  }

  @Test("an OTP on key exchange stands for the commit; wrong ones count, and the last one ends the activation")
  func otpOnKeyExchange() async throws {
    let app = try await ActivationsTestApp()
    let right = try await app.initiate { $0.otp = "1234" }
    #expect(try await app.create(app.newDevice(), .code(right.code), otp: "1235").refusal?.remainingAttempts == 4)
    #expect(try await app.create(app.newDevice(), .code(right.code)).refusal?.remainingAttempts == 3)
    let created = try await app.create(app.newDevice(), .code(right.code), otp: "1234").created()
    #expect(created.activation.state == .active && created.activation.failedAttempts == 0)
    let wrong = try await app.initiate {
      $0.otp = "1234"; $0.maxFailedAttempts = 2
    }
    _ = try await app.create(app.newDevice(), .code(wrong.code), otp: "0000")
    #expect(try await app.create(app.newDevice(), .code(wrong.code), otp: "0000").refusal?.remainingAttempts == 0)
    #expect(try await app.activations.find(wrong.activation.id).state == .removed)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .code(wrong.code), otp: "1234")
      } == "activation-invalid")
  }

  @Test("an OTP on commit is asked for there, and a wrong one counts although the commit fails")
  func otpOnCommit() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate {
      $0.otp = "1234"; $0.otpCheck = .onCommit
    }
    _ = try await app.create(app.newDevice(), .code(started.code)).created()
    let id = started.activation.id
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.activations.commit(id, by: .system) }
        == "validation-failed")
    #expect(
      try await ActivationsTestApp.problem { _ = try await app.activations.commit(id, otp: "9", by: .system) }
        == "otp-invalid")
    #expect(try await app.activations.find(id).failedAttempts == 1)
    let committed = try await app.activations.commit(id, otp: "1234", by: .system)
    #expect(committed.state == .active && committed.failedAttempts == 0)
  }

  private static let mistakes: [@Sendable (inout InitiateActivation) -> Void] = [
    { $0.user = "" },
    { $0.otpCheck = .onCommit },
    { $0.otpCheck = .onKeyExchange },
    {
      $0.otp = "1234"; $0.otpCheck = .onCommit; $0.commitsItself = true
    },
    { $0.user = String(repeating: "x", count: 256) },
    { $0.user = "a\u{0}b" },
    { $0.validity = .zero },
    { $0.validity = .days(31) },
    { $0.otp = "123" },
    { $0.maxFailedAttempts = 0 },
    { $0.maxFailedAttempts = 65 },
    { $0.flags = ["two words"] },
    { $0.flags = [""] },
    { $0.flags = (0..<33).map { "F\($0)" } },
    { $0.externalID = "a\u{0}" },
  ]

  @Test("what cannot be is refused and leaves nothing")
  func refused() async throws {
    let app = try await ActivationsTestApp()
    for mistake in Self.mistakes {
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.initiate(mistake) } == "validation-failed")
    }
    #expect(try await app.activations.list(application: app.application).isEmpty)
  }
}
