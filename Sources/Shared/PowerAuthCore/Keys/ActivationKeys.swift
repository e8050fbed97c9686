// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// The keys that an activation shares with its server, all from one agreement (powerauth.md §2).
public struct ActivationKeys: Equatable, Sendable {
  /// Numbers that keys are derived with.
  private enum Index {
    static let possession: UInt64 = 1
    static let knowledge: UInt64 = 2
    static let biometry: UInt64 = 3
    static let transport: UInt64 = 1000
    static let vault: UInt64 = 2000
  }

  /// `KEY_SIGNATURE_POSSESSION`, `KEY_SIGNATURE_KNOWLEDGE` and `KEY_SIGNATURE_BIOMETRY`.
  public let signature: SignatureKeys
  /// `KEY_TRANSPORT`.
  public let transport: TransportKey
  /// `KEY_ENCRYPTION_VAULT`.
  public let vault: SecretKey

  /// - Parameter masterSecret: `KEY_MASTER_SECRET`, which is not stored.
  public init(masterSecret: SecretKey) {
    signature = SignatureKeys(
      possession: masterSecret.derived(index: Index.possession),
      knowledge: masterSecret.derived(index: Index.knowledge),
      biometry: masterSecret.derived(index: Index.biometry))
    transport = TransportKey(masterSecret.derived(index: Index.transport))
    vault = masterSecret.derived(index: Index.vault)
  }

  /// What the device computes with its private and the server's public key, and the server with its own and the
  /// device's.
  public init(privateKey: ECPrivateKey, publicKey: ECPublicKey) throws(PowerAuthError) {
    self.init(masterSecret: try Self.masterSecret(privateKey: privateKey, publicKey: publicKey))
  }

  /// `KEY_MASTER_SECRET`: the folded agreement.
  public static func masterSecret(
    privateKey: ECPrivateKey, publicKey: ECPublicKey
  ) throws(PowerAuthError) -> SecretKey {
    SecretKey(folding: try privateKey.sharedSecret(with: publicKey))
  }
}

/// `KEY_TRANSPORT`, and what is derived from it alone.
public struct TransportKey: Equatable, Sendable, Redacted {
  private static let statusIVIndex: UInt64 = 3000
  private static let counterIndex: UInt64 = 4000

  public let key: SecretKey

  public init(_ key: SecretKey) {
    self.key = key
  }

  /// `KEY_TRANSPORT_IV`, for the IV of status blobs.
  public var statusIV: SecretKey { key.derived(index: Self.statusIVIndex) }

  /// What a status blob says about a counter: `KDF_INTERNAL(KEY_TRANSPORT_CTR, CTR_DATA)`, 16 bytes.
  public func counterHash(of counter: CounterData) -> Data {
    counterHash(of: counter, under: key.derived(index: Self.counterIndex))
  }

  /// How many steps ahead of a counter the one with this hash is: the fewest, of those below the window; nil if none.
  public func distance(from counter: CounterData, to hash: Data, window: Int) -> Int? {
    let counterKey = key.derived(index: Self.counterIndex)
    var counter = counter
    for distance in 0..<max(window, 0) {
      if counterHash(of: counter, under: counterKey).equalsInConstantTime(hash) { return distance }
      counter = counter.next
    }
    return nil
  }

  private func counterHash(of counter: CounterData, under counterKey: SecretKey) -> Data {
    counterKey.derived(data: counter.bytes).bytes
  }
}
