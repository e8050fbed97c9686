// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One block of text that holds a key (RFC 7468), read as tolerantly as peers write it (specification §2).
package struct PEM: Hashable, Sendable {
  package enum Label: String, CaseIterable, Sendable {
    /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7): what the wire prescribes.
    case publicKey = "PUBLIC KEY"
    /// PKCS #1 (RFC 8017 §A.1.1): what an iOS key chain gives.
    case rsaPublicKey = "RSA PUBLIC KEY"
    /// PKCS #8 (RFC 5958).
    case privateKey = "PRIVATE KEY"
    /// PKCS #1 (RFC 8017 §A.1.2).
    case rsaPrivateKey = "RSA PRIVATE KEY"
  }

  /// Keys of 4096 bits have some 3,300.
  package static let charactersMax = 16_384
  private static let lineCharacters = 64

  package let label: Label
  package let der: Data

  package init(_ label: Label, der: Data) {
    self.label = label
    self.der = der
  }

  /// Tolerates lines of any length or none, CR LF, `\n` and `\r` that were escaped once too often, white space around
  /// and a missing last line end. Nothing else may stand before, after or between.
  /// - Throws: `malformed` or `tooLong`.
  package init(text: String) throws(SaltEdgeError) {
    guard text.utf8.count <= Self.charactersMax else { throw .tooLong(.pem) }
    var bytes = Self.unescaped(text.utf8)[...]
    while let last = bytes.last, last.isWhiteSpace { bytes = bytes.dropLast() }
    bytes = bytes.drop { $0.isWhiteSpace }
    for label in Label.allCases {
      let (begin, end) = (
        Array("-----BEGIN \(label.rawValue)-----".utf8), Array("-----END \(label.rawValue)-----".utf8)
      )
      guard bytes.starts(with: begin), bytes.count >= begin.count + end.count,
        bytes.suffix(end.count).elementsEqual(end)
      else { continue }
      let der = Base64Text.decode(bytes.dropFirst(begin.count).dropLast(end.count), .lines)
      guard let der, !der.isEmpty else { throw .malformed(.pem) }
      self.init(label, der: der)
      return
    }
    throw .malformed(.pem)
  }

  /// Lines of 64 characters that end in a line feed, the last too.
  package var text: String {
    var text = "-----BEGIN \(label.rawValue)-----\n"
    var letters = Substring(der.base64EncodedString())
    while !letters.isEmpty {
      text += letters.prefix(Self.lineCharacters) + "\n"
      letters = letters.dropFirst(Self.lineCharacters)
    }
    return text + "-----END \(label.rawValue)-----\n"
  }

  /// Without the two characters `\n` and `\r` that stand for a line end in badly quoted JSON or property files.
  private static func unescaped(_ text: String.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var afterBackslash = false
    for byte in text {
      if afterBackslash {
        afterBackslash = false
        if byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") { continue }
        bytes.append(UInt8(ascii: "\\"))
      }
      if byte == UInt8(ascii: "\\") {
        afterBackslash = true
      } else {
        bytes.append(byte)
      }
    }
    if afterBackslash { bytes.append(UInt8(ascii: "\\")) }
    return bytes
  }
}
