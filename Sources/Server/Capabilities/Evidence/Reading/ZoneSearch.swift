// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore

/// Looks for the machine-readable zone in the whole frame, whatever lies around it, and then on the page inside the
/// outline.
///
/// The zone shows where its page is and which way is up, so that an outline that was not found, or is that of something
/// else on the table or of an open booklet, does not decide.
struct ZoneSearch {
  let frame: Frame
  let outline: Quad?
  let today: CalendarDate

  func run(wanted: Bool?) throws -> (page: Page, zone: ZoneReader.Found?) {
    var clock = StageClock()
    return try run(wanted: wanted, clock: &clock)
  }

  /// - Parameters:
  ///   - wanted: false when the document should carry none: then one look is enough; nil when it may.
  ///   - clock: marks `mrz` where a zone is read, and `straighten` for the page that is cut out by it afterwards.
  /// - Returns: the page turned upright, and the zone in its pixels.
  func run(wanted: Bool?, clock: inout StageClock) throws -> (page: Page, zone: ZoneReader.Found?) {
    let reader = ZoneReader(referenceDate: today)
    let whole = try reader.read(frame)
    if let whole, whole.reading.isWhole {
      clock.mark("mrz")
      defer { clock.mark("straighten") }
      return try laid(whole)
    }
    defer { clock.mark("mrz") }
    let page = try outline.map { try Page.cut($0, from: frame) } ?? Page.whole(frame)
    // A page that is seen much askew is easier to read when it is straightened first.
    if wanted != false, outline != nil, let found = try reader.read(page.frame),
      found.reading.isWhole || found.reading.confidence > whole?.reading.confidence ?? 0,
      Self.showsDigits(found)
    {
      let quarters = found.quad.quarters
      let upright = try page.turned(-quarters)
      return (upright, try found.moved(Quad(of: page.frame).turned(-quarters), to: upright.frame))
    }
    guard let whole, Self.showsDigits(whole) else { return (page, nil) }
    return try laid(whole)
  }

  /// Evenly spaced print that is no zone at all satisfies no check digit.
  private static func showsDigits(_ found: ZoneReader.Found) -> Bool {
    found.reading.result.checkDigits?.all.contains(where: \.ok) == true
  }

  /// The page that a zone of the frame belongs to, and the zone on it.
  private func laid(_ found: ZoneReader.Found) throws -> (Page, ZoneReader.Found?) {
    let place = ZonePlace(zone: found.quad, columns: Int(found.zone.columns), rows: Int(found.zone.rows))
    if let outline, let turned = place.fitting(outline) {
      let page = try Page.cut(turned, from: frame, aspect: place.aspect)
      return (page, try found.moved(turned, to: page.frame))
    }
    if place.fills(frame) {
      let quarters = found.quad.quarters
      let page = try Page.whole(frame).turned(-quarters)
      return (page, try found.moved(Quad(of: frame).turned(-quarters), to: page.frame))
    }
    var page = try Page.cut(place.page, from: frame)
    if !place.page.isInside(frame) { page.outline = nil }
    return (page, try found.moved(place.page, to: page.frame))
  }
}

extension ZoneReader.Found {
  /// The same zone in the pixels of `page`, which is what `outline` encloses.
  func moved(_ outline: Quad, to page: Frame) throws -> ZoneReader.Found {
    var part = quad.c, moved = cvision_quad()
    try CVisionFailure.check(
      cvision_projected(outline.c, Int32(page.width), Int32(page.height), &part, &moved))
    var copy = self
    copy.quad = Quad(moved)
    copy.zone.quad = moved
    copy.reading = MRZReading(
      lines: reading.lines, referenceDate: reading.referenceDate, corrections: reading.corrections,
      doubtful: reading.doubtful, alternatives: reading.alternatives, confidence: reading.confidence,
      region: copy.quad.region, source: reading.source)
    return copy
  }
}

