// SPDX-License-Identifier: Apache-2.0

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
  /// The entries that a subject resembles most, best first: those with a score of at least the policy's `nameMin`,
  /// whether or not they are hits.
  /// - Parameter fills: gives entries with lower scores too, as many as are wanted. Of these some may be left out for
  ///   others that are a little less alike, since only the names that share most are measured.
  /// - Returns: nil when no name of the subject can be read: that is not a clean subject.
  package func answers(
    to subject: Screening.Subject, policy: MatchingPolicy = .standard, limit: Int = 5, fills: Bool = false
  ) -> [ScreenAnswer]? {
    let least = min(policy.nameMin, policy.threshold)
    let found = matches(of: subject, policy: policy, limit: limit, least: least, fills: fills)
    return found?.filter { fills ? $0.score > 0 : $0.score >= least }.map { match in
      let entry = entries[match.entry]
      return ScreenAnswer(
        ref: entry.reference, list: versions[entries.list(of: match.entry)].code, name: entry.names[0],
        score: (match.score * 10_000).rounded() / 10_000, match: match.score >= policy.threshold,
        explanation: explanation(of: match, subject, entry, policy: policy))
    }
  }

  /// The listed entries of this reference, each with the list that has it.
  package func entries(withReference reference: String) -> [(entry: WatchList.Entry, list: WatchList.Version)] {
    entries.numbers(withReference: reference).map { (entries[Int($0)], versions[entries.list(of: Int($0))]) }
  }
}
