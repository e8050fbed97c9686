// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// The signature of a v2 request: a JWS (RFC 7515) whose payload, the raw body, is not repeated in the header
/// (appendix F). The body is `{"data": …, "exp": seconds}`.
public enum DetachedJWS {
  public static let header = "x-jws-signature"
  private static let headerBytesMax = 1024
  /// `{"alg":"RS256"}`, as apps write it.
  private static let appHeader = Base64Text.url(Data(#"{"alg":"RS256"}"#.utf8))
  private static let dot = UInt8(ascii: ".")

  private struct ProtectedHeader: Decodable {
    let algorithm: String
    /// Whether there are extensions that must be understood (RFC 7515 §4.1.11): we understand none.
    let isCritical: Bool
    /// Whether the payload is encoded (RFC 7797 §3).
    let isEncoded: Bool

    private enum Name: String, CodingKey { case alg, crit, b64 }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Name.self)
      algorithm = try members.decode(String.self, forKey: .alg)
      isCritical = members.contains(.crit)
      isEncoded = try !members.contains(.b64) || members.decode(Bool.self, forKey: .b64)
    }
  }

  private struct SignedBody: Decodable {
    let exp: Int64
  }

  /// The value of the header over the very bytes that are going to be sent.
  /// - Throws: `tooLong` or `invalidKey`.
  public static func sign(_ body: Data, with key: RSAPrivateKey) throws(SaltEdgeError) -> String {
    guard body.count <= SignedRequest.bodyBytesMax else { throw .tooLong(.body) }
    let signature = try key.signature(for: signedBytes(header: Array(appHeader.utf8), body: body))
    return "\(appHeader)..\(Base64Text.url(signature))"
  }

  /// Checks that there is a signature, that it is right, and that the body has not expired.
  ///
  /// The same request can come again until it expires: what changes something must be good for once, or remember
  /// signatures that long (specification §13).
  /// - Parameters:
  ///   - signature: the header's value, nil when it is absent; only the one spelling of base64url is taken.
  ///   - body: the raw body, as it was received.
  ///   - nowSeconds: since 1970, UTC.
  /// - Throws: `signatureMissing`, `invalidSignature`, `signatureExpired`, or `tooLong`.
  public static func verify(
    _ signature: String?, body: Data, with key: RSAPublicKey, nowSeconds: Int64,
    secondsAheadMax: Int64 = SignatureExpiry.secondsAheadMax
  ) throws(SaltEdgeError) {
    try verify(signature, body: body, with: key)
    // Only now, because what another party wrote is not to be read.
    guard let expiry = try? WireJSON.decode(SignedBody.self, from: body).exp else { throw .signatureExpired }
    try SignatureExpiry.check(expiry, now: nowSeconds, secondsAheadMax: secondsAheadMax)
  }

  /// Checks the signature alone: evidence stays evidence when it has expired.
  /// - Throws: `signatureMissing`, `invalidSignature` or `tooLong`.
  public static func verify(_ signature: String?, body: Data, with key: RSAPublicKey) throws(SaltEdgeError) {
    guard let signature, !signature.isEmpty else { throw .signatureMissing }
    guard body.count <= SignedRequest.bodyBytesMax else { throw .tooLong(.body) }
    guard signature.utf8.count <= headerBytesMax + key.modulusBytes * 2 else { throw .invalidSignature }
    let segments = signature.utf8.split(separator: dot, maxSplits: 3, omittingEmptySubsequences: false)
    guard segments.count == 3, segments[1].isEmpty, isRS256(segments[0]),
      let bytes = Base64Text.decode(segments[2], .url),
      key.isValidSignature(bytes, for: signedBytes(header: segments[0], body: body))
    else { throw .invalidSignature }
  }

  private static func signedBytes(header: some Collection<UInt8>, body: Data) -> Data {
    var bytes = Data(header)
    bytes.append(dot)
    bytes.append(contentsOf: Base64Text.url(body).utf8)
    return bytes
  }

  /// Whether the algorithm is the one that there is, and nothing asks for more.
  private static func isRS256(_ segment: Substring.UTF8View) -> Bool {
    if segment.elementsEqual(appHeader.utf8) { return true }
    guard segment.count <= headerBytesMax, let json = Base64Text.decode(segment, .url),
      let header = try? WireJSON.decode(ProtectedHeader.self, from: json)
    else { return false }
    return header.algorithm == "RS256" && header.isEncoded && !header.isCritical
  }
}
