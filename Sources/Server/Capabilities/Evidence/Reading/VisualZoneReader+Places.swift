// SPDX-License-Identifier: Apache-2.0

/// Values that are told by where they stand or by their form, because their captions are not legible or are not there.
/// They are never certain.
extension VisualZoneReader {
  /// The only thing on the page that looks like the number of a card (Doc 9303-5 §4.2.2: nine characters at most) or of
  /// a licence, where no caption says which one it is.
  /// - Parameter zone: what else was read: one text is the value of one field.
  func bareNumber(_ kind: DocumentKind, beside zone: VisualZone) -> VisualZone.Value? {
    let seen =
      kind == .drivingLicence
      ? lines.flatMap { line in line.indices.compactMap { Self.licenceNumber(at: $0, in: line) } }
      : lines.joined().filter(Self.isCardNumber).map { [$0] }
    guard let words = seen.first, Set(seen.map { $0.map(\.text) }).count == 1,
      !zone.values.values.contains(where: { value in
        words.contains { value.region.union($0.region) == value.region }
      }),
      var value = Self.value(of: .documentNumber, in: words)
    else { return nil }
    value.confidence = min(value.confidence, Certainty.wornCaptionMost)
    return value
  }

  private static func isCardNumber(_ word: OCRWord) -> Bool {
    let shortest = 8, longest = 9
    return (shortest...longest).contains(word.text.count)
      && word.text.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
      && word.text.filter(\.isNumber).count >= 2 && word.text.contains(where: \.isUppercase)
      && PrintedDate.parse(word.text) == nil
  }

  /// The number of a licence that begins at a word: one word, or three groups of three digits, as `075 212 681`.
  private static func licenceNumber(at place: Int, in line: [OCRWord]) -> [OCRWord]? {
    if isLicenceNumber(at: place, in: line) { return [line[place]] }
    let (groups, digits) = (3, 3)
    let run = line[place...].prefix(groups)
    func isGroup(_ word: OCRWord) -> Bool {
      word.text.count == digits && word.text.allSatisfy { $0.isASCII && $0.isNumber }
    }
    func isNear(_ left: OCRWord, _ right: OCRWord) -> Bool {
      right.region.x - left.region.x - left.region.width < right.region.height
    }
    guard run.count == groups, run.allSatisfy(isGroup), zip(run, run.dropFirst()).allSatisfy(isNear),
      !isDiscriminator(at: place, in: line), place == 0 || !isGroup(line[place - 1]),
      line.count == place + groups || !isGroup(line[place + groups])
    else { return nil }
    return Array(run)
  }

  /// Whether the caption of a licence's discriminator stands before a word: `5. DD`, as small as it is printed. The
  /// number may have been read for a letter, and D for O or 0.
  private static func isDiscriminator(at place: Int, in line: [OCRWord]) -> Bool {
    place > 0
      && line[place - 1].text.uppercased().filter({ $0.isLetter || $0.isNumber }).wholeMatch(of: /[5S]?[D0O]{2}/) != nil
  }

  /// Seven to thirteen letters and digits, most of them digits, with or without hyphens. The inventory's is longer or
  /// has a caption, the discriminator's has one, and a postal code with its four further digits has as many.
  static func isLicenceNumber(at place: Int, in line: [OCRWord]) -> Bool {
    let shortest = 7, longest = 13, digitsMin = 6, lettersMost = 2
    let word = line[place]
    guard !isDiscriminator(at: place, in: line) else { return false }
    let characters = word.text.filter { $0 != "-" }
    return (shortest...longest).contains(characters.count)
      && characters.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
      && characters.filter(\.isNumber).count >= digitsMin && characters.filter(\.isUppercase).count <= lettersMost
      && PrintedDate.parse(word.text, .monthFirst) == nil && PrintedDate.parse(word.text) == nil
      && word.text.wholeMatch(of: /[0-9]{5}-[0-9]{4}/) == nil
  }

