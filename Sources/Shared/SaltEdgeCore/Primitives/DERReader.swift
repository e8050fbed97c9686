// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads what keys need of DER (ITU-T X.690): definite lengths in their one spelling, nothing left over.
struct DERReader {
  enum Tag: UInt8 {
    case integer = 0x02, bitString = 0x03, octetString = 0x04, null = 0x05, objectIdentifier = 0x06, sequence = 0x30
    /// Attributes of PKCS #8, `[0]`.
    case attributes = 0xa0
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) {
    rest = Array(bytes)[...]
  }

  func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

  /// The contents of the next value.
  /// - Throws: `invalidKey` when it has another tag, or a length that is indefinite, too long or spelled too long.
  mutating func read(_ tag: Tag) throws(SaltEdgeError) -> ArraySlice<UInt8> {
    guard rest.popFirst() == tag.rawValue, let first = rest.popFirst() else { throw .invalidKey }
    var count = Int(first)
    if first >= 0x80 {
      // Two length bytes reach 65,535: more than any key that is read here.
      let lengthBytes = Int(first & 0x7f)
      guard (1...2).contains(lengthBytes), rest.count >= lengthBytes else { throw .invalidKey }
      count = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
      guard count >= (lengthBytes == 1 ? 0x80 : 0x100) else { throw .invalidKey }
      rest = rest.dropFirst(lengthBytes)
    }
    guard rest.count >= count else { throw .invalidKey }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The magnitude of the next integer, most significant byte first, without leading zeros; none for zero.
  /// - Throws: `invalidKey` also for negative integers and superfluous zeros.
  mutating func readUnsigned() throws(SaltEdgeError) -> ArraySlice<UInt8> {
    let bytes = try read(.integer)
    guard let first = bytes.first, first < 0x80 else { throw .invalidKey }
    guard first == 0 else { return bytes }
    let magnitude = bytes.dropFirst()
    if let next = magnitude.first, next < 0x80 { throw .invalidKey }
    return magnitude
  }

  /// - Throws: `invalidKey` when something is left.
  func finish() throws(SaltEdgeError) {
    guard rest.isEmpty else { throw .invalidKey }
  }

  /// A whole value: tag, length and contents.
  static func value(_ tag: Tag, _ contents: some Collection<UInt8>) -> Data {
    let count = contents.count
    precondition(count <= 0xffff, "a key has at most 65,535 bytes")
    var value = Data([tag.rawValue])
    if count >= 0x100 {
      value += [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
    } else if count >= 0x80 {
      value += [0x81, UInt8(count)]
    } else {
      value.append(UInt8(count))
    }
    return value + contents
  }
}
