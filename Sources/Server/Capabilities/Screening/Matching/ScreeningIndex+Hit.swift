// SPDX-License-Identifier: Apache-2.0

extension ScreeningIndex {
  /// A match as it is kept.
  func hit(_ match: Match, of subject: Screening.Subject, policy: MatchingPolicy) -> Screening.Hit {
    let (entry, list) = (entries[match.entry], entries.list(of: match.entry))
    var hit = Screening.Hit(
      list: versions[list].code, entityID: entry.reference, caption: entry.names[0],
      score: Self.rounded(match.score),
      topics: entry.topics, nameScore: Self.rounded(match.found?.score ?? 0),
      dateOfBirth: .init(match.circumstances.date),
      nationality: match.circumstances.isSameNationality,
      documentNumber: match.circumstances.isSameDocument,
      explanation: explanation(of: match, subject, entry, policy: policy))
    let namesakes = entries.numbers(withReference: entry.reference)
    hit.isReferenceShared = namesakes.count { entries.list(of: Int($0)) == list } > 1
    return hit
  }

  /// Two decimals: more digits would feign precision. Downwards, so that no hit is shown at a threshold that it missed.
  private static func rounded(_ score: Double) -> Double { (score * 100 + 1e-9).rounded(.down) / 100 }
}

extension Screening.DateOfBirthMatch {
  fileprivate init(_ agreement: BirthDate.Agreement?) {
    switch agreement {
    case .exact: self = .exact
    case .swapped, .offByOne, .digit, .part, .partial: self = .year
    case .close, .conflict: self = .conflict
    case nil: self = .none
    }
  }
}
