// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: signatures of requests")
struct SignatureTests {
  private static let body = Data("body".utf8)

  @Test(
    "every version and type verifies, and moves the counter on both sides alike",
    arguments: ProtocolVersion.allCases)
  func valid(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    for type in SignatureType.allCases {
      var (device, id) = try await app.activeDevice(version)
      for _ in 0..<3 {
        let outcome = try await app.verify(device.sign(type, uriID: "/pay", body: Self.body))
        let (activation, proven) = try outcome.require()
        #expect(activation.id == id && proven == type)
      }
      #expect(try await app.actions(id).suffix(3) == Array(repeating: "signature.verified", count: 3), "\(type)")
      #expect(try await app.activations.find(id).lastUsedAt == app.clock.now, "\(type)")
    }
    #expect(try await app.faults() == [])
  }

  @Test("a signature is good once")
  func once() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let header = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    #expect(try await app.verify(header).isValid)
    #expect(try await app.verify(header).remainingAttempts == 4)
    #expect(try await app.activations.find(id).failedAttempts == 1)
  }

  @Test("a device may be ahead by 19 signatures that got lost, not by 20")
  func lookAhead() async throws {
    let app = try await ActivationsTestApp()
    var (device, _) = try await app.activeDevice()
    for _ in 0..<19 { _ = try device.sign(.possession, uriID: "/pay") }
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
    for _ in 0..<20 { _ = try device.sign(.possession, uriID: "/pay") }
    #expect(try await !app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
  }

  @Test("what is signed is all of the request: method, resource, body, type and the app's secret")
  func covers() async throws {
    let app = try await ActivationsTestApp(policy: .patient)
    var (device, _) = try await app.activeDevice { $0.maxFailedAttempts = 64 }
    let activations = app.activations
    func outcome(
      method: String = "POST", uriID: String = "/pay", body: Data = Self.body,
      _ change: (SignatureHeader) throws -> SignatureHeader = { $0 }
    ) async throws -> Bool {
      let header = try change(try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body))
      return try await activations.verify(
        header, method: method, uriID: uriID, body: body, allowed: Set(SignatureType.allCases)
      ).isValid
    }
    #expect(try await outcome())
    #expect(try await outcome(method: "post"))
    #expect(try await !outcome(method: "PUT"))
    #expect(try await !outcome(uriID: "/Pay"))
    #expect(try await !outcome(body: Data("bodY".utf8)))
    #expect(try await !outcome { try $0.changed(type: .possessionBiometry) })
    let other = try await activations.applications.addVersion("2", to: app.application, by: .init("operator"))
    #expect(try await !outcome { try $0.changed(applicationKey: other.version.applicationKey) })
    #expect(try await outcome())
  }

  @Test("every byte of a signature, its nonce and the body, changed, is refused")
  func flipped() async throws {
    let app = try await ActivationsTestApp(policy: .patient)
    var (device, id) = try await app.activeDevice { $0.maxFailedAttempts = 64 }
    let header = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    // A possession signature of the same length is not valid here; right ones reset the count in between.
    let signature = try #require(Data(base64Encoded: header.signature))
    for place in signature.indices {
      var changed = signature
      changed[place] ^= 1
      #expect(try await !app.verify(header.changed(signature: changed.base64EncodedString())).isValid)
    }
    for place in header.nonce.indices {
      var nonce = header.nonce
      nonce[place] ^= 0x80
      #expect(try await !app.verify(header.changed(nonce: nonce)).isValid)
    }
    for place in Self.body.indices {
      var body = Self.body
      body[place] ^= 1
      #expect(try await !app.verify(header, body: body).isValid)
    }
    #expect(try await app.verify(header).isValid)
    #expect(try await app.activations.find(id).failedAttempts == 0)
  }

  @Test("every character of the header, changed, is refused by its reader or by the check")
  func header() async throws {
    let app = try await ActivationsTestApp(policy: .patient)
    var (device, _) = try await app.activeDevice { $0.maxFailedAttempts = 64 }
    let header = try device.sign(.possession, uriID: "/pay", body: Self.body)
    let text = Array(header.value.utf8)
    var reached = 0
    for place in text.indices {
      var changed = text
      changed[place] ^= 1
      guard let read = try? SignatureHeader(value: String(decoding: changed, as: UTF8.self)) else { continue }
      // UUIDs of another case are the same activation, and MACs do not cover it in a signature.
      guard
        read.activationIdentifier.text.lowercased() != header.activationIdentifier.text
          || read.signature != header.signature || read.nonce != header.nonce || read.type != header.type
          || read.version != header.version || read.applicationKey != header.applicationKey
      else { continue }
      // 3.2 signs like 3.3: the version of a signature is not covered by it.
      guard read.version == header.version else { continue }
      reached += 1
      #expect(try await !app.verify(read).isValid, "byte \(place)")
    }
    #expect(reached > 50)
    #expect(try await app.verify(header).isValid)
  }

  @Test("five wrong PINs block, a right one before resets the count, and the answer does not tell which it was")
  func attempts() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    for left in [4, 3, 2, 1] {
      let wrong = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body, spoiling: [.knowledge])
      #expect(try await app.verify(wrong).remainingAttempts == left)
    }
    #expect(try await app.verify(device.sign(.possessionBiometry, uriID: "/pay", body: Self.body)).isValid)
    #expect(try await app.activations.find(id).failedAttempts == 0)
    for left in [4, 3, 2, 1, 0] {
      let wrong = try device.sign(.possessionBiometry, uriID: "/pay", body: Self.body, spoiling: [.biometry])
      #expect(try await app.verify(wrong).remainingAttempts == left)
    }
    let blocked = try await app.activations.find(id)
    #expect(blocked.state == .blocked && blocked.blockedReason == "MAX_FAILED_ATTEMPTS")
    let right = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    #expect(throws: Problem.signatureInvalid) { _ = try blocked.outcomeOfBlocked.require() }
    #expect(try await !app.verify(right).isValid)
    _ = try await app.activations.unblock(id, by: .client("bank"))
    #expect(try await app.verify(right).isValid)
  }

  @Test("possession alone neither counts an attempt nor forgives one")
  func possession() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let wrong = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body, spoiling: [.knowledge])
    #expect(try await !app.verify(wrong).isValid)
    let before = try await app.actions(id)
    for _ in 0..<10 {
      let wrong = try device.sign(.possession, uriID: "/pay", body: Self.body, spoiling: [.possession])
      #expect(try await app.verify(wrong).remainingAttempts == 4)
    }
    // The audit has the first of them.
    #expect(try await app.actions(id) == before + ["signature.refused"])
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
    #expect(try await app.activations.find(id).failedAttempts == 1)
  }

  @Test("of possession in the digits of 3.0 only so many wrong ones an hour are looked at, and the audit has one line")
  func guesses() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice(.v30)
    let before = try await app.actions(id)
    let start = try device.joined().counter
    for _ in 0..<30 {
      device.setCounter(start)
      let wrong = try device.sign(.possession, uriID: "/pay", body: Self.body, spoiling: [.possession])
      #expect(try await !app.verify(wrong).isValid)
    }
    device.setCounter(start)
    let right = try device.sign(.possession, uriID: "/pay", body: Self.body)
    #expect(try await !app.verify(right).isValid)
    // Another node counts the same.
    #expect(try await !app.verify(right, by: app.otherNode()).isValid)
    #expect(try await app.actions(id) == before + ["signature.refused"])
    // Proofs of a person go on.
    let known = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    #expect(try await app.verify(known).isValid)
    app.clock.advance(by: .hours(1))
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
  }

  @Test(
    "wrong signatures of possession do not lock: after any number of them the right one is valid",
    arguments: [ProtocolVersion.v31, .v32, .v33])
  func unguessable(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice(version)
    let before = try await app.actions(id)
    let start = try device.joined().counter
    for _ in 0..<31 {
      device.setCounter(start)
      let wrong = try device.sign(.possession, uriID: "/pay", body: Self.body, spoiling: [.possession])
      #expect(try await !app.verify(wrong).isValid)
    }
    #expect(try await app.actions(id) == before + ["signature.refused"])
    device.setCounter(start)
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
  }

  @Test(
    "a decimal signature proves nothing of a device that joined with a newer version",
    arguments: [ProtocolVersion.v31, .v32, .v33])
  func decimal(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    var (device, _) = try await app.activeDevice(version)
    for type in [SignatureType.possession, .possessionKnowledge] {
      device.version = .v30
      #expect(try await !app.verify(device.sign(type, uriID: "/pay", body: Self.body)).isValid)
      device.version = version
      #expect(try await app.verify(device.sign(type, uriID: "/pay", body: Self.body)).isValid)
    }
  }

  @Test("who asked on a device's behalf is in the audit, right or wrong")
  func client() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    for spoiling in [[], [SignatureFactor.knowledge]] {
      let header = try device.sign(.possessionKnowledge, uriID: "/pay", body: Self.body, spoiling: spoiling)
      _ = try await app.activations.verify(
        header, method: "POST", uriID: "/pay", body: Self.body, allowed: [.possessionKnowledge], for: "c-1")
    }
    let lines = try await app.activations.history(id).filter { $0.action.hasPrefix("signature.") }
    #expect(lines.map(\.action) == ["signature.verified", "signature.refused"])
    #expect(lines.allSatisfy { $0.facts["client"] == "c-1" && $0.facts["uri"] == "/pay" })
    // Each has its nonce, so that the same payment has another digest.
    #expect(Set(lines.compactMap { $0.facts["data"] }).count == 2)
    #expect(try await app.activations.latestHistory(id, limit: 2) == lines)
    #expect(try await app.activations.history(id, after: lines[0].sequence) == [lines[1]])
  }

  @Test("128 Unicode scalars of an endpoint's name are in the audit, however few characters they seem")
  func longName() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let name = "/pay" + String(repeating: "\u{200D}", count: 1000)
    let header = try device.sign(.possessionKnowledge, uriID: name, body: Self.body)
    _ = try await app.activations.verify(
      header, method: "POST", uriID: name, body: Self.body, allowed: [.possessionKnowledge])
    let line = try #require(try await app.activations.history(id).last { $0.action == "signature.verified" })
    #expect(line.facts["uri"]?.unicodeScalars.count == 128)
  }

  @Test("a type that is not accepted here is refused before anything is checked or counted")
  func wrongType() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let header = try device.sign(.possession, uriID: "/pay", body: Self.body)
    #expect(try await app.verify(header, allowed: [.possessionKnowledge]) == .wrongType)
    #expect(try await app.activations.find(id).failedAttempts == 0)
    #expect(try await app.verify(header).isValid)
  }

  @Test(
    "only an active activation of a supported version of the same app proves anything",
    arguments: ActivationState.allCases)
  func states(state: ActivationState) async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    switch state {
    case .blocked: _ = try await app.activations.block(id, by: .system)
    case .removed: _ = try await app.activations.remove(id, by: .system)
    case .active: break
    case .created, .pendingCommit:
      let started = try await app.initiate()
      if state == .pendingCommit {
        device = app.newDevice()
        try device.complete(try await app.create(device, .code(started.code)).created().wire)
      } else {
        id = started.activation.id
      }
    }
    var header = try device.sign(.possession, uriID: "/pay", body: Self.body)
    if state == .created { header = try header.changed(activation: ActivationIdentifier(text: id.rawValue)) }
    #expect(try await app.verify(header).isValid == (state == .active))
  }

  @Test("an unknown activation, another app and a retired version get the same answer as a wrong signature")
  func indistinguishable() async throws {
    let app = try await ActivationsTestApp()
    var (device, _) = try await app.activeDevice()
    let other = try await app.activations.applications.add("Other", tenant: "acme", by: .init("operator"))
    func refusal(_ change: (SignatureHeader) throws -> SignatureHeader) async throws -> String? {
      let header = try change(device.sign(.possession, uriID: "/pay", body: Self.body))
      return try await ActivationsTestApp.problem { _ = try await app.verify(header).require() }
    }
    let unknown = try ActivationIdentifier(text: "11111111-2222-4333-8444-555555555555")
    #expect(try await refusal { try $0.changed(activation: unknown) } == "signature-invalid")
    #expect(try await refusal { try $0.changed(applicationKey: other.version.applicationKey) } == "signature-invalid")
    #expect(try await refusal { $0 } == nil)
    _ = try await app.activations.applications.setSupported(
      false, version: app.release.version.id, by: .init("operator"))
    #expect(try await refusal { $0 } == "signature-invalid")
    _ = try await app.activations.applications.setSupported(
      true, version: app.release.version.id, by: .init("operator"))
    #expect(try await refusal { $0 } == nil)
  }
}

extension ActivationPolicy {
  /// For tests that try many wrong signatures.
  static var patient: ActivationPolicy {
    var policy = ActivationPolicy()
    policy.maxFailedAttempts = 64
    policy.possessionFailures = RateLimit("activation-possession", 1_000_000, per: .hours(1))
    return policy
  }
}

extension Activation {
  fileprivate var outcomeOfBlocked: SignatureOutcome { .invalid(self, remainingAttempts: 0) }
}

extension SignatureHeader {
  func changed(
    activation: ActivationIdentifier? = nil, applicationKey: ApplicationKey? = nil, nonce: Data? = nil,
    type: SignatureType? = nil, signature: String? = nil
  ) throws -> SignatureHeader {
    try SignatureHeader(
      version: version, activationIdentifier: activation ?? activationIdentifier,
      applicationKey: applicationKey ?? self.applicationKey, nonce: nonce ?? self.nonce, type: type ?? self.type,
      signature: signature ?? self.signature)
  }
}
