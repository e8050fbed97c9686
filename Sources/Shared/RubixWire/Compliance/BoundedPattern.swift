// SPDX-License-Identifier: Apache-2.0

/// A pattern of a template question: a small part of the common regular expressions that is matched in bounded time.
///
/// A sequence of atoms, each a character, `\d`, `.`, an escaped character or a class `[…]` / `[^…]` of characters and
/// ranges, with at most one of `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}` behind it; `^` in front and `$` behind are let
/// pass, for the whole text must match anyway. No groups, no alternatives: the set of places that the text may have
/// reached is followed character by character. For each character a place is left twice at most, by the character and for
/// the next atom where it may, and an atom is compared once, with as many ranges as it has, which are `lengthMax` of all
/// atoms at most. So no text takes more than `lengthMax` × (2 × `placesMax` + `lengthMax`) steps, on the server and in
/// an app, no matter who wrote the template.
public struct BoundedPattern: Hashable, Sendable {
  /// The most characters of a pattern, and of a text that is matched.
  public static let lengthMax = 1000
  /// The most repetitions of all atoms together; an atom without an upper bound counts with its lower one.
  public static let placesMax = 2000

  private let atoms: [Atom]
  /// The number of the first place of each atom, and of the place behind the last one.
  private let starts: [Int]

  /// - Returns: nil when the text is no such pattern.
  public init?(_ pattern: String) {
    guard pattern.unicodeScalars.count <= Self.lengthMax else { return nil }
    var rest = pattern.unicodeScalars[...]
    if rest.first == "^" { rest.removeFirst() }
    if rest.last == "$" && rest.dropLast().last != "\\" { rest.removeLast() }
    var atoms: [Atom] = []
    while !rest.isEmpty {
      guard let set = CharacterSet(&rest), let bounds = Self.bounds(&rest) else { return nil }
      atoms.append(Atom(set: set, min: bounds.lowerBound, max: bounds.upperBound))
    }
    let starts = atoms.reduce(into: [0]) { starts, atom in starts.append(starts[starts.count - 1] + atom.places) }
    guard starts[atoms.count] <= Self.placesMax else { return nil }
    (self.atoms, self.starts) = (atoms, starts)
  }

  /// Whether the whole text matches; never for a text of more than `lengthMax` characters.
  public func matches(_ text: String) -> Bool {
    guard text.unicodeScalars.count <= Self.lengthMax else { return false }
    var (reached, next) = (Reached(starts[atoms.count] + 1), Reached(starts[atoms.count] + 1))
    reach(Place(atom: 0, count: 0), &reached)
    // For which character each atom was compared last, and whether it matched: twice the character's number, and one
    // more when it did.
    var compared = [Int](repeating: -1, count: atoms.count)
    for (number, scalar) in text.unicodeScalars.enumerated() {
      next.removeAll()
      for place in reached.places where place.atom < atoms.count && place.count < atoms[place.atom].max {
        if compared[place.atom] >> 1 != number {
          compared[place.atom] = number << 1 | (atoms[place.atom].set.contains(scalar) ? 1 : 0)
        }
        guard compared[place.atom] & 1 == 1 else { continue }
        reach(Place(atom: place.atom, count: atoms[place.atom].count(after: place.count)), &next)
      }
      if next.places.isEmpty { return false }
      swap(&reached, &next)
    }
    return reached.places.contains { $0.atom == atoms.count }
  }

  /// Adds a place, and those behind it that take no character.
  private func reach(_ place: Place, _ reached: inout Reached) {
    var place = place
    while reached.insert(place, numbered: starts[place.atom] + place.count) {
      guard place.atom < atoms.count, place.count >= atoms[place.atom].min else { return }
      place = Place(atom: place.atom + 1, count: 0)
    }
  }

  /// Places, each once.
  private struct Reached {
    private(set) var places: [Place] = []
    private var numbers: [Int] = []
    private var isReached: [Bool]

