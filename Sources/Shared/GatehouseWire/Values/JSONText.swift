// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is asked of the bytes of a JSON text before they are read, because Foundation's readers take more than the
/// readers before and behind them do, and not all the same: UTF-16 and UTF-32 (RFC 8259 §8.1), two members of one name
/// (RFC 8259 §4, RFC 7493 §2.3), nesting of hundreds of levels, and texts that take time by the square of their length
/// to compare. `JSONDecoder` does not read members that a type does not ask for, so that they are looked at here as
/// well. Whether the text is JSON otherwise the reader decides.
public enum JSONText {
  /// How many objects and arrays may be open at once. No form of the five systems needs more.
  public static let depthMax = 32
  /// Bytes of a name, as it is spelt. The readers keep names in dictionaries, and compare them.
  public static let nameBytesMax = 512

  /// Why a text is not read. None of these quotes it.
  public enum Fault: Error, Equatable, Sendable {
    /// Not UTF-8.
    case encoding
    /// More than `depthMax` objects and arrays in one another.
    case depth
    /// An object has two members of one name.
    case repeatedName
    /// A name has more than `nameBytesMax` bytes.
    case longName
    /// A text or a name has more than `StreamSafeText.nonStartersMax` non-starters in a row (UAX #15 §13), spelt with
    /// escapes or not.
    case combiningMarks
    /// What both readers may pass over and RFC 8259 does not have: a comma before a closing bracket, or a name with an
    /// escape of no character, such as half of a surrogate pair.
    case syntax
  }

  /// - Throws: the first fault of the text.
  public static func check(_ text: Data) throws(Fault) {
    // A JSON text begins with ASCII: in UTF-16 and UTF-32 one of the first four bytes is zero, and in UTF-8 none is.
    guard !text.prefix(4).contains(0), String(data: text, encoding: .utf8) != nil else { throw .encoding }
    if let fault = text.withUnsafeBytes({ JSONTextScan(bytes: $0).fault() }) { throw fault }
  }
}

/// One pass over a text that looks at brackets and names only.
private struct JSONTextScan {
  let bytes: UnsafeRawBufferPointer

  /// Names are compared below, so that their marks come first.
  func fault() -> JSONText.Fault? { isStreamSafe() ? faultOfStructure() : .combiningMarks }

