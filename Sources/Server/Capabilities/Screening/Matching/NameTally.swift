// SPDX-License-Identifier: Apache-2.0

/// Tells, name by name, which parts of a searched name the listed ones have.
///
/// Some thousands of names are looked at at a time, a span, so that what is known of these stays in the processor's own
/// memory, however common the words are. Most lists have few names in a span or none: their names are dealt out to
/// the spans first. The others are run through side by side, a span at a time.
struct NameTally {
  static let spanBits = 13
  private static let span = 1 << spanBits
  /// As many as the rest of a cell can tell apart.
  private static let runsMax = 1 << (UInt32.bitWidth - spanBits)
  /// The bits of names that are told of whatever they have, behind those of parts.
  static let agreeing = 1 << 16
  static let perhaps = 1 << 17
  static let tellingMuch = 1 << 18
  /// A list that has as many names is not dealt out: eight in a span on average.
  static func longMin(_ spans: Int) -> Int { 8 * spans }
  /// For each reach lists that are dealt out and lists that are not.
  private static let groupCount = 6

  /// One word's names.
  private struct Run {
    /// What a name has of the word.
    let bits: UInt32
    let again: UInt32
    /// Where it brings names in.
    let bringsIn: Reach
    var next: Int
    let end: Int
    /// Where `NumberLists` has the beginnings of its spans; nil when they have to be looked for.
    var row: Int?
  }

  /// The spans in which a list brings names in.
  enum Reach: Int {
    case everywhere
    /// In those that are not far, as `run` is told.
    case near
    case nowhere
  }

  /// A name and a bit for each part that it has, and for each kind of mark.
  struct Told {
    let name: Int32
    let bits: UInt32

    /// The bits of its parts.
    var parts: Int { Int(bits) & (NameTally.agreeing - 1) }
    var isAgreeing: Bool { Int(bits) & NameTally.agreeing != 0 }
    var isPerhaps: Bool { Int(bits) & NameTally.perhaps != 0 }
    /// It is in a list of `NameGroup.much`.
    var isTellingMuch: Bool { Int(bits) & NameTally.tellingMuch != 0 }
  }

  private var runs: [Run] = []

  /// Adds the names that have a word.
  /// - Parameters:
  ///   - range: where a list of the `NumberLists` stands, or a part of one; one that `divide` noted is added whole.
  ///   - bits: tell of the parts of which it is a variant, 16 at most, and of marks.
  ///   - again: those whose next bit is told of names that have them already.
  ///   - bringsIn: where names are told of that have no other word; elsewhere the bit is added to the others' only.
  mutating func add(_ range: Range<Int>, bits: Int, again: Int = 0, bringsIn: Reach = .everywhere) {
    guard !range.isEmpty else { return }
    runs.append(
      Run(
        bits: UInt32(bits), again: UInt32(again), bringsIn: bringsIn, next: range.lowerBound, end: range.upperBound))
  }

