// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The key derivation of ANSI X9.63 with SHA-256: hashes of the secret, a counter from 1, and the shared information.
public enum X963KDF {
  /// The longest key that anybody may ask for; PowerAuth needs 48 bytes.
  public static let bytesMax = 1024

  /// - Precondition: `count` is in `0...bytesMax`.
  public static func derive(secret: some ContiguousBytes, sharedInfo: Data, count: Int) -> Data {
    precondition((0...bytesMax).contains(count), "X9.63 keys are short")
    var key = Data(capacity: count + SHA256.byteCount)
    var counter: UInt32 = 1
    while key.count < count {
      var hash = SHA256()
      secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
      withUnsafeBytes(of: counter.bigEndian) { hash.update(bufferPointer: $0) }
      hash.update(data: sharedInfo)
      key.append(contentsOf: hash.finalize())
      counter += 1
    }
    return key.prefix(count)
  }
}
