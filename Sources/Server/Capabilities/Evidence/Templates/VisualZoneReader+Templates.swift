// SPDX-License-Identifier: Apache-2.0

extension VisualZoneReader {
  /// A template on a page: how many of its captions are there, and whether a title of it is.
  struct TemplateMatch {
    var template: VisualTemplate
    var captions: Int
    var isTitled: Bool
  }

  /// Fewer may be a date and a number of something else.
  private static let valuesMin = 3

  func fit(_ template: VisualTemplate) -> TemplateMatch {
    let isTitled = template.anchors.contains { find($0) != nil }
    let found = anchors(template)
    var captions = isTitled ? found.count : untitled(template, found)
    // Captions are half as high as values, and blur takes all of them before it takes a title: then what stands where a
    // field does tells that the page is of the title's kind.
    if isTitled, captions < 2 {
      let values = read(template).values.count
      if values >= Self.valuesMin { captions = values }
    }
    // The numbers of fields are small: their column of dates says as much.
    if template.hasNumberedColumn {
      captions = max(captions, LicenceColumn(lines: lines, dates: template.dates).read().values.count)
    }
    return TemplateMatch(template: template, captions: captions, isTitled: isTitled)
  }

  /// How many captions of a template tell that a page without its title is one. A field number alone is a character or
  /// two, and specks and patterns of a worn page are read as such all over it: numbers count where they stand at one
  /// left edge in their order, and on pages in columns only.
  private func untitled(_ template: VisualTemplate, _ found: [VisualZone.Field: Region]) -> Int {
    func isNumber(_ caption: [String]) -> Bool { caption.count == 1 && caption[0].last == "." }
    guard template.rules.contains(where: { $0.captions.contains(where: isNumber) }) else { return found.count }
    guard !template.hasNumberedColumn else {
      let places = template.rules.compactMap { found[$0.field] }
      return places.map { ordered(places, under: $0) }.max() ?? 0
    }
    var worded = template
    for at in worded.rules.indices { worded.rules[at].captions.removeAll(where: isNumber) }
    worded.rules.removeAll(where: \.captions.isEmpty)
    return anchors(worded).count
  }

  /// How many of the places stand at the left edge of one of them, each below the one before.
  private func ordered(_ places: [Region], under first: Region) -> Int {
    var last: Region?
    return places.filter { place in
      let isNext = abs(place.x - first.x) <= max(place.height, first.height) && place.midY > last?.midY ?? -.infinity
      if isNext { last = place }
      return isNext
    }.count
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
  private static func best(_ fits: [TemplateMatch]) -> VisualTemplate? {
    var best: TemplateMatch?
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
      let first = Self.withoutCaptions(words, caption, captions)
      let isName = rule.field == .surname || rule.field == .givenNames
      let named =
        rule.place == .below
        ? first
        : isName
          ? Self.withoutOwnCaption(first, rule)
          : rule.field == .documentNumber ? Self.numberAlone(first) : first
      let whole = isName && rule.place == .below ? continued(first, captions: captions) : named
      // What a licence prints where there is no restriction or endorsement.
      if isName, rule.place != .below, whole.first?.text == "NONE" { return nil }
      var value = Self.value(of: rule.field, in: whole, dates: dates)
      // What follows may be another field's, whose caption is not known; what was before is of a caption cut short.
      if whole.count != first.count, let seen = value {
        value?.confidence = min(seen.confidence, Certainty.wornCaptionMost)
      }
      return value
    }
    switch rule.place {
    case .below: return value(below(caption, others: others))
    case .right: return value(right(caption, others: others))
    case .rightOrBelow:
      if let beside = value(right(caption, others: others)) { return beside }
      let under = below(caption, others: others)
      let isName = rule.field == .surname || rule.field == .givenNames
      return isName && Self.isBehindAnother(under, rule.field, others) ? nil : value(under)
    }
  }