  /// Dates whose captions were not legible, by their order: of the only three on a card or licence the first is that of
  /// birth and the last that of expiry. They are never certain.
  func orderDates(_ zone: inout VisualZone, _ template: VisualTemplate) {
    let fields = [VisualZone.Field.birthDate, .issueDate, .expiryDate]
    // A passport's dates are in its zone, which `ZoneGuide` looks for.
    guard template.kind != .passport, fields.allSatisfy(Set(template.rules.map(\.field)).contains),
      fields.contains(where: { zone[$0] == nil })
    else { return }
    func date(_ words: [OCRWord]) -> VisualZone.Value? { Self.value(of: .birthDate, in: words, dates: template.dates) }
    // What is left of a caption may stand on the same line.
    let seen = lines.flatMap(ZoneGuide.runs).flatMap { run in
      date(run).map { [$0] } ?? run.compactMap { date([$0]) }
    }
    let days = Set(seen.map(\.text)).sorted()
    if template.kind == .nationalIDFront, days.count == 2 { birthByAge(&zone, days, seen) }
    guard days.count == fields.count, zip(fields, days).allSatisfy({ zone[$0] == nil || zone[$0] == $1 })
    else { return }
    for (field, day) in zip(fields, days) where zone[field] == nil {
      guard var value = seen.first(where: { $0.text == day }) else { continue }
      value.confidence = min(value.confidence, Certainty.wornCaptionMost)
      zone.values[field] = value
    }
  }

  /// Of the only two dates on a card the first is that of birth where they lie further apart than a card is valid.
  private func birthByAge(_ zone: inout VisualZone, _ days: [String], _ seen: [VisualZone.Value]) {
    let validMost = 16, ageMost = 120
    let years = days.compactMap { Int($0.prefix(4)) }
    guard zone[.birthDate] == nil, years.count == 2, (validMost...ageMost).contains(years[1] - years[0]),
      [.issueDate, .expiryDate].allSatisfy({ zone[$0] != days[0] }),
      var value = seen.first(where: { $0.text == days[0] })
    else { return }
    value.confidence = min(value.confidence, Certainty.wornCaptionMost)
    zone.values[.birthDate] = value
  }

  /// Adds the names that captions did not give.
  func completeNames(_ zone: inout VisualZone, _ kind: DocumentKind, captions: Set<[UInt8]>) {
    completeBothNames(&zone, kind, captions: captions)
    if kind != .passport { completeOneName(&zone, captions: captions) }
  }

  /// A name that captions gave must be the one that stands there, unless it is hardly anything: a speck that looks like
  /// the number of a field has some letters of the page beside it.
  private func completeBothNames(_ zone: inout VisualZone, _ kind: DocumentKind, captions: Set<[UInt8]>) {
    func kept(_ field: VisualZone.Field) -> VisualZone.Value? {
      zone.values[field].flatMap { $0.confidence > Certainty.cleanedMost ? $0 : nil }
    }
    let (surname, given) = (kept(.surname), kept(.givenNames))
    guard surname == nil || given == nil else { return }
    let names: (surname: VisualZone.Value, givenNames: VisualZone.Value)? =
      switch kind {
      case .drivingLicence: namesOverAddress(captions: captions)
      case .nationalIDFront: zone.values[.birthDate].flatMap { namesOverBirth($0.region, captions: captions) }
      // A passport's names are in its zone, which `ZoneGuide` looks for.
      case .passport, .nationalIDBack: nil
      }
    guard let names, surname.map({ $0.text == names.surname.text }) ?? true,
      given.map({ $0.text == names.givenNames.text }) ?? true
    else { return }
    zone.values[.surname] = surname ?? names.surname
    zone.values[.givenNames] = given ?? names.givenNames
  }

