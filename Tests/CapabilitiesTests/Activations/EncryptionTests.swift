// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: encrypted requests")
struct EncryptionTests {
  private static let plaintext = Data(#"{"a":1}"#.utf8)
  private static let identifiers: [EncryptorIdentifier] = [
    .genericApplication, .activationLayer2, .genericActivation, .vaultUnlock, .createToken, .confirmRecoveryCode,
  ]

  /// A request that was made by the book.
  private struct Sent: Sendable {
    var request: ECIESRequest
    let identifier: EncryptorIdentifier
    let version: ProtocolVersion
    let applicationKey: ApplicationKey
    let activation: ActivationIdentifier?
    let answer: ECIESResponseDecryptor
  }

  private static func send(
    _ app: ActivationsTestApp, _ device: TestDevice, _ identifier: EncryptorIdentifier, at now: UInt64? = nil,
    _ plaintext: Data = plaintext
  ) async throws -> Sent {
    let isActivation = identifier.scope == .activation
    let key = try await app.temporaryKey(for: device, ofActivation: isActivation)
    let (request, answer) = try device.encrypt(plaintext, identifier, temporaryKey: key, now: now ?? app.now)
    return Sent(
      request: request, identifier: identifier, version: device.version,
      applicationKey: device.configuration.applicationKey,
      activation: isActivation ? try device.joined().identifier : nil, answer: answer)
  }

  private static func open(_ app: ActivationsTestApp, _ sent: Sent, by other: Activations? = nil) async throws
    -> Decrypted
  {
    try await (other ?? app.activations).decrypt(
      sent.request, sent.identifier, version: sent.version, applicationKey: sent.applicationKey,
      activation: sent.activation)
  }

  private static func refusal(_ app: ActivationsTestApp, _ sent: Sent) async throws -> String? {
    try await ActivationsTestApp.problem { _ = try await open(app, sent) }
  }

  @Test("every version and scope goes there and back, an empty body too", arguments: ProtocolVersion.allCases)
  func roundTrip(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice(version)
    for identifier in Self.identifiers {
      for plaintext in [Self.plaintext, Data(), Data(repeating: 0x41, count: 5000)] {
        let sent = try await Self.send(app, device, identifier, plaintext)
        let opened = try await Self.open(app, sent)
        #expect(opened.plaintext == plaintext, "\(identifier)")
        #expect(opened.activation?.id == (identifier.scope == .activation ? id : nil), "\(identifier)")
        #expect(opened.application.id == app.application, "\(identifier)")
        let answer = try sent.answer.decrypt(opened.encrypt(Data("answer".utf8)))
        #expect(answer == Data("answer".utf8), "\(identifier)")
      }
    }
  }

  @Test("the same request a second time is refused, on another node too", arguments: ProtocolVersion.allCases)
  func replay(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice(version)
    let sent = try await Self.send(app, device, .genericApplication)
    _ = try await Self.open(app, sent)
    #expect(try await Self.refusal(app, sent) == "encryption-failed")
    let other = try app.otherNode()
    #expect(
      try await ActivationsTestApp.problem { _ = try await Self.open(app, sent, by: other) } == "encryption-failed")
  }

  @Test("of ten copies that race one is decrypted")
  func race() async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice()
    let sent = try await Self.send(app, device, .genericActivation)
    let other = try app.otherNode()
    let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<10 {
        group.addTask {
          try await ActivationsTestApp.problem {
            _ = try await Self.open(app, sent, by: index.isMultiple(of: 2) ? nil : other)
          } == nil
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(opened == 1)
  }

  @Test("a copy is refused for as long as its time is good, sweeps or not", arguments: [ProtocolVersion.v32, .v33])
  func replayOverTime(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice(version)
    // As far ahead as a clock may be: it stays timely for two minutes.
    let sent = try await Self.send(app, device, .genericApplication, at: app.now + 60_000)
    _ = try await Self.open(app, sent)
    for _ in 0..<13 {
      app.clock.advance(by: .seconds(10))
      try await app.activations.sweep()
      #expect(try await Self.refusal(app, sent) == "encryption-failed")
    }
  }

  @Test("a request from more than a minute ago or ahead is refused", arguments: [ProtocolVersion.v32, .v33])
  func timely(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice(version)
    for (offset, isTaken): (Int64, Bool) in [(-60_001, false), (-60_000, true), (60_000, true), (60_001, false)] {
      let sent = try await Self.send(
        app, device, .genericApplication, at: UInt64(Int64(app.now) + offset))
      #expect((try await Self.refusal(app, sent) == nil) == isTaken)
    }
    var sent = try await Self.send(app, device, .genericApplication)
    sent.request.timestamp = .max
    #expect(try await Self.refusal(app, sent) == "encryption-failed")
  }

  @Test(
    "every byte of every member, changed, is refused", arguments: ProtocolVersion.allCases,
    [EncryptorScope.application, .activation])
  func flipped(version: ProtocolVersion, scope: EncryptorScope) async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice(version)
    let sent = try await Self.send(app, device, scope == .application ? .genericApplication : .genericActivation)
    func refused(_ change: (inout ECIESRequest) -> Void) async throws {
      var changed = sent
      change(&changed.request)
      #expect(try await Self.refusal(app, changed) == "encryption-failed")
    }
    for place in sent.request.ephemeralPublicKey.indices { try await refused { $0.ephemeralPublicKey[place] ^= 1 } }
    for place in sent.request.encryptedData.indices { try await refused { $0.encryptedData[place] ^= 1 } }
    for place in sent.request.mac.indices { try await refused { $0.mac[place] ^= 1 } }
    if version.hasTimestamp {
      for bit in 0..<16 { try await refused { $0.timestamp = ($0.timestamp ?? 0) ^ (1 << UInt64(bit)) } }
      for place in (sent.request.nonce ?? Data()).indices { try await refused { $0.nonce?[place] ^= 1 } }
    }
    try await refused { $0.nonce = $0.nonce == nil ? Data(count: 16) : nil }
    try await refused { $0.timestamp = $0.timestamp == nil ? 1 : nil }
    try await refused { $0.temporaryKeyIdentifier = $0.temporaryKeyIdentifier == nil ? UUIDText.some : nil }
    // Untouched it is still good: nothing above was taken for it.
    #expect(try await Self.refusal(app, sent) == nil)
  }

