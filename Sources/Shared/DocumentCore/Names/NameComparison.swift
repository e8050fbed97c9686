// SPDX-License-Identifier: Apache-2.0

/// How well two names agree (identity-documents §8.2). Never by sound.
public enum NameComparison {
  /// The levels of agreement, best first.
  public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
    case exact, equivalent, truncated, partial, similar, different

    /// Pass: exact, equivalent, truncated, partial. Review: similar. Fail: different.
    public var verdict: Verdict {
      switch self {
      case .exact, .equivalent, .truncated, .partial: .pass
      case .similar: .review
      case .different: .fail
      }
    }
  }

  private static let primaryLikenessMin = 0.92
  private static let secondaryLikenessMin = 0.88
  /// One edit is allowed for each so many letters, begun ones included.
  private static let lettersPerEdit = 8
  /// Longer names are compared by equality only.
  private static let lettersMax = 256

  /// Compares two names. A suffix on both sides that differs (JR, SR) is a matter for review: father and son.
  public static func compare(
    _ left: PersonName, _ right: PersonName, language: Transliteration.Language = .standard
  ) -> Level {
    let (a, b) = (NormalizedName(left, language: language), NormalizedName(right, language: language))
    let level = compare(
      a, b, leftMayBeTruncated: left.possiblyTruncated, rightMayBeTruncated: right.possiblyTruncated)
    let suffixesDiffer = !a.suffixes.isEmpty && !b.suffixes.isEmpty && a.suffixes != b.suffixes
    return suffixesDiffer && level.verdict == .pass ? .similar : level
  }

  /// The levels in the order of the table: the first that fits.
  private static func compare(
    _ a: NormalizedName, _ b: NormalizedName, leftMayBeTruncated: Bool, rightMayBeTruncated: Bool
  ) -> Level {
    guard !(a.primary + a.secondary).isEmpty, !(b.primary + b.secondary).isEmpty else { return .different }
    if a.primary == b.primary, a.secondary == b.secondary { return .exact }
    let (x, y) = (Reading(a), Reading(b))
    if x == y || (x.primary + x.secondary).sorted() == (y.primary + y.secondary).sorted() { return .equivalent }
    if leftMayBeTruncated && isShortened(a, of: b) || rightMayBeTruncated && isShortened(b, of: a) {
      return .truncated
    }
    if x.primary == y.primary, isSubset(x.secondary, y.secondary) { return .partial }
    return isSimilar(x, y) ? .similar : .different
  }

  /// A name's tokens in their shortest readings.
  private struct Reading: Equatable {
    let primary: [String]
    let secondary: [String]

    init(_ name: NormalizedName) {
      primary = name.primary.map(NormalizedName.shortestReading)
      secondary = name.secondary.map(NormalizedName.shortestReading)
    }
  }

  /// Every token of the shortened name begins the other's token at the same place, the first primary token whole.
  private static func isShortened(_ short: NormalizedName, of long: NormalizedName) -> Bool {
    guard let first = short.primary.first, let other = long.primary.first, same(first, other),
      short.primary.count <= long.primary.count, short.secondary.count <= long.secondary.count,
      // Primary components may be missing only where the primary identifier filled the field alone.
      short.primary.count == long.primary.count || short.secondary.isEmpty
    else { return false }
    return zip(short.primary, long.primary).allSatisfy(isPrefix)
      && zip(short.secondary, long.secondary).allSatisfy(isPrefix)
  }

  private static func same(_ a: String, _ b: String) -> Bool {
    a == b || NormalizedName.shortestReading(of: a) == NormalizedName.shortestReading(of: b)
  }

  private static func isPrefix(_ short: String, _ long: String) -> Bool {
    long.hasPrefix(short)
      || NormalizedName.shortestReading(of: long).hasPrefix(NormalizedName.shortestReading(of: short))
  }

  /// The shorter list is found in the longer one, each token once, an initial for a name that begins so.
  ///
  /// No given names at all on one side is not a middle name left out: that is for a person to look at.
  private static func isSubset(_ a: [String], _ b: [String]) -> Bool {
    let (shorter, longer) = a.count <= b.count ? (a, b) : (b, a)
    guard !shorter.isEmpty else { return false }
    var free = longer
    // Whole names first, so that an initial does not take a name that another token needs.
    for token in shorter.sorted(by: { $0.count > $1.count }) {
      guard let found = free.firstIndex(of: token) ?? free.firstIndex(where: { agreeAsInitial($0, token) }) else {
        return false
      }
      free.remove(at: found)
    }
    return true
  }

  private static func agreeAsInitial(_ a: String, _ b: String) -> Bool {
    (a.count == 1 || b.count == 1) && a.first == b.first
  }

  private static func isSimilar(_ a: Reading, _ b: Reading) -> Bool {
    let (p, q) = (letters(a.primary), letters(b.primary))
    let (s, t) = (letters(a.secondary), letters(b.secondary))
    let longest = max(p.count + s.count, q.count + t.count)
    guard longest <= lettersMax,
      StringSimilarity.jaroWinkler(p, q) >= primaryLikenessMin,
      StringSimilarity.jaroWinkler(s, t) >= secondaryLikenessMin
    else { return false }
    let editsMax = (longest + lettersPerEdit - 1) / lettersPerEdit
    return StringSimilarity.editDistance(p, q) + StringSimilarity.editDistance(s, t) <= editsMax
  }

  private static func letters(_ tokens: [String]) -> [UInt8] {
    Array(tokens.joined().utf8)
  }
}
