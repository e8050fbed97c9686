// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Eight digits that a person compares, to see that device and server hold each other's keys (powerauth.md §3.3).
public struct ActivationFingerprint: Hashable, Sendable, CustomStringConvertible {
  public static let digits = 8

  public let text: String

  public init(devicePublicKey: ECPublicKey, activationIdentifier: String, serverPublicKey: ECPublicKey) {
    var hash = SHA256()
    // Coordinates go in as numbers, without leading zeros.
    hash.update(data: devicePublicKey.x.drop { $0 == 0 })
    hash.update(data: Data(activationIdentifier.utf8))
    hash.update(data: serverPublicKey.x.drop { $0 == 0 })
    text = decimalDigits(of: Data(hash.finalize()), count: Self.digits)
  }

  public var description: String { text }
}
