// SPDX-License-Identifier: Apache-2.0

/// Compares the names of a form with those of the verified documents.
struct NameRules {
  private let family: HolderName
  private let given: HolderName
  private let mayBeTruncated: Bool

  init(_ verified: VerifiedIdentity) {
    family = HolderName(verified.familyName)
    given = HolderName(verified.givenNames)
    mayBeTruncated = verified.namesMayBeTruncated
  }

  enum Outcome {
    case same, different
    /// One of the two is not in Latin letters, or the document has not the whole name.
    case notComparable
  }

  func compare(familyName: String) -> Outcome {
    let name = HolderName(familyName)
    guard name.isComparable && family.isComparable else { return .notComparable }
    return name.equals(family) || (mayBeTruncated && isCutShort(family, of: name)) ? .same : .different
  }

  /// Given names may be fewer than on the document, but none may be another.
  func compare(givenNames: String) -> Outcome {
    let name = HolderName(givenNames)
    guard name.isComparable && given.isComparable else { return .notComparable }
    if name.equals(given) || (mayBeTruncated && isCutShort(given, of: name)) { return .same }
    return !name.isEmpty && name.words.allSatisfy(given.contains) ? .same : .different
  }

  /// A whole name in either order, with the family name whole and at least one given name; initials count when a
  /// person signs.
  func compare(fullName: String, allowsInitials: Bool = false) -> Outcome {
    let name = HolderName(fullName)
    guard name.isComparable && family.isComparable && given.isComparable else { return .notComparable }
    if name.equals(given + family) || name.equals(family + given) { return .same }
    if mayBeTruncated { return name.words.contains(where: family.contains) ? .same : .notComparable }
    let rest = name.words.filter { !family.contains($0) }
    let hasFamily = family.words.allSatisfy(name.contains) || isWrittenTogether(name)
    let known = rest.filter { given.contains($0) || (allowsInitials && given.hasInitial($0)) }
    let hasGiven = given.isEmpty || !known.isEmpty
    return hasFamily && hasGiven && known.count == rest.count ? .same : .different
  }

  /// `ALSABAH` in the form, `AL SABAH` on the document, or the other way round, beside fewer given names.
  private func isWrittenTogether(_ name: HolderName) -> Bool {
    let others = HolderName(words: name.words.filter { !given.contains($0) })
    return others.equals(family)
  }

  /// Whether `short` is the beginning of `name`, its last word cut off.
  private func isCutShort(_ short: HolderName, of name: HolderName) -> Bool {
    guard let last = short.words.last, short.words.count <= name.words.count else { return false }
    let whole = zip(short.words.dropLast(), name.words).allSatisfy { !$0.isDisjoint(with: $1) }
    return whole && name.words[short.words.count - 1].contains { word in last.contains { word.hasPrefix($0) } }
  }

  /// Records what a comparison gave.
  static func note(_ outcome: Outcome, at path: FormPath, _ review: inout FormReview) {
    switch outcome {
    case .same: break
    case .different:
      review.refuse(path, "identity-mismatch", "The name is not the one on the verified document.")
    case .notComparable:
      review.flag(path, "name-not-compared", "The name could not be compared with the document; an agent does it.")
    }
  }
}
