// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// What a server tells a device about its activation, encrypted in 32 bytes (powerauth.md §6).
public struct ActivationStatus: Hashable, Sendable {
  public static let blobBytes = 32
  /// Look-ahead windows that devices accept.
  public static let lookAheads: ClosedRange<UInt8> = 1...64
  private static let magic = Data([0xde, 0xc0, 0xde])
  private static let magicEnds: ClosedRange<UInt8> = 0xd1...0xdf
  private static let reservedBytes = 5

  public var state: ActivationState
  /// The major version of the protocol that the activation uses.
  public var currentVersion: UInt8
  /// The major version that it could be upgraded to.
  public var upgradeVersion: UInt8
  /// The low byte of the server's numeric counter.
  public var counterByte: UInt8
  public var failedAttempts: UInt8
  public var maxFailedAttempts: UInt8
  /// How many steps ahead the server looks for a signature.
  public var lookAhead: UInt8
  /// `KDF_INTERNAL(KEY_TRANSPORT_CTR, CTR_DATA)`, 16 bytes.
  public var counterHash: Data

  /// - Precondition: the look-ahead is one that devices accept, and the hash has 16 bytes.
  public init(
    state: ActivationState, currentVersion: UInt8 = 3, upgradeVersion: UInt8 = 3, counterByte: UInt8,
    failedAttempts: UInt8, maxFailedAttempts: UInt8, lookAhead: UInt8, counterHash: Data
  ) {
    precondition(Self.lookAheads.contains(lookAhead), "devices accept look-aheads of 1 to 64")
    precondition(counterHash.count == SecretKey.byteCount, "the hash of a counter has 16 bytes")
    self.state = state
    self.currentVersion = currentVersion
    self.upgradeVersion = upgradeVersion
    self.counterByte = counterByte
    self.failedAttempts = failedAttempts
    self.maxFailedAttempts = maxFailedAttempts
    self.lookAhead = lookAhead
    self.counterHash = counterHash
  }

  /// How many wrong signatures are left before the activation is blocked.
  public var remainingAttempts: UInt8 { maxFailedAttempts > failedAttempts ? maxFailedAttempts - failedAttempts : 0 }

  /// Reads the blob in the open.
  /// - Throws: `malformed`: a wrong key or nonce, a changed byte, an unknown state or an impossible look-ahead.
  public init(blob: Data) throws(PowerAuthError) {
    let bytes = Data(blob)
    guard bytes.count == Self.blobBytes, bytes.prefix(3) == Self.magic, Self.magicEnds.contains(bytes[3]),
      let state = ActivationState(rawValue: bytes[4]), Self.lookAheads.contains(bytes[15])
    else { throw .malformed(.statusBlob) }
    self.init(
      state: state, currentVersion: bytes[5], upgradeVersion: bytes[6], counterByte: bytes[12],
      failedAttempts: bytes[13], maxFailedAttempts: bytes[14], lookAhead: bytes[15], counterHash: Data(bytes[16...]))
  }

  /// Decrypts and reads a blob, on the device.
  ///
  /// Nothing authenticates the blob as such: its fixed bytes catch a change of the first half, and the counter's hash,
  /// which `CounterSynchronization` looks for, one of the second.
  /// - Parameters:
  ///   - challenge: 16 bytes that the device sent.
  ///   - nonce: 16 bytes that came with the answer.
  public init(
    decrypting blob: Data, transportKey: TransportKey, challenge: Data, nonce: Data
  ) throws(PowerAuthError) {
    let iv = try Self.initializationVector(transportKey: transportKey, challenge: challenge, nonce: nonce)
    guard blob.count == Self.blobBytes else { throw .malformed(.statusBlob) }
    try self.init(blob: AES128CBC.decrypt(blob, key: transportKey.key, iv: iv, padding: .none))
  }

  /// Writes and encrypts the blob, on the server.
  public func encrypted(
    transportKey: TransportKey, challenge: Data, nonce: Data, randomness: Randomness
  ) throws(PowerAuthError) -> Data {
    let iv = try Self.initializationVector(transportKey: transportKey, challenge: challenge, nonce: nonce)
    return AES128CBC.encrypt(
      blob(reserved: randomness.bytes(Self.reservedBytes)), key: transportKey.key, iv: iv, padding: .none)
  }

  /// - Throws: `malformed` unless challenge and nonce have 16 bytes.
  public static func initializationVector(
    transportKey: TransportKey, challenge: Data, nonce: Data
  ) throws(PowerAuthError) -> Data {
    guard challenge.count == 16 else { throw .malformed(.challenge) }
    guard nonce.count == 16 else { throw .malformed(.nonce) }
    return transportKey.statusIV.derived(data: challenge + nonce).bytes
  }

  /// What a server answers about an activation that it does not know: it cannot be told from a blob.
  public static func decoy(_ randomness: Randomness) -> Data { randomness.bytes(blobBytes) }

  private func blob(reserved: Data) -> Data {
    Self.magic + [Self.magicEnds.lowerBound, state.rawValue, currentVersion, upgradeVersion] + reserved
      + [counterByte, failedAttempts, maxFailedAttempts, lookAhead] + counterHash
  }
}
