// SPDX-License-Identifier: Apache-2.0

/// A pattern of a template question: a small part of the common regular expressions that is matched in bounded time.
///
/// A sequence of atoms, each a character, `\d`, `.`, an escaped character or a class `[…]` / `[^…]` of characters and
/// ranges, with at most one of `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}` behind it; `^` in front and `$` behind are let
/// pass, for the whole text must match anyway. No groups, no alternatives: the set of places that the text may have
/// reached is followed character by character, so no text takes more than
/// `lengthMax` × `placesMax` steps, on the server and in an app, no matter who wrote the template.
public struct BoundedPattern: Hashable, Sendable {
  /// The most characters of a pattern, and of a text that is matched.
  public static let lengthMax = 1000
  /// The most repetitions of all atoms together; an atom without an upper bound counts with its lower one.
  public static let placesMax = 2000

  private let atoms: [Atom]

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
    guard atoms.reduce(0, { $0 + $1.places }) <= Self.placesMax else { return nil }
    self.atoms = atoms
  }

  /// Whether the whole text matches; never for a text of more than `lengthMax` characters.
  public func matches(_ text: String) -> Bool {
    guard text.unicodeScalars.count <= Self.lengthMax else { return false }
    var places: Set<Place> = []
    reach(Place(atom: 0, count: 0), &places)
    for scalar in text.unicodeScalars {
      var next: Set<Place> = []
      for place in places where place.atom < atoms.count && place.count < atoms[place.atom].max {
        let atom = atoms[place.atom]
        if atom.set.contains(scalar) { reach(Place(atom: place.atom, count: atom.count(after: place.count)), &next) }
      }
      if next.isEmpty { return false }
      places = next
    }
    return places.contains(Place(atom: atoms.count, count: 0))
  }

  /// Adds a place, and those behind it that take no character.
  private func reach(_ place: Place, _ places: inout Set<Place>) {
    var place = place
    while places.insert(place).inserted, place.atom < atoms.count, place.count >= atoms[place.atom].min {
      place = Place(atom: place.atom + 1, count: 0)
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

  private struct Place: Hashable {
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
