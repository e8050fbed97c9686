// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth vectors: activation-status-blob-iv", VectorFile.suite("activation-status-blob-iv"))
struct StatusIVVectorTests {
  struct Input: Decodable, Sendable {
    let transportKey, challenge, nonce: Data
  }
  struct Output: Decodable, Sendable {
    let iv: Data
  }

  @Test("the IV of a blob", arguments: VectorFile.cases("activation-status-blob-iv", Input.self, Output.self))
  func initializationVector(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let iv = try ActivationStatus.initializationVector(
      transportKey: TransportKey(SecretKey(input.transportKey)), challenge: input.challenge, nonce: input.nonce)
    #expect(iv == output.iv)
  }
}

@Suite("PowerAuth vectors: activation-status-blob-data", VectorFile.suite("activation-status-blob-data"))
struct StatusVectorTests {
  struct Input: Decodable, Sendable {
    let transportKey, challenge, nonce, ctrData, encryptedStatusBlob: Data
  }
  struct Output: Decodable, Sendable {
    let activationStatus, currentVersion, upgradeVersion, failedAttempts, maxFailedAttempts: VectorNumber
    let ctrLookAhead, ctrByte, counterDistance: VectorNumber
    let ctrDataHash: Data
  }

  @Test(
    "a blob is decrypted, read, and its counter found",
    arguments: VectorFile.cases("activation-status-blob-data", Input.self, Output.self))
  func status(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    let transportKey = TransportKey(try SecretKey(input.transportKey))
    let status = try ActivationStatus(
      decrypting: input.encryptedStatusBlob, transportKey: transportKey, challenge: input.challenge,
      nonce: input.nonce)
    #expect(Int(status.state.rawValue) == output.activationStatus.value)
    #expect(Int(status.currentVersion) == output.currentVersion.value)
    #expect(Int(status.upgradeVersion) == output.upgradeVersion.value)
    #expect(Int(status.failedAttempts) == output.failedAttempts.value)
    #expect(Int(status.maxFailedAttempts) == output.maxFailedAttempts.value)
    #expect(Int(status.lookAhead) == output.ctrLookAhead.value)
    #expect(Int(status.counterByte) == output.ctrByte.value)
    #expect(status.counterHash == output.ctrDataHash)

    let counter = try CounterData(input.ctrData)
    let distance = transportKey.distance(
      from: counter, to: status.counterHash, window: output.ctrLookAhead.value)
    // A negative distance, if there is one in a file, is a server that cannot be reached.
    #expect(distance == (output.counterDistance.value < 0 ? nil : output.counterDistance.value))

    let encrypted = try status.encrypted(
      transportKey: transportKey, challenge: input.challenge, nonce: input.nonce, randomness: .seeded(1))
    #expect(
      try ActivationStatus(
        decrypting: encrypted, transportKey: transportKey, challenge: input.challenge, nonce: input.nonce) == status)
  }
}
