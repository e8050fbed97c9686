// SPDX-License-Identifier: Apache-2.0

/// Finds labels among the words of a page and takes the values that belong to them.
struct VisualZoneReader {
  /// Words grouped into lines by where they stand, left to right.
  let lines: [[OCRWord]]
  /// The words of the same lines as captions are looked for among them: those that a stroke joins are parted, as in
  /// `Surname/Nom`, and what has neither letter nor digit is left out, so that `NOMBRE / NAME` are words side by side.
  private let parts: [[OCRWord]]
  /// The same as captions are compared with, made once: each word is compared with some hundred captions.
  private let keys: [[Key]]

  private struct Key {
    let letters: [UInt8]
    /// As a field number; empty for what can be none.
    let number: String

    init(_ text: String) {
      letters = Label.letters(of: text)
      number = FieldNumber.normal(text)
    }
  }

  init(words: [OCRWord]) {
    let wordsMax = 400
    var lines: [[OCRWord]] = []
    let apart = words.prefix(wordsMax).flatMap(Self.withoutFieldNumber)
    for word in apart.sorted(by: { $0.region.x < $1.region.x }) where word.region.height > 3 {
      // The line whose last word is nearest on the left at about the same height.
      func distance(_ line: Int) -> Double { abs(lines[line][lines[line].count - 1].region.midY - word.region.midY) }
      let home = lines.indices.filter { Self.sameLine(lines[$0][lines[$0].count - 1], word) }
        .min { distance($0) < distance($1) }
      if let home { lines[home].append(word) } else { lines.append([word]) }
    }
    let sorted = lines.sorted { $0[0].region.midY < $1[0].region.midY }
    self.lines = sorted
    parts = sorted.map { line in
      line.flatMap(Self.parted).filter { word in word.text.contains { $0.isLetter || $0.isNumber } }
    }
    keys = parts.map { $0.map { Key($0.text) } }
  }

  /// A date of a licence and the number of its field, which stands so close before it that no space was seen:
  /// `309/12/2000`. The number is one of ISO/IEC 18013-1's: 3, 4a or 4b.
  private static func withoutFieldNumber(_ word: OCRWord) -> [OCRWord] {
    let glued = /(3|4[abAB])\.?([0-9]{2}([-\/])[0-9]{2}\3[0-9]{4})/
    guard let first = word.text.utf8.first, first == UInt8(ascii: "3") || first == UInt8(ascii: "4"),
      let match = word.text.wholeMatch(of: glued),
      PrintedDate.parse(String(match.2)) != nil || PrintedDate.parse(String(match.2), .monthFirst) != nil
    else { return [word] }
    let width = Double(word.region.width) / Double(word.text.count)
    let before = Int(width * Double(word.text.count - match.2.count))
    var (number, date) = (word, word)
    (number.text, number.region.width) = (String(match.1), max(1, before))
    (date.text, date.region.x, date.region.width) =
      (String(match.2), word.region.x + before, max(1, word.region.width - before))
    return [number, date]
  }

  /// The words on either side of a stroke. Each is as wide as its share of the letters.
  private static func parted(_ word: OCRWord) -> [OCRWord] {
    let pieces = word.text.split(separator: "/")
    guard pieces.count > 1, pieces.allSatisfy({ $0.filter(\.isLetter).count > 1 }) else { return [word] }
    let width = Double(word.region.width) / Double(word.text.count)
    return pieces.map { piece in
      let from = word.text.distance(from: word.text.startIndex, to: piece.startIndex)
      var part = word
      part.text = String(piece)
      part.region.x += Int(Double(from) * width)
      part.region.width = max(1, Int(Double(piece.count) * width))
      return part
    }
  }

  private static func sameLine(_ left: OCRWord, _ right: OCRWord) -> Bool {
    let high = Double(max(left.region.height, right.region.height))
    return abs(left.region.midY - right.region.midY) < high * 0.6
      && Double(right.region.x - left.region.x - left.region.width) < high * 12
  }

