// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import Crypto
  import CryptoExtras
#endif

/// AES in CBC mode. It authenticates nothing: code that decrypts checks a MAC first, or can tell otherwise.
package enum AESCBC {
  package enum Padding {
    case pkcs7, none
  }

  package static let blockBytes = 16

  /// - Precondition: a key of 16 or 32 bytes, an IV of 16; without padding the plaintext is whole blocks.
  package static func encrypt(
    _ plaintext: Data, key: some ContiguousBytes, iv: Data, padding: Padding = .pkcs7
  ) -> Data {
    transform(padding == .pkcs7 ? PKCS7.padded(plaintext) : plaintext, key: key, iv: iv, encrypts: true)
  }

  /// - Precondition: a key of 16 or 32 bytes, an IV of 16.
  /// - Returns: nil when there are no whole blocks, or no padding where there should be some.
  package static func decrypt(
    _ ciphertext: Data, key: some ContiguousBytes, iv: Data, padding: Padding = .pkcs7
  ) -> Data? {
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockBytes) else { return nil }
    let blocks = transform(ciphertext, key: key, iv: iv, encrypts: false)
    return padding == .pkcs7 ? PKCS7.unpadded(blocks) : blocks
  }

  private static func transform(_ blocks: Data, key: some ContiguousBytes, iv: Data, encrypts: Bool) -> Data {
    precondition(blocks.count.isMultiple(of: blockBytes), "CBC without padding takes whole blocks")
    precondition(iv.count == blockBytes, "an IV has 16 bytes")
    #if canImport(CommonCrypto)
      var output = Data(count: blocks.count)
      var written = 0
      let status = output.withUnsafeMutableBytes { output in
        blocks.withUnsafeBytes { input in
          key.withUnsafeBytes { key in
            iv.withUnsafeBytes { iv in
              CCCrypt(
                CCOperation(encrypts ? kCCEncrypt : kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key.baseAddress,
                key.count, iv.baseAddress, input.baseAddress, input.count, output.baseAddress, output.count, &written)
            }
          }
        }
      }
      precondition(status == kCCSuccess && written == blocks.count, "AES takes whole blocks and a key of its sizes")
      return output
    #else
      do {
        let (iv, key) = (try AES._CBC.IV(ivBytes: iv), SymmetricKey(data: key))
        return encrypts
          ? try AES._CBC.encrypt(blocks, using: key, iv: iv, noPadding: true)
          : try AES._CBC.decrypt(blocks, using: key, iv: iv, noPadding: true)
      } catch {
        preconditionFailure("AES takes whole blocks and a key of its sizes")
      }
    #endif
  }
}
