// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A digest by SHA-256 (FIPS 180-4) for one purpose: the same text has another one under another label.
public enum LabelledDigest {
  /// - Parameter label: without a NUL.
  /// - Returns: 64 digits, in lower-case hexadecimal.
  public static func hex(of text: String, label: String) -> String {
    SHA256.hash(data: Data("\(label)\u{0}\(text)".utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