  /// Whether words stand directly behind another field's caption. Where `LAST` is the surname itself and was taken for
  /// its caption, those below it are the given names.
  private static func isBehindAnother(
    _ words: [OCRWord], _ field: VisualZone.Field, _ others: [VisualZone.Field: Region]
  ) -> Bool {
    guard let first = words.first?.region else { return false }
    return others.contains { other, place in
      other != field && place.midX < Double(first.x) && first.x - place.x - place.width < first.height * 2
        && abs(place.midY - first.midY) < Double(first.height) * 0.5
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
      let height = word.region.height, letters = word.text.split(separator: "/").map { Label.letters(of: String($0)) }
      let isSmall = height * 10 < value.height * 9 && abs(height - caption.height) * 4 <= height
      guard isSmall, word.region.midY < value.midY else { return true }
      return letters.isEmpty
        || !letters.allSatisfy { seen in captions.contains { $0 == seen || Label.matches(seen, $0) } }
    }
  }

  /// A name without the words of its own caption before it, of which only the number was known: `1 LAST HERNANDEZ`.
  /// What is before a name in capitals without a capital is its caption misread: `2 rrst JENNIFER`. Where a template
  /// has numbers alone for captions, it is of the name: `1. de BÚRCA`.
  private static func withoutOwnCaption(_ words: [OCRWord], _ rule: VisualTemplate.Rule) -> [OCRWord] {
    let own = Set(rule.captions.joined().map { Label.letters(of: $0) })
    let isInCapitals = words.last.map { $0.text.allSatisfy { !$0.isLowercase } } ?? false
    let mayBeMisread = isInCapitals && rule.captions.contains { $0.count > 1 }
    let before = words.dropLast().prefix { word in
      let isSmall = word.text.contains(where: \.isLowercase) && !word.text.contains(where: \.isUppercase)
      return own.contains(Label.letters(of: word.text)) || mayBeMisread && isSmall
    }
    return Array(words.dropFirst(before.count))
  }

  /// The number of a licence without what is left of its caption before it: `cno X95591273`.
  private static func numberAlone(_ words: [OCRWord]) -> [OCRWord] {
    guard words.count > 1, isLicenceNumber(at: words.count - 1, in: words),
      words.dropLast().allSatisfy({ $0.text.contains(where: \.isLowercase) && !$0.text.contains(where: \.isNumber) })
    else { return words }
    return Array(words.suffix(1))
  }

  /// A name with its second line, which begins under the first, is as high and follows it without a caption between.
  /// - Parameter captions: the letters of all words that stand in captions of the template.
  func continued(_ words: [OCRWord], captions: Set<[UInt8]>) -> [OCRWord] {
    guard let first = words.first?.region else { return words }
    let high = Double(first.height)
    let next = lines.joined().filter { word in
      let down = word.region.midY - first.midY
      return down > high * 1.1 && down < high * 1.7 && abs(Double(word.region.x - first.x)) < high * 0.5
    }.min { $0.region.midY < $1.region.midY }
    guard let next, let line = lines.first(where: { $0.contains(next) }) else { return words }
    // A caption of the next field may stand between, and be of no height that tells.
    let hasCaption = lines.joined().contains { word in
      word.region.midY > first.midY + high * 0.4 && word.region.midY < next.region.midY - high * 0.2
        && word.region.x < first.x + first.width && word.region.x + word.region.width > first.x
    }
    guard !hasCaption else { return words }
    let second = Self.run(from: next, in: line, gapMax: 1.6)
    // `DE LA` is of captions and of names.
    let particleMost = 3
    let isName = second.allSatisfy { word in
      let height = Double(word.region.height), letters = Label.letters(of: word.text)
      return height > high * 0.8 && height < high * 1.25
        && word.text.allSatisfy { $0.isUppercase || "-'’".contains($0) }
        && (letters.count <= particleMost || !captions.contains { $0 == letters || Label.matches(letters, $0) })
    }
    return isName && second.contains { $0.text.count > 1 } ? words + second : words
  }
}
