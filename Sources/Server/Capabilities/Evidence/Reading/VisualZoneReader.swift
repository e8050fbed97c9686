/// Finds labels among the words of a page and takes the values that belong to them.
struct VisualZoneReader {
  /// Words grouped into lines by where they stand, left to right.
  let lines: [[OCRWord]]

  init(words: [OCRWord]) {
    let wordsMax = 400
    var lines: [[OCRWord]] = []
    for word in words.prefix(wordsMax).sorted(by: { $0.region.x < $1.region.x }) where word.region.height > 3 {
      // The line whose last word is nearest on the left at about the same height.
      func distance(_ line: Int) -> Double { abs(lines[line][lines[line].count - 1].region.midY - word.region.midY) }
      let home = lines.indices.filter { Self.sameLine(lines[$0][lines[$0].count - 1], word) }
        .min { distance($0) < distance($1) }
      if let home { lines[home].append(word) } else { lines.append([word]) }
    }
    self.lines = lines.sorted { $0[0].region.midY < $1[0].region.midY }
  }

  private static func sameLine(_ left: OCRWord, _ right: OCRWord) -> Bool {
    let high = Double(max(left.region.height, right.region.height))
    return abs(left.region.midY - right.region.midY) < high * 0.6
      && Double(right.region.x - left.region.x - left.region.width) < high * 12
  }

  /// The kind whose title is on the page, or else the one of which most labels are.
  func kind() -> (kind: DocumentKind, labels: Int)? {
    let found = VisualTemplate.all.map { template in
      let titled = template.titles.contains { title in find(title) != nil }
      var labels = anchors(template).count
      // A licence's numbers are small: its column of dates says as much.
      if template.kind == .drivingLicence { labels = max(labels, LicenceColumn(lines: lines).read().values.count) }
      return (kind: template.kind, labels: labels, titled: titled)
    }
    // "Passport No." is a label of one document and the title of another: the title needs company.
    let titled = found.filter { $0.titled && $0.labels >= 2 }.max { $0.labels < $1.labels }
    let likely = titled ?? found.filter { $0.labels >= 4 }.max { $0.labels < $1.labels }
    return likely.map { ($0.kind, $0.labels) }
  }

  func read(_ template: VisualTemplate) -> VisualZone {
    var zone = VisualZone()
    let anchors = anchors(template)
    for (field, anchor) in anchors {
      let words =
        switch template.place {
        case .below: below(anchor, others: anchors)
        case .right: right(anchor, others: anchors)
        }
      guard let value = Self.value(of: field, in: words) else { continue }
      zone.values[field] = value
    }
    return zone
  }

  /// Where each label of the template stands.
  func anchors(_ template: VisualTemplate) -> [VisualZone.Field: Region] {
    var found: [VisualZone.Field: Region] = [:]
    for rule in template.rules {
      let places = rule.labels.lazy.compactMap { find($0) }
      if let place = places.first { found[rule.field] = place }
    }
    return found
  }

  /// The first run of words that matches.
  private func find(_ label: [String]) -> Region? {
    for line in lines {
      for start in line.indices where start + label.count <= line.count {
        let run = line[start..<start + label.count]
        let isNumber = label[0].last == "."
        let fits = zip(run, label).allSatisfy { word, expected in
          isNumber ? FieldNumber.matches(word.text, expected) : Label.matches(word.text, expected)
        }
        if fits { return run.dropFirst().reduce(run[start].region) { $0.union($1.region) } }
      }
    }
    return nil
  }

  /// The line of words that starts under a label.
  private func below(_ label: Region, others: [VisualZone.Field: Region]) -> [OCRWord] {
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
    return Self.run(from: first, in: under, gapMax: 1.6)
  }

  /// The words that follow a field number on its line.
  private func right(_ label: Region, others: [VisualZone.Field: Region]) -> [OCRWord] {
    let edge =
      others.values.filter { abs($0.midY - label.midY) < Double(label.height) * 1.2 && $0.x > label.x }
      .map(\.x).min() ?? .max
    let after = lines.joined().filter { word in
      word.region.x >= label.x + label.width && word.region.x < edge
        && abs(word.region.midY - label.midY) < Double(max(label.height, word.region.height)) * 0.75
    }.sorted { $0.region.x < $1.region.x }
    guard let first = after.first, first.region.x - label.x - label.width < label.height * 6 else { return [] }
    return Self.run(from: first, in: after, gapMax: 1.1)
  }

  /// Words that stand no further apart than `gapMax` times their height.
  private static func run(from first: OCRWord, in words: [OCRWord], gapMax: Double) -> [OCRWord] {
    var run = [first]
    for word in words where word.region.x > first.region.x {
      let last = run[run.count - 1].region
      guard abs(word.region.midY - last.midY) < Double(max(last.height, word.region.height)) * 0.7 else { continue }
      guard Double(word.region.x - last.x - last.width) < Double(first.region.height) * gapMax else { break }
      run.append(word)
    }
    return run
  }

  /// A name without a single letter at its end. The line reader gives marks of the background some letter; an initial
  /// that was printed is left out with them, since what is absent is for review and never decides.
  private static func withoutStrayLetter(_ text: String) -> String {
    let parts = text.split(separator: " ")
    return parts.count > 1 && parts[parts.count - 1].count == 1 ? parts.dropLast().joined(separator: " ") : text
  }

  /// The value of a field when the words can be one.
  static func value(of field: VisualZone.Field, in words: [OCRWord]) -> VisualZone.Value? {
    guard let first = words.first, let text = FieldText.reading(field, words.map(\.text)) else { return nil }
    return VisualZone.Value(
      text: field == .surname || field == .givenNames ? withoutStrayLetter(text) : text,
      confidence: Certainty.of(field, words),
      region: words.dropFirst().reduce(first.region) { $0.union($1.region) })
  }
}