  /// Adds one of the two names where the other was found: the surname stands over the given names at one left edge and
  /// is as high (Doc 9303-5 §4.2.2; AAMVA's elements 1 and 2), and at most their captions are between.
  private func completeOneName(_ zone: inout VisualZone, captions: Set<[UInt8]>) {
    let fields = [VisualZone.Field.surname, .givenNames]
    let found = fields.map { zone.values[$0].flatMap { $0.confidence > Certainty.cleanedMost ? $0 : nil } }
    guard let missing = zip(fields, found).first(where: { $1 == nil })?.0,
      let known = found.lazy.compactMap(\.self).first
    else { return }
    let high = Double(known.region.height), rowsMost = 2.9
    let runs = lines.flatMap(ZoneGuide.runs)
    // With the caption that stands before it: captions of a licence begin at one edge and are of unlike length.
    let start = runs.first { $0.contains { known.region.union($0.region) == known.region } }?.first?.region.x
    let near = runs.compactMap { name($0, captions) }.filter { found in
      guard let first = found.words.first?.region else { return false }
      let down = (first.midY - known.region.midY) * (missing == .surname ? -1 : 1)
      let isAligned = abs(Double(first.x - known.region.x)) < high * 2.5
      let begins =
        found.words.count < found.run.count
        && start.map { abs(Double(found.run[0].region.x - $0)) < high * 0.8 } ?? false
      return down > high * 0.8 && down < high * rowsMost && (isAligned || begins)
        && (0.75...1.35).contains(Double(first.height) / high)
    }
    let nearest = near.min {
      abs($0.words[0].region.midY - known.region.midY) < abs($1.words[0].region.midY - known.region.midY)
    }
    guard let nearest, let value = Self.uncertain(missing, nearest.words),
      !zone.values.contains(where: { $0 != missing && $1.region.overlaps(value.region) })
    else { return }
    zone.values[missing] = value
  }

  /// The letter of sex whose caption is not legible: the only one on a licence that stands by itself behind a caption,
  /// which is not that of the class; on a card the only one at the left edge of its other values and as high.
  func loneSex(_ kind: DocumentKind, beside zone: VisualZone) -> VisualZone.Value? {
    let letters = lines.flatMap { line in line.indices.map { ($0, line) } }.filter { at, line in
      guard ["M", "F", "X"].contains(line[at].text) || Self.isSexInTwoLanguages(line[at].text),
        !zone.values.values.contains(where: { $0.region.overlaps(line[at].region) })
      else { return false }
      switch kind {
      case .drivingLicence: return at > 0 && Self.isCaption(line[at - 1], of: line[at])
      case .nationalIDFront: return zone.values.values.contains { ZoneGuide.stands(line[at].region, under: $0.region) }
      // A passport's sex is in its zone, which `ZoneGuide` looks for.
      case .passport, .nationalIDBack: return false
      }
    }
    guard letters.count == 1, let (at, line) = letters.first else { return nil }
    return Self.uncertain(.sex, [line[at]])
  }

  /// `Ž/F`, which is nothing else.
  private static func isSexInTwoLanguages(_ text: String) -> Bool {
    text.wholeMatch(of: /\p{Lu}\/[MFX]/) != nil
  }

  /// Whether a short word stands directly before a letter and is not nearly the caption of classes, endorsements or
  /// restrictions, whose letters are M, F and X too.
  private static func isCaption(_ word: OCRWord, of letter: OCRWord) -> Bool {
    let lettersMost = 6, gapMost = 1.6
    let others = [("CLASS", 2), ("9AEND", 2), ("END", 1), ("12REST", 2), ("REST", 1)]
    let gap = letter.region.x - word.region.x - word.region.width, letters = Label.letters(of: word.text)
    return (2...lettersMost).contains(letters.count) && Double(gap) < Double(letter.region.height) * gapMost
      && others.allSatisfy { caption, slipsMost in
        Label.distance(letters, Label.letters(of: caption)) > slipsMost
      }
  }

