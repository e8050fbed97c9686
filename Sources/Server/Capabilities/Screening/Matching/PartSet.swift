// SPDX-License-Identifier: Apache-2.0

/// Some parts of a name, in their order.
struct PartSet: Sendable, Hashable, Sequence {
  private(set) var bits: UInt32

  /// The first parts.
  init(count: Int) { bits = count >= 32 ? .max : (1 << UInt32(count)) - 1 }

  var isEmpty: Bool { bits == 0 }
  var count: Int { bits.nonzeroBitCount }

  func contains(_ part: Int) -> Bool { bits >> UInt32(part) & 1 == 1 }

  mutating func remove(_ parts: Range<Int>) {
    for part in parts { bits &= ~(1 << UInt32(part)) }
  }

  func makeIterator() -> Iterator { Iterator(bits: bits) }

  struct Iterator: IteratorProtocol {
    fileprivate var bits: UInt32

    mutating func next() -> Int? {
      guard bits != 0 else { return nil }
      defer { bits &= bits - 1 }
      return bits.trailingZeroBitCount
    }
  }
}
