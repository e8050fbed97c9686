// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gathers addresses and makes their index. Holds all of them in memory, some 150 bytes each.
package struct AddressIndexBuilder {
  /// Canada has some 17 million.
  package static let addressesMax = 30_000_000
  /// Words of one address beyond these are not searched, nor are letters of one word.
  static let (wordsMax, wordBytesMax) = (24, 32)

  private var numbers: [String: UInt32] = [:]
  private var words: [String] = []
  private var wordCounts: [UInt32] = []
  /// Numbers of words, address after address.
  private var uses: [UInt32] = []
  private var useStarts: [UInt32] = [0]
  private var records: [UInt8] = []
  private var recordStarts: [UInt64] = [0]

  package init() {}

  package var count: Int { recordStarts.count - 1 }

  package mutating func add(_ address: KnownAddress) {
    for word in address.words.prefix(Self.wordsMax) {
      let word = Self.cut(word)
      if let number = numbers[word] {
        uses.append(number)
        wordCounts[Int(number)] += 1
      } else {
        let number = UInt32(words.count)
        numbers[word] = number
        words.append(word)
        wordCounts.append(1)
        uses.append(number)
      }
    }
    useStarts.append(UInt32(uses.count))
    let fields = [
      address.line1, address.line2 ?? "", address.locality, address.province.rawValue, address.postalCode.description,
    ]
    records.append(contentsOf: fields.joined(separator: String(AddressIndexLayout.separator)).utf8)
    recordStarts.append(UInt64(records.count))
  }

  static func cut(_ word: String) -> String {
    word.utf8.count <= wordBytesMax ? word : String(decoding: word.utf8.prefix(wordBytesMax), as: UTF8.self)
  }

  package func finished() -> Data {
    let bytes = words.map { Array($0.utf8) }
    let sorted = words.indices.sorted { bytes[$0].lexicographicallyPrecedes(bytes[$1]) }
    var place = [UInt32](repeating: 0, count: words.count)
    for (index, number) in sorted.enumerated() { place[number] = UInt32(index) }

    var (wordBytes, wordStarts, starts): ([UInt8], [UInt32], [UInt32]) = ([], [0], [0])
    for number in sorted {
      wordBytes += bytes[number]
      wordStarts.append(UInt32(wordBytes.count))
      starts.append((starts.last ?? 0) + wordCounts[number])
    }
    let placed = uses.map { place[Int($0)] }
    var (next, inverted) = (starts, [UInt32](repeating: 0, count: uses.count))
    for address in 0..<count {
      for use in Int(useStarts[address])..<Int(useStarts[address + 1]) {
        let word = Int(placed[use])
        inverted[Int(next[word])] = UInt32(address)
        next[word] += 1
      }
    }

    let layout = AddressIndexLayout(
      addressCount: count, wordCount: words.count, wordBytes: wordBytes.count, useCount: uses.count,
      recordBytes: records.count)
    var data = layout.header
    data.reserveCapacity(layout.size)
    data.append(wordStarts)
    data.append(contentsOf: wordBytes)
    data.append(starts)
    data.append(inverted)
    data.append(useStarts)
    data.append(placed)
    for start in recordStarts { data.append(start) }
    data.append(contentsOf: records)
    return data
  }
}