  /// Names that other print stands so close to that a letter's mark would touch it and be cut off with it: such a name
  /// is never certain, for `Á` is read as a certain `A` there, and `Ș` over a caption as `S`. A mark reaches up or down
  /// by about a third of a capital. Rows of a licence stand closer, and few of its names have marks.
  func doubtCrowdedNames(_ zone: inout VisualZone, _ kind: DocumentKind) {
    let isLicence = kind == .drivingLicence
    let gapMin = isLicence ? 0.15 : 0.32
    for field in [VisualZone.Field.surname, .givenNames] {
      guard let value = zone.values[field] else { continue }
      let (top, high) = (Double(value.region.y), Double(value.region.height))
      let (bottom, gap) = (top + high, high * gapMin)
      let isCrowded = lines.joined().contains { word in
        let place = word.region
        let isClose =
          place.midY < top && Double(place.y + place.height) > top - gap
          || !isLicence && place.midY > bottom && Double(place.y) < bottom + gap
        return isClose && place.x < value.region.x + value.region.width && place.x + place.width > value.region.x
          && word.text.contains(where: \.isLetter)
      }
      if isCrowded { zone.values[field]?.confidence = min(value.confidence, Certainty.lookAlikeMost) }
    }
  }

  /// Names of a licence that may be print of another field: one that ends as a street does, for a street beside its
  /// house's number may be taken for one, and both where the given names stand over the surname: AAMVA's element 2 is
  /// below element 1.
  func doubtMisplacedNames(_ zone: inout VisualZone, _ kind: DocumentKind) {
    guard kind == .drivingLicence else { return }
    let isTurned =
      if let surname = zone.values[.surname]?.region, let given = zone.values[.givenNames]?.region {
        given.midY < Double(surname.y)
      } else {
        false
      }
    for field in [VisualZone.Field.surname, .givenNames] {
      guard let value = zone.values[field] else { continue }
      let words = value.text.split(separator: " ")
      let isStreet = words.count > 1 && Self.streetEndings.contains { $0 == words[words.count - 1] }
      if isTurned || isStreet {
        zone.values[field]?.confidence = min(value.confidence, Certainty.wornCaptionMost)
      }
    }
  }

  /// Names on a licence by AAMVA's card design standard, whose elements 1, 2 and 8 follow one another from above: the
  /// two lines over the address, which is a house's number with a street, mostly over a line with a postal code.
  /// Captions there are half as high as values and run together with them: `1 LAST HERNANDEZ` is read as
  /// `ust HERNANDEZ`.
  /// - Parameter captions: the letters of all words that stand in captions of the template.
  func namesOverAddress(captions: Set<[UInt8]>) -> (surname: VisualZone.Value, givenNames: VisualZone.Value)? {
    let runs = lines.flatMap(ZoneGuide.runs).filter { !$0.isEmpty }
    for street in runs where Self.isStreet(street) {
      guard
        Self.endsAsStreet(street, captions)
          || next(to: street, in: runs, below: true).contains(where: Self.hasPostalCode),
        let given = next(to: street, in: runs, below: false).lazy.compactMap({ name($0, captions) }).first,
        let surname = next(to: given.run, in: runs, below: false).lazy.compactMap({ name($0, captions) }).first,
        let one = Self.uncertain(.surname, surname.words), let two = Self.uncertain(.givenNames, given.words)
      else { continue }
      return (one, two)
    }
    return nil
  }

  /// Names on the front of a card, whose captions blur takes before the values: surname and given names stand above the
  /// date of birth (Doc 9303-5 §4.2.2, zone II), in capitals as high as it, and here at its left edge.
  /// - Parameter captions: the letters of all words that stand in captions and titles of the template.
  func namesOverBirth(
    _ birth: Region, captions: Set<[UInt8]>
  ) -> (surname: VisualZone.Value, givenNames: VisualZone.Value)? {
    let high = Double(birth.height)
    let names = lines.flatMap(ZoneGuide.runs).filter { run in
      guard let first = run.first?.region else { return false }
      return abs(Double(first.x - birth.x)) < high * 0.6 && first.midY < birth.midY - high
        && (0.75...1.35).contains(Double(first.height) / high)
    }.compactMap { run in name(run, captions).flatMap { $0.words.count == run.count ? run : nil } }
    guard names.count > 1, let one = Self.uncertain(.surname, names[0]),
      let two = Self.uncertain(.givenNames, names[1])
    else { return nil }
    return (one, two)
  }

