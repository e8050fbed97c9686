// SPDX-License-Identifier: Apache-2.0

extension VisualZoneReader {
  /// A template on a page: how many of its captions are there, and whether a title of it is.
  struct Fit {
    var template: VisualTemplate
    var captions: Int
    var isTitled: Bool
  }

  func fit(_ template: VisualTemplate) -> Fit {
    var captions = anchors(template).count
    // The numbers of fields are small: their column of dates says as much.
    if template.hasNumberedColumn {
      captions = max(captions, LicenceColumn(lines: lines, dates: template.dates).read().values.count)
    }
    return Fit(
      template: template, captions: captions, isTitled: template.anchors.contains { find($0) != nil })
  }

  /// The template whose title is on the page, or else the one of which most captions are.
  /// - Returns: nil when the page is not known.
  func template(among templates: [VisualTemplate]) -> VisualTemplate? {
    let fits = templates.map(fit)
    // "Passport No." is a caption of one document and the title of another: the title needs company.
    return Self.best(fits.filter { $0.isTitled && $0.captions >= 2 }) ?? Self.best(fits.filter { $0.captions >= 4 })
  }

  /// The one that fits best of those for a kind that is known by other signs.
  func template(of kind: DocumentKind, among templates: [VisualTemplate]) -> VisualTemplate? {
    let fits = templates.filter { $0.kind == kind }.map(fit)
    return Self.best(fits.filter { $0.isTitled && $0.captions >= 2 }) ?? Self.best(fits)
  }

  /// Of equals the first.
  private static func best(_ fits: [Fit]) -> VisualTemplate? {
    var best: Fit?
    for fit in fits where best.map({ fit.captions > $0.captions }) ?? true { best = fit }
    return best?.template
  }

  /// The value that belongs to a caption.
  /// - Parameter captions: the letters of all words that stand in captions of the template.
  func value(
    _ rule: VisualTemplate.Rule, _ caption: Region, others: [VisualZone.Field: Region], _ dates: PrintedDate.Order,
    captions: Set<[UInt8]>
  ) -> VisualZone.Value? {
    func value(_ words: [OCRWord]) -> VisualZone.Value? {
      Self.value(of: rule.field, in: Self.withoutCaptions(words, caption, captions), dates: dates)
    }
    return switch rule.place {
    case .below: value(below(caption, others: others))
    case .right: value(right(caption, others: others))
    case .rightOrBelow: value(right(caption, others: others)) ?? value(below(caption, others: others))
    }
  }

  /// What stands under a caption without the words of that caption in another language, which a tilted line brings down
  /// among it: they are as small as their caption and stand higher than the value.
  static func withoutCaptions(_ words: [OCRWord], _ caption: Region, _ captions: Set<[UInt8]>) -> [OCRWord] {
    // Values are about twice as high as captions; where they are not, height tells nothing.
    guard let value = words.max(by: { $0.region.height < $1.region.height })?.region,
      value.height * 5 >= caption.height * 6
    else { return words }
    return words.filter { word in
      let height = word.region.height, letters = Label.letters(of: word.text)
      let isSmall = height * 10 < value.height * 9 && abs(height - caption.height) * 4 <= height
      guard isSmall, word.region.midY < value.midY else { return true }
      return !captions.contains { $0 == letters || Label.matches(letters, $0) }
    }
  }
}