  /// - Parameter readsWorn: whether captions that are hardly legible count; what stands under one is never certain.
  func read(_ template: VisualTemplate, readsWorn: Bool = true) -> VisualZone {
    var zone = VisualZone()
    var anchors = anchors(template)
    let worn = template.rules.filter { readsWorn && anchors[$0.field] == nil }
    // Words of a title may be how a caption begins: `IDENTITY CARD` and `IDENTITY NO`.
    let titles = worn.isEmpty ? [] : template.anchors.compactMap { place(Self.wanted($0), slips: true)?.region }
    for rule in worn { anchors[rule.field] = self.worn(rule, of: template, titles: titles) }
    let seen = Array(anchors.values)
    for rule in template.rules where rule.place == .below {
      anchors[rule.field] = anchors[rule.field].map { fromStart($0, others: seen) }
    }
    let captions = Set((template.rules.flatMap(\.captions) + template.anchors).joined().map { Label.letters(of: $0) })
    for rule in template.rules {
      guard let caption = anchors[rule.field] else { continue }
      zone.values[rule.field] = value(rule, caption, others: anchors, template.dates, captions: captions)
    }
    for field in worn.map(\.field) {
      guard let value = zone.values[field] else { continue }
      zone.values[field]?.confidence = min(value.confidence, Certainty.wornCaptionMost)
    }
    if template.hasBareNumber, anchors[.documentNumber] == nil {
      zone.values[.documentNumber] = bareNumber(template.kind, beside: zone)
    }
    orderDates(&zone, template)
    if readsWorn, !template.hasNumberedColumn { completeNames(&zone, template.kind, captions: captions) }
    if readsWorn, !template.hasNumberedColumn, zone.values[.sex] == nil {
      zone.values[.sex] = loneSex(template.kind, beside: zone)
    }
    doubtCrowdedNames(&zone, template.kind)
    doubtMisplacedNames(&zone, template.kind)
    return zone
  }

  /// Where each label of the template stands: a caption that is on the page as it is written, or else the one with the
  /// fewest slips, for `CARTE NATIONALE` is nearly `NATIONALITY`. Words of another field's caption or of a title are not
  /// nearly this one's: `NOM / NAME` stands over surnames and is nearly `NOME / NAME`.
  func anchors(_ template: VisualTemplate) -> [VisualZone.Field: Region] {
    var found: [VisualZone.Field: Region] = [:]
    var near: [(field: VisualZone.Field, slips: Int, region: Region)] = []
    for rule in template.rules {
      let captions = rule.captions.map(Self.wanted)
      found[rule.field] = captions.lazy.compactMap { place($0, slips: false)?.region ?? joined($0) }.first
      guard found[rule.field] == nil else { continue }
      let best = captions.compactMap { place($0, slips: true) }.min { $0.slips < $1.slips }
      if let best { near.append((field: rule.field, slips: best.slips, region: best.region)) }
    }
    guard !near.isEmpty else { return found }
    let titles = template.anchors.compactMap { place(Self.wanted($0), slips: false)?.region }
    for candidate in near.sorted(by: { $0.slips < $1.slips }) {
      let isTaken =
        found.values.contains { $0.overlaps(candidate.region) }
        || titles.contains { $0.union(candidate.region) == $0 }
      if !isTaken { found[candidate.field] = candidate.region }
    }
    return found
  }

  /// The first run of words that is the label, or else the one that is it but for the fewest slips: captions may be as
  /// like one another as a caption is to its own misreading.
  func find(_ label: [String]) -> Region? {
    let wanted = Self.wanted(label)
    return (place(wanted, slips: false) ?? place(wanted, slips: true))?.region
  }

  /// A field number and its words where no space was seen between them: `15SEX`, `4aISS`. Of five characters and more
  /// letters and digits of one shape are the same: `issex`.
  private func joined(_ wanted: [(key: Key, isNumber: Bool)]) -> Region? {
    guard wanted.count > 1, wanted[0].isNumber else { return nil }
    let letters = wanted.flatMap(\.key.letters), shapesMin = 5
    let shapes = letters.count < shapesMin ? nil : Label.shapes(of: letters)
    func isSame(_ seen: [UInt8]) -> Bool {
      seen == letters || seen.count == letters.count && Label.shapes(of: seen) == shapes
    }
    return zip(parts, keys).lazy.compactMap { line, keys in
      keys.firstIndex { isSame($0.letters) }.map { line[$0].region }
    }.first
  }

