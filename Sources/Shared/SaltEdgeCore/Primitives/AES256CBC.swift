import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import Crypto
  import CryptoExtras
#endif

/// AES-256 in CBC mode with the padding of PKCS #7, as the wire prescribes (specification §4.10). It authenticates
/// nothing.
package enum AES256CBC {
  package static let keyBytes = 32
  package static let ivBytes = 16
  private static let blockBytes = 16

  /// - Precondition: the key has 32 bytes and the IV 16.
  package static func encrypt(_ plaintext: Data, key: Data, iv: Data) -> Data {
    transform(PKCS7.padded(plaintext), key: key, iv: iv, encrypts: true)
  }

  /// - Precondition: the key has 32 bytes and the IV 16.
  /// - Throws: `undecryptable` when there are no whole blocks or no padding.
  package static func decrypt(_ ciphertext: Data, key: Data, iv: Data) throws(SaltEdgeError) -> Data {
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockBytes) else { throw .undecryptable }
    let blocks = transform(ciphertext, key: key, iv: iv, encrypts: false)
    guard let plaintext = PKCS7.unpadded(blocks) else { throw .undecryptable }
    return plaintext
  }

  private static func transform(_ blocks: Data, key: Data, iv: Data, encrypts: Bool) -> Data {
    precondition(key.count == keyBytes && iv.count == ivBytes, "AES-256 has a key of 32 bytes and an IV of 16")
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
      precondition(status == kCCSuccess && written == blocks.count, "CBC takes whole blocks")
      return output
    #else
      do {
        let iv = try AES._CBC.IV(ivBytes: iv)
        let key = SymmetricKey(data: key)
        return encrypts
          ? try AES._CBC.encrypt(blocks, using: key, iv: iv, noPadding: true)
          : try AES._CBC.decrypt(blocks, using: key, iv: iv, noPadding: true)
      } catch {
        preconditionFailure("CBC takes whole blocks")
      }
    #endif
  }
}