extension cvision_zone {
  /// Moves the right end of a zone to where a line of so many characters ends. The quad is a character wider than its
  /// lines.
  fileprivate mutating func lengthen(to columns: Int) {
    var quad = Quad(quad)
    let share = Double(columns + 1) / Double(self.columns + 1)
    for (left, right) in [(0, 1), (3, 2)] {
      let (from, to) = (quad.corners[left], quad.corners[right])
      quad.corners[right] = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    }
    self.quad = quad.c
    self.columns = Int32(columns)
  }
}

/// Tesseract on the straightened zone, repaired by `MRZRecognition`: asked when the first reader's digits do not hold.
struct SecondReader {
  let text: TextReader
  let today: CalendarDate
  let effort: PrintEffort

  /// Of the processor, for the zone: the page's print has to be read as well.
  private static let millisecondsMax = 3000

  /// - Returns: nil when this reader does no better.
  func improved(_ found: ZoneReader.Found, in page: Frame) throws -> ZoneReader.Found? {
    var zone = found.zone
    if found.reading.isCutPassport { zone.lengthen(to: MRZ.Format.td3.lineLength) }
    let strip = try page.derived { cvision_zone_strip(page.handle, &zone, $0) }
    let words = try effort.spend { milliseconds in
      try text.words(
        in: strip, layout: .block, alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<",
        timeLimitMilliseconds: min(Self.millisecondsMax, milliseconds))
    }
    guard let words else { return nil }
    let lines = VisualZoneReader(words: words).lines.map { $0.map(\.text).joined() }
    guard case .accepted(let reading) = MRZRecognition.repair(ocrLines: lines, referenceDate: today) else { return nil }
    var copy = found
    let agreed = found.reading.agreed(with: reading.lines, of: reading.result.format)
    copy.reading = MRZReading(
      lines: agreed.lines, referenceDate: today,
      corrections: reading.corrections.map {
        .init(line: $0.line - 1, position: $0.position - 1, from: $0.from, to: $0.to)
      } + agreed.corrections,
      doubtful: agreed.doubtful,
      confidence: words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count),
      region: found.reading.region, source: .tesseract)
    return copy
  }
}

extension MRZReading {
  /// Other lines of the same zone, with the characters that no check digit covers as this reading has them where it is
  /// sure: Tesseract takes fillers for letters. Every character that the two have differently is in doubt.
  ///
  /// Readings that differ in more than an eighth of the characters are not of the same cells: then nothing is taken.
  /// A letter that Tesseract does not take a filler for was perhaps there: leaving it out is a correction.
  func agreed(
    with other: [String], of format: MRZ.Format?
  ) -> (lines: [String], corrections: [Correction], doubtful: [Int]) {
    var corrections: [Correction] = []
    var cells = other.map { Array($0.utf8) }
    let own = lines.map { Array($0.utf8) }
    let differing = cells.indices.flatMap { line in
      cells[line].indices.compactMap { position in
        own.indices.contains(line) && own[line].indices.contains(position)
          && own[line][position] != cells[line][position] ? line * 100 + position : nil
      }
    }
    let unchecked: Set<MRZ.FieldName?> = [.name, .issuingState, .nationality, .sex]
    // The composite digit of the French card of 1988 covers its names too.
    if format != .frenchID1988, differing.count * 8 <= cells.reduce(0, { $0 + $1.count }) {
      let changed = Set(self.corrections.map { $0.line * 100 + $0.position })
      for place in differing where !doubtful.contains(place) && !changed.contains(place) {
        let (line, position) = (place / 100, place % 100)
        guard unchecked.contains(format?.fieldName(line: line, position: position)) else { continue }
        let (from, to) = (cells[line][position], own[line][position])
        cells[line][position] = to
        if to == UInt8(ascii: "<"), !"KLXC".utf8.contains(from) {
          corrections.append(.init(line: line, position: position, from: String(UnicodeScalar(from)), to: "<"))
        }
      }
    }
    return (cells.map { String(decoding: $0, as: UTF8.self) }, corrections, Set(doubtful).union(differing).sorted())
  }
}
