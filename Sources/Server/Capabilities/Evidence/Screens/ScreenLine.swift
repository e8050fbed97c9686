// SPDX-License-Identifier: Apache-2.0

/// Characters that stand on one height of a screen, left to right, cut where numbers begin and end.
struct ScreenLine {
  let symbols: [OCRSymbol]

  /// Digits beside each other, and characters that are misread digits.
  struct Number {
    var symbols: [OCRSymbol]
    /// What stands before it in its line.
    var label: String
    /// Whether that is so near that a cut must be narrow.
    var isTight: Bool

    var count: Int { symbols.count }
    var region: Region { symbols.dropFirst().reduce(symbols[0].region) { $0.union($1.region) } }
    /// What was read at first; nil when letters are among it.
    var digits: String? {
      let text = symbols.map(\.text).joined()
      return text.allSatisfy { $0.isASCII && $0.isNumber } ? text : nil
    }
  }

  var region: Region { symbols.dropFirst().reduce(symbols[0].region) { $0.union($1.region) } }
  var text: String { Self.text(symbols) }

  /// All lines of a screen, from its top to its bottom.
  static func lines(of symbols: [OCRSymbol]) -> [ScreenLine] {
    var words: [[OCRSymbol]] = []
    for symbol in symbols {
      if words.last?.last?.word == symbol.word { words[words.count - 1].append(symbol) } else { words.append([symbol]) }
    }
    func region(_ word: [OCRSymbol]) -> Region { word.dropFirst().reduce(word[0].region) { $0.union($1.region) } }
    var lines: [(symbols: [OCRSymbol], last: Region)] = []
    let placed: [(word: [OCRSymbol], place: Region)] = words.map { (word: $0, place: region($0)) }
    for (word, place) in placed.sorted(by: { $0.place.x < $1.place.x }) {
      // The line whose last word is nearest in height.
      func distance(_ line: Int) -> Double { abs(lines[line].last.midY - place.midY) }
      let home = lines.indices.filter { line in
        distance(line) * 2 < Double(max(lines[line].last.height, place.height))
      }.min { distance($0) < distance($1) }
      if let home {
        lines[home].symbols += word
        lines[home].last = place
      } else {
        lines.append((word, place))
      }
    }
    return lines.map { ScreenLine(symbols: $0.symbols) }.sorted { $0.region.midY < $1.region.midY }
  }

  /// The numbers of at least `count` characters.
  func numbers(atLeast count: Int) -> [Number] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < symbols.count {
      guard Self.resemblesDigit(symbols[start].text) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < symbols.count, Self.resemblesDigit(symbols[end].text), !isApart(end - 1, end) { end += 1 }
      // Words of letters alone that could be digits are words: "Bills", "IOS".
      let digits = symbols[start..<end].filter { $0.text.allSatisfy(\.isNumber) }.count
      if digits * 2 >= end - start { runs.append(start..<end) }
      start = end
    }
    return runs.filter { $0.count >= count }.map { run in
      let near = run.lowerBound > 0 ? gap(run.lowerBound - 1, run.lowerBound) : .max
      return Number(
        symbols: Array(symbols[run]), label: Self.text(symbols[..<run.lowerBound]),
        isTight: near < symbols[run.lowerBound].region.height)
    }
  }

  /// Whether two neighbours belong to two numbers: groups of one number stand closer.
  private func isApart(_ left: Int, _ right: Int) -> Bool {
    Double(gap(left, right)) > Double(max(symbols[left].region.height, symbols[right].region.height)) * 1.1
  }

  private func gap(_ left: Int, _ right: Int) -> Int {
    symbols[right].region.x - symbols[left].region.x - symbols[left].region.width
  }

  private static func text(_ symbols: some Collection<OCRSymbol>) -> String {
    var (text, word) = ("", symbols.first?.word)
    for symbol in symbols {
      if symbol.word != word { text += " " }
      text += symbol.text
      word = symbol.word
    }
    return text
  }

  private static let lookalikes: Set<String> = [
    "O", "o", "Q", "D", "I", "l", "|", "!", "i", "S", "s", "Z", "z", "B", "G", "g", "b", "q", "T", "?", "A", "e", "$",
  ]

  private static func resemblesDigit(_ text: String) -> Bool {
    (text.utf8.count == 1 && text.allSatisfy(\.isNumber)) || lookalikes.contains(text)
  }
}
