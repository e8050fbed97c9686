// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

/// AWS Signature Version 4 in the `Authorization` header, as S3 requires it (Amazon S3 API Reference, "Authenticating
/// Requests: Using the Authorization Header"). Pure: the same values, the same signature.
///
/// 1. The canonical request is six lines: method, path, query, headers, their names, digest of the payload.
/// 2. Path and query are percent-encoded once; only S3 does not encode the path twice, nor resolve dots in it.
/// 3. The string to sign names the instant, the scope (day, region, service) and the digest of 1.
/// 4. The key is derived from the secret through day, region and service.
struct SignatureV4: Sendable {
  let credentials: S3Credentials
  let region: String

  /// What is signed.
  struct Message: Sendable {
    var method: String
    /// Not percent-encoded; begins with `/`.
    var path: String
    /// Neither encoded nor sorted.
    var query: [(name: String, value: String)]
    /// Every one is signed; `host` among them. No name twice.
    var headers: [(name: String, value: String)]
    /// SHA-256, hexadecimal.
    var payloadDigest: String
  }

  /// - Returns: the headers to send, those of the message included.
  func signed(_ message: Message, at now: Instant) -> [(name: String, value: String)] {
    var message = message
    let time = Self.time(now)
    message.headers += [("x-amz-date", time), ("x-amz-content-sha256", message.payloadDigest)]
    if let token = credentials.sessionToken { message.headers.append(("x-amz-security-token", token)) }

    let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
    let text = stringToSign(message, at: time, scope: scope)
    let signature = authenticationCode(text, signingKey(day: String(time.prefix(8))))
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(Self.signedNames(message)), Signature=\(signature.hex)"
    return message.headers + [("authorization", authorization)]
  }

  func stringToSign(_ message: Message, at time: String, scope: String) -> String {
    let digest = SHA256.hash(data: Data(Self.canonicalRequest(message).utf8))
    return "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(digest.hex)"
  }

  static func canonicalRequest(_ message: Message) -> String {
    let query = query(message.query)
    let headers = sorted(message).map { "\($0.name):\($0.value)\n" }.joined()
    return [
      message.method, encoded(message.path, keeping: "/"), query, headers, signedNames(message), message.payloadDigest,
    ].joined(separator: "\n")
  }

  /// Encoded and sorted; what is signed is also what is sent.
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (encoded($0.name), encoded($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// Percent-encodes all but the unreserved characters of RFC 3986 §2.3.
  static func encoded(_ text: String, keeping: String = "") -> String {
    let kept = Set("-._~".utf8).union(keeping.utf8)
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122: result.unicodeScalars.append(UnicodeScalar(byte))
      case _ where kept.contains(byte): result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += "%" + [byte].hex.uppercased()
      }
    }
    return result
  }

  /// `20261121T060000Z`
  static func time(_ now: Instant) -> String { now.rfc3339.filter { $0 != "-" && $0 != ":" } }

  private static func sorted(_ message: Message) -> [(name: String, value: String)] {
    message.headers.map { header in
      // Runs of spaces count as one.
      (header.name.lowercased(), header.value.split(separator: " ").joined(separator: " "))
    }.sorted { $0.0 < $1.0 }
  }

  private static func signedNames(_ message: Message) -> String {
    message.headers.map { $0.name.lowercased() }.sorted().joined(separator: ";")
  }

  private func signingKey(day: String) -> HMAC<SHA256>.MAC {
    [region, "s3", "aws4_request"].reduce(
      HMAC<SHA256>.authenticationCode(
        for: Data(day.utf8), using: SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8)))
    ) { authenticationCode($1, $0) }
  }

  private func authenticationCode(_ text: String, _ key: HMAC<SHA256>.MAC) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))
  }
}
