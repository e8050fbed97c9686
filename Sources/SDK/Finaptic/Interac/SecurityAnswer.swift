// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// The answer to a security question on its way to the bank (finaptic §8.8).
enum SecurityAnswer {
  /// Trimmed, in capitals, with the salt behind it, as ISO 8859-1, by SHA-256, in lower-case hexadecimal. What has no
  /// letter in ISO 8859-1 becomes the nearest that has.
  static func digest(of answer: String, salt: String) -> String {
    let text = answer.trimmingCharacters(in: .whitespacesAndNewlines).uppercased() + salt
    let bytes = text.data(using: .isoLatin1, allowLossyConversion: true) ?? Data(text.utf8)
    return SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
