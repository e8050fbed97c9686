// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Thresholds and weights of the matcher. The defaults were found on the development half of published pairs, lists and
/// invented people, and checked on rows that were not used for it (docs/screening.md).
package struct MatchingPolicy: Sendable, Hashable, Codable {
  /// Score from which on an entry is a hit.
  package var threshold = 0.85

  // MARK: Names

  /// What the edits cost that a name may have at most.
  package var editsWeight = 0.16
  /// Letters of a name for each edit that it may have.
  package var lettersPerEdit = 4.5
  /// Edits that no name may have more of, however long it is.
  package var editsMax = 2.3
  /// What it counts, in edits, when a given name is a short or other form of another, as `Bill` is of `William`; they are
  /// compared by their letters alone when that counts less.
  package var otherFormEdits = 1.05
  /// What a part costs that only one name has, when two whole parts agree.
  package var extraPart = 0.025
  /// What all such parts cost at most.
  package var extraPartsMax = 0.10
  /// What it costs besides when only one whole part agrees.
  package var singlePart = 0.05
  /// What a word costs that only one organisation's name has.
  package var extraWord = 0.17
  /// The same for what very many organisations are called.
  package var extraGenericWord = 0.05
  /// The share of a distinctive word of an organisation that may differ.
  package var wordDifferenceMax = 0.5

  /// A name that is less alike is no match, whatever else agrees.
  package var nameMin = 0.70
  /// What it costs that a list calls a name weak.
  package var weakName = 0.08
  /// What of the difference of two persons' names counts in a search, when nothing confirms it.
  package var nameDifference = 0.5
  /// What it costs when all of what two names tell, weighed by how rare it is, is found in only one of them.
  package var uncoveredName = 1.0
  /// How much a name must tell when no date of birth confirms it, in rare words.
  package var toldMin = 2.5
  /// What each rare word costs that is missing to that.
  package var toldMissing = 0.05
  /// What it costs that consonants of another script were compared.
  package var otherScript = 0.05
  /// What each character costs that is another one, of two persons' names in Chinese characters or in Hangul, when
  /// names are compared as pairs.
  package var otherCharacter = 0.2
  /// How far a name stays in doubt when a date of birth is equal, but for a slip, or as far as it is known.
  package var doubtAfterDate = 0.4
  package var doubtAfterSlip = 0.5
  package var doubtAfterPart = 0.4
  /// The least that the difference of two names counts.
  package var doubtMin = 0.6

  // MARK: What confirms and what contradicts

  package var exactDate = 0.06
  package var swappedDate = 0.04
  package var dateOffByOne = 0.04
  package var digitOfDate = 0.03
  package var partOfDate = 0.03
  package var partialDate = 0.02
  package var closeDate = -0.06
  package var otherDate = -0.14
  package var sameNationality = 0.02
  package var otherNationality = -0.04
  package var otherSex = -0.06
  /// One and the same document is one and the same person, whatever the name.
  package var sameDocument = 1.0

  package init() {}

  /// What is used when nothing else is set.
  package static let standard = MatchingPolicy()

  /// What the agreement of two dates of birth adds.
  func weight(of date: BirthDate.Agreement) -> Double {
    switch date {
    case .exact: exactDate
    case .swapped: swappedDate
    case .offByOne: dateOffByOne
    case .digit: digitOfDate
    case .part: partOfDate
    case .partial: partialDate
    case .close: closeDate
    case .conflict: otherDate
    }
  }

  /// How far a name stays in doubt, 1 when no date confirms it.
  func doubt(after date: BirthDate.Agreement?) -> Double {
    switch date {
    case .exact: doubtAfterDate
    case .swapped, .offByOne, .digit, .part: doubtAfterSlip
    case .partial: doubtAfterPart
    case .close, .conflict, nil: 1
    }
  }
}

extension MatchingPolicy {
  /// Why a file is not a policy. Names the member.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// The standard policy with the members that an operator's JSON object names, such as `{"threshold": 0.9}`.
  package init(_ json: Data) throws(Fault) {
    do {
      var members = try JSONDecoder().decode([String: Double].self, from: JSONEncoder().encode(Self.standard))
      for (name, value) in try JSONDecoder().decode([String: Double].self, from: json) {
        guard members[name] != nil else { throw Fault(description: "\(name) is no member of a policy") }
        guard value.isFinite, (-10...10).contains(value) else { throw Fault(description: "\(name) is out of range") }
        members[name] = value
      }
      self = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(members))
    } catch let fault as Fault { throw fault } catch {
      throw Fault(description: "the policy is not a JSON object of numbers")
    }
    guard (0...1).contains(threshold) else { throw Fault(description: "threshold is between 0 and 1") }
    guard lettersPerEdit > 0, editsMax > 0 else {
      throw Fault(description: "lettersPerEdit and editsMax are above 0")
    }
  }

  /// What is wrong with the members beside one another: no name could be found, or a cost would be a gain. Policies
  /// that earlier searches kept are read in any case, so that they can be run again.
  package var contradiction: Fault? {
    let shares = [
      ("nameMin", nameMin), ("nameDifference", nameDifference), ("wordDifferenceMax", wordDifferenceMax),
      ("doubtAfterDate", doubtAfterDate), ("doubtAfterSlip", doubtAfterSlip), ("doubtAfterPart", doubtAfterPart),
      ("doubtMin", doubtMin),
    ]
    if let name = shares.first(where: { !(0...1).contains($0.1) })?.0 {
      return Fault(description: "\(name) is between 0 and 1")
    }
    let amounts = [
      ("editsWeight", editsWeight), ("otherFormEdits", otherFormEdits), ("extraPart", extraPart),
      ("singlePart", singlePart), ("extraWord", extraWord), ("extraGenericWord", extraGenericWord),
      ("weakName", weakName), ("uncoveredName", uncoveredName), ("toldMin", toldMin), ("toldMissing", toldMissing),
      ("otherScript", otherScript), ("otherCharacter", otherCharacter), ("exactDate", exactDate),
      ("swappedDate", swappedDate), ("dateOffByOne", dateOffByOne), ("digitOfDate", digitOfDate),
      ("partOfDate", partOfDate), ("partialDate", partialDate), ("sameNationality", sameNationality),
      ("sameDocument", sameDocument),
    ]
    if let name = amounts.first(where: { $0.1 < 0 })?.0 { return Fault(description: "\(name) is not negative") }
    let refutations = [
      ("closeDate", closeDate), ("otherDate", otherDate), ("otherNationality", otherNationality),
      ("otherSex", otherSex),
    ]
    if let name = refutations.first(where: { $0.1 > 0 })?.0 { return Fault(description: "\(name) is not above 0") }
    guard nameMin <= threshold else { return Fault(description: "nameMin is not above threshold") }
    return extraPart <= extraPartsMax ? nil : Fault(description: "extraPart is not above extraPartsMax")
  }
}
