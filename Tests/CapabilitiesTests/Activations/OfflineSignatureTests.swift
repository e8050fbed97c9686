// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: signatures without a connection")
struct OfflineSignatureTests {
  private static let operation = "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPay 100 CZK\nA1*A100CZK\nB"

  /// Takes a scanned text apart, as an app does.
  private static func scan(_ text: String) throws -> (signed: Data, nonce: String, letter: Character, signature: Data) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let last = try #require(lines.last)
    let letter = try #require(last.first)
    let signature = String(last.dropFirst())
    return (
      Data(text.dropLast(signature.count).utf8), String(lines[lines.count - 2]), letter,
      try #require(Data(base64Encoded: signature))
    )
  }

  @Test("what is scanned is signed with the server's key of the activation, and the digits that come back verify once")
  func personalised() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let payload = try await app.activations.offlinePayload(Self.operation, for: id)
    let scanned = try Self.scan(payload.text)
    #expect(payload.text.hasPrefix(Self.operation + "\n") && scanned.nonce == payload.nonce && scanned.letter == "1")
    #expect(try device.joined().serverPublicKey.isValidSignature(scanned.signature, for: scanned.signed))
    let nonce = try #require(Data(base64Encoded: payload.nonce))
    let digits = try device.signOffline(
      .possessionKnowledge, uriID: OfflineSignature.standardURIID, nonce: nonce, data: Data(Self.operation.utf8))
    #expect(digits.count == 17)
    let signature = OfflineSignature(text: digits, nonce: nonce, data: Data(Self.operation.utf8))
    #expect(try await app.activations.verifyOffline(signature, of: id).isValid)
    #expect(try await app.activations.verifyOffline(signature, of: id).remainingAttempts == 4)
  }

  @Test("for any device of an app, what is scanned is signed with the master key that the app was built with")
  func nonPersonalised() async throws {
    let app = try await ActivationsTestApp()
    let payload = try await app.activations.offlinePayload(Self.operation, for: app.application)
    let scanned = try Self.scan(payload.text)
    #expect(scanned.letter == "0")
    #expect(app.release.configuration.masterPublicKey.isValidSignature(scanned.signature, for: scanned.signed))
    #expect(payload.nonce != (try await app.activations.offlinePayload(Self.operation, for: app.application).nonce))
  }

  @Test("biometry counts where it is allowed, and a wrong signature counts once however many types were tried")
  func types() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let nonce = Data(repeating: 7, count: 16)
    let data = Data(Self.operation.utf8)
    let digits = try device.signOffline(
      .possessionBiometry, uriID: OfflineSignature.standardURIID, nonce: nonce, data: data)
    #expect(
      try await app.activations.verifyOffline(
        OfflineSignature(text: digits, nonce: nonce, data: data), of: id
      ).remainingAttempts == 4)
    let both: [SignatureType] = [.possessionKnowledge, .possessionBiometry]
    let outcome = try await app.activations.verifyOffline(
      OfflineSignature(text: digits, nonce: nonce, data: data, allowed: both), of: id)
    #expect(try outcome.require().type == .possessionBiometry)
    #expect(
      try await app.activations.verifyOffline(
        OfflineSignature(text: digits, nonce: nonce, data: data, allowed: both), of: id
      ).remainingAttempts == 4)
  }

  @Test("possession alone is no proof offline")
  func possession() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let (nonce, data) = (Data(repeating: 7, count: 16), Data(Self.operation.utf8))
    let digits = try device.signOffline(.possession, uriID: OfflineSignature.standardURIID, nonce: nonce, data: data)
    for allowed in [[.possession], [.possessionKnowledge, .possession]] as [[SignatureType]] {
      let signature = OfflineSignature(text: digits, nonce: nonce, data: data, allowed: allowed)
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.activations.verifyOffline(signature, of: id) }
          == "validation-failed")
    }
  }

  @Test("another operation, nonce or digit is refused; what cannot be is no attempt")
  func refused() async throws {
    let app = try await ActivationsTestApp(policy: .patient)
    var (device, id) = try await app.activeDevice { $0.maxFailedAttempts = 64 }
    let (nonce, data) = (Data(repeating: 7, count: 16), Data(Self.operation.utf8))
    let digits = try device.signOffline(
      .possessionKnowledge, uriID: OfflineSignature.standardURIID, nonce: nonce, data: data)
    var attempts = [
      OfflineSignature(text: digits, nonce: Data(repeating: 8, count: 16), data: data),
      OfflineSignature(text: digits, nonce: nonce, data: data + [0x20]),
      OfflineSignature(text: digits, uriID: "/other", nonce: nonce, data: data),
      OfflineSignature(text: "", nonce: nonce, data: data),
    ]
    for place in digits.indices {
      let digit = digits[place] == "0" ? "1" : "0"
      attempts.append(
        OfflineSignature(
          text: digits.replacingCharacters(in: place...place, with: digit), nonce: nonce, data: data))
    }
    for attempt in attempts {
      #expect(try await !app.activations.verifyOffline(attempt, of: id).isValid)
    }
    #expect(try await app.activations.find(id).failedAttempts == attempts.count)
    for attempt in [
      OfflineSignature(text: digits, nonce: Data(repeating: 7, count: 15), data: data),
      OfflineSignature(text: digits, nonce: nonce, data: data, allowed: []),
      OfflineSignature(text: digits, nonce: nonce, data: Data(count: 2001)),
    ] {
      #expect(
        try await ActivationsTestApp.problem { _ = try await app.activations.verifyOffline(attempt, of: id) }
          == "validation-failed")
    }
    #expect(
      try await app.activations.verifyOffline(OfflineSignature(text: digits, nonce: nonce, data: data), of: id)
        .isValid)
  }

  @Test("the device's own key signs what its activation vouches for")
  func deviceKey() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    let (_, other) = try await app.activeDevice()
    let data = Data("contract".utf8)
    let signature = try device.privateKey.signature(for: data)
    #expect(try await app.activations.verifyDeviceSignature(signature, over: data, of: id))
    #expect(try await !app.activations.verifyDeviceSignature(signature, over: data, of: other))
    #expect(try await !app.activations.verifyDeviceSignature(signature, over: data + [0], of: id))
    _ = try await app.activations.block(id, by: .system)
    #expect(try await !app.activations.verifyDeviceSignature(signature, over: data, of: id))
  }
}
