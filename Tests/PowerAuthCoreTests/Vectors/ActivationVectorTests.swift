// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

@Suite("PowerAuth vectors: crc16", VectorFile.suite("crc16"))
struct CRC16VectorTests {
  struct Input: Decodable, Sendable {
    let text: String
  }
  struct Output: Decodable, Sendable {
    let crc: VectorNumber
  }

  @Test("the checksum of a text", arguments: VectorFile.cases("crc16", Input.self, Output.self))
  func checksum(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    #expect(Int(CRC16.checksum(input.text.utf8)) == output.crc.value)
  }
}

@Suite("PowerAuth vectors: activation-code-validation", VectorFile.suite("activation-code-validation"))
struct ActivationCodeVectorTests {
  struct Input: Decodable, Sendable {
    let activationCode: String
  }
  struct Output: Decodable, Sendable {
    let valid: Bool
  }

  @Test(
    "a code is taken or refused", arguments: VectorFile.cases("activation-code-validation", Input.self, Output.self))
  func validation(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let code = try? ActivationCode(text: input.activationCode)
    #expect((code != nil) == output.valid)
    if output.valid { #expect(code?.text == input.activationCode) }
  }
}

@Suite(
  "PowerAuth vectors: verify-activation-data-signature-v3", VectorFile.suite("verify-activation-data-signature-v3"))
struct ActivationSignatureVectorTests {
  struct Input: Decodable, Sendable {
    let activationCode: String
    let masterPrivateKey, masterPublicKey: Data
  }
  struct Output: Decodable, Sendable {
    let activationSignature: Data
  }

  @Test(
    "a scanned code is the server's, and so is one that we sign",
    arguments: VectorFile.cases("verify-activation-data-signature-v3", Input.self, Output.self))
  func signature(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let masterKey = try ECPublicKey(input.masterPublicKey)
    let scanned = try ScannedCode(
      text: "\(input.activationCode)#\(output.activationSignature.base64EncodedString())")
    #expect(scanned.code.text == input.activationCode)
    #expect(scanned.isSigned(by: masterKey))
    let privateKey = try ECPrivateKey(input.masterPrivateKey)
    #expect(privateKey.publicKey == masterKey)
    let ours = try ScannedCode(scanned.code, signedBy: privateKey)
    #expect(try ScannedCode(text: ours.text).isSigned(by: masterKey))
  }
}

@Suite("PowerAuth vectors: public-key-fingerprint-v3", VectorFile.suite("public-key-fingerprint-v3"))
struct FingerprintVectorTests {
  struct Input: Decodable, Sendable {
    let devicePublicKey, serverPublicKey: Data
  }
  struct Output: Decodable, Sendable {
    let devicePublicKeyCoordX, serverPublicKeyCoordX: Data
    let activationId, fingerprint: String
  }

  @Test(
    "eight digits of two keys and an identifier",
    arguments: VectorFile.cases("public-key-fingerprint-v3", Input.self, Output.self))
  func fingerprint(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let device = try ECPublicKey(input.devicePublicKey)
    let server = try ECPublicKey(input.serverPublicKey)
    #expect(device.x.drop { $0 == 0 } == output.devicePublicKeyCoordX.drop { $0 == 0 })
    #expect(server.x.drop { $0 == 0 } == output.serverPublicKeyCoordX.drop { $0 == 0 })
    let fingerprint = ActivationFingerprint(
      devicePublicKey: device, activationIdentifier: output.activationId, serverPublicKey: server)
    #expect(fingerprint.text == output.fingerprint)
    #expect(try ECPublicKey(device.compressed) == device)
  }
}
