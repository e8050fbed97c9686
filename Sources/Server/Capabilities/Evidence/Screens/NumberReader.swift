// SPDX-License-Identifier: Apache-2.0

/// Reads one number of a screen again and again, each time from another picture of it, until two readings agree.
///
/// A check digit lets one misreading in ten through; two pictures that are misread alike, in two digits, it lets through
/// hardly ever. Where readings that all satisfy the check digit differ, the number is not read at all.
struct NumberReader {
  let text: TextReader
  /// As it came.
  let source: Frame
  /// The same at the size of the first reading, print dark on white.
  let page: Frame
  /// Of the whole picture.
  let budget: ProcessorBudget
  /// Whether digits can be such a number: their count and their check digit.
  let isPossible: (String) -> Bool

  private static let digits = "0123456789"
  /// Heights of digits, in pixels, at which a reading is tried.
  private static let heights = (first: 38, second: 52, third: 30, fourth: 44)

  /// - Parameter known: of the same number, from elsewhere: a barcode under it. Counts as two readings.
  /// - Returns: nil when it cannot be read for certain.
  func read(_ number: ScreenLine.Number, known: String? = nil) throws -> String? {
    var votes: [String: Int] = [:]
    func winner() -> String? { votes.count == 1 ? votes.first { $0.value >= 2 }?.key : nil }
    if let known, isPossible(known) { votes[known, default: 0] += 2 }
    if let first = number.digits, isPossible(first) { votes[first, default: 0] += 1 }
    let attempts: [() throws -> Frame] = [
      { try cut(number, from: page, height: Self.heights.first) },
      { try cut(number, from: source, height: Self.heights.second).print() },
      { try cut(number, from: source, height: Self.heights.third) },
      { try cut(number, from: page, height: Self.heights.fourth) },
    ]
    for (index, attempt) in attempts.enumerated() {
      guard !budget.isSpent else { return nil }
      let frame = try attempt().bordered(by: 12)
      let seen = try text.symbols(
        in: frame, layout: .line, alphabet: Self.digits,
        timeLimitMilliseconds: budget.milliseconds(atMost: 1500)
      ).map(\.text).joined()
      if isPossible(seen) { votes[seen, default: 0] += 1 }
      if votes.count > 1 { return nil }
      // Two at least are always taken: the first reading of a page is no picture of its own.
      if index >= 1, let winner = winner() { return winner }
    }
    return winner()
  }

  /// Pixels of the source for one of the page.
  private var share: Double { Double(source.width) / Double(page.width) }

  /// What the barcode says that stands under a number.
  func barcode(under number: ScreenLine.Number) throws -> String? {
    let (region, high) = (number.region, number.region.height)
    let part = Region(x: region.x - 6 * high, y: region.y + high, width: region.width + 12 * high, height: 7 * high / 2)
    return try ScreenBarcode.text(in: source, part: part.scaled(by: share))
  }

  /// The number with a little of its surroundings, its digits `height` pixels high.
  private func cut(_ number: ScreenLine.Number, from frame: Frame, height: Int) throws -> Frame {
    let (region, high) = (number.region, number.region.height)
    // Tenths of a digit's height; less where a label ends just before.
    let left = (number.isTight ? 1 : 4) * high / 10
    let area = Region(
      x: region.x - left, y: region.y - 3 * high / 10, width: region.width + left + 4 * high / 10,
      height: high + 6 * high / 10)
    let share: Double = frame === page ? 1 : share
    let part = try frame.cropped(to: area.scaled(by: share))
    let factor: Double = Double(height) / max(1, Double(high) * share)
    let width = Int(Double(part.width) * factor)
    return try part.scaled(toWidth: max(16, min(6000, width)))
  }
}
