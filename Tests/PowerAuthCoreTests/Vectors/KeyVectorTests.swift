// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth vectors: compute-master-secret-key", VectorFile.suite("compute-master-secret-key"))
struct MasterSecretVectorTests {
  struct Input: Decodable, Sendable {
    let devicePrivateKey, devicePublicKey, serverPrivateKey, serverPublicKey: Data
  }
  struct Output: Decodable, Sendable {
    let masterSecretKey: Data
  }

  @Test(
    "device and server agree on the secret",
    arguments: VectorFile.cases("compute-master-secret-key", Input.self, Output.self))
  func agreement(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let device = try ECPrivateKey(input.devicePrivateKey)
    let server = try ECPrivateKey(input.serverPrivateKey)
    #expect(device.publicKey == (try ECPublicKey(input.devicePublicKey)))
    #expect(server.publicKey == (try ECPublicKey(input.serverPublicKey)))
    let here = try ActivationKeys.masterSecret(privateKey: device, publicKey: ECPublicKey(input.serverPublicKey))
    let there = try ActivationKeys.masterSecret(privateKey: server, publicKey: ECPublicKey(input.devicePublicKey))
    #expect(here.bytes == output.masterSecretKey)
    #expect(there == here)
  }
}

@Suite("PowerAuth vectors: compute-derived-keys", VectorFile.suite("compute-derived-keys"))
struct DerivedKeyVectorTests {
  struct Input: Decodable, Sendable {
    let masterSecretKey: Data
  }
  struct Output: Decodable, Sendable {
    let signaturePossessionKey, signatureKnowledgeKey, signatureBiometryKey, transportKey, vaultEncryptionKey: Data
  }

  @Test(
    "the keys of an activation come from its secret",
    arguments: VectorFile.cases("compute-derived-keys", Input.self, Output.self))
  func derivation(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let keys = ActivationKeys(masterSecret: try SecretKey(input.masterSecretKey))
    #expect(keys.signature.possession?.bytes == output.signaturePossessionKey)
    #expect(keys.signature.knowledge?.bytes == output.signatureKnowledgeKey)
    #expect(keys.signature.biometry?.bytes == output.signatureBiometryKey)
    #expect(keys.transport.key.bytes == output.transportKey)
    #expect(keys.vault.bytes == output.vaultEncryptionKey)
  }
}

@Suite("PowerAuth vectors: kdf-x963-sha256", VectorFile.suite("kdf-x963-sha256"))
struct X963VectorTests {
  struct Input: Decodable, Sendable {
    let secret, sharedInfo: SampleHex
    let length: VectorNumber
  }
  struct Output: Decodable, Sendable {
    let keyData: SampleHex
  }

  @Test(
    "X9.63 with SHA-256 gives the key of NIST's sample",
    arguments: VectorFile.cases("kdf-x963-sha256", Input.self, Output.self))
  func derivation(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let key = X963KDF.derive(
      secret: input.secret.bytes, sharedInfo: input.sharedInfo.bytes, count: input.length.value)
    #expect(key == output.keyData.bytes)
  }
}
