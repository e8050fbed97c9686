// SPDX-License-Identifier: Apache-2.0

/// Numbers under 64-bit keys, for many millions of them: two flat arrays instead of an array for each key.
///
/// A bucket holds the numbers of all keys that fall into it, each with half of its key to tell them apart. Two keys
/// that agree in both give numbers too many, never too few, so that what is found has to be looked at.
struct KeyTable: Sendable {
  /// Keys and numbers while a table is made.
  struct Draft {
    fileprivate var keys: [UInt64] = []
    fileprivate var numbers: [Int32] = []

    mutating func add(_ number: Int32, under key: UInt64) {
      keys.append(key)
      numbers.append(number)
    }

    /// - Parameter others: for each number the one that takes its place.
    mutating func renumber(_ others: [Int32]) {
      for place in numbers.indices { numbers[place] = others[Int(numbers[place])] }
    }
  }

  private struct Slot {
    var check: UInt32
    var number: Int32
  }

  private let starts: [UInt32]
  private let slots: [Slot]
  private let shift: UInt64

  init() { self.init(Draft()) }

  /// The numbers of a key stand in the order in which they were added.
  init(_ draft: Draft) {
    var bits = 4
    while 1 << bits < draft.keys.count, bits < 31 { bits += 1 }
    let shift = UInt64(64 - bits)
    var starts = [UInt32](repeating: 0, count: 1 << bits + 1)
    for key in draft.keys { starts[Self.bucket(key, shift) + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
    var next = starts
    var slots = [Slot](repeating: Slot(check: 0, number: 0), count: draft.keys.count)
    for (key, number) in zip(draft.keys, draft.numbers) {
      let bucket = Self.bucket(key, shift)
      slots[Int(next[bucket])] = Slot(check: Self.check(key), number: number)
      next[bucket] += 1
    }
    (self.starts, self.slots, self.shift) = (starts, slots, shift)
  }

  func holdInLargePages() {
    LargePages.hold(starts)
    LargePages.hold(slots)
  }

  func forEach(of key: UInt64, _ body: (Int32) -> Void) {
    let bucket = Self.bucket(key, shift)
    let check = Self.check(key)
    for place in Int(starts[bucket])..<Int(starts[bucket + 1]) where slots[place].check == check {
      body(slots[place].number)
    }
  }

  /// The numbers of several keys, one after the other. Where they stand is asked for together.
  func numbers(of keys: [UInt64]) -> [Int32] {
    var found: [Int32] = []
    starts.withUnsafeBufferPointer { starts in
      slots.withUnsafeBufferPointer { slots in
        let ranges = keys.map { key in
          let bucket = Self.bucket(key, shift)
          return Int(starts[bucket])..<Int(starts[bucket + 1])
        }
        // Few of a bucket are of another key.
        found.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
        for (key, range) in zip(keys, ranges) {
          let check = Self.check(key)
          for place in range where slots[place].check == check { found.append(slots[place].number) }
        }
      }
    }
    return found
  }

  /// FNV-1a. What is found is measured afterwards, so a collision costs time only.
  static func hash(_ letters: some Sequence<UInt8>, salt: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ salt
    for letter in letters { hash = (hash ^ UInt64(letter)) &* 0x0000_0100_0000_01b3 }
    return hash
  }

  private static func bucket(_ key: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private static func check(_ key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: key ^ key >> 29) }
}

/// Lists of numbers, one after the other in one array.
struct NumberLists: Sendable {
  private var starts: [UInt32]
  private var numbers: [Int32]
  /// For lists that have many numbers, by where they begin, the number of their row in `beginnings`.
  private var rows: [UInt32: Int] = [:]
  /// Where in `numbers` each span of them begins in a list, a row for each list.
  private var beginnings: [UInt32] = []

  /// - Parameter pairs: which list, and what is added to it, in order; run through twice.
  init(count: Int, _ pairs: ((_ list: Int32, _ number: Int32) -> Void) -> Void) {
    var starts = [UInt32](repeating: 0, count: count + 1)
    pairs { list, _ in starts[Int(list) + 1] += 1 }
    for list in 0..<count { starts[list + 1] += starts[list] }
    var next = starts
    var numbers = [Int32](repeating: 0, count: Int(starts[count]))
    pairs { list, number in
      numbers[Int(next[Int(list)])] = number
      next[Int(list)] += 1
    }
    (self.starts, self.numbers) = (starts, numbers)
  }

  func holdInLargePages() {
    LargePages.hold(starts)
    LargePages.hold(numbers)
    LargePages.hold(beginnings)
  }

  subscript(list: Int32) -> ArraySlice<Int32> { numbers[range(list)] }

  func range(_ list: Int32) -> Range<Int> { Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) }

  /// Notes where the spans of numbers begin in lists that have many and are in order.
  /// - Parameters:
  ///   - spans: how many there are.
  ///   - bits: of the numbers that a span has.
  ///   - least: numbers that a list has at least.
  mutating func divide(spans: Int, bits: Int, least: Int) {
    for list in 0..<Int32(starts.count - 1) {
      let range = range(list)
      guard range.count >= least else { continue }
      rows[UInt32(range.lowerBound)] = beginnings.count
      var place = range.lowerBound
      for span in 0...spans {
        while place < range.upperBound, Int(numbers[place]) < span << bits { place += 1 }
        beginnings.append(UInt32(place))
      }
    }
  }

  /// The row of the list that begins at a place of `numbers`; nil for one that `divide` passed over.
  func row(at place: Int) -> Int? { rows[UInt32(place)] }

  /// Where in `numbers` those of a span stand.
  @inline(__always)
  func places(_ row: Int, _ span: Int) -> Range<Int> {
    beginnings.withUnsafeBufferPointer { Int($0[row &+ span])..<Int($0[row &+ span &+ 1]) }
  }

  func withNumbers<Result>(_ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    numbers.withUnsafeBufferPointer(body)
  }
}