  private static func wanted(_ label: [String]) -> [(key: Key, isNumber: Bool)] {
    label.map { (key: Key($0), isNumber: $0.last == ".") }
  }

  private func place(_ wanted: [(key: Key, isNumber: Bool)], slips: Bool) -> (slips: Int, region: Region)? {
    var best: (slips: Int, region: Region)?
    for (line, keys) in zip(parts, keys) where line.count >= wanted.count {
      for start in 0...(line.count - wanted.count) {
        var sum = 0
        let fits = wanted.indices.allSatisfy { at in
          let (seen, expected) = (keys[start + at], wanted[at])
          guard !expected.isNumber else { return !seen.number.isEmpty && seen.number == expected.key.number }
          if !slips { return !seen.letters.isEmpty && seen.letters == expected.key.letters }
          guard !seen.letters.isEmpty, let few = Label.slips(seen.letters, expected.key.letters) else { return false }
          sum += few
          return true
        }
        guard fits, sum < best?.slips ?? .max else { continue }
        let run = line[start..<start + wanted.count]
        best = (sum, run.dropFirst().reduce(run[start].region) { $0.union($1.region) })
        if !slips { return best }
      }
    }
    return best
  }

  /// A caption that blur has changed in several words or has run together: what has all of its letters but one in five,
  /// and two more of them than of any other field's caption. Those of dates begin alike.
  /// - Parameter titles: where the template's titles stand, whose words are no caption.
  private func worn(_ rule: VisualTemplate.Rule, of template: VisualTemplate, titles: [Region]) -> Region? {
    let (lettersMin, wordsMax) = (9, 6)
    func wanted(_ rule: VisualTemplate.Rule) -> [[UInt8]] {
      rule.captions.map { Label.letters(of: $0.joined()) }.filter { $0.count >= lettersMin }
    }
    let (captions, others) = (wanted(rule), template.rules.filter { $0.field != rule.field }.flatMap(wanted))
    guard let longest = captions.map(\.count).max() else { return nil }
    var best: (slips: Int, place: Region)?
    for (line, keys) in zip(parts, keys) {
      for start in line.indices {
        var seen: [UInt8] = []
        for end in line[start...].indices.prefix(wordsMax) where seen.count <= longest * 5 / 4 {
          seen += keys[end].letters
          let found = captions.compactMap { caption in
            Label.slips(seen, caption).flatMap { $0 * 5 <= caption.count ? $0 : nil }
          }
          guard let slips = found.min(), slips < best?.slips ?? .max,
            !others.contains(where: { Label.slips(seen, $0).map { $0 < slips + 2 } ?? false })
          else { continue }
          let place = line[start...end].dropFirst().reduce(line[start].region) { $0.union($1.region) }
          if !titles.contains(where: { $0.union(place) == $0 }) { best = (slips, place) }
        }
      }
    }
    return best?.place
  }

  /// A caption with the words before it, which say the same in another language and may not have been legible: a value
  /// begins under the first of them.
  private func fromStart(_ caption: Region, others: [Region]) -> Region {
    let isPart: (OCRWord) -> Bool = { $0.region.union(caption) == caption }
    guard let at = parts.firstIndex(where: { $0.contains(where: isPart) }) else { return caption }
    // With the strokes between the words, which are left out of `parts`.
    return lines[at].flatMap(Self.parted).reversed().reduce(caption) { caption, word in
      let gap = caption.x - word.region.x - word.region.width
      guard word.region.x < caption.x, gap < caption.height * 3 / 2,
        !others.contains(where: { $0.union(word.region) == $0 })
      else { return caption }
      return caption.union(word.region)
    }
  }

