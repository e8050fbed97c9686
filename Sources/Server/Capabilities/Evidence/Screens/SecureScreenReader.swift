// SPDX-License-Identifier: Apache-2.0

import CVision
import OneAssistCore

/// Reads the code from a photo of a phone that shows the secure screen (oneassist §7.4).
///
/// The lit screen is found and straightened first; then its numbers are read as those of a screenshot are.
struct SecureScreenReader {
  let text: TextReader
  /// For the whole photo, whatever is in it.
  var limit = ProcessorBudget.screen

  /// Pixels to which a screen is straightened: digits are some fifty pixels high then; and for another look.
  private static let widths = [620, 860]
  /// Digits from which on a number is looked at, and up to which it can be a code; misreadings lose or gain some.
  private static let (digitsMin, digitsMax) = (9, 13)
  /// Numbers of one screen that are read again: it has one code, and numbers of the phone that are longer.
  private static let numbersMax = 6
  /// Of a page's first reading.
  private static let pageMilliseconds = 6000
  /// Of a photo that is taken for the screen; a screen of the second width has fewer.
  private static let pixelsMax = 3_500_000
  /// Places in the photo that are tried.
  private static let placesMax = 4

  /// - Returns: eleven digits whose check digit is right; nil when none can be read for certain.
  func read(_ frame: Frame) throws -> String? {
    let budget = ProcessorBudget(limit)
    var screens = cvision_screens()
    try CVisionFailure.check(cvision_find_screens(frame.handle, &screens))
    let count = Int(screens.count)
    let quads = withUnsafeBytes(of: screens.quads) { raw in
      raw.bindMemory(to: cvision_quad.self).prefix(count).map { Quad($0) }
    }
    for width in Self.widths {
      for quad in quads.prefix(Self.placesMax) {
        for upright in Self.turns(of: quad) {
          if let code = try code(in: straightened(upright, frame, width: width), budget) { return code }
        }
      }
      // A photo of nothing but the screen has no outline.
      let whole = try frame.scaled(toWidth: frame.width(width, most: Self.pixelsMax))
      if let code = try code(in: whole, budget) { return code }
    }
    return nil
  }

  /// A screen is higher than it is wide; one that lies may have its top on either side.
  private static func turns(of quad: Quad) -> [Quad] {
    let isLying = quad.edge(0) + quad.edge(2) > quad.edge(1) + quad.edge(3)
    return isLying ? [quad.turned(1), quad.turned(3)] : [quad]
  }

  private func straightened(_ quad: Quad, _ frame: Frame, width: Int) throws -> Frame {
    let across = max(1, (quad.edge(0) + quad.edge(2)) / 2), down = (quad.edge(1) + quad.edge(3)) / 2
    return try frame.rectified(
      quad, width: width, height: max(16, min(4000, Int(Double(width) * down / across))))
  }

  private func code(in screen: Frame, _ budget: ProcessorBudget) throws -> String? {
    guard !budget.isSpent else { return nil }
    let page = try screen.print()
    guard try page.isPrint() else { return nil }
    let reader = NumberReader(text: text, source: screen, page: page, budget: budget) {
      SecureScreenCode.isWellFormed($0)
    }
    let symbols = try text.symbols(
      in: page, layout: .sparse, timeLimitMilliseconds: budget.milliseconds(atMost: Self.pageMilliseconds))
    let found = try Set(Self.likeliest(ScreenLine.lines(of: symbols)).compactMap { try reader.read($0) })
    // What was not looked at might have been another code.
    return found.count == 1 && !budget.isSpent ? found.first : nil
  }

  /// The numbers that may be a code: those of nearly its length, the nearest first.
  static func likeliest(_ lines: [ScreenLine]) -> [ScreenLine.Number] {
    let numbers = lines.flatMap { $0.numbers(atLeast: digitsMin) }.filter { $0.count <= digitsMax }
    func distance(_ number: ScreenLine.Number) -> Int { abs(number.count - RollingCode.digitsCount) }
    return Array(numbers.sorted { distance($0) < distance($1) }.prefix(numbersMax))
  }
}
