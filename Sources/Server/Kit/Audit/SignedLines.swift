// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The form of a checkpoint of the audit and of the proof of an erasure: JSON, a line feed, and the Ed25519 signature
/// (RFC 8032) of the JSON in Base64, so that common tools cut it apart and check it.
enum SignedLines {
  static func document(of value: some Encodable, by key: Curve25519.Signing.PrivateKey) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = try encoder.encode(value)
    return body + Data("\n\(try key.signature(for: body).base64EncodedString())\n".utf8)
  }

  /// - Returns: nil for a document of another form. Nothing is checked yet.
  static func parts(of document: Data) -> (body: Data, signature: Data)? {
    let lineFeed = UInt8(ascii: "\n")
    guard let end = document.firstIndex(of: lineFeed),
      let signature = Data(base64Encoded: document[(end + 1)...].filter { $0 != lineFeed })
    else { return nil }
    return (document[..<end], signature)
  }
}
