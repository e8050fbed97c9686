// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How an index of addresses lies in a file, so that it is looked up where it lies and costs no memory of its own.
///
/// ```
/// magic "GHADDR01", then five numbers of 64 bits: addresses, words, bytes of words, uses, bytes of records
/// starts of words    32 bits, words + 1      bytes of words, sorted
/// starts of uses     32 bits, words + 1      uses: addresses in which a word is, 32 bits, ascending
/// starts of numbers  32 bits, addresses + 1  numbers of an address's words, 32 bits
/// starts of records  64 bits, addresses + 1  records: line1 ⎋ line2 ⎋ locality ⎋ province ⎋ postal code, UTF-8
/// ```
/// Little-endian throughout; ⎋ is U+001F. The words are sorted as bytes, so that a prefix is a range of numbers.
struct AddressIndexLayout: Sendable, Equatable {
  static let magic = Array("GHADDR01".utf8)
  static let headerSize = 8 + 5 * 8
  static let separator: Character = "\u{1F}"

  let addressCount: Int
  let wordCount: Int
  let wordBytes: Int
  let useCount: Int
  let recordBytes: Int

  var wordStarts: Int { Self.headerSize }
  var words: Int { wordStarts + 4 * (wordCount + 1) }
  var useStarts: Int { words + wordBytes }
  var uses: Int { useStarts + 4 * (wordCount + 1) }
  var numberStarts: Int { uses + 4 * useCount }
  var numbers: Int { numberStarts + 4 * (addressCount + 1) }
  var recordStarts: Int { numbers + 4 * useCount }
  var records: Int { recordStarts + 8 * (addressCount + 1) }
  var size: Int { records + recordBytes }

  init(addressCount: Int, wordCount: Int, wordBytes: Int, useCount: Int, recordBytes: Int) {
    (self.addressCount, self.wordCount, self.wordBytes) = (addressCount, wordCount, wordBytes)
    (self.useCount, self.recordBytes) = (useCount, recordBytes)
  }

  /// - Returns: nil when the bytes are no such file, whole.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize, bytes.prefix(8).elementsEqual(Self.magic) else { return nil }
    let counts = (0..<5).map { bytes.loadUnaligned(fromByteOffset: 8 + 8 * $0, as: UInt64.self).littleEndian }
    // No sum of them overflows.
    guard counts.allSatisfy({ $0 <= UInt64(bytes.count) }) else { return nil }
    let numbers = counts.map { Int($0) }
    self.init(
      addressCount: numbers[0], wordCount: numbers[1], wordBytes: numbers[2], useCount: numbers[3],
      recordBytes: numbers[4])
    guard size == bytes.count else { return nil }
  }

  var header: Data {
    var header = Data(Self.magic)
    for count in [addressCount, wordCount, wordBytes, useCount, recordBytes] { header.append(UInt64(count)) }
    return header
  }
}

extension Data {
  mutating func append(_ number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  mutating func append(_ numbers: [UInt32]) {
    // What machines that we run on have in memory already.
    numbers.map(\.littleEndian).withUnsafeBytes { append(contentsOf: $0) }
  }
}