  private func faultOfStructure() -> JSONText.Fault? {
    // The names of each open object, nil for an open array.
    var open: [Set<String>?] = []
    // The last byte that is no white space.
    var last: UInt8 = 0
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < JSONText.depthMax else { return .depth }
        open.append(bytes[place] == UInt8(ascii: "{") ? [] : nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard last != UInt8(ascii: ",") else { return .syntax }
        _ = open.popLast()
      case UInt8(ascii: "\""):
        // A text that ends within a string is no JSON.
        guard let end = closingQuote(of: place) else { return nil }
        if !open.isEmpty, isName(endingAt: end) {
          guard end - place <= JSONText.nameBytesMax + 1 else { return .longName }
          guard let name = name(place + 1..<end) else { return .syntax }
          // Swift's equality, so that these are the names that would be one key for the reader.
          if open[open.count - 1]?.insert(name).inserted == false { return .repeatedName }
        }
        place = end
      default: break
      }
      if !isSpace(bytes[place]) { last = bytes[place] }
      place += 1
    }
    return nil
  }

  /// Whether no run of non-starters is too long, as the reader understands the text: each escape is its character.
  /// Where texts begin and end does not matter, because what stands between two of them is a starter.
  private func isStreamSafe() -> Bool {
    guard StreamSafeText.mayHaveNonStarters(bytes) || hasUnicodeEscape() else { return true }
    var run = NonStarterRun()
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\\") else {
        let (scalar, length) = scalar(at: place)
        guard run.goOn(with: scalar) else { return false }
        place += length
        continue
      }
      if let (scalar, length) = escape(bytes[place...]) {
        guard run.goOn(with: scalar) else { return false }
        place += length
      } else {
        // Of no character: whatever a reader makes of it, it ends no run.
        place += bytes.dropFirst(place + 1).first == UInt8(ascii: "u") ? 6 : 2
      }
    }
    return true
  }

  private func hasUnicodeEscape() -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var from = 0
    while from < bytes.count - 1, let found = memchr(base + from, CInt(UInt8(ascii: "\\")), bytes.count - 1 - from) {
      from = UnsafeRawPointer(found) - base + 1
      if bytes[from] == UInt8(ascii: "u") { return true }
    }
    return false
  }

  /// A character of UTF-8, which the text is, and how many bytes it takes.
  private func scalar(at place: Int) -> (Unicode.Scalar, Int) {
    let first = bytes[place]
    guard first >= 0xc0 else { return (Unicode.Scalar(first), 1) }
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    guard place + length <= bytes.count else { return (Unicode.Scalar(first), bytes.count - place) }
    let value = bytes[place + 1..<place + length].reduce(UInt32(first) & (0xff >> (length + 1))) {
      $0 << 6 | UInt32($1 & 0x3f)
    }
    return (Unicode.Scalar(value) ?? "\u{fffd}", length)
  }

  /// Texts of a picture are long: the search is the C library's.
  private func closingQuote(of opening: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var from = opening + 1
    while from < bytes.count, let found = memchr(base + from, CInt(UInt8(ascii: "\"")), bytes.count - from) {
      let quote = UnsafeRawPointer(found) - base
      // An odd number of backslashes before a quote escapes it.
      var first = quote
      while first > opening + 1, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
      if (quote - first).isMultiple(of: 2) { return quote }
      from = quote + 1
    }
    return nil
  }

  /// Whether a string is followed by a colon.
  private func isName(endingAt end: Int) -> Bool {
    var next = end + 1
    while next < bytes.count, isSpace(bytes[next]) { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

  /// A name as the reader understands it, from what stands between its quotes; nil for escapes that it has not.
  private func name(_ range: Range<Int>) -> String? {
    guard bytes[range].contains(UInt8(ascii: "\\")) else { return String(decoding: bytes[range], as: UTF8.self) }
    var (text, place) = ([UInt8](), range.lowerBound)
    while place < range.upperBound {
      guard bytes[place] == UInt8(ascii: "\\") else {
        text.append(bytes[place])
        place += 1
        continue
      }
      guard let (character, length) = escape(bytes[place..<range.upperBound]) else { return nil }
      text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
      place += length
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The character of the escape with which some bytes begin, and how many of them it takes (RFC 8259 §7).
  private func escape(_ bytes: Slice<UnsafeRawBufferPointer>) -> (Unicode.Scalar, Int)? {
    switch bytes.dropFirst().first {
    case UInt8(ascii: "\""): ("\"", 2)
    case UInt8(ascii: "\\"): ("\\", 2)
    case UInt8(ascii: "/"): ("/", 2)
    case UInt8(ascii: "b"): ("\u{8}", 2)
    case UInt8(ascii: "f"): ("\u{c}", 2)
    case UInt8(ascii: "n"): ("\n", 2)
    case UInt8(ascii: "r"): ("\r", 2)
    case UInt8(ascii: "t"): ("\t", 2)
    default: unicodeEscape(bytes)
    }
  }

  /// The same for four digits, and for a surrogate pair.
  private func unicodeEscape(_ bytes: Slice<UnsafeRawBufferPointer>) -> (Unicode.Scalar, Int)? {
    guard let high = codeUnit(bytes) else { return nil }
    if let character = Unicode.Scalar(high) { return (character, 6) }
    guard UTF16.isLeadSurrogate(high), let low = codeUnit(bytes.dropFirst(6)), UTF16.isTrailSurrogate(low) else {
      return nil
    }
    return (UTF16.decode(UTF16.EncodedScalar([high, low])), 12)
  }

  /// The code unit of UTF-16 that `\u` and four digits mean.
  private func codeUnit(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt16? {
    let escape = bytes.prefix(6)
    guard escape.count == 6, escape.starts(with: "\\u".utf8) else { return nil }
    var unit: UInt16 = 0
    for digit in escape.dropFirst(2) {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 0x80 else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}
