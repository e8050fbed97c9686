/// How far two spellings of a word lie apart, in edits: 1 for a letter that was changed, left out, added or swapped
/// with its neighbour, less for letters that languages and clerks take for one another, such as I and Y, C and K, or for a
/// doubled letter.
enum SpellingCost {
  /// Longer words are compared by their first letters.
  private static let lettersMax = 64
  private static let one = 100

  /// - Returns: edits; `limit` or more when they lie that far apart.
  static func between(_ one: [UInt8], _ other: [UInt8], limit: Double) -> Double {
    if one == other { return 0 }
    let bound = Int((limit * 100).rounded())
    let plain = distance(one, other, bound: bound)
    // Short words sound alike too often.
    let floor = min(one.count, other.count) > 4 ? soundFloor : 2 * soundFloor
    if plain <= floor { return Double(plain) / 100 }
    let bySound = floor + distance(sound(one), sound(other), bound: bound)
    return Double(min(plain, bySound)) / 100
  }

  /// What spelling alone is worth when two words sound the same.
  private static let soundFloor = 30

  private static func distance(_ first: [UInt8], _ second: [UInt8], bound: Int) -> Int {
    let (a, b) = (first.prefix(lettersMax), second.prefix(lettersMax))
    // A letter more costs at least a fifth of an edit.
    guard abs(a.count - b.count) * 20 < bound else { return bound }
    if a.isEmpty || b.isEmpty { return min(bound, max(a.count, b.count) * Self.one) }
    let width = b.count + 1
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: width * 3) { cells -> Int in
      cells[0] = 0
      for column in 1..<width { cells[column] = cells[column - 1] + gap(b, column - 1) }
      var (beforeLast, last, row) = (2 * width, 0, width)
      for i in 1...a.count {
        cells[row] = cells[last] + gap(a, i - 1)
        var least = cells[row]
        let letterGap = gap(a, i - 1)
        for j in 1..<width {
          var best = cells[last + j - 1] + change(a[i - 1], b[j - 1])
          best = min(best, cells[last + j] + letterGap, cells[row + j - 1] + gap(b, j - 1))
          if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
            best = min(best, cells[beforeLast + j - 2] + 90)
          }
          cells[row + j] = best
          least = min(least, best)
        }
        if least >= bound { return bound }
        (beforeLast, last, row) = (last, row, beforeLast)
      }
      return min(bound, cells[last + b.count])
    }
  }

  /// What a letter costs that only one side has.
  private static func gap(_ word: ArraySlice<UInt8>, _ index: Int) -> Int {
    let letter = word[index]
    if index > 0, word[index - 1] == letter { return 20 }
    switch letter {
    case UInt8(ascii: "H"): return 40
    // Baltic and Greek endings.
    case UInt8(ascii: "S") where index == word.endIndex - 1: return 60
    case UInt8(ascii: "Y"), UInt8(ascii: "E"): return 70
    case UInt8(ascii: "A"), UInt8(ascii: "I"), UInt8(ascii: "O"), UInt8(ascii: "U"): return 80
    default: return one
    }
  }

  private static func change(_ from: UInt8, _ to: UInt8) -> Int {
    from == to ? 0 : Int(changes[Int(from & 127) << 7 | Int(to & 127)])
  }

  private static let changes: [UInt8] = {
    var table = [UInt8](repeating: 100, count: 128 * 128)
    func set(_ pairs: String, _ cost: UInt8) {
      for pair in pairs.split(separator: " ").map({ Array($0.utf8) }) {
        table[Int(pair[0]) << 7 | Int(pair[1])] = cost
        table[Int(pair[1]) << 7 | Int(pair[0])] = cost
      }
    }
    set("AE AI AO AU EO EU IO IU OI", 80)
    set("EI OU", 60)
    set("IY IJ YJ CK QK VW", 30)
    set("SZ GQ GK DT BP VF UW UV GJ XK CS YE", 60)
    return table
  }()

  /// A word as most languages would read it: `TSCH` is CH, `OU` is U, `PH` is F.
  static func sound(_ word: [UInt8]) -> [UInt8] {
    var sounds: [UInt8] = []
    sounds.reserveCapacity(word.count)
    var index = 0
    outer: while index < word.count {
      for (from, to) in digraphs where word[index...].starts(with: from) {
        append(to, to: &sounds)
        index += from.count
        continue outer
      }
      append([single(word[index])], to: &sounds)
      index += 1
    }
    return sounds
  }

  private static func append(_ letters: [UInt8], to sounds: inout [UInt8]) {
    for letter in letters where sounds.last != letter { sounds.append(letter) }
  }

  private static func single(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "Q"), UInt8(ascii: "C"): UInt8(ascii: "K")
    case UInt8(ascii: "W"): UInt8(ascii: "V")
    case UInt8(ascii: "Y"), UInt8(ascii: "J"): UInt8(ascii: "I")
    default: letter
    }
  }

  private static let digraphs: [(from: [UInt8], to: [UInt8])] = [
    ("TSCH", "CH"), ("SHCH", "SH"), ("SCH", "SH"), ("DZH", "J"), ("TCH", "CH"), ("DSCH", "J"), ("PH", "F"), ("CK", "K"),
    ("KH", "H"), ("GH", "G"), ("TH", "T"), ("DH", "D"), ("DJ", "J"), ("CH", "CH"), ("SH", "SH"), ("HS", "S"),
    ("OU", "U"), ("OO", "U"), ("EE", "I"), ("IE", "I"), ("EI", "AI"), ("EY", "AI"), ("AY", "AI"), ("YI", "I"), ("IY", "I"),
    ("ZH", "J"), ("TS", "Z"), ("TZ", "Z"), ("IU", "IU"), ("JU", "IU"), ("YU", "IU"), ("X", "KS"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
}
