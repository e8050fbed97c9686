// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore

/// The words of an upright page, and what they say of its kind.
struct PageText {
  let page: Page
  let kind: DocumentKind?
  private let templates: [VisualTemplate]
  private let blanks: [Region]
  /// What was taken for the portrait, from side to side.
  private let portrait: Region?
  private let zone: MRZReading?

  /// Where ink ends: without the background's patterns, and with print that blur has made faint.
  private static let clean = 225.0, faint = 242.0
  private let look: Look
  private let first: VisualZoneReader

  /// - Parameters:
  ///   - zone: the machine-readable zone of the page; nil when none was read.
  ///   - portrait: where the holder's picture is, which holds no print for people, as the zone.
  ///   - kindIsKnown: true when a zone has told; else the page is looked at twice to find out.
  ///   - expected: what the page should be: it decides between templates that fit equally well.
  ///   - templates: those that the page may have.
  ///   - effort: what the print of the picture may still take; words for which nothing is left are not read.
  init(
    _ page: Page, zone: MRZReading?, portrait: Region?, kindIsKnown: Bool, expected: DocumentKind?,
    lines: LineReader, templates: [VisualTemplate], effort: PrintEffort
  ) throws {
    self.page = page
    let templates = page.likeliestFirst(templates, expected: expected, hasZone: zone != nil)
    self.templates = templates
    look = Look(page: page, lines: lines, effort: effort)
    // What looks like a zone and has no digit that holds guides nothing.
    self.zone = zone.flatMap { DocumentReader.kind(of: $0) == nil ? nil : $0 }
    // A portrait's sides are presumed from its face, and print begins beside them: a letter that is cut is misread.
    let narrow = portrait.map {
      Region(x: $0.x + $0.width / 45, y: $0.y, width: $0.width - $0.width * 2 / 45, height: $0.height)
    }
    self.portrait = narrow
    blanks = [zone?.region, narrow].compactMap(\.self)
    var words = VisualZoneReader(words: try look.words(paper: Self.clean, blanks: blanks))
    if !kindIsKnown, words.template(among: templates) == nil {
      words = VisualZoneReader(words: try look.words(paper: Self.faint, blanks: blanks))
    }
    first = words
    kind = words.template(among: templates)?.kind
  }

  /// The template of a kind that fits the page best; nil when no template is of that kind.
  func template(of kind: DocumentKind) -> VisualTemplate? { first.template(of: kind, among: templates) }

  /// The fields of a template. What one way of cutting the page into lines did not give, another may.
  func fields(_ template: VisualTemplate) throws -> VisualZone {
    var zone = read(template, from: first)
    let isLegible = template.required.allSatisfy { zone[$0] != nil }
    guard !isLegible else {
      complete(&zone, template, from: first)
      return zone
    }
    let second = VisualZoneReader(words: try look.words(paper: Self.faint, blanks: blanks))
    zone.values.merge(read(template, from: second).values) { kept, _ in kept }
    // What stands under a caption comes before what the zone finds elsewhere, so that no difference is hidden.
    complete(&zone, template, from: first)
    complete(&zone, template, from: second)
    if template.required.contains(where: { zone[$0] == nil }), let open = try underPortrait(template) {
      zone.values.merge(read(template, from: open).values) { kept, _ in kept }
      complete(&zone, template, from: open)
    }
    return Self.distinct(zone)
  }

  /// Without names that stand where another field's value does: words are the value of one field, and what can be a
  /// nationality, a sex or a number is hardly a name.
  private static func distinct(_ zone: VisualZone) -> VisualZone {
    var zone = zone
    for name in [VisualZone.Field.givenNames, .surname] {
      guard let place = zone.values[name]?.region else { continue }
      // Two looks at a page place a word a pixel apart.
      let isTaken = zone.values.contains { field, value in
        field != name && (value.region == place || value.text == zone[name] && value.region.overlaps(place))
      }
      if isTaken { zone.values[name] = nil }
    }
    return zone
  }

  /// The words of the page with those where the portrait was thought to be: a detector takes a column of print for a
  /// face now and then.
  /// - Returns: nil when no caption stands there.
  private func underPortrait(_ template: VisualTemplate) throws -> VisualZoneReader? {
    // What a detector sees beyond the edge is of no size.
    guard let portrait, portrait.width > 0, portrait.height > 0 else { return nil }
    let words = try look.words(paper: Self.clean, blanks: blanks.filter { $0 != portrait })
    let under = words.filter { word in
      (Double(portrait.x)...Double(portrait.x + portrait.width)).contains(word.region.midX)
        && (Double(portrait.y)...Double(portrait.y + portrait.height)).contains(word.region.midY)
    }
    return VisualZoneReader(words: under).anchors(template).isEmpty ? nil : VisualZoneReader(words: words)
  }

  private func complete(_ print: inout VisualZone, _ template: VisualTemplate, from reader: VisualZoneReader) {
    guard let guide = zone.flatMap({ ZoneGuide($0, dates: template.dates) }) else { return }
    guide.complete(&print, wanted: template.rules.map(\.field), from: reader.lines)
    // What the guide found may be crowded as well.
    reader.doubtCrowdedNames(&print, template.kind)
  }

  private func read(_ template: VisualTemplate, from reader: VisualZoneReader) -> VisualZone {
    // Where there is a zone, it says better than a worn caption what a value is.
    Self.read(template, from: reader, readsWorn: zone == nil)
  }

  static func read(_ template: VisualTemplate, from reader: VisualZoneReader, readsWorn: Bool) -> VisualZone {
    var zone = reader.read(template, readsWorn: readsWorn)
    if template.hasNumberedColumn {
      let column = LicenceColumn(lines: reader.lines, dates: template.dates).read().values
      let names = [VisualZone.Field.surname, .givenNames]
      // A blurred 1 is read as 2 and the surname as given names: where a number is missing, the lines' places say more.
      let isNumbered = names.allSatisfy { zone.values[$0] != nil }
      // The column tells with certainty what the order of three dates tells without.
      zone.values.merge(column) { read, other in
        other.text == read.text && other.confidence > read.confidence ? other : read
      }
      if !isNumbered { for field in names { zone.values[field] = column[field] ?? zone.values[field] } }
    }
    return zone
  }
}

extension PageText {
  /// Looks at the print of one page, within what the picture may take.
  private struct Look {
    let page: Page
    let lines: LineReader
    let effort: PrintEffort

    /// - Parameters:
    ///   - paper: where ink ends.
    ///   - blanks: places that hold no print for people.
    /// - Returns: fewer words, or none, when the time is used up.
    func words(paper: Double, blanks: [Region]) throws -> [OCRWord] {
      try effort.spend { milliseconds in
        let ink = try page.frame.derived { cvision_ink(page.frame.handle, paper, $0) }
        for blank in blanks { try CVisionFailure.check(cvision_blank(ink.handle, blank.box)) }
        return try lines.lines(in: ink, timeLimitMilliseconds: milliseconds).flatMap(\.words)
      } ?? []
    }
  }
}
