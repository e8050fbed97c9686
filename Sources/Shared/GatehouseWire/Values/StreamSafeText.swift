// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Text in the Stream-Safe Text Format (Unicode Standard Annex #15 §13): nowhere do more than 30 non-starters, such as
/// combining accents and vowel points, follow one another when the text is decomposed (NFKD).
///
/// Comparing, hashing and normalising a text sorts each run of them, in time by the square of its length: 32,000 in a
/// row take seconds. No language needs more than a handful; the Annex chose a number that is beyond any of them.
public enum StreamSafeText {
  /// How many non-starters may follow one another.
  public static let nonStartersMax = 30

  public static func isSafe(_ text: some StringProtocol) -> Bool {
    guard mayHaveNonStarters(text.utf8) else { return true }
    var run = NonStarterRun()
    return text.unicodeScalars.allSatisfy { run.goOn(with: $0) }
  }

  /// The same for bytes; those that are no UTF-8 end a run.
  public static func isSafe(utf8 bytes: some Collection<UInt8>) -> Bool {
    guard mayHaveNonStarters(bytes) else { return true }
    var run = NonStarterRun()
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): guard run.goOn(with: scalar) else { return false }
      case .error: run = NonStarterRun()
      case .emptyInput: return true
      }
    }
  }

  /// The first non-starter is U+0300: whatever begins with a lower byte is a starter.
  static func mayHaveNonStarters(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable { mayHaveNonStarters(UnsafeRawBufferPointer($0)) }
      ?? bytes.contains { $0 >= 0xcc }
  }

  /// Texts of pictures are long and ASCII: eight bytes at once.
  private static func mayHaveNonStarters(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0, bytes[place..<place + 8].contains(where: { $0 >= 0xcc }) { return true }
      place += 8
    }
    return bytes[place...].contains { $0 >= 0xcc }
  }
}

/// Counts the non-starters that follow one another, scalar by scalar.
struct NonStarterRun {
  /// Non-starters at the end of a letter that is composed, at most: `ᾂ` has three marks.
  private static let trailingMax = 3

  private var count = 0
  private var starter: Unicode.Scalar?

  /// - Returns: false as soon as there are too many in a row.
  mutating func goOn(with scalar: Unicode.Scalar) -> Bool {
    let own = Self.nonStarters(scalar)
    guard own > 0 else {
      (count, starter) = (0, scalar)
      return true
    }
    count += own
    // What the letter brings is looked up only where it could matter, which is in no honest text.
    guard count > StreamSafeText.nonStartersMax - Self.trailingMax else { return true }
    return count + (starter.map(Self.trailing) ?? 0) <= StreamSafeText.nonStartersMax
  }

  /// How many non-starters a scalar is by itself, decomposed; 0 for one that begins with a starter.
  static func nonStarters(_ scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 0 }
    switch scalar.value {
    // Two each (Non-Starter Decompositions of the Unicode Character Database).
    case 0x344, 0xf73, 0xf75, 0xf81: return 2
    // Halfwidth voiced sound marks are compatible with combining ones.
    case 0xff9e, 0xff9f: return 1
    default: return scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
    }
  }

  /// How many non-starters a starter ends with, decomposed.
  private static func trailing(_ starter: Unicode.Scalar) -> Int {
    String(starter).decomposedStringWithCompatibilityMapping.unicodeScalars.reversed()
      .prefix { nonStarters($0) > 0 }.count
  }
}
