import CVision
import DocumentCore

/// Looks for the machine-readable zone on the page, then on the whole frame, upright, on its head and on its sides.
struct ZoneSearch {
  let frame: Frame
  let outline: Quad?
  let today: CalendarDate

  /// - Parameter wanted: false when the document should carry none: then one look is enough; nil when it may.
  /// - Returns: the page turned upright, and the zone in its pixels.
  func run(wanted: Bool?) throws -> (page: Page, zone: ZoneReader.Found?) {
    let reader = ZoneReader(referenceDate: today)
    var best: (page: Page, zone: ZoneReader.Found)?
    let page = try outline.map { try Page.cut($0, from: frame) } ?? Page.whole(frame)
    var attempts: [() throws -> Page] = [{ page }]
    if wanted != false {
      // A page without an outline may lie on its side; an outline may be that of something else.
      if outline != nil { attempts.append { try Page.whole(frame) } }
      attempts.append { try Page.whole(frame).turned(1) }
    }
    for attempt in attempts {
      var candidate = try attempt()
      guard var found = try reader.read(candidate.frame) else { continue }
      if found.upsideDown {
        candidate = try candidate.turned(2)
        found = found.turnedOver(width: candidate.frame.width, height: candidate.frame.height)
      }
      if found.reading.isWhole { return (candidate, found) }
      if best.map({ found.reading.confidence > $0.zone.reading.confidence }) ?? true { best = (candidate, found) }
    }
    // Evenly spaced print that is no zone at all satisfies no check digit.
    guard let best, best.zone.reading.result.checkDigits?.all.contains(where: \.ok) == true else { return (page, nil) }
    return (best.page, best.zone)
  }
}

extension ZoneReader.Found {
  /// The same zone in the pixels of the frame turned by 180°.
  func turnedOver(width: Int, height: Int) -> ZoneReader.Found {
    var copy = self
    copy.upsideDown = false
    copy.quad.corners = quad.corners.map { (Double(width - 1) - $0.x, Double(height - 1) - $0.y) }
    copy.zone.quad = copy.quad.c
    copy.zone.upside_down = 0
    copy.reading = MRZReading(
      lines: reading.lines, referenceDate: reading.referenceDate, corrections: reading.corrections,
      doubtful: reading.doubtful, confidence: reading.confidence, region: copy.quad.region, source: reading.source)
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

  /// - Returns: nil when this reader does no better.
  func improved(_ found: ZoneReader.Found, in page: Frame) throws -> ZoneReader.Found? {
    var zone = found.zone
    if found.reading.isCutPassport { zone.lengthen(to: MRZ.Format.td3.lineLength) }
    let strip = try page.derived { cvision_zone_strip(page.handle, &zone, $0) }
    let words = try text.words(
      in: strip, layout: .block, alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<", timeLimitMilliseconds: 3000)
    let lines = VisualZoneReader(words: words).lines.map { $0.map(\.text).joined() }
    guard case .accepted(let reading) = MRZRecognition.repair(ocrLines: lines, referenceDate: today) else { return nil }
    var copy = found
    copy.reading = MRZReading(
      lines: reading.lines, referenceDate: today,
      corrections: reading.corrections.map {
        .init(line: $0.line - 1, position: $0.position - 1, from: $0.from, to: $0.to)
      },
      doubtful: found.reading.doubtful,
      confidence: words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count),
      region: found.reading.region, source: .tesseract)
    return copy
  }
}
