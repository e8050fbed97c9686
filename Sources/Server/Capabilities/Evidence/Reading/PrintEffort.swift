// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Processor time that the print of one picture may take, all looks at it together: lines of a page are read in up to
/// four directions and several times in each, and a zone that does not hold is read by Tesseract as well (decision 257).
///
/// Only what is done in `spend` counts. It is the calling thread's time, so that a busy machine makes a reading longer
/// and no worse.
final class PrintEffort {
  /// What the print of a picture may take: an honest page takes some tenths of a second.
  static let most = Duration.seconds(4)

  private(set) var millisecondsLeft: Int
  /// Whether a look at print ended because the time was used up, or was left out. What was read is then not whole.
  private(set) var isCut = false
  /// Milliseconds of the processor that were spent until now.
  private let spent: () -> Int64

  init(_ limit: Duration = most, spent: @escaping () -> Int64 = ProcessorBudget.spent) {
    let parts = limit.components
    millisecondsLeft = Int(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
    self.spent = spent
  }

  /// Does work that reads print, in no more than what is left.
  /// - Parameter work: is given the milliseconds that it may take.
  /// - Returns: nil when nothing is left; then the work is left out.
  func spend<Value>(_ work: (_ milliseconds: Int) throws -> Value) rethrows -> Value? {
    guard millisecondsLeft > 0 else {
      isCut = true
      return nil
    }
    let before = spent()
    defer {
      millisecondsLeft -= Int(spent() - before)
      // A reader that stops at its limit has taken a little more than it, by then.
      if millisecondsLeft <= 0 { isCut = true }
    }
    return try work(millisecondsLeft)
  }
}
