// SPDX-License-Identifier: Apache-2.0

/// Counts by name that fade: a count-min sketch (Cormode and Muthukrishnan, 2005) of two rows, which takes 256 KiB
/// however many names there are. A name has a cell in each row, and its count is the smaller of both; what shares both
/// cells with others has their count as well. Cells are chosen by Swift's hash, whose seed is another one in each
/// process, so that no client can aim at the cells of another.
struct CountMinSketch {
  private static let width = 32_768

  private var cells = [UInt32](repeating: 0, count: 2 * CountMinSketch.width)
  /// After so long all counts are halved.
  private let halfLife: Duration
  /// No count is larger, so that none takes longer to fade.
  private let countMax: UInt32
  private var halvedAt: Duration
  /// Of all names together.
  private var sum = 0

  init(halfLife: Duration, countMax: UInt32 = .max, at now: Duration) {
    (self.halfLife, self.countMax, halvedAt) = (halfLife, countMax, now)
  }

  /// As of the last call that tells the time.
  func count(of name: String) -> Int {
    let (first, second) = Self.places(of: name)
    return Int(min(cells[first], cells[second]))
  }

  mutating func count(of name: String, at now: Duration) -> Int {
    fade(to: now)
    return count(of: name)
  }

  mutating func total(at now: Duration) -> Int {
    fade(to: now)
    return sum
  }

  /// - Returns: the count before.
  @discardableResult
  mutating func add(_ amount: Int, to name: String, at now: Duration) -> Int {
    fade(to: now)
    let (first, second) = Self.places(of: name)
    let before = Int(min(cells[first], cells[second]))
    let after = min(UInt32(clamping: before + amount), countMax)
    cells[first] = max(cells[first], after)
    cells[second] = max(cells[second], after)
    sum += min(amount, Int(countMax))
    return before
  }

  private mutating func fade(to now: Duration) {
    let halvings = min(Int((now - halvedAt) / halfLife), UInt32.bitWidth)
    guard halvings > 0 else { return }
    for cell in cells.indices { cells[cell] >>= halvings }
    sum >>= halvings
    halvedAt = now
  }

  private static func places(of name: String) -> (first: Int, second: Int) {
    let hash = UInt(bitPattern: name.hashValue)
    return (Int(hash % UInt(width)), width + Int(hash >> 32 % UInt(width)))
  }
}
