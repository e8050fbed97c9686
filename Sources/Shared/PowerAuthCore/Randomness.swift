// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

public typealias Randomness = CryptoPrimitives.Randomness
public typealias Redacted = CryptoPrimitives.Redacted

extension Randomness {
  /// A nonce or challenge of 16 bytes.
  public func nonce() -> Data { bytes(16) }
}
