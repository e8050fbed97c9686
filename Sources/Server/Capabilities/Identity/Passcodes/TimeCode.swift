// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

/// Codes of authenticator apps: TOTP with HMAC-SHA-1, six digits, 30 seconds (RFC 6238, RFC 4226), which every such app
/// knows.
package enum TimeCode {
  package static let digits = 6
  package static let stepSeconds: Int64 = 30
  /// Bytes of a new secret: the length of the hash (RFC 4226 §4, requirement 6).
  package static let secretLength = 20

  package static func step(at now: Instant) -> Int64 { now.seconds / stepSeconds }

  package static func code(_ secret: Data, step: Int64) -> String {
    let counter = withUnsafeBytes(of: UInt64(bitPattern: step).bigEndian) { Data($0) }
    let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
    let offset = Int(mac[19] & 15)
    let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// The step whose code this is: now, the one before or the one after (RFC 6238 §5.2), and later than the one that
  /// was used last, so that no code counts twice.
  package static func match(_ code: String, _ secret: Data, at now: Instant, after last: Int64?) -> Int64? {
    let typed = code.filter { !$0.isWhitespace }
    guard typed.utf8.count == digits else { return nil }
    let current = step(at: now)
    return (current - 1...current + 1).first { step in
      step > last ?? .min && Data(Self.code(secret, step: step).utf8).isEqualInConstantTime(to: Data(typed.utf8))
    }
  }

  /// RFC 4648 §6 without padding: how people and apps take a secret.
  package static func base32(_ secret: Data) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var text = ""
    var (buffer, bits) = (UInt32(0), 0)
    for byte in secret {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
      }
      buffer &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
    return text
  }

  /// What a QR code for authenticator apps says (Google Authenticator's key URI format).
  package static func address(_ secret: Data, issuer: String, account: String) -> String {
    func escaped(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
    }
    return "otpauth://totp/\(escaped(issuer)):\(escaped(account))?secret=\(base32(secret))&issuer=\(escaped(issuer))"
      + "&algorithm=SHA1&digits=\(digits)&period=\(stepSeconds)"
  }
}
