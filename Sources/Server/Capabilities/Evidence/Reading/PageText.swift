import CVision
import DocumentCore

/// The words of an upright page, and what they say of its kind.
struct PageText {
  let page: Page
  let kind: DocumentKind?
  private let templates: [VisualTemplate]
  private let ink: Frame
  private let blanks: [Region]

  /// Where ink ends: without the background's patterns, and with print that blur has made faint.
  private static let clean = 225.0, faint = 242.0
  private let lines: LineReader
  private let first: VisualZoneReader

  /// - Parameters:
  ///   - blanks: parts that hold no print for people: portrait and machine-readable zone.
  ///   - kindIsKnown: true when a zone has told; else the page is looked at twice to find out.
  ///   - templates: those that the page may have.
  init(
    _ page: Page, blanks: [Region], kindIsKnown: Bool, lines: LineReader, templates: [VisualTemplate]
  ) throws {
    self.page = page
    let templates = page.likeliestFirst(templates)
    self.templates = templates
    self.lines = lines
    self.blanks = blanks
    ink = try Self.ink(of: page, blanks: blanks, paper: Self.clean)
    var words = VisualZoneReader(words: try lines.lines(in: ink).flatMap(\.words))
    if !kindIsKnown, words.template(among: templates) == nil {
      let soft = try Self.ink(of: page, blanks: blanks, paper: Self.faint)
      words = VisualZoneReader(words: try lines.lines(in: soft).flatMap(\.words))
    }
    first = words
    kind = words.template(among: templates)?.kind
  }

  /// The fields of a kind, by the template that fits the page best; nil when no template is of that kind.
  func fields(_ kind: DocumentKind) throws -> VisualZone? {
    try first.template(of: kind, among: templates).map { try fields($0) }
  }

  /// The fields of a template. What one way of cutting the page into lines did not give, another may.
  func fields(_ template: VisualTemplate) throws -> VisualZone {
    var zone = read(template, from: first)
    guard !template.required.allSatisfy({ zone[$0] != nil }) else { return zone }
    let soft = try Self.ink(of: page, blanks: blanks, paper: Self.faint)
    let second = VisualZoneReader(words: try lines.lines(in: soft).flatMap(\.words))
    zone.values.merge(read(template, from: second).values) { kept, _ in kept }
    return zone
  }

  private static func ink(of page: Page, blanks: [Region], paper: Double) throws -> Frame {
    let ink = try page.frame.derived { cvision_ink(page.frame.handle, paper, $0) }
    for blank in blanks { try CVisionFailure.check(cvision_blank(ink.handle, blank.box)) }
    return ink
  }

  private func read(_ template: VisualTemplate, from reader: VisualZoneReader) -> VisualZone {
    var zone = reader.read(template)
    if template.hasNumberedColumn {
      zone.values.merge(LicenceColumn(lines: reader.lines, dates: template.dates).read().values) { kept, _ in kept }
    }
    return zone
  }
}
