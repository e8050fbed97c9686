// SPDX-License-Identifier: Apache-2.0

/// Candidate names, ordered in steps by the highest score that each can reach.
struct CandidateQueue {
  private static let steps = 64
  private static let highest = 1.28
  private var names: [[Int32]] = Array(repeating: [], count: steps)
  /// Names of which only the most that any name with the same parts can reach is known.
  private var unread: [[Int32]] = Array(repeating: [], count: steps)

  /// How promising a name is that can reach a score: less than `steps`.
  static func step(_ most: Double) -> Int { Int(min(Double(steps - 1), max(0, most / highest * Double(steps)))) }

  mutating func add(_ name: Int32, _ most: Double) { names[Self.step(most)].append(name) }

  mutating func add(unread name: Int32, step: Int) { unread[step].append(name) }

  /// From the most promising on, as long as what the next ones can reach at most is worth it.
  /// - Parameter read: what those of some names can reach that were added unread and are worth measuring.
  mutating func forEach(
    while isWorth: (Double) -> Bool, read: (ArraySlice<Int32>) -> [(name: Int32, most: Double)], _ body: (Int32) -> Void
  ) {
    for step in names.indices.reversed() where !names[step].isEmpty || !unread[step].isEmpty {
      let most = step == Self.steps - 1 ? .infinity : Double(step + 1) / Double(Self.steps) * Self.highest
      guard isWorth(most) else { return }
      let unread = unread[step]
      for start in stride(from: 0, to: unread.count, by: ScreeningIndex.fetchedMax) {
        for (name, most) in read(unread[start..<min(unread.count, start + ScreeningIndex.fetchedMax)]) {
          names[min(step, Self.step(most))].append(name)
        }
      }
      for name in names[step] { body(name) }
    }
  }
}
