// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: the status of an activation")
struct ActivationStatusTests {
  private let transportKey = TransportKey(SecretKey(.seeded(1)))
  private let counter = CounterData(.seeded(2))
  private let challenge = Data(counting: 0..<16)
  private let nonce = Data(counting: 16..<32)

  private func status(_ change: (inout ActivationStatus) -> Void = { _ in }) -> ActivationStatus {
    var status = ActivationStatus(
      state: .active, counterByte: 9, failedAttempts: 1, maxFailedAttempts: 5, lookAhead: 20,
      counterHash: transportKey.counterHash(of: counter))
    change(&status)
    return status
  }

  private func encrypted(_ status: ActivationStatus) throws -> Data {
    try status.encrypted(
      transportKey: transportKey, challenge: challenge, nonce: nonce, randomness: .seeded(3))
  }

  private func decrypted(_ blob: Data, challenge: Data? = nil, nonce: Data? = nil) throws -> ActivationStatus {
    try ActivationStatus(
      decrypting: blob, transportKey: transportKey, challenge: challenge ?? self.challenge,
      nonce: nonce ?? self.nonce)
  }

  @Test("what the server writes the device reads, in every state", arguments: ActivationState.allCases)
  func roundTrip(state: ActivationState) throws {
    let status = status { $0.state = state }
    let blob = try encrypted(status)
    #expect(blob.count == 32)
    #expect(try decrypted(blob) == status)
  }

  @Test("attempts that are left never fall below zero")
  func remaining() {
    #expect(status().remainingAttempts == 4)
    #expect(status { $0.failedAttempts = 6 }.remainingAttempts == 0)
  }

  @Test("a changed byte is refused, or leaves an unknown counter")
  func tampering() throws {
    let blob = try encrypted(status())
    for (place, changed) in blob.withEachByteChanged.enumerated() {
      guard place >= 16, let read = try? decrypted(changed) else {
        #expect(throws: PowerAuthError.malformed(.statusBlob)) { try decrypted(changed) }
        continue
      }
      let verdict = CounterSynchronization.resolve(
        DeviceCounter(byte: 9, data: counter), status: read, transportKey: transportKey)
      #expect(verdict == .deadlock)
    }
    for changed in challenge.withEachByteChanged {
      #expect(throws: PowerAuthError.malformed(.statusBlob)) { try decrypted(blob, challenge: changed) }
    }
    for changed in nonce.withEachByteChanged {
      #expect(throws: PowerAuthError.malformed(.statusBlob)) { try decrypted(blob, nonce: changed) }
    }
  }

  @Test("blobs, challenges and nonces of other lengths are refused, a decoy is no blob")
  func lengths() throws {
    for count in [0, 16, 31, 33, 48] {
      #expect(throws: PowerAuthError.malformed(.statusBlob)) { try decrypted(Data(count: count)) }
    }
    let blob = try encrypted(status())
    #expect(throws: PowerAuthError.malformed(.challenge)) { try decrypted(blob, challenge: Data(count: 15)) }
    #expect(throws: PowerAuthError.malformed(.nonce)) { try decrypted(blob, nonce: Data(count: 17)) }
    #expect(throws: PowerAuthError.malformed(.statusBlob)) { try decrypted(ActivationStatus.decoy(.seeded(4))) }
  }

  @Test("the fixed bytes, the state and the window are checked")
  func plainBlobs() throws {
    var blob = Data([0xde, 0xc0, 0xde, 0xd1, 3, 3, 3]) + Data(count: 5) + [1, 0, 5, 20] + Data(count: 16)
    #expect(try ActivationStatus(blob: blob).state == .active)
    blob[3] = 0xdf
    #expect(try ActivationStatus(blob: blob).lookAhead == 20)
    for (place, value) in [(0, 0xdf), (3, 0xd0), (3, 0xe0), (4, 0), (4, 6), (15, 0), (15, 65)] as [(Int, UInt8)] {
      var wrong = blob
      wrong[place] = value
      #expect(throws: PowerAuthError.malformed(.statusBlob)) { try ActivationStatus(blob: wrong) }
    }
  }

  @Test("states move as the protocol says, and removal is for ever")
  func states() {
    let legal = ActivationState.allCases.flatMap { from in
      ActivationState.allCases.filter { from.allows($0) }.map { [from.rawValue, $0.rawValue] }
    }
    #expect(legal == [[1, 2], [1, 3], [1, 5], [2, 3], [2, 5], [3, 4], [3, 5], [4, 3], [4, 5]])
  }
}
