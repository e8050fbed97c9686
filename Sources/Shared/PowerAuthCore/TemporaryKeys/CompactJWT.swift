// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// A JSON Web Token in its compact form (RFC 7519 §3, RFC 7515 §7.1), taken apart and not yet believed.
struct CompactJWT {
  /// Characters of the longest token.
  static let lengthMax = 4096

  enum Algorithm: String, Sendable {
    case hs256 = "HS256"
    case es256 = "ES256"
  }

  private struct Header: Decodable {
    let alg: String
    let typ: String?
  }

  let claims: Data
  let signature: Data
  /// What the signature covers.
  let signed: Data

  /// - Throws: `malformed(.temporaryKey)` for another algorithm, a type that is not `JWT`, or another form;
  ///   `tooLong(.temporaryKey)`.
  init(text: String, algorithm: Algorithm) throws(PowerAuthError) {
    guard text.utf8.count <= Self.lengthMax else { throw .tooLong(.temporaryKey) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Data(canonicalBase64URL: parts[0]),
      let claims = Data(canonicalBase64URL: parts[1]), let signature = Data(canonicalBase64URL: parts[2]),
      let header = try? WireJSON.decode(Header.self, from: header), header.alg == algorithm.rawValue,
      header.typ ?? "JWT" == "JWT"
    else { throw .malformed(.temporaryKey) }
    self.claims = claims
    self.signature = signature
    signed = Data("\(parts[0]).\(parts[1])".utf8)
  }

  /// Writes a token with the header that the protocol prescribes, to the byte.
  static func text(
    _ algorithm: Algorithm, claims: some Encodable, sign: (Data) throws(PowerAuthError) -> Data
  ) throws(PowerAuthError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let claims = try? encoder.encode(claims) else { throw .malformed(.temporaryKey) }
    let header = Data(#"{"alg":"\#(algorithm.rawValue)","typ":"JWT"}"#.utf8)
    let signed = "\(header.base64URL).\(claims.base64URL)"
    return "\(signed).\(try sign(Data(signed.utf8)).base64URL)"
  }
}
