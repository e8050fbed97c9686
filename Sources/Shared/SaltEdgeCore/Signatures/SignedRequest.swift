// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the signature of a v1 request covers (specification §4.4): method, URL, expiry and body, joined by `|`.
public struct SignedRequest: Hashable, Sendable, Redacted {
  public static let signatureHeader = "Signature"
  public static let expiryHeader = "Expires-At"
  public static let urlBytesMax = 8192
  /// Of any signed body, on both wires.
  public static let bodyBytesMax = 1 << 20
  private static let expiryDigitsMax = 18
  private static let separator = UInt8(ascii: "|")

  /// In any case: it is signed in lower case.
  public let method: String
  /// As the client asked for it: scheme, host, port if it has one, path and query. A server behind a proxy uses its
  /// public address.
  public let url: String
  /// As the header has it; nil when it is absent.
  public let expiresAt: String?
  /// The very bytes that are sent; empty when there is no body.
  public let body: Data

  /// As a server receives it.
  public init(method: String, url: String, expiresAt: String?, body: Data) {
    (self.method, self.url, self.expiresAt, self.body) = (method, url, expiresAt, body)
  }

  /// As a device is going to send it.
  /// - Parameter expiresAtSeconds: since 1970, UTC; apps sign for `SignatureExpiry.secondsByDefault` from now.
  public init(method: String, url: String, expiresAtSeconds: Int64, body: Data) {
    self.init(method: method, url: url, expiresAt: String(expiresAtSeconds), body: body)
  }

  /// The signed bytes.
  /// - Throws: `signatureExpired` without an expiry of decimal digits, `malformed` for a URL that no client sends,
  ///   `tooLong`.
  public func signedBytes() throws(SaltEdgeError) -> Data {
    guard let expiresAt, expiry != nil else { throw .signatureExpired }
    guard url.utf8.count <= Self.urlBytesMax else { throw .tooLong(.url) }
    // No URL has a bar (RFC 3986 §2). With one, the parts could be read in two ways.
    guard url.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != Self.separator }),
      !method.isEmpty, method.utf8.allSatisfy({ $0 != Self.separator })
    else { throw .malformed(.url) }
    guard body.count <= Self.bodyBytesMax else { throw .tooLong(.body) }
    var bytes = Data("\(method.lowercased())|\(url)|\(expiresAt)|".utf8)
    bytes.append(body)
    return bytes
  }

  /// The value of the header: Base64 in one line.
  /// - Throws: what `signedBytes` throws, or `invalidKey`.
  public func signature(with key: RSAPrivateKey) throws(SaltEdgeError) -> String {
    try key.signature(for: signedBytes()).base64EncodedString()
  }

  /// Checks in the order of the public server: there is a signature, it has not expired, it is right.
  ///
  /// The same request can come again until it expires: what changes something must be good for once, or remember
  /// signatures that long (specification §13).
  /// - Parameters:
  ///   - signature: the header's value, nil when it is absent. Only the one spelling of Base64 is taken, so that
  ///     a server that remembers signatures knows them by their text.
  ///   - nowSeconds: since 1970, UTC.
  /// - Throws: `signatureMissing`, `signatureExpired`, `invalidSignature`, or `tooLong`.
  public func verify(
    _ signature: String?, with key: RSAPublicKey, nowSeconds: Int64,
    secondsAheadMax: Int64 = SignatureExpiry.secondsAheadMax
  ) throws(SaltEdgeError) {
    guard let signature, !signature.isEmpty else { throw .signatureMissing }
    guard let expiry else { throw .signatureExpired }
    try SignatureExpiry.check(expiry, now: nowSeconds, secondsAheadMax: secondsAheadMax)
    // As many letters as the modulus needs: what is longer is not decoded at all.
    guard signature.utf8.count <= (key.modulusBytes + 2) / 3 * 4,
      let bytes = Base64Text.decode(signature.utf8, .standard)
    else { throw .invalidSignature }
    let signed: Data
    do { signed = try signedBytes() } catch {
      if case .malformed = error { throw .invalidSignature }
      throw error
    }
    guard key.isValidSignature(bytes, for: signed) else { throw .invalidSignature }
  }

  /// Seconds since 1970; nil when the header is missing or not made of decimal digits.
  private var expiry: Int64? {
    guard let expiresAt, (1...Self.expiryDigitsMax).contains(expiresAt.utf8.count),
      expiresAt.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(expiresAt)
  }
}