  /// The runs on the next line in the same column.
  private func next(to run: [OCRWord], in runs: [[OCRWord]], below: Bool) -> [[OCRWord]] {
    let place = run[0].region, high = Double(place.height)
    return runs.filter { other in
      let down = (other[0].region.midY - place.midY) * (below ? 1 : -1)
      return down > high * 0.6 && down < high * 2.2 && abs(Double(other[0].region.x - place.x)) < high * 2.5
    }
  }

  /// The words of a name without what is left of its caption; nil where anything else stands there.
  private func name(_ run: [OCRWord], _ captions: Set<[UInt8]>) -> (run: [OCRWord], words: [OCRWord])? {
    let captionMost = 9, wordsDropped = 3
    func isName(_ word: OCRWord) -> Bool {
      let letters = Label.letters(of: word.text)
      return letters.count > 1 && word.text.allSatisfy { $0.isUppercase || "-'’.,".contains($0) }
        && !captions.contains(letters)
    }
    let words = Array(run.drop { !isName($0) })
    let dropped = run.dropLast(words.count)
    // A middle name may be an initial.
    guard !words.isEmpty, dropped.count <= wordsDropped, dropped.allSatisfy({ $0.text.count <= captionMost }),
      words.allSatisfy({ isName($0) || $0.text.count == 1 && $0.text.allSatisfy(\.isUppercase) })
    else { return nil }
    return (run, words)
  }

  private static func isStreet(_ run: [OCRWord]) -> Bool {
    let houseMost = 5
    func isHouse(_ word: OCRWord) -> Bool {
      word.text.count <= houseMost && word.text.allSatisfy { $0.isASCII && $0.isNumber }
    }
    // The element's number, 8, stands before it or does not, and may be misread and joined with it: `s.3878`.
    return run.indices.prefix(2).contains { at in
      (isHouse(run[at]) || at == 0 && run[at].text.wholeMatch(of: /[a-z]\.?[0-9]{2,5}/) != nil)
        && run.count > at + 1 && run[(at + 1)...].contains { Label.letters(of: $0.text).count > 1 }
        && run[(at + 1)...].allSatisfy { !$0.text.contains("/") && !isHouse($0) || $0.text.count == 1 }
    }
  }

  /// What streets of the United States are called (USPS Publication 28, appendix C1).
  private static let streetEndings = [
    "ST", "AVE", "RD", "DR", "BLVD", "LN", "CT", "WAY", "PL", "HWY", "PKWY", "CIR", "TER", "STREET", "ROAD",
  ]

  /// Whether the last word is, or ends with, what streets are called: a space before it may not have been seen. A
  /// number with a caption is no street: `1 LN`, `2 FIRST` and `12 REST` end as one.
  private static func endsAsStreet(_ run: [OCRWord], _ captions: Set<[UInt8]>) -> Bool {
    let wordsMin = 3, joinedMin = 3
    guard let last = run.last?.text.filter(\.isLetter), last.allSatisfy(\.isUppercase) else { return false }
    let letters = Label.letters(of: last)
    let isCaption = captions.contains { $0 == letters || Label.matches(letters, $0) }
    return streetEndings.contains { ending in
      last == ending
        ? run.count >= wordsMin
        : !isCaption && last.hasSuffix(ending) && last.count >= ending.count + joinedMin
    }
  }

  private static func hasPostalCode(_ run: [OCRWord]) -> Bool {
    run.count > 1 && run.contains { $0.text.wholeMatch(of: /[0-9]{5}(-[0-9]{4})?/) != nil }
  }

  private static func uncertain(_ field: VisualZone.Field, _ words: [OCRWord]) -> VisualZone.Value? {
    guard var value = value(of: field, in: words) else { return nil }
    value.confidence = min(value.confidence, Certainty.wornCaptionMost)
    return value
  }
}
