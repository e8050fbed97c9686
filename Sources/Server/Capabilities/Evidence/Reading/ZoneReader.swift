import CVision
import DocumentCore

/// Reads a machine-readable zone by its own law: one font, one pitch, known lengths, known alphabets, check digits.
///
/// The fit of every glyph in every cell comes from `CVision`; here positions choose the alphabet, and where check
/// digits fail, the second best glyph of the least certain cells is tried: at most two, and only if exactly one
/// variant satisfies every digit (identity-documents §6.3). Letters of names are never changed.
struct ZoneReader {
  let referenceDate: CalendarDate

  struct Found {
    var reading: MRZReading
    /// In pixels of the frame, from the zone's own top left on.
    var quad: Quad
    /// For the second reader.
    var zone: cvision_zone
  }

  /// A glyph must lead its best rival by this much, or the cell is doubtful.
  private static let leadMin: Float = 0.035
  /// Fit below which a cell shows no glyph of the font.
  private static let fitMin: Float = 0.45

  /// - Parameter frame: in which the zone may lie at any angle.
  /// - Returns: nil when the frame shows no zone.
  func read(_ frame: Frame) throws -> Found? {
    var zone = cvision_zone()
    var scores = Scores()
    let status = cvision_read_zone(frame.handle, &zone, &scores.values)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    // No code begins with a filler.
    let head = (0..<5).map { scores.best(0, $0, of: Array(10..<($0 == 0 ? 36 : 37))).glyph }
    guard
      let alphabet = MRZAlphabet.choose(rows: Int(zone.rows), columns: Int(zone.columns), head: Self.text(head))
    else { return nil }

    var cells: [[Cell]] = []
    for line in 0..<Int(zone.rows) {
      cells.append(
        (0..<Int(zone.columns)).map { column in
          let best = scores.best(line, column, of: alphabet.glyphs(line: line, column: column))
          return Cell(glyph: best.glyph, rival: best.rival, fit: best.fit, lead: best.lead)
        })
    }
    let read = cells.map { $0.map(\.glyph) }
    let (glyphs, corrections) = repaired(read, cells: cells, alphabet: alphabet)
    let quad = Quad(zone.quad)
    let doubtful = cells.enumerated().flatMap { line, row in
      row.enumerated().compactMap { column, cell in
        cell.lead < Self.leadMin || cell.fit < Self.fitMin ? line * 100 + column : nil
      }
    }
    let all = cells.joined()
    let certainty = all.reduce(0.0) { $0 + Double(min(1, max(0, $1.lead / 0.12)) * min(1, max(0, $1.fit / 0.8))) }
    let lines = glyphs.map(Self.text)
    let cleared = Self.clearedBehindName(
      lines, doubtful: doubtful, format: MRZ.parse(lines: lines, referenceDate: referenceDate).format)
    let characters = cleared.lines.map(Array.init)
    let alternatives = doubtful.map { place in
      let (line, position) = (place / 100, place % 100)
      let (taken, best) = (String(characters[line][position]), Self.text([cells[line][position].glyph]))
      return MRZReading.Correction(
        line: line, position: position, from: taken,
        to: taken == best ? Self.text([cells[line][position].rival]) : best)
    }
    let reading = MRZReading(
      lines: cleared.lines, referenceDate: referenceDate, corrections: corrections + cleared.corrections,
      doubtful: doubtful, alternatives: alternatives,
      confidence: (certainty / Double(max(1, all.count)) * 1000).rounded() / 1000, region: quad.region, source: .pitch)
    return Found(reading: reading, quad: quad, zone: zone)
  }

  private struct Cell {
    var glyph: Int
    var rival: Int
    var fit: Float
    var lead: Float
  }

  private static func text(_ glyphs: [Int]) -> String { String(glyphs.map { MRZAlphabet.characters[$0] }) }

  private func holds(_ glyphs: [[Int]]) -> Bool {
    MRZ.parse(lines: glyphs.map(Self.text), referenceDate: referenceDate).allCheckDigitsHold
  }

