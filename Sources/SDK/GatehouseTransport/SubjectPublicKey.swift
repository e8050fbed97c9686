// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Finds the public key in a certificate (RFC 5280 §4.1).
///
/// A certificate is a SEQUENCE whose first element is a SEQUENCE of: version `[0]` if not 1, serial number, signature
/// algorithm, issuer, validity, subject, SubjectPublicKeyInfo and more. Only tags and lengths are read.
enum SubjectPublicKey {
  /// - Returns: the SubjectPublicKeyInfo in DER, its tag and length included; nil for what is not a certificate.
  static func info(ofCertificate der: Data) -> Data? {
    var outer = DER(bytes: Array(der)[...])
    guard let certificate = outer.next(), certificate.tag == DER.sequence else { return nil }
    var inner = DER(bytes: certificate.content)
    guard let body = inner.next(), body.tag == DER.sequence else { return nil }
    var members = DER(bytes: body.content)
    guard var member = members.next() else { return nil }
    if member.tag == DER.version { member = members.next() ?? member }
    // The serial number was read; algorithm, issuer, validity and subject lie between it and the key.
    for _ in 0..<4 where members.next() == nil { return nil }
    guard let key = members.next(), key.tag == DER.sequence else { return nil }
    return Data(key.whole)
  }
}

/// One element after the other of DER (X.690 §8.1), definite lengths only.
private struct DER {
  static let sequence: UInt8 = 0x30
  static let version: UInt8 = 0xA0

  struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    let whole: ArraySlice<UInt8>
  }

  var bytes: ArraySlice<UInt8>

  mutating func next() -> Element? {
    guard let tag = bytes.first, tag & 0x1F != 0x1F else { return nil }
    var rest = bytes.dropFirst()
    guard let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let count = Int(first & 0x7F)
      guard (1...4).contains(count), rest.count >= count else { return nil }
      length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard rest.count >= length else { return nil }
    let content = rest.prefix(length)
    defer { bytes = rest.dropFirst(length) }
    return Element(tag: tag, content: content, whole: bytes[bytes.startIndex..<content.endIndex])
  }
}
