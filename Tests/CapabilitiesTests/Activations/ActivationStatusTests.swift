// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: status")
struct ActivationStatusTests {
  private static let challenge = Data(repeating: 5, count: 16)

  private static func read(_ app: ActivationsTestApp, _ device: TestDevice) async throws -> (
    ActivationStatus, StatusAnswer
  ) {
    let joined = try device.joined()
    let answer = try await app.activations.status(joined.identifier, challenge: challenge)
    let status = try ActivationStatus(
      decrypting: answer.blob, transportKey: joined.keys.transport, challenge: challenge, nonce: answer.nonce)
    return (status, answer)
  }

  @Test("the device reads its state, attempts and counter, in every state that it can be in")
  func states() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate {
      $0.flags = ["VERIFICATION_PENDING"]; $0.maxFailedAttempts = 7
    }
    var device = app.newDevice()
    try device.complete(try await app.create(device, .code(started.code)).created().wire)
    let id = started.activation.id
    var (status, answer) = try await Self.read(app, device)
    #expect(status.state == .pendingCommit && status.maxFailedAttempts == 7 && status.lookAhead == 20)
    #expect(answer.customObject == ["activationFlags": .array([.string("VERIFICATION_PENDING")])])
    _ = try await app.activations.commit(id, by: .system)
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Data("body".utf8))).isValid)
    _ = try await app.verify(device.sign(.possessionKnowledge, uriID: "/pay", spoiling: [.knowledge]))
    (status, answer) = try await Self.read(app, device)
    #expect(status.state == .active && status.failedAttempts == 1 && status.counterByte == 1)
    let joined = try device.joined()
    // The wrong one did not move the server: the device is one ahead, and that is no harm.
    #expect(
      CounterSynchronization.resolve(joined.counter, status: status, transportKey: joined.keys.transport) == .inStep)
    _ = try await app.activations.block(id, by: .system)
    #expect(try await Self.read(app, device).0.state == .blocked)
    _ = try await app.activations.remove(id, by: .system)
    #expect(try await Self.read(app, device).0.state == .removed)
  }

  @Test("a device that lost its counter finds the server's again and signs on")
  func lost() async throws {
    let app = try await ActivationsTestApp()
    var (device, _) = try await app.activeDevice()
    let old = try device.joined().counter
    for _ in 0..<7 {
      #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Data("body".utf8))).isValid)
    }
    device.setCounter(old)
    let joined = try device.joined()
    let (status, _) = try await Self.read(app, device)
    guard
      case .adopt(let counter) = CounterSynchronization.resolve(
        joined.counter, status: status, transportKey: joined.keys.transport)
    else {
      Issue.record("the counter was not found")
      return
    }
    device.setCounter(counter)
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Data("body".utf8))).isValid)
  }

  @Test("a commit that came too late reads as removed before any sweep")
  func lapsed() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate()
    var device = app.newDevice()
    try device.complete(try await app.create(device, .code(started.code)).created().wire)
    app.clock.advance(by: .minutes(5))
    #expect(try await Self.read(app, device).0.state == .removed)
  }

  @Test("an unknown activation, and one that was not joined, look like any other without the key")
  func decoy() async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate()
    for text in [UUIDText.some, started.activation.id.rawValue] {
      let id = try ActivationIdentifier(text: text)
      let (one, two) = (
        try await app.activations.status(id, challenge: Self.challenge),
        try await app.activations.status(id, challenge: Self.challenge)
      )
      #expect(one.blob.count == 32 && one.nonce.count == 16 && one.blob != two.blob && one.nonce != two.nonce)
      #expect(one.customObject == ["activationFlags": .array([])])
    }
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.activations.status(
          try ActivationIdentifier(text: UUIDText.some), challenge: Data(count: 15))
      } == "activation-invalid")
  }
}
