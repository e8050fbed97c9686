import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import Crypto
  import CryptoExtras
#endif

/// PBKDF2 with HMAC-SHA-1 (RFC 8018 §5.2), as PowerAuth protects the knowledge factor on a device (powerauth.md §3.5).
///
/// SHA-1 and 10 000 rounds are the protocol's. They are weak, and do not matter much: a wrong password gives another
/// key and not an error, so that guesses have to be tried against the server, which counts them.
enum PBKDF2 {
  /// - Throws: `invalidKey` when the platform refuses the parameters.
  static func derive(password: Data, salt: Data, rounds: Int) throws(PowerAuthError) -> SecretKey {
    #if canImport(CommonCrypto)
      var output = Data(count: SecretKey.byteCount)
      let status = output.withUnsafeMutableBytes { output in
        password.withUnsafeBytes { password in
          salt.withUnsafeBytes { salt in
            CCKeyDerivationPBKDF(
              CCPBKDFAlgorithm(kCCPBKDF2), password.bindMemory(to: CChar.self).baseAddress, password.count,
              salt.bindMemory(to: UInt8.self).baseAddress, salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1),
              UInt32(rounds), output.bindMemory(to: UInt8.self).baseAddress, output.count)
          }
        }
      }
      guard status == kCCSuccess else { throw .invalidKey }
      return try SecretKey(output)
    #else
      let key = try? KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt, using: .insecureSHA1, outputByteCount: SecretKey.byteCount,
        unsafeUncheckedRounds: rounds)
      guard let key else { throw .invalidKey }
      return SecretKey(key)
    #endif
  }
}