  /// Tells, some names at a time, of every one that has a word which brings it in. Each once.
  /// - Parameters:
  ///   - count: how many names there are.
  ///   - agreeing: names that have the bit `agreeing` besides, below `count`. Some may repeat.
  ///   - perhaps: the same with the bit `perhaps`, one by one.
  ///   - marksBringIn: where both are told of when no word brings them in.
  ///   - far: for each span whether the dates of its names are far from the subject's; empty when none is.
  mutating func run(
    _ lists: NumberLists, names count: Int, agreeing: [Range<Int32>] = [], perhaps: [Int32] = [],
    marksBringIn: Reach = .everywhere, far: [Bool] = [],
    _ body: (_ some: UnsafeBufferPointer<Told>, _ isFar: Bool) -> Void
  ) {
    // It has no names itself, and stands first whatever the marks do: a cell tells it apart.
    runs.append(Run(bits: UInt32(Self.perhaps), again: 0, bringsIn: .everywhere, next: 0, end: 0))
    let spans = count >> Self.spanBits + 1
    // Lists that bring names in come first, and of each reach those that are dealt out: only the marks when there are
    // more lists than a cell can tell apart.
    let long = runs.count <= Self.runsMax ? Self.longMin(spans) : 1
    func group(_ run: Run) -> Int { 2 * run.bringsIn.rawValue + (run.end - run.next < long ? 0 : 1) }
    var groups = Array(repeating: 0, count: Self.groupCount + 1)
    var dealt = perhaps.count
    for number in runs.indices {
      let group = group(runs[number])
      groups[group + 1] += 1
      if group & 1 == 0 {
        dealt += runs[number].end - runs[number].next
      } else {
        runs[number].row = lists.row(at: runs[number].next)
      }
    }
    for group in 1..<groups.count { groups[group] += groups[group - 1] }
    var (next, ordered) = (groups, runs)
    for run in runs {
      let group = group(run)
      ordered[next[group]] = run
      next[group] += 1
    }
    runs = ordered
    let perhapsRun = runs.firstIndex { $0.bits == UInt32(Self.perhaps) } ?? 0
    let agreeing = Self.pieces(of: agreeing)
    let far = far.isEmpty ? Array(repeating: false, count: spans) : far
    lists.withNumbers { numbers in
      perhaps.withUnsafeBufferPointer { perhaps in
        runs.withUnsafeMutableBufferPointer { runs in
          withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * Self.span + 1) { parts in
            withUnsafeTemporaryAllocation(of: Told.self, capacity: Self.span) { told in
              withUnsafeTemporaryAllocation(of: UInt32.self, capacity: dealt + 2 * spans + 2) { cells in
                parts.initialize(repeating: 0)
                let tally = Spans(
                  lists: lists, numbers: numbers, perhaps: perhaps, perhapsRun: perhapsRun,
                  reachOfMarks: marksBringIn, far: far, runs: runs, groups: groups, parts: parts, told: told,
                  ends: UnsafeMutableBufferPointer(rebasing: cells[..<(2 * spans + 2)]),
                  cells: UnsafeMutableBufferPointer(rebasing: cells[(2 * spans + 2)...]))
                tally.deal()
                var next = 0
                for number in 0..<spans {
                  let first = next
                  while next < agreeing.count, Int(agreeing[next].lowerBound) >> Self.spanBits == number { next += 1 }
                  tally.run(number, agreeing: agreeing[first..<next], body)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Some ranges of names in order, each cut where a span ends.
  private static func pieces(of ranges: [Range<Int32>]) -> [Range<Int32>] {
    var pieces: [Range<Int32>] = []
    pieces.reserveCapacity(ranges.count)
    for range in ranges {
      var first = range.lowerBound
      while first < range.upperBound {
        // The last name of the span is at most `Int32.max`; the first of the next one may be more.
        let last = first | Int32(span - 1)
        let end = last < range.upperBound ? last + 1 : range.upperBound
        pieces.append(first..<end)
        first = end
      }
    }
    pieces.sort { $0.lowerBound < $1.lowerBound }
    return pieces
  }

  /// What is run through.
  private struct Spans {
    let lists: NumberLists
    let numbers: UnsafeBufferPointer<Int32>
    /// Names with the mark `perhaps`, and the number of the run that stands for it.
    let perhaps: UnsafeBufferPointer<Int32>
    let perhapsRun: Int
    /// Where marked names are told of that no word brings in.
    let reachOfMarks: Reach
    let far: [Bool]
    let runs: UnsafeMutableBufferPointer<Run>
    /// Where in `runs` each reach begins, first with those that are dealt out, and the end.
    let groups: [Int]
    /// For each name of a span its parts, and behind them which names have any.
    let parts: UnsafeMutableBufferPointer<UInt32>
    let told: UnsafeMutableBufferPointer<Told>
    /// For each span where in `cells` its names end that a list brings in, and the others.
    let ends: UnsafeMutableBufferPointer<UInt32>
    /// Names that are dealt out: the place in the span, and above it the number of the run.
    let cells: UnsafeMutableBufferPointer<UInt32>

    private func forEachDealt(_ body: (_ run: Int, _ reach: Reach, _ name: UInt32) -> Void) {
      for name in perhaps { body(perhapsRun, reachOfMarks, UInt32(bitPattern: name)) }
      for reach in [Reach.everywhere, .near, .nowhere] {
        for run in dealt(reach) {
          for place in runs[run].next..<runs[run].end { body(run, reach, UInt32(bitPattern: numbers[place])) }
        }
      }
    }

    private func dealt(_ reach: Reach) -> Range<Int> { groups[2 * reach.rawValue]..<groups[2 * reach.rawValue + 1] }
    private func long(_ reach: Reach) -> Range<Int> { groups[2 * reach.rawValue + 1]..<groups[2 * reach.rawValue + 2] }

    /// Where in `ends` it is told of a name's span: first those that a list brings in there.
    private func place(_ name: UInt32, _ reach: Reach) -> Int {
      let span = Int(name >> spanBits)
      let bringsIn = reach == .everywhere || reach == .near && !far[span]
      return span << 1 &+ (bringsIn ? 0 : 1)
    }

    /// Reads the lists that are dealt out. They are short and far apart: one after the other each would be waited for.
    private func fetch() -> Int {
      var sum = 0
      for reach in [Reach.everywhere, .near, .nowhere] {
        for run in dealt(reach) {
          for place in stride(from: runs[run].next, to: runs[run].end, by: Self.numbersOfLine) {
            sum &+= Int(numbers[place])
          }
        }
      }
      return sum
    }

    /// Numbers of a line of the memory.
    private static let numbersOfLine = 16

    /// Deals names out to their spans.
    func deal() {
      ends.initialize(repeating: 0)
      // Asked only so that the reading is not left out.
      guard fetch() >= 0 else { return }
      forEachDealt { _, reach, name in ends[place(name, reach) &+ 1] &+= 1 }
      for place in 1..<ends.count { ends[place] &+= ends[place - 1] }
      forEachDealt { run, reach, name in
        let span = place(name, reach)
        cells[Int(ends[span])] = UInt32(truncatingIfNeeded: run) << UInt32(spanBits) | name & UInt32(NameTally.span - 1)
        ends[span] &+= 1
      }
    }

    /// The names of a span that were dealt out.
    private func cells(_ number: Int, _ kind: Int) -> UnsafeMutableBufferPointer<UInt32>.SubSequence {
      let place = number << 1 + kind
      return cells[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
    }

    func run(
      _ number: Int, agreeing: ArraySlice<Range<Int32>>,
      _ body: (UnsafeBufferPointer<Told>, _ isFar: Bool) -> Void
    ) {
      let isFar = far[number]
      let first = Int32(truncatingIfNeeded: number << spanBits)
      var count = 0
      for cell in cells(number, 0) {
        let run = Int(cell >> UInt32(spanBits))
        bringIn(Int(cell) & (NameTally.span - 1), runs[run].bits, runs[run].again, &count)
      }
      for reach in isFar ? [Reach.everywhere] : [.everywhere, .near] {
        for run in long(reach) {
          let (bits, again) = (runs[run].bits, runs[run].again)
          // What changes is held in registers while the list is run through.
          var found = count
          for place in places(run, number) { bringIn(Int(numbers[place] &- first), bits, again, &found) }
          count = found
        }
      }
      let marksBringIn = reachOfMarks == .everywhere || reachOfMarks == .near && !isFar
      if marksBringIn {
        for range in agreeing {
          for name in range { bringIn(Int(name &- first), UInt32(NameTally.agreeing), 0, &count) }
        }
      }
      let others = isFar ? [Reach.near, .nowhere] : [.nowhere]
      guard count > 0 else {
        for reach in others { for run in long(reach) where runs[run].row == nil { _ = advance(run, from: first) } }
        return
      }
      if !marksBringIn {
        for range in agreeing { for name in range { add(Int(name &- first), UInt32(NameTally.agreeing), 0) } }
      }
      for cell in cells(number, 1) {
        let run = Int(cell >> UInt32(spanBits))
        add(Int(cell) & (NameTally.span - 1), runs[run].bits, runs[run].again)
      }
      for reach in others {
        for run in long(reach) {
          let (bits, again) = (runs[run].bits, runs[run].again)
          for place in places(run, number) { add(Int(numbers[place] &- first), bits, again) }
        }
      }
      for place in 0..<count {
        let slot = Int(parts[NameTally.span &+ place])
        told[place] = Told(name: first &+ Int32(truncatingIfNeeded: slot), bits: parts[slot])
        parts[slot] = 0
      }
      body(UnsafeBufferPointer(rebasing: told[..<count]), isFar)
    }

    @inline(__always)
    private func bringIn(_ slot: Int, _ bits: UInt32, _ again: UInt32, _ count: inout Int) {
      let known = parts[slot]
      parts[slot] = known | bits | (known & again) << 1
      parts[NameTally.span &+ count] = UInt32(truncatingIfNeeded: slot)
      count &+= known == 0 ? 1 : 0
    }

    /// Most names have no word that brings them in.
    @inline(__always)
    private func add(_ slot: Int, _ bits: UInt32, _ again: UInt32) {
      let known = parts[slot]
      if known != 0 { parts[slot] = known | bits | (known & again) << 1 }
    }

    /// The places of the names that a list has in a span.
    @inline(__always)
    private func places(_ run: Int, _ span: Int) -> Range<Int> {
      guard let row = runs[run].row else { return advance(run, from: Int32(truncatingIfNeeded: span << spanBits)) }
      return lists.places(row, span)
    }

    /// Passes over the names that a list has in a span. It is asked of every span, one after the other: a list that was
    /// left behind would have names before the span, which has no room for them.
    /// - Returns: their places.
    @inline(__always)
    private func advance(_ run: Int, from first: Int32) -> Range<Int> {
      // The last name of the span is at most `Int32.max`; the first of the next one may be more.
      let (start, last) = (runs[run].next, first &+ Int32(NameTally.span - 1))
      // In steps that become twice as long, and then by halves.
      var (step, low, high) = (16, start, runs[run].end)
      while low &+ step < high, numbers[low &+ step] <= last {
        low &+= step
        step &*= 2
      }
      high = min(high, low &+ step)
      while low < high {
        let middle = (low &+ high) >> 1
        if numbers[middle] <= last { low = middle &+ 1 } else { high = middle }
      }
      runs[run].next = low
      return start..<low
    }
  }
}
