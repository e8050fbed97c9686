// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Finds addresses by the beginnings of their words, in a file that stays where it is.
///
/// 1. Every word of a pattern has to begin a word of an address; case and accents do not count.
/// 2. What is typed is complete but for its last word: addresses that have the words before it whole come first.
/// 3. The rarest word of a pattern is walked, the others are looked up in each address that it is in.
package struct AddressIndex: Sendable {
  /// The bytes are no index, or not a whole one.
  package struct Unreadable: Error, Sendable {}

  package static let resultsMax = 10
  /// Unicode scalars of a pattern below which nothing is looked for (finaptic §8.2).
  static let patternMin = 3
  /// Unicode scalars of a pattern behind which nothing is read.
  static let patternMax = 200
  static let wordsMax = 12
  /// Addresses looked at for one pattern, so that no pattern costs more than a few milliseconds. Only patterns whose
  /// every word is in more addresses than this can miss one.
  static let looksMax = 60_000

  private let bytes: Data
  private let layout: AddressIndexLayout

  /// - Parameter bytes: made by `AddressIndexBuilder`; best a mapped file.
  package init(_ bytes: Data) throws(Unreadable) {
    guard let layout = bytes.withUnsafeBytes({ AddressIndexLayout($0) }) else { throw Unreadable() }
    (self.bytes, self.layout) = (bytes, layout)
  }

  package var count: Int { layout.addressCount }

  package func search(_ pattern: String) -> [KnownAddress] {
    let pattern = pattern.trimmingCharacters(in: .whitespacesAndNewlines)
    guard pattern.unicodeScalars.count >= Self.patternMin else { return [] }
    let words = FoldedWords.words(of: pattern.prefix(scalars: Self.patternMax)).prefix(Self.wordsMax)
      .map { Array(AddressIndexBuilder.cut($0).utf8) }
    guard let last = words.last else { return [] }
    return bytes.withUnsafeBytes { raw in
      let table = Table(raw, layout)
      var found = Found()
      let lastRange = table.range(beginning: last)
      if words.count > 1 {
        table.collect([lastRange] + words.dropLast().map { table.range(of: $0) }, into: &found)
      }
      if found.addresses.count < Self.resultsMax {
        table.collect([lastRange] + words.dropLast().map { table.range(beginning: $0) }, into: &found)
      }
      return found.addresses.compactMap(table.address)
    }
  }

  /// What one search has come to.
  private struct Found {
    var addresses: [Int] = []
    var looksLeft = AddressIndex.looksMax

    var isDone: Bool { addresses.count >= AddressIndex.resultsMax || looksLeft == 0 }
  }

  /// The parts of the file. A number that a damaged file gives leads nowhere instead of out of it.
  private struct Table {
    private let raw: UnsafeRawBufferPointer
    private let layout: AddressIndexLayout

    init(_ raw: UnsafeRawBufferPointer, _ layout: AddressIndexLayout) { (self.raw, self.layout) = (raw, layout) }

    private func number(_ section: Int, _ index: Int) -> Int {
      Int(raw.loadUnaligned(fromByteOffset: section + 4 * index, as: UInt32.self).littleEndian)
    }

    /// What lies between two neighbouring starts.
    private func span(_ section: Int, _ index: Int, within count: Int) -> Range<Int> {
      let (start, end) = (number(section, index), number(section, index + 1))
      return start <= end && end <= count ? start..<end : 0..<0
    }

    private func word(_ index: Int) -> UnsafeRawBufferPointer.SubSequence {
      let span = span(layout.wordStarts, index, within: layout.wordBytes)
      return raw[layout.words + span.lowerBound..<layout.words + span.upperBound]
    }

    /// The first word for which `isReached` holds.
    private func first(_ isReached: (UnsafeRawBufferPointer.SubSequence) -> Bool) -> Int {
      var (low, high) = (0, layout.wordCount)
      while low < high {
        let middle = (low + high) / 2
        if isReached(word(middle)) { high = middle } else { low = middle + 1 }
      }
      return low
    }

    /// Words that begin so.
    func range(beginning prefix: [UInt8]) -> Range<Int> {
      let start = first { !$0.lexicographicallyPrecedes(prefix) }
      let end = first { !$0.starts(with: prefix) && !$0.lexicographicallyPrecedes(prefix) }
      return start..<max(start, end)
    }

    /// The word itself.
    func range(of whole: [UInt8]) -> Range<Int> {
      let start = first { !$0.lexicographicallyPrecedes(whole) }
      return start < layout.wordCount && word(start).elementsEqual(whole) ? start..<start + 1 : start..<start
    }

    private func uses(_ words: Range<Int>) -> Int {
      words.isEmpty ? 0 : number(layout.useStarts, words.upperBound) - number(layout.useStarts, words.lowerBound)
    }

    /// Addresses that have a word of every range.
    func collect(_ ranges: [Range<Int>], into found: inout Found) {
      guard ranges.allSatisfy({ !$0.isEmpty }) else { return }
      // The rarest is walked; the next rarest excludes most of what is left, so that it is looked up first.
      let sorted = ranges.sorted { uses($0) < uses($1) }
      let others = Array(sorted.dropFirst())
      for word in sorted[0] {
        for use in span(layout.useStarts, word, within: layout.useCount) {
          guard !found.isDone else { return }
          found.looksLeft -= 1
          let address = number(layout.uses, use)
          guard address < layout.addressCount, has(others, address), !found.addresses.contains(address) else {
            continue
          }
          found.addresses.append(address)
        }
      }
    }

    private func has(_ ranges: [Range<Int>], _ address: Int) -> Bool {
      guard !ranges.isEmpty else { return true }
      let numbers = span(layout.numberStarts, address, within: layout.useCount)
      return ranges.allSatisfy { range in numbers.contains { range.contains(number(layout.numbers, $0)) } }
    }

    func address(_ index: Int) -> KnownAddress? {
      let starts = [index, index + 1].map {
        Int(
          truncatingIfNeeded: raw.loadUnaligned(fromByteOffset: layout.recordStarts + 8 * $0, as: UInt64.self)
            .littleEndian)
      }
      guard 0 <= starts[0], starts[0] <= starts[1], starts[1] <= layout.recordBytes else { return nil }
      let text = String(decoding: raw[layout.records + starts[0]..<layout.records + starts[1]], as: UTF8.self)
      let fields = text.split(separator: AddressIndexLayout.separator, omittingEmptySubsequences: false).map(
        String.init)
      guard fields.count == 5, let province = CanadianProvince(rawValue: fields[3]),
        let code = CanadianPostalCode(fields[4])
      else { return nil }
      return KnownAddress(
        line1: fields[0], line2: fields[1].isEmpty ? nil : fields[1], locality: fields[2], province: province,
        postalCode: code)
    }
  }
}
