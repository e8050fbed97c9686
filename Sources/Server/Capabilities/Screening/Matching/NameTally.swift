// SPDX-License-Identifier: Apache-2.0

/// Tells, name by name, which parts of a searched name the listed ones have.
///
/// The lists of names that have a word are run through side by side, some thousands of names at a time, so that what is
/// known of these stays in the processor's own memory and nothing is sorted, however common the words are.
struct NameTally {
  /// Names that are looked at at a time.
  private static let span = 16_384

  /// One word's names that are left.
  private struct Run {
    let part: UInt16
    var next: Int
    let end: Int
  }

  private var runs: [Run] = []

  /// Adds the names that have a word of a part.
  /// - Parameter bit: tells of the part, below 16.
  mutating func add(_ range: Range<Int>, bit: Int) {
    guard !range.isEmpty else { return }
    runs.append(Run(part: 1 << UInt16(bit), next: range.lowerBound, end: range.upperBound))
  }

  /// Tells of every name that has any of the words a bit for each part that it has. Each name once.
  mutating func run(_ lists: NumberLists, _ body: (_ name: Int32, _ parts: Int) -> Void) {
    guard !runs.isEmpty else { return }
    let span = Self.span
    lists.withNumbers { numbers in
      // The parts of each name, and behind them the names that have any.
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * span + 1) { parts in
        parts.initialize(repeating: 0)
        runs.withUnsafeMutableBufferPointer { runs in
          var alive = runs.count
          var first = Int32.max
          for run in runs { first = min(first, numbers[run.next]) }
          while alive > 0 {
            let end = Int(first) + span
            var count = 0
            var following = Int32.max
            var place = 0
            while place < alive {
              let run = runs[place]
              var next = run.next
              while next < run.end, numbers[next] < end {
                let slot = Int(numbers[next] &- first)
                let known = parts[slot]
                parts[slot] = known | run.part
                parts[span &+ count] = UInt16(truncatingIfNeeded: slot)
                count &+= known == 0 ? 1 : 0
                next &+= 1
              }
              if next < run.end {
                following = min(following, numbers[next])
                runs[place].next = next
                place += 1
              } else {
                alive -= 1
                runs[place] = runs[alive]
              }
            }
            for place in 0..<count {
              let slot = Int(parts[span &+ place])
              body(first &+ Int32(slot), Int(parts[slot]))
              parts[slot] = 0
            }
            first = following
          }
        }
      }
    }
  }
}
