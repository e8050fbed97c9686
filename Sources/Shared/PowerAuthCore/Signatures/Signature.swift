// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The authentication code of several factors over a request (powerauth.md §5.3).
public struct Signature: Hashable, Sendable {
  public let type: SignatureType
  /// As it stands in the header.
  public let text: String

  /// Computes a signature.
  ///
  /// Every component is an HMAC of the data. Its key is the HMAC of the counter under the factor's key, and then, for
  /// each factor before it, once more under that of the next one: the published pseudo-code is off by one here.
  /// - Throws: `missingFactor` when a key of the type is not there.
  public init(
    _ type: SignatureType, of data: NormalizedData, keys: SignatureKeys, counter: CounterData, format: SignatureFormat
  ) throws(PowerAuthError) {
    self.type = type
    text = Self.text(of: data, keys: try keys.keys(for: type), counter: counter, format: format)
  }

  static func text(
    of data: NormalizedData, keys: [SecretKey], counter: CounterData, format: SignatureFormat
  ) -> String {
    let derived = keys.map { SymmetricKey(data: $0.authenticationCode(for: counter.bytes)) }
    return format.text(
      of: derived.indices.map { place in
        let key = (0..<place).reduce(derived[place]) { key, earlier in
          let data = key.withUnsafeBytes { Data($0) }
          return SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: data, using: derived[earlier + 1]))
        }
        return Data(HMAC<SHA256>.authenticationCode(for: data.bytes, using: key))
      })
  }
}
