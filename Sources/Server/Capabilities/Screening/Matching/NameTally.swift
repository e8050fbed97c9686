/// Counts, name by name, what of a searched name the listed ones have.
///
/// The lists of names that have a word are run through side by side, some thousands of names at a time, so that the
/// counters stay in the processor's own memory and nothing is sorted, however common the words are.
struct NameTally {
  /// Names that are counted at a time: the more there are, the more each look at a word's list should bring.
  private static let spans = 4096...16_384

  private struct Counter {
    var share: Double
    var rarity: Double
  }

  /// One word's names that are left.
  private struct Run {
    let part: UInt32
    let weight: Double
    let rarity: Double
    var next: Int
    let end: Int
  }

  private let names: Int
  private var runs: [Run] = []

  /// - Parameter names: how many there are.
  init(names: Int) { self.names = names }

  /// Adds a word's names. Of the words of one part the rarest comes first: it is the one that counts.
  mutating func add(_ range: Range<Int>, part: Int, weight: Double, rarity: Double) {
    guard !range.isEmpty else { return }
    runs.append(
      Run(part: 1 << UInt32(part), weight: weight, rarity: rarity, next: range.lowerBound, end: range.upperBound))
  }

  /// Tells of every name that has any of the words the weight of the parts that it has, and how much its words tell.
  mutating func run(_ lists: NumberLists, _ body: (_ name: Int32, _ share: Double, _ rarity: Double) -> Void) {
    guard !runs.isEmpty else { return }
    let names = names
    let span = min(max(names / 64, Self.spans.lowerBound), Self.spans.upperBound)
    lists.withNumbers { numbers in
      withUnsafeTemporaryAllocation(of: Counter.self, capacity: span) { counters in
        // The parts that a name has, and behind them the names that have any.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * span) { parts in
          parts.initialize(repeating: 0)
          runs.withUnsafeMutableBufferPointer { runs in
            var first = Int32.max
            for run in runs { first = min(first, numbers[run.next]) }
            while first < names {
              let end = first &+ Int32(span)
              var count = 0
              var following = Int32.max
              for place in runs.indices {
                let run = runs[place]
                var next = run.next
                while next < run.end, numbers[next] < end {
                  let slot = Int(numbers[next] &- first)
                  next += 1
                  let known = parts[slot]
                  if known & run.part != 0 { continue }
                  parts[slot] = known | run.part
                  if known == 0 {
                    parts[span &+ count] = UInt32(slot)
                    count += 1
                    counters[slot] = Counter(share: run.weight, rarity: run.rarity)
                  } else {
                    counters[slot].share += run.weight
                    counters[slot].rarity += run.rarity
                  }
                }
                runs[place].next = next
                if next < run.end { following = min(following, numbers[next]) }
              }
              for place in 0..<count {
                let slot = Int(parts[span &+ place])
                body(first &+ Int32(slot), counters[slot].share, counters[slot].rarity)
                parts[slot] = 0
              }
              first = following
            }
          }
        }
      }
    }
  }
}
