// SPDX-License-Identifier: Apache-2.0

import OneAssistCore

/// Reads a screenshot of a phone's sheet of identifiers.
///
/// 1. The picture is brought to one width and print to one polarity.  2. Lines are found, and numbers in them.  3. Labels
/// tell numbers of other kinds apart.  4. Whatever may be an IMEI is read again, apart, until two readings agree.
struct IdentifierReader {
  let text: TextReader
  /// For the whole picture, whatever is in it.
  var limit = ProcessorBudget.screen

  /// Pixels of the working width, upright and lying.
  private static let (width, widthLying) = (1080, 1600)
  /// Of the longer side of what Tesseract is given.
  private static let heightMax = 3200
  /// Digits from which on a number is looked at; misreadings lose or gain some.
  private static let (digitsMin, digitsMax) = (12, 18)
  /// Numbers that are read again; a sheet has two.
  private static let numbersMax = 8
  /// Of a page's first reading.
  private static let pageMilliseconds = 6000

  func read(_ frame: Frame) throws -> IdentifierReading {
    let budget = ProcessorBudget(limit)
    var best = try read(frame, enlarged: 1, layout: .sparse, budget)
    if best.imeis.isEmpty {
      // Small print, or lines that were torn apart: another look, larger.
      let second = try read(frame, enlarged: 1.45, layout: .automatic, budget)
      if !second.imeis.isEmpty || best.lines.isEmpty { best = second }
    }
    return best
  }

  private func read(
    _ frame: Frame, enlarged: Double, layout: TextReader.Layout, _ budget: ProcessorBudget
  ) throws -> IdentifierReading {
    let usual: Double = Double(frame.height >= frame.width ? Self.width : Self.widthLying) * enlarged
    let tallest: Double = Double(Self.heightMax) * Double(frame.width) / Double(max(1, frame.height))
    let sized = try frame.scaled(toWidth: max(16, Int(min(usual, tallest))))
    let page = try sized.print(hasBars: true)
    guard try page.isPrint() else { return IdentifierReading(lines: []) }
    let symbols = try text.symbols(
      in: page, layout: layout, timeLimitMilliseconds: budget.milliseconds(atMost: Self.pageMilliseconds))
    let lines = ScreenLine.lines(of: symbols)
    let reader = NumberReader(text: text, source: frame, page: page, budget: budget) { IMEI($0) != nil }
    return IdentifierReading(lines: try interpreted(lines, reader))
  }

  private func interpreted(
    _ lines: [ScreenLine], _ reader: NumberReader
  ) throws -> [IdentifierReading.Line] {
    var result: [IdentifierReading.Line] = []
    // The label that stands over the next number.
    var above: (label: IdentifierLabel, bottom: Int)?
    var left = Self.numbersMax
    for line in lines {
      let numbers = line.numbers(atLeast: Self.digitsMin)
      guard let number = numbers.max(by: { $0.count < $1.count }) else {
        let label = IdentifierLabel(line.text)
        result.append(.init(text: line.text, label: label))
        if label != .none || !line.text.contains(where: \.isNumber) {
          above = (label, line.region.y + line.region.height)
        }
        continue
      }
      var label = IdentifierLabel(number.label)
      if label == .none, let over = above, number.region.y - over.bottom < number.region.height * 3 {
        label = over.label
      }
      above = nil
      guard label != .other, number.count <= Self.digitsMax || label != .none else {
        result.append(.init(text: line.text, label: label))
        continue
      }
      left -= 1
      let imei = left < 0 ? nil : try reader.read(number, known: reader.barcode(under: number))
      // Without a label, what is no IMEI may be any number.
      let isDoubtful = imei == nil && (label != .none || (14...16).contains(number.count))
      result.append(
        .init(text: number.label, label: label, imei: imei, isDoubtful: isDoubtful))
      if imei == nil { result[result.count - 1].text = line.text }
    }
    return Self.withLonelyLabels(result)
  }

  /// A label of an IMEI that no number follows is a number that was not seen.
  private static func withLonelyLabels(_ lines: [IdentifierReading.Line]) -> [IdentifierReading.Line] {
    var lines = lines
    for (index, line) in lines.enumerated() {
      guard case .imei = line.label, line.imei == nil else { continue }
      let next = lines.dropFirst(index + 1).first
      if next?.imei == nil { lines[index].isDoubtful = true }
    }
    return lines
  }
}