    /// - Parameter count: of all places that there are.
    init(_ count: Int) { isReached = Array(repeating: false, count: count) }

    /// - Returns: whether it was not there.
    mutating func insert(_ place: Place, numbered number: Int) -> Bool {
      guard !isReached[number] else { return false }
      isReached[number] = true
      places.append(place)
      numbers.append(number)
      return true
    }

    mutating func removeAll() {
      for number in numbers { isReached[number] = false }
      places.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
    }
  }

  private struct Atom: Hashable, Sendable {
    let set: CharacterSet
    let min: Int
    /// `Int.max` when there is no bound.
    let max: Int

    /// Beyond the lower bound nothing is counted when there is no upper one, so that few places need be followed.
    func count(after count: Int) -> Int { max == .max ? Swift.min(count + 1, min) : count + 1 }

    var places: Int { 1 + (max == .max ? min : max) }
  }

  private struct Place {
    let atom: Int
    /// How often the atom has matched.
    let count: Int
  }

  /// Reads the quantifier behind an atom.
  private static func bounds(_ rest: inout Substring.UnicodeScalarView) -> ClosedRange<Int>? {
    switch rest.first {
    case "?":
      rest.removeFirst()
      return 0...1
    case "*":
      rest.removeFirst()
      return 0...Int.max
    case "+":
      rest.removeFirst()
      return 1...Int.max
    case "{": break
    default: return 1...1
    }
    guard let end = rest.firstIndex(of: "}") else { return nil }
    let parts = String(rest[rest.index(after: rest.startIndex)..<end])
      .split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    rest = rest[rest.index(after: end)...]
    guard let first = parts.first, let low = number(first) else { return nil }
    guard parts.count == 2 else { return low...low }
    if parts[1].isEmpty { return low...Int.max }
    guard let high = number(parts[1]), high >= low else { return nil }
    return low...high
  }

  /// A bound of a quantifier.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text), number <= placesMax else {
      return nil
    }
    return number
  }
}

extension BoundedPattern {
  /// What one atom matches.
  struct CharacterSet: Hashable, Sendable {
    private var ranges: [ClosedRange<UInt32>] = []
    private var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) } != isNegated
    }

    /// Reads an atom from the front.
    init?(_ rest: inout Substring.UnicodeScalarView) {
      guard let first = rest.popFirst() else { return nil }
      switch first {
      case ".": isNegated = true
      case "\\": guard readEscape(&rest) else { return nil }
      case "[": guard readClass(&rest) else { return nil }
      case "(", ")", "|", "?", "*", "+", "{", "}", "]", "^", "$": return nil
      default: ranges = [first.value...first.value]
      }
    }

    private mutating func readEscape(_ rest: inout Substring.UnicodeScalarView) -> Bool {
      guard let escaped = rest.popFirst() else { return false }
      if escaped == "d" {
        ranges.append(48...57)
        return true
      }
      // An escaped letter would mean something special elsewhere; refuse it rather than read it differently.
      guard !escaped.properties.isAlphabetic, escaped.value >= 0x20, !(48...57).contains(escaped.value) else {
        return false
      }
      ranges.append(escaped.value...escaped.value)
      return true
    }

    private mutating func readClass(_ rest: inout Substring.UnicodeScalarView) -> Bool {
      if rest.first == "^" {
        rest.removeFirst()
        isNegated = true
      }
      while let scalar = rest.popFirst() {
        switch scalar {
        case "]": return !ranges.isEmpty
        case "[": return false
        case "\\": guard readEscape(&rest) else { return false }
        default:
          let behind = rest.dropFirst().first
          if rest.first == "-", let end = behind, end != "]" {
            guard end != "\\", end.value >= scalar.value else { return false }
            rest = rest.dropFirst(2)
            ranges.append(scalar.value...end.value)
          } else {
            ranges.append(scalar.value...scalar.value)
          }
        }
      }
      return false
    }
  }
}
