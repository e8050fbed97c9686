// SPDX-License-Identifier: Apache-2.0

/// Tells, name by name, which parts of a searched name the listed ones have.
///
/// The lists of names that have a word are run through side by side, some thousands of names at a time, so that what is
/// known of these stays in the processor's own memory and nothing is sorted, however common the words are.
struct NameTally {
  /// Names that are looked at at a time.
  private static let span = 16_384
  /// The bit of names that are told of whatever they have; no part may have it then.
  static let marked = 1 << 15

  /// One word's names that are left.
  private struct Run {
    let bits: UInt16
    let again: UInt16
    /// The next name.
    var name: Int32 = 0
    var next: Int
    let end: Int
  }

  private var runs: [Run] = []
  /// Of words that bring no name in.
  private var others: [Run] = []

  /// Adds the names that have a word.
  /// - Parameters:
  ///   - bits: tell of the parts of which it is a variant, below 16.
  ///   - again: those whose next bit is told of names that have them already.
  ///   - bringsIn: whether names are told of that have no other word; otherwise the bit is added to the others' only.
  mutating func add(_ range: Range<Int>, bits: Int, again: Int = 0, bringsIn: Bool = true) {
    guard !range.isEmpty else { return }
    let run = Run(bits: UInt16(bits), again: UInt16(again), next: range.lowerBound, end: range.upperBound)
    if bringsIn { runs.append(run) } else { others.append(run) }
  }

  /// Tells of every name that has a word which brings it in a bit for each part that it has. Each name once.
  /// - Parameter marks: a bit for each name that is told of with `marked` besides; empty for none.
  mutating func run(_ lists: NumberLists, marks: [UInt64] = [], _ body: (_ name: Int32, _ parts: Int) -> Void) {
    lists.withNumbers { numbers in
      marks.withUnsafeBufferPointer { marks in
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * Self.span + 1) { parts in
          parts.initialize(repeating: 0)
          runs.withUnsafeMutableBufferPointer { runs in
            others.withUnsafeMutableBufferPointer { others in
              for place in runs.indices { runs[place].name = numbers[runs[place].next] }
              for place in others.indices { others[place].name = numbers[others[place].next] }
              Self.run(Spans(numbers: numbers, marks: marks, parts: parts, runs: runs, others: others), body)
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
    let others: UnsafeMutableBufferPointer<Run>

    /// Runs through one list up to the end of the span; names before it are passed over.
    /// - Returns: whether any are left.
    @inline(__always)
    func advance(_ run: inout Run, to end: Int, _ body: (_ name: Int32) -> Void) -> Bool {
      guard run.name < end else { return true }
      var (name, next) = (run.name, run.next)
      while true {
        body(name)
        next &+= 1
        guard next < run.end else { return false }
        name = numbers[next]
        guard name < end else { break }
      }
      (run.name, run.next) = (name, next)
      return true
    }
  }

  private static func run(_ spans: Spans, _ body: (_ name: Int32, _ parts: Int) -> Void) {
    let (parts, runs, others) = (spans.parts, spans.runs, spans.others)
    var (alive, othersAlive) = (runs.count, others.count)
    let hasMarks = !spans.marks.isEmpty
    var start = 0
    while alive > 0 || hasMarks && othersAlive > 0 {
      var least = Int32.max
      for place in 0..<alive { least = min(least, runs[place].name) }
      if hasMarks { for place in 0..<othersAlive { least = min(least, others[place].name) } }
      // Marks stand in words of 64.
      start = max(start, Int(least) & ~63)
      let (first, end) = (start, start + span)
      var count = 0
      if hasMarks {
        for place in first >> 6..<max(first >> 6, min(end >> 6, spans.marks.count)) {
          var bits = spans.marks[place]
          while bits != 0 {
            let slot = place << 6 &+ bits.trailingZeroBitCount &- first
            parts[slot] = UInt16(marked)
            parts[span &+ count] = UInt16(truncatingIfNeeded: slot)
            count &+= 1
            bits &= bits &- 1
          }
        }
      }
      var place = 0
      while place < alive {
        let (bits, again) = (runs[place].bits, runs[place].again)
        let isLeft = spans.advance(&runs[place], to: end) { name in
          let slot = Int(name) &- first
          let known = parts[slot]
          parts[slot] = known | bits | (known & again) << 1
          parts[span &+ count] = UInt16(truncatingIfNeeded: slot)
          count &+= known == 0 ? 1 : 0
        }
        if isLeft {
          place += 1
        } else {
          alive -= 1
          runs[place] = runs[alive]
        }
      }
      place = 0
      while place < othersAlive {
        let (bits, again) = (others[place].bits, others[place].again)
        let isLeft = spans.advance(&others[place], to: end) { name in
          let slot = Int(name) &- first
          guard slot >= 0 else { return }
          let known = parts[slot]
          parts[slot] = known | (known == 0 ? 0 : bits | (known & again) << 1)
        }
        if isLeft {
          place += 1
        } else {
          othersAlive -= 1
          others[place] = others[othersAlive]
        }
      }
      for place in 0..<count {
        let slot = Int(parts[span &+ place])
        body(Int32(truncatingIfNeeded: first &+ slot), Int(parts[slot]))
        parts[slot] = 0
      }
      start = end
    }
  }
}