  /// The line of words that starts under a label.
  func below(_ label: Region, others: [VisualZone.Field: Region]) -> [OCRWord] {
    let high = Double(label.height)
    let bottom = Double(label.y + label.height)
    // The next label on the same height ends the column.
    let edge = others.values.filter { abs($0.midY - label.midY) < high && $0.x > label.x }.map(\.x).min() ?? .max
    let under = lines.joined().filter { word in
      let top = Double(word.region.y)
      return top > bottom - high * 0.6 && top < bottom + high * 2.2
        && Double(word.region.x) > Double(label.x) - high * 1.5 && word.region.x < edge - label.height / 2
        && !others.values.contains {
          $0.midY > label.midY + high && abs($0.midY - word.region.midY) < high * 0.7
            && $0.x <= word.region.x && Double($0.x + $0.width * 3) > Double(word.region.x)
        }
    }.sorted { $0.region.x < $1.region.x }
    guard
      let first = under.min(by: {
        Double($0.region.x - label.x) + $0.region.midY * 2 < Double($1.region.x - label.x) + $1.region.midY * 2
      })
    else { return [] }
    // The beginning of a caption may not have been seen, and its value begins before what is left of it.
    var start = first
    for word in lines.joined().sorted(by: { $0.region.x > $1.region.x })
    where word.text.count > 1 && word.region.x < start.region.x && Self.sameLine(word, start) {
      let gap = start.region.x - word.region.x - word.region.width
      if Double(gap) < Double(start.region.height) * 0.7 { start = word }
    }
    let whole = start == first ? under : lines.joined().sorted { $0.region.x < $1.region.x }
    return Self.run(from: start, in: whole.filter { $0.region.x < edge - label.height / 2 }, gapMax: 1.6)
  }

  /// The words that follow a field number on its line.
  func right(_ label: Region, others: [VisualZone.Field: Region]) -> [OCRWord] {
    // Rows of a licence stand close: the number of the next one is no end of this one.
    let end = label.x + label.width
    let edge = others.values.filter { Self.isBeside($0, label) && $0.midX > Double(end) }.map(\.x).min() ?? .max
    let after = lines.joined().filter { word in
      // A number and its value share one line of print, whose words are placed by their letters and may overlap.
      word.region.x >= end - label.height / 4 && word.region.midX > Double(end)
        && word.region.x < edge && Self.isBeside(word.region, label)
    }.sorted { $0.region.x < $1.region.x }
    guard let first = after.first, first.region.x - end < label.height * 6 else { return [] }
    return Self.run(from: first, in: after, gapMax: 1.1)
  }

  private static func isBeside(_ place: Region, _ label: Region) -> Bool {
    abs(place.midY - label.midY) < Double(max(label.height, place.height)) * 0.75
  }

  /// Words that stand no further apart than `gapMax` times their height.
  static func run(from first: OCRWord, in words: [OCRWord], gapMax: Double) -> [OCRWord] {
    var run = [first]
    for word in words where word.region.x > first.region.x {
      let last = run[run.count - 1].region
      guard abs(word.region.midY - last.midY) < Double(max(last.height, word.region.height)) * 0.7 else { continue }
      guard Double(word.region.x - last.x - last.width) < Double(first.region.height) * gapMax else { break }
      run.append(word)
    }
    return run
  }

  /// The value of a field when the words can be one.
  static func value(
    of field: VisualZone.Field, in words: [OCRWord], dates: PrintedDate.Order = .dayFirst
  ) -> VisualZone.Value? {
    let words = field.isDate ? withoutPlace(words) : words
    guard let first = words.first, let text = FieldText.reading(field, words.map(\.text), dates) else { return nil }
    return VisualZone.Value(
      text: text,
      confidence: Certainty.of(field, words, dates: dates),
      region: words.dropFirst().reduce(first.region) { $0.union($1.region) })
  }

  /// A date of birth may stand beside its place, on either side: `ROMA (RM) 14.03.1990`, `14.03.1990 BERLIN`.
  private static func withoutPlace(_ words: [OCRWord]) -> [OCRWord] {
    func hasDigit(_ word: OCRWord) -> Bool { word.text.contains { $0.isASCII && $0.isNumber } }
    guard let first = words.firstIndex(where: hasDigit), let last = words.lastIndex(where: hasDigit)
    else { return words }
    return Array(words[first...last])
  }
}
