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
  private let text: TextReader
  private let lines: LineReader
  private let first: VisualZoneReader

  /// - Parameters:
  ///   - blanks: parts that hold no print for people: portrait and machine-readable zone.
  ///   - kindIsKnown: true when a zone has told; else the page is looked at twice to find out.
  ///   - templates: those that the page may have.
  init(
    _ page: Page, blanks: [Region], kindIsKnown: Bool, text: TextReader, lines: LineReader, templates: [VisualTemplate]
  ) throws {
    self.page = page
    self.templates = templates
    self.text = text
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
      zone.values.merge(LicenceColumn(lines: reader.lines).read().values) { kept, _ in kept }
    }
    return zone
  }

  /// Reads a number again when it differs from the machine-readable one by look-alikes only.
  ///
  /// Print cannot tell O from 0 by itself; asked whether the characters of the zone can stand there, it can say yes.
  /// A number that really differs does not become equal: only the alphabet is taken from the zone, not the order.
  func confirmed(_ value: VisualZone.Value, against expected: String) throws -> VisualZone.Value {
    let wanted = expected.filter { $0.isLetter || $0.isNumber }
    guard Self.mayBeConfirmed(value.text, as: wanted) else { return value }
    let margin = value.region.height / 2
    let area = Region(
      x: max(0, value.region.x - margin), y: max(0, value.region.y - margin),
      width: value.region.width + 2 * margin, height: value.region.height + 2 * margin)
    let strip = try ink.cropped(to: area)
    let words = try text.words(in: strip, layout: .line, alphabet: String(Set(wanted)), timeLimitMilliseconds: 1500)
    guard words.map(\.text).joined() == wanted else { return value }
    var copy = value
    copy.text = wanted
    return copy
  }

  /// Whether two numbers of one length differ in one or two characters, and in look-alikes only.
  static func mayBeConfirmed(_ seen: String, as wanted: String) -> Bool {
    let (one, other) = (Array(seen.utf8), Array(wanted.utf8))
    guard one.count == other.count else { return false }
    let pairs = zip(one, other).filter { $0 != $1 }
    return (1...2).contains(pairs.count) && pairs.allSatisfy { Confusables.areConfusable($0, $1) }
  }
}
