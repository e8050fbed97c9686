// SPDX-License-Identifier: Apache-2.0

/// Tells, name by name, which parts of a searched name the listed ones have.
///
/// The lists of names that have a word are run through side by side, some thousands of names at a time, so that what is
/// known of these stays in the processor's own memory and nothing is sorted, however common the words are. A list is
/// looked at only where it has names: most variants of a word are rare, and hundreds of short lists are run through for
/// one search.
struct NameTally {
  /// Names that are looked at at a time.
  private static let spanBits = 14
  private static let span = 1 << spanBits
  /// The bit of names that are told of whatever they have; no part may have it then.
  static let marked = 1 << 15

  /// One word's names that are left.
  private struct Run {
    let bits: UInt16
    /// Whether its names are told of that have no other word.
    let bringsIn: Bool
    /// The next list whose next name is in the same span; below 0 when there is none.
    var following: Int32 = -1
    /// The next name.
    var name: Int32 = 0
    var next: Int
    let end: Int
  }

  private var runs: [Run] = []

  /// Adds the names that have a word.
  /// - Parameters:
  ///   - bits: tell of the parts of which it is a variant, below 16.
  ///   - bringsIn: whether names are told of that have no other word; otherwise the bit is added to the others' only.
  mutating func add(_ range: Range<Int>, bits: Int, bringsIn: Bool = true) {
    guard !range.isEmpty else { return }
    runs.append(Run(bits: UInt16(bits), bringsIn: bringsIn, next: range.lowerBound, end: range.upperBound))
  }

  /// Tells of every name that has a word which brings it in a bit for each part that it has. Each name once.
  /// - Parameter marks: a bit for each name that is told of with `marked` besides; empty for none.
  mutating func run(_ lists: NumberLists, marks: [UInt64] = [], _ body: (_ name: Int32, _ parts: Int) -> Void) {
    guard !runs.isEmpty else { return }
    lists.withNumbers { numbers in
      marks.withUnsafeBufferPointer { marks in
        runs.withUnsafeMutableBufferPointer { runs in
          var last: Int32 = -1
          for place in runs.indices {
            runs[place].name = numbers[runs[place].next]
            // Behind the last name that is brought in there is nothing to tell of but marks.
            if runs[place].bringsIn || !marks.isEmpty { last = max(last, numbers[runs[place].end - 1]) }
          }
          let spanCount = Int(last) >> Self.spanBits + 1
          withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * Self.span + 1) { parts in
            parts[..<Self.span].initialize(repeating: 0)
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * spanCount) { waiting in
              waiting.initialize(repeating: -1)
              let spans = Spans(numbers: numbers, marks: marks, parts: parts, runs: runs, waiting: waiting)
              for place in runs.indices { spans.enqueue(place) }
              for span in 0..<spanCount { spans.run(span, body) }
            }
          }
        }
      }
    }
  }

  /// What is run through, and for each name of a span its parts, and behind them which names have any.
  private struct Spans {
    let numbers: UnsafeBufferPointer<Int32>
    let marks: UnsafeBufferPointer<UInt64>
    let parts: UnsafeMutableBufferPointer<UInt16>
    let runs: UnsafeMutableBufferPointer<Run>
    /// For each span the first list that has a name there: of those that bring names in, and behind it of the others.
    let waiting: UnsafeMutableBufferPointer<Int32>

    /// Puts a list before those that wait for the span of its next name.
    @inline(__always)
    func enqueue(_ place: Int) {
      let slot = (Int(runs[place].name) >> spanBits) * 2 &+ (runs[place].bringsIn ? 0 : 1)
      guard slot < waiting.count else { return }
      runs[place].following = waiting[slot]
      waiting[slot] = Int32(truncatingIfNeeded: place)
    }

    /// Runs through the lists that wait, up to the end of the span.
    @inline(__always)
    func advance(_ slot: Int, to end: Int, _ body: (_ name: Int32, _ bit: UInt16) -> Void) {
      var first = waiting[slot]
      while first >= 0 {
        let place = Int(first)
        first = runs[place].following
        let (bits, last) = (runs[place].bits, runs[place].end)
        var (name, next) = (runs[place].name, runs[place].next)
        repeat {
          body(name, bits)
          next &+= 1
          guard next < last else { break }
          name = numbers[next]
        } while name < end
        guard next < last else { continue }
        (runs[place].name, runs[place].next) = (name, next)
        enqueue(place)
      }
    }

    @inline(__always)
    func run(_ number: Int, _ body: (_ name: Int32, _ parts: Int) -> Void) {
      let first = number << spanBits
      let end = first + span
      let (parts, marks) = (parts, marks)
      guard waiting[2 * number] >= 0 || waiting[2 * number + 1] >= 0 else { return }
      var count = 0
      // Marks stand in words of 64.
      for place in min(first >> 6, marks.count)..<min(end >> 6, marks.count) {
        var bits = marks[place]
        while bits != 0 {
          let slot = place << 6 &+ bits.trailingZeroBitCount &- first
          parts[slot] = UInt16(marked)
          parts[span &+ count] = UInt16(truncatingIfNeeded: slot)
          count &+= 1
          bits &= bits &- 1
        }
      }
      advance(2 * number, to: end) { name, bit in
        let slot = Int(name) &- first
        let known = parts[slot]
        parts[slot] = known | bit
        parts[span &+ count] = UInt16(truncatingIfNeeded: slot)
        count &+= known == 0 ? 1 : 0
      }
      advance(2 * number + 1, to: end) { name, bit in
        let slot = Int(name) &- first
        let known = parts[slot]
        parts[slot] = known | (known == 0 ? 0 : bit)
      }
      for place in 0..<count {
        let slot = Int(parts[span &+ place])
        body(Int32(truncatingIfNeeded: first &+ slot), Int(parts[slot]))
        parts[slot] = 0
      }
    }
  }
}