  @Test("a request for one thing is not taken for another: scope, purpose, version, app and activation are covered")
  func bound() async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice()
    let (other, _) = try await app.activeDevice()
    let version = try await app.activations.applications.addVersion("2", to: app.application, by: .init("operator"))
    let sent = try await Self.send(app, device, .createToken)
    for changed in [
      Sent(
        request: sent.request, identifier: .vaultUnlock, version: .v33, applicationKey: sent.applicationKey,
        activation: sent.activation, answer: sent.answer),
      Sent(
        request: sent.request, identifier: .createToken, version: .v32, applicationKey: sent.applicationKey,
        activation: sent.activation, answer: sent.answer),
      Sent(
        request: sent.request, identifier: .createToken, version: .v33, applicationKey: version.version.applicationKey,
        activation: sent.activation, answer: sent.answer),
      Sent(
        request: sent.request, identifier: .createToken, version: .v33, applicationKey: sent.applicationKey,
        activation: try other.joined().identifier, answer: sent.answer),
      Sent(
        request: sent.request, identifier: .createToken, version: .v33, applicationKey: sent.applicationKey,
        activation: nil, answer: sent.answer),
      Sent(
        request: sent.request, identifier: .genericApplication, version: .v33, applicationKey: sent.applicationKey,
        activation: nil, answer: sent.answer),
    ] { #expect(try await Self.refusal(app, changed) == "encryption-failed") }
    #expect(try await Self.refusal(app, sent) == nil)
  }

  @Test(
    "only an active activation of a supported version is talked to", arguments: [ActivationState.blocked, .removed])
  func states(state: ActivationState) async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    let sent = try await Self.send(app, device, .genericActivation)
    let retired = try await Self.send(app, device, .genericApplication)
    if state == .blocked {
      _ = try await app.activations.block(id, by: .system)
    } else {
      _ = try await app.activations.remove(id, by: .system)
    }
    #expect(try await Self.refusal(app, sent) == "encryption-failed")
    _ = try await app.activations.applications.setSupported(
      false, version: app.release.version.id, by: .init("operator"))
    #expect(try await Self.refusal(app, retired) == "encryption-failed")
  }

  @Test("an activation goes through both layers", arguments: ProtocolVersion.allCases)
  func twoLayers(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let started = try await app.initiate { $0.commitsItself = true }
    var device = app.newDevice(version)
    let key = try await app.temporaryKey(for: device, ofActivation: false)
    let (request, answer) = try device.join(
      .code, ["code": started.code.text], temporaryKey: key, now: app.now)
    let applicationKey = device.configuration.applicationKey
    let outer = try await app.activations.decrypt(
      request, .genericApplication, version: version, applicationKey: applicationKey)
    let wish = try JSONDecoder().decode(ActivationRequest.self, from: outer.plaintext)
    let inner = try await app.activations.decrypt(
      wish.activationData, .activationLayer2, version: version, applicationKey: applicationKey)
    let introduction = try JSONDecoder().decode(ActivationDevice.self, from: inner.plaintext)
    let created = try await app.activations.create(
      NewDevice(introduction, applicationKey: applicationKey, version: version), ActivationIdentity(wish)
    ).created()
    let response = ActivationResponse(activationData: try inner.encrypt(JSONEncoder().encode(created.wire)))
    let opened = try answer.open(outer.encrypt(JSONEncoder().encode(response)))
    try device.complete(opened.device)
    #expect(try await app.verify(device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8))).isValid)
  }
}

enum UUIDText {
  static let some = "11111111-2222-4333-8444-555555555555"
}
