import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import Crypto
  import CryptoExtras
#endif

/// AES-128 in CBC mode. It authenticates nothing: whoever decrypts checks a MAC first, or can tell otherwise.
enum AES128CBC {
  enum Padding {
    case pkcs7, none
  }

  static let blockBytes = 16
  static let zeroIV = Data(count: blockBytes)

  /// - Precondition: without padding the plaintext is whole blocks.
  static func encrypt(_ plaintext: Data, key: SecretKey, iv: Data = zeroIV, padding: Padding) -> Data {
    let blocks = padding == .pkcs7 ? PKCS7.padded(plaintext) : plaintext
    return transform(blocks, key: key, iv: iv, encrypts: true)
  }

  /// - Throws: `notAuthentic` when there are no whole blocks, or no padding where there should be some.
  static func decrypt(
    _ ciphertext: Data, key: SecretKey, iv: Data = zeroIV, padding: Padding
  ) throws(PowerAuthError) -> Data {
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockBytes) else { throw .notAuthentic }
    let blocks = transform(ciphertext, key: key, iv: iv, encrypts: false)
    guard padding == .pkcs7 else { return blocks }
    guard let plaintext = PKCS7.unpadded(blocks) else { throw .notAuthentic }
    return plaintext
  }

  private static func transform(_ blocks: Data, key: SecretKey, iv: Data, encrypts: Bool) -> Data {
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
      precondition(status == kCCSuccess && written == blocks.count, "AES takes whole blocks and a key of 16 bytes")
      return output
    #else
      do {
        let iv = try AES._CBC.IV(ivBytes: iv)
        return encrypts
          ? try AES._CBC.encrypt(blocks, using: key.symmetric, iv: iv, noPadding: true)
          : try AES._CBC.decrypt(blocks, using: key.symmetric, iv: iv, noPadding: true)
      } catch {
        preconditionFailure("AES takes whole blocks and a key of 16 bytes")
      }
    #endif
  }
}
