import Foundation

/// What a search says of one entry, whether or not it is a hit: `answers` of `gatehouse screen` and of
/// `/v1/screening/match`.
package struct ScreenAnswer: Sendable, Hashable, Codable {
  /// The list's reference of the entry.
  package let ref: String
  /// Code of the list.
  package let list: String
  /// The entry's main name.
  package let name: String
  /// 0…1, name and everything else together.
  package let score: Double
  /// Whether the score reaches the threshold.
  package let match: Bool
  /// Why, in words.
  package let explanation: MatchExplanation
}

extension ScreeningIndex {
  /// The entries that a subject resembles most, best first.
  /// - Returns: nil when no name of the subject can be read: that is not a clean subject.
  package func answers(
    to subject: Screening.Subject, policy: MatchingPolicy = .standard, limit: Int = 5
  ) -> [ScreenAnswer]? {
    matches(of: subject, policy: policy)?.prefix(limit).map { match in
      let (entry, list) = entries[match.entry]
      return ScreenAnswer(
        ref: entry.reference, list: versions[list].code, name: entry.names[0],
        score: (match.score * 10_000).rounded() / 10_000, match: match.score >= policy.threshold,
        explanation: explanation(of: match, subject, policy: policy))
    }
  }

  /// The listed entries of this reference, each with the list that has it.
  package func entries(withReference reference: String) -> [(entry: WatchList.Entry, list: WatchList.Version)] {
    (entriesByReference[reference] ?? []).map { (entries[Int($0)].entry, versions[entries[Int($0)].list]) }
  }
}
