// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
  import CryptoKit
#else
  import Crypto
  import CryptoExtras
#endif

/// PBKDF2 with HMAC (RFC 8018 §5.2).
package enum PBKDF2 {
  package enum Hash {
    case sha1, sha256
  }

  /// - Returns: nil when the platform refuses the parameters.
  package static func derive(password: Data, salt: Data, rounds: Int, hash: Hash, count: Int) -> SymmetricKey? {
    #if canImport(CommonCrypto)
      var output = Data(count: count)
      let algorithm = hash == .sha1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256
      let status = output.withUnsafeMutableBytes { output in
        password.withUnsafeBytes { password in
          salt.withUnsafeBytes { salt in
            CCKeyDerivationPBKDF(
              CCPBKDFAlgorithm(kCCPBKDF2), password.bindMemory(to: CChar.self).baseAddress, password.count,
              salt.bindMemory(to: UInt8.self).baseAddress, salt.count, CCPseudoRandomAlgorithm(algorithm),
              UInt32(rounds), output.bindMemory(to: UInt8.self).baseAddress, output.count)
          }
        }
      }
      return status == kCCSuccess ? SymmetricKey(data: output) : nil
    #else
      return try? KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt, using: hash == .sha1 ? .insecureSHA1 : .sha256, outputByteCount: count,
        unsafeUncheckedRounds: rounds)
    #endif
  }
}