  /// No name has three fillers before a component, so what was read behind them, at the end of the field and mostly in
  /// doubt, are fillers too: where a row bends away from what was found of it, they look like letters.
  static func clearedBehindName(
    _ lines: [String], doubtful: [Int], format: MRZ.Format?
  ) -> (lines: [String], corrections: [MRZReading.Correction]) {
    // The composite digit of the French card of 1988 covers its names too.
    guard format != .frenchID1988 else { return (lines, []) }
    var cells = lines.map(Array.init), corrections: [MRZReading.Correction] = []
    for line in cells.indices {
      let name = cells[line].indices.filter { format?.fieldName(line: line, position: $0) == .name }
      let third = name.dropFirst(2).first { cells[line][$0 - 2...$0] == ["<", "<", "<"] }
      guard let third else { continue }
      let behind = name.filter { $0 > third && cells[line][$0] != "<" }
      guard behind.count(where: { doubtful.contains(line * 100 + $0) }) * 2 >= behind.count else { continue }
      for position in behind {
        corrections.append(.init(line: line, position: position, from: String(cells[line][position]), to: "<"))
        cells[line][position] = "<"
      }
    }
    return (cells.map { String($0) }, corrections)
  }

  private func repaired(
    _ glyphs: [[Int]], cells: [[Cell]], alphabet: MRZAlphabet
  ) -> ([[Int]], [MRZReading.Correction]) {
    guard !holds(glyphs) else { return (glyphs, []) }
    let uncertainMax = 12, changeLeadMax: Float = 0.12
    let candidates = cells.enumerated().flatMap { line, row in
      row.enumerated().compactMap { column, cell -> (line: Int, column: Int, cell: Cell)? in
        let isName = alphabet.classes[line][column] == "a"
        return !isName && cell.lead < changeLeadMax ? (line, column, cell) : nil
      }
    }.sorted { $0.cell.lead < $1.cell.lead }.prefix(uncertainMax)

    for changes in 1...2 {
      var found: [[(line: Int, column: Int, cell: Cell)]] = []
      for (index, one) in candidates.enumerated() {
        let sets = changes == 1 ? [[one]] : candidates.dropFirst(index + 1).map { [one, $0] }
        for set in sets {
          var variant = glyphs
          for change in set { variant[change.line][change.column] = change.cell.rival }
          if holds(variant) { found.append(set) }
        }
      }
      guard found.count <= 1 else { return (glyphs, []) }
      guard let set = found.first else { continue }
      var variant = glyphs
      var corrections: [MRZReading.Correction] = []
      for change in set {
        variant[change.line][change.column] = change.cell.rival
        corrections.append(
          .init(
            line: change.line, position: change.column, from: Self.text([change.cell.glyph]),
            to: Self.text([change.cell.rival])))
      }
      return (variant, corrections)
    }
    return (glyphs, [])
  }
}

/// The score table of a zone, which `CVision` fills.
private struct Scores {
  var values = [Float](
    repeating: 0, count: Int(CVISION_ZONE_ROWS * CVISION_ZONE_COLUMNS * CVISION_ZONE_GLYPHS))

  /// The best of the allowed glyphs, the best other one among them, and how far apart they are.
  func best(_ line: Int, _ column: Int, of allowed: [Int]) -> (glyph: Int, rival: Int, fit: Float, lead: Float) {
    let start = (line * Int(CVISION_ZONE_COLUMNS) + column) * Int(CVISION_ZONE_GLYPHS)
    var glyph = allowed[0], rival = allowed[0], fit: Float = -2, second: Float = -2
    for candidate in allowed {
      let value = values[start + candidate]
      if value > fit {
        (rival, second) = (glyph, fit)
        (glyph, fit) = (candidate, value)
      } else if value > second {
        (rival, second) = (candidate, value)
      }
    }
    return (glyph, rival, fit, fit - max(second, -1))
  }
}
