// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Names that are written in Latin, Greek-free European or Cyrillic letters, which most are: read byte by byte from a
/// table, because Unicode's properties and normal forms take ten times as long as all else that a search does.
///
/// The table is made by `Transliteration` itself, letter by letter, so that both read the same. What depends on its
/// neighbours, such as a mark that follows its letter, is left to it.
enum LatinReading {
  /// Words of a person's name in upper-case Latin letters, as `ListedName` reads them; digits stand for letters there.
  /// - Returns: nil when a letter is in no table here.
  static func words(of text: some StringProtocol) -> [String]? {
    var text = String(text)
    return text.withUTF8 { bytes -> [String]? in
      var words: [String] = []
      // What a blank ends may have hyphens within; whether it has a letter decides what its digits are.
      var index = 0
      while index < bytes.count {
        let start = index
        var (hasDigit, hasLetter) = (false, false)
        while index < bytes.count, !isBlank(bytes[index]) {
          let byte = bytes[index]
          if byte >= 0x80 {
            guard index + 1 < bytes.count, let code = code(byte, bytes[index + 1]), readings[code] != nil else {
              return nil
            }
            hasLetter = hasLetter || isLetter[code]
            index += 2
          } else {
            if isDigit(byte) { hasDigit = true } else if isASCIILetter(byte) { hasLetter = true }
            index += 1
          }
        }
        if start < index, !hasDigit || hasLetter { append(bytes, start..<index, to: &words) }
        index += 1
      }
      return words
    }
  }

  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to words: inout [String]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count * readingMax) { letters in
      var count = 0
      func end() {
        if count > 0 { words.append(String(decoding: letters[0..<count], as: UTF8.self)) }
        count = 0
      }
      var index = range.lowerBound
      while index < range.upperBound {
        let byte = bytes[index]
        if byte >= 0x80 {
          let reading = code(byte, bytes[index + 1]).flatMap { readings[$0] } ?? []
          for letter in reading {
            letters[count] = letter
            count += 1
          }
          index += 2
          continue
        }
        index += 1
        let letter = ascii[Int(byte)]
        if letter == wordEnd {
          end()
        } else if letter != 0 {
          letters[count] = letter
          count += 1
        }
      }
      end()
    }
  }

  private static let readingMax = 6
  private static let wordEnd: UInt8 = 1
  private static let first = 0xC0
  private static let last = 0x4FF

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  private static func isASCIILetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

  /// Place of a letter of two bytes in the tables.
  private static func code(_ lead: UInt8, _ next: UInt8) -> Int? {
    guard (0xC3...0xD3).contains(lead) else { return nil }
    let value = Int(lead & 0x1F) << 6 | Int(next & 0x3F)
    return value <= last ? value - first : nil
  }

  /// Of letters that do not depend on their neighbours; nil of others.
  private static let readings: [[UInt8]?] = (first...last).map { value in
    // Marks (0300 on), Greek, and Cyrillic's marks are read with what stands before them.
    guard !(0x2B0...0x3FF).contains(value), !(0x483...0x489).contains(value), let scalar = Unicode.Scalar(value)
    else { return nil }
    let words = Transliteration.words(of: String(Character(scalar)))
    let inside = Transliteration.words(of: "x\(Character(scalar))x")
    let reading = words.first.map { Array($0.utf8) } ?? []
    // Nothing that ends a word or changes its neighbours.
    guard words.count <= 1, reading.count <= readingMax, inside == ["X\(words.first ?? "")X"] else { return nil }
    return reading
  }

  private static let isLetter: [Bool] = (first...last).map { value in
    Unicode.Scalar(value).map { Character($0).isLetter } ?? false
  }

  /// Upper-case letters, also for digits that are typed for letters; `wordEnd` for what ends a word, 0 for what is left
  /// out.
  private static let ascii: [UInt8] = {
    var table = [UInt8](repeating: 0, count: 128)
    for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      table[Int(letter)] = letter
      table[Int(letter | 0x20)] = letter
    }
    for end in "-/.,;<&".utf8 { table[Int(end)] = wordEnd }
    for (digit, letter) in ListedName.lookalikes {
      if let digit = digit.asciiValue, let letter = letter.uppercased().utf8.first { table[Int(digit)] = letter }
    }
    return table
  }()
}
