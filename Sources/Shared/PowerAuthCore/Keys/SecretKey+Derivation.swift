// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// How keys come from keys (powerauth.md §2).
extension SecretKey {
  /// `KDF`: AES of the index, which fills the last eight bytes of the block and not, as the published pseudo-code has
  /// it, the first.
  public func derived(index: UInt64) -> SecretKey {
    var block = Data(count: 8)
    block.append(bigEndian: index)
    return SecretKey(sixteen: AES128CBC.encrypt(block, key: self, padding: .none))
  }

  /// `KDF_INTERNAL`: the folded HMAC-SHA-256 of the data under this key.
  public func derived(data: Data) -> SecretKey {
    SecretKey(folding: authenticationCode(for: data))
  }

  /// `FOLD`: the two halves of 32 bytes over each other.
  /// - Precondition: there are 32 bytes.
  init(folding bytes: some ContiguousBytes) {
    self.init(sixteen: bytes.withUnsafeBytes { Self.fold($0) })
  }

  static func fold(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    precondition(bytes.count == 2 * byteCount, "what is folded has 32 bytes")
    return (0..<byteCount).map { bytes[$0] ^ bytes[$0 + byteCount] }
  }

  /// HMAC-SHA-256 under this key, all 32 bytes.
  func authenticationCode(for data: Data) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: data, using: symmetric)
  }
}
