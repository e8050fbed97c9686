// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: what a device says it is", .storeless)
struct ActivationIdentityTests {
  private static let layer = ECIESRequest(ephemeralPublicKey: Data(), encryptedData: Data(), mac: Data())

  private static func request(_ type: ActivationType, _ attributes: [String: String]) -> ActivationRequest {
    ActivationRequest(type: type, identityAttributes: attributes, activationData: layer)
  }

  @Test("what is missing or misspelt is refused before anything is looked up")
  func malformed() throws {
    let code = ActivationCode(Randomness(TestWorld().world.random)).text
    for (type, attributes): (ActivationType, [String: String]) in [
      (.code, [:]), (.code, ["code": ""]), (.code, ["code": String(code.dropLast())]), (.code, ["Code": code]),
      (.recovery, ["recoveryCode": code]), (.recovery, ["recoveryCode": code, "puk": ""]),
      (.recovery, ["recoveryCode": "\(code)A", "puk": "0123456789"]), (.direct, ["code": code]),
      (.custom, ["a": String(repeating: "x", count: 1025)]), (.custom, ["a": "\u{0}"]), (.custom, ["\u{0}": "a"]),
      (.custom, Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "") })),
    ] {
      #expect(throws: Problem.activationInvalid) { _ = try ActivationIdentity(Self.request(type, attributes)) }
    }
    for puk in ["0123456789", "123", "12345678９0"] {
      // What is no PUK is looked up, too: it counts as a wrong one.
      let identity = try ActivationIdentity(Self.request(.recovery, ["recoveryCode": "R:" + code, "puk": puk]))
      guard case .recovery(_, let read) = identity else {
        Issue.record("not by a recovery code")
        continue
      }
      #expect((read != nil) == (puk == "0123456789"))
    }
  }

  @Test("no text makes the reader stumble, and what it takes is a code whose checksum holds")
  func fuzz() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-#R:0189 äß\u{0}")
    let valid = ActivationCode(Randomness(TestWorld(seed: 3).world.random)).text
    for round in 0..<3000 {
      var text = Array(round.isMultiple(of: 2) ? valid : "")
      for _ in 0..<Int(generator.next() % 4) {
        let letter = alphabet[Int(generator.next() % UInt64(alphabet.count))]
        if text.isEmpty || generator.next().isMultiple(of: 2) {
          text.insert(letter, at: Int(generator.next() % UInt64(text.count + 1)))
        } else {
          text[Int(generator.next() % UInt64(text.count))] = letter
        }
      }
      let candidate = String(text)
      let read = try? ActivationIdentity(Self.request(.code, ["code": candidate]))
      if case .code(let code) = read { #expect(code.text == candidate) }
      #expect((read != nil) == ((try? ActivationCode(text: candidate)) != nil))
    }
  }

  @Test("a device's key must be a point of the curve, and its texts must fit the store")
  func device() throws {
    let app = TestWorld()
    let key = ECPrivateKey(Randomness(app.world.random)).publicKey.compressed
    let application = ApplicationKey(Randomness(app.world.random))
    func device(_ change: (inout ActivationDevice) -> Void) throws -> NewDevice {
      var device = ActivationDevice(devicePublicKey: key.base64EncodedString(), activationName: "Phone")
      change(&device)
      return try NewDevice(device, applicationKey: application, version: .v33)
    }
    #expect(try device { _ in }.details.name == "Phone")
    let changes: [(inout ActivationDevice) -> Void] = [
      { $0.devicePublicKey = "" }, { $0.devicePublicKey = Data(key.reversed()).base64EncodedString() },
      { $0.devicePublicKey = Data(key.dropLast()).base64EncodedString() },
      { $0.activationName = String(repeating: "n", count: 256) }, { $0.extras = "a\u{0}" },
      { $0.extras = String(repeating: "n", count: 4097) }, { $0.platform = "\u{0}" },
      { $0.externalId = String(repeating: "é", count: 128) },
    ]
    for change in changes { #expect(throws: Problem.activationInvalid) { _ = try device(change) } }
  }
}
