// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether the bytes of a file are text that the parsers may be given.
enum ListText {
  /// The whole XML declaration stands in so many bytes; publishers write some forty.
  private static let headBytes = 256
  private static let attributesMax = 1000

  /// Foundation's XML parser ends the program on a name that is not UTF-8, and libxml2 lets such names through to it; so
  /// whatever is to be read as XML is looked at byte by byte before.
  /// It also ends the program on a processing instruction that is a name alone, such as `<?x?>`.
  /// - Throws: `ListFault` with the line of the first byte that is not UTF-8, of such an instruction, or of an element
  ///   with more than 1,000 attributes; for a declaration of another encoding; and for one that does not end in the
  ///   head, where its encoding is not seen.
  static func checkXML(_ file: ListReader.File) throws(ListFault) {
    if let line = file.bytes.withUnsafeBytes({ invalidLine($0) }) {
      throw ListFault(file: file.name, line: line, reason: "the text is not UTF-8")
    }
    if let line = file.bytes.withUnsafeBytes({ bareInstructionLine($0) }) {
      throw ListFault(file: file.name, line: line, reason: "a processing instruction is a name alone")
    }
    if let line = file.bytes.withUnsafeBytes({ crowdedLine($0) }) {
      throw ListFault(file: file.name, line: line, reason: "an element has more than 1,000 attributes")
    }
    let head = String(decoding: file.bytes.prefix(headBytes), as: UTF8.self).lowercased()
    // Not `<?xml-stylesheet`, which is no declaration.
    guard let start = head.firstRange(of: /<\?xml\s/) else { return }
    guard let end = head[start.upperBound...].firstRange(of: "?>") else {
      throw ListFault(file: file.name, line: 1, reason: "the XML declaration is longer than \(headBytes) bytes")
    }
    let declaration = head[start.upperBound..<end.lowerBound]
    guard !declaration.contains("encoding") || declaration.contains(/encoding\s*=\s*["']utf-?8["']/) else {
      throw ListFault(file: file.name, line: 1, reason: "the encoding is not UTF-8")
    }
  }

  private static func bareInstructionLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let (open, mark, close) = (UInt8(ascii: "<"), UInt8(ascii: "?"), UInt8(ascii: ">"))
    var (line, index) = (1, 0)
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      guard bytes[index] == open, bytes[index + 1] == mark else {
        index += 1
        continue
      }
      index += 2
      // A name has neither white space nor question marks; and what looks like one in a comment may end at the next
      // instruction, which is looked at in its turn.
      while index < bytes.count, bytes[index] > 0x20, bytes[index] != mark, bytes[index] != open { index += 1 }
      if index + 1 < bytes.count, bytes[index] == mark, bytes[index + 1] == close { return line }
    }
    return nil
  }

  /// The line of an element with more attributes than any of a list has. The parser compares each attribute of an
  /// element with all others of it, which would take minutes of a processor. Equals signs since the last `<` are no
  /// fewer than attributes of a tag, whose values have no `<`.
  private static func crowdedLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var (line, signs) = (1, 0)
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        line += 1
      } else if byte == UInt8(ascii: "<") {
        signs = 0
      } else if byte == UInt8(ascii: "=") {
        signs += 1
        if signs > attributesMax { return line }
      }
    }
    return nil
  }

  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool { invalidLine(bytes) == nil }

  /// The line of the first byte that is not UTF-8 or is zero; nil when all is text.
  static func invalidLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var line = 1
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      if first < 0x80 {
        if first == UInt8(ascii: "\n") { line += 1 }
        if first == 0 { return line }
        index += 1
        continue
      }
      let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      guard (0xC2...0xF4).contains(first), index + count <= bytes.count,
        secondBytes(after: first).contains(bytes[index + 1])
      else { return line }
      for place in index + 2..<index + max(count, 2) where !(0x80...0xBF).contains(bytes[place]) { return line }
      index += count
    }
    return nil
  }

  /// What may stand behind the first byte of a character of several (Unicode, table 3-7): no overlong form, no half of
  /// a pair of UTF-16, nothing beyond U+10FFFF.
  private static func secondBytes(after first: UInt8) -> ClosedRange<UInt8> {
    switch first {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
  }
}
