// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore

/// Reads a machine-readable zone by its own law: one font, one pitch, known lengths, known alphabets, check digits.
///
/// The fit of every glyph in every cell comes from `CVision`; here positions choose the alphabet, and where check
/// digits fail, other glyphs of the least certain cells are tried: at most two, and only if one variant satisfies every
/// digit at a clearly better fit than any other (identity-documents §6.3, decision 159). Letters of names are never
/// changed.
struct ZoneReader {
  let referenceDate: CalendarDate

  struct Found {
    var reading: MRZReading
    /// In pixels of the frame, from the zone's own top left on.
    var quad: Quad
    /// For the second reader.
    var zone: cvision_zone
  }

  /// A cell is doubtful below this fit, and where the glyph leads its best rival by less than `leadMin`, or by less than
  /// that and a share of what its fit lacks: bounds that leave none of 35 misread cells among 26,612 out.
  private static let fitMin: Float = 0.7, fitGood: Float = 0.9, leadMin: Float = 0.04, leadSlope: Float = 0.4

  /// - Parameter frame: in which the zone may lie at any angle.
  /// - Returns: nil when the frame shows no zone.
  func read(_ frame: Frame) throws -> Found? {
    var zone = cvision_zone()
    var scores = ZoneScores()
    let status = cvision_read_zone(frame.handle, &zone, &scores.values)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    // No code begins with a filler.
    let head = (0..<5).map { scores.best(0, $0, of: Array(10..<($0 == 0 ? 36 : 37))).glyph }
    guard
      let alphabet = MRZAlphabet.choose(rows: Int(zone.rows), columns: Int(zone.columns), head: Self.text(head))
    else { return nil }

    let cells = scores.cells(of: alphabet)
    let (glyphs, corrections) = repaired(cells, alphabet: alphabet, scores)
    let quad = Quad(zone.quad)
    let doubtful = Self.doubtful(cells, code: scores.best(0, 0, of: Array(10..<37)))
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

  /// Cells whose glyph hardly led its rival, as line × 100 + column. A code begins with one of few letters: where another
  /// one fits clearly better, the whole row may stand beside its cells.
  /// - Parameter code: the best of all letters and the filler in the first cell.
  static func doubtful(_ cells: [[Cell]], code: Cell) -> [Int] {
    let clearlyBetter: Float = 0.1
    let isMisplaced = cells[0][0].fit < code.fit - clearlyBetter
    return cells.enumerated().flatMap { line, row in
      row.enumerated().compactMap { column, cell in
        cell.isDoubtful || isMisplaced && line == 0 ? line * 100 + column : nil
      }
    }
  }

  struct Cell {
    var glyph: Int
    var rival: Int
    var fit: Float
    var lead: Float

    var isDoubtful: Bool { fit < fitMin || lead < leadMin + max(0, fitGood - fit) * leadSlope }
    /// What it costs to take a glyph that fits so much worse: little where none fits well.
    func cost(of loss: Float) -> Float { loss * fit * max(0, fit) }
  }

  /// Another glyph for a cell.
  private struct Change {
    var line: Int
    var column: Int
    var glyph: Int
    var cost: Float
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

  /// Glyph numbers of a zone in which every check digit holds, and what was changed for it; nothing is changed where
  /// another variant may be meant as well, or was not looked at.
  func repaired(
    _ cells: [[Cell]], alphabet: MRZAlphabet, _ scores: ZoneScores
  ) -> (glyphs: [[Int]], corrections: [MRZReading.Correction]) {
    let glyphs = cells.map { $0.map(\.glyph) }
    guard !holds(glyphs) else { return (glyphs, []) }
    let changes = changes(of: cells, alphabet: alphabet, scores)
    let triesMax = 300, anotherChange: Float = 0.03, clearlyBetter: Float = 0.03
    var sets = changes.map { (changes: [$0], cost: $0.cost) }
    for (index, one) in changes.enumerated() {
      for two in changes[..<index] where two.line != one.line || two.column != one.column {
        sets.append(([two, one], one.cost + two.cost + anotherChange))
      }
    }
    var found: (changes: [Change], cost: Float)?
    for (tried, set) in sets.sorted(by: { $0.cost < $1.cost }).enumerated() {
      if let found, set.cost > found.cost + clearlyBetter { break }
      guard tried < triesMax else { return (glyphs, []) }
      var variant = glyphs
      for change in set.changes { variant[change.line][change.column] = change.glyph }
      guard holds(variant) else { continue }
      guard found == nil else { return (glyphs, []) }
      found = set
    }
    guard let found else { return (glyphs, []) }
    var variant = glyphs
    var corrections: [MRZReading.Correction] = []
    for change in found.changes {
      let from = glyphs[change.line][change.column]
      variant[change.line][change.column] = change.glyph
      corrections.append(
        .init(line: change.line, position: change.column, from: Self.text([from]), to: Self.text([change.glyph])))
    }
    return (variant, corrections)
  }

  /// Glyphs that cells outside names may show instead, those that fit nearly as well first.
  private func changes(of cells: [[Cell]], alphabet: MRZAlphabet, _ scores: ZoneScores) -> [Change] {
    let changesMax = 60, costMax: Float = 0.12
    var found: [Change] = []
    for (line, row) in cells.enumerated() {
      for (column, cell) in row.enumerated() where alphabet.classes[line][column] != "a" {
        guard cell.cost(of: cell.lead) < costMax else { continue }
        for glyph in alphabet.glyphs(line: line, column: column) where glyph != cell.glyph {
          let cost = cell.cost(of: cell.fit - scores[line, column, glyph])
          if cost < costMax { found.append(Change(line: line, column: column, glyph: glyph, cost: cost)) }
        }
      }
    }
    return Array(found.sorted { $0.cost < $1.cost }.prefix(changesMax))
  }
}

/// The score table of a zone, which `CVision` fills.
struct ZoneScores {
  var values = [Float](
    repeating: 0, count: Int(CVISION_ZONE_ROWS * CVISION_ZONE_COLUMNS * CVISION_ZONE_GLYPHS))

  /// The best glyph of each cell that an alphabet allows there.
  func cells(of alphabet: MRZAlphabet) -> [[ZoneReader.Cell]] {
    alphabet.classes.indices.map { line in
      alphabet.classes[line].indices.map { best(line, $0, of: alphabet.glyphs(line: line, column: $0)) }
    }
  }

  /// The best of the allowed glyphs, the best other one among them, and how far apart they are.
  func best(_ line: Int, _ column: Int, of allowed: [Int]) -> ZoneReader.Cell {
    var glyph = allowed[0], rival = allowed[0], fit: Float = -2, second: Float = -2
    for candidate in allowed {
      let value = self[line, column, candidate]
      if value > fit {
        (rival, second) = (glyph, fit)
        (glyph, fit) = (candidate, value)
      } else if value > second {
        (rival, second) = (candidate, value)
      }
    }
    return ZoneReader.Cell(glyph: glyph, rival: rival, fit: fit, lead: fit - max(second, -1))
  }

  /// How well a glyph fits a cell, -1…1.
  subscript(_ line: Int, _ column: Int, _ glyph: Int) -> Float {
    get { values[(line * Int(CVISION_ZONE_COLUMNS) + column) * Int(CVISION_ZONE_GLYPHS) + glyph] }
    set { values[(line * Int(CVISION_ZONE_COLUMNS) + column) * Int(CVISION_ZONE_GLYPHS) + glyph] = newValue }
  }
}
