// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A kept screening, searched for again in the versions of the lists that it names and by the policy that it was made
/// by, and what came of it beside what is kept.
package struct ScreeningReplay: Sendable, Hashable {
  /// Why a screening cannot be searched for again. Names lists and policies, no person.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// What is kept.
  package let record: Screening.Record
  /// The hits of this search, best first.
  package let hits: [Screening.Hit]
  /// By which rules they were found.
  package let matcher: Screening.Matcher
  /// Whether the kept screening says by which rules it was made; those from before they were kept do not.
  package var isMatcherKept: Bool { record.matcher != nil }
  /// Whether the matcher is the one that made the kept screening; false when that is not known.
  package var isMatcherSame: Bool { record.matcher.map { $0.version == matcher.version } ?? false }

  /// Whether the same entries were found, with the same scores for the same reasons, whatever officers made of them.
  package var isEqual: Bool {
    record.hits.count == hits.count && zip(record.hits, hits).allSatisfy { $0.isSameFinding(as: $1) }
  }

  /// Whether the same entries have the same scores, and only the words for the reasons are others, as those of another
  /// release may be.
  package var differsInWords: Bool {
    !isEqual && record.hits.count == hits.count
      && zip(record.hits, hits).allSatisfy { $0.finding(nil) == $1.finding(nil) }
  }

  /// Searches again.
  ///
  /// Of a screening that does not say by which policy it was made, the policy of today is taken with its threshold.
  /// - Parameter policy: of today.
  /// - Throws: `Fault` for what was never answered by lists of ours, and when a version of a list or the policy cannot
  ///   be had any more; whatever keeps a version from being read.
  package init(
    of record: Screening.Record, lists: ScreeningLists, countries: CountryNames, policy: MatchingPolicy
  ) async throws {
    guard let threshold = record.threshold, !record.lists.isEmpty else {
      throw Fault(description: "this screening has no answer from lists: it is \(record.status.rawValue)")
    }
    var policy = policy
    if let kept = record.matcher {
      do { policy = try MatchingPolicy(Data(kept.policy.utf8)) } catch {
        throw Fault(description: "the policy of then cannot be used by this release: \(error)")
      }
    }
    policy.threshold = threshold
    var searched: [WatchList] = []
    for version in record.lists {
      guard let stored = try await lists.find(version) else {
        throw Fault(description: "\(version.code) \(version.version) is not in the store")
      }
      searched.append(try await lists.load(stored))
    }
    guard
      case .screened(let report) = try ScreeningIndex(searched, countries: countries)
        .outcome(for: record.subject, policy: policy)
    else { throw Fault(description: "the subject has no name that can be read") }
    (self.record, hits, matcher) = (record, report.hits, try Screening.Matcher(policy))
  }
}

extension Screening.Hit {
  /// Whether two searches say the same of an entry. Hits that are older than explanations have none.
  fileprivate func isSameFinding(as other: Self) -> Bool {
    finding(explanation) == other.finding(explanation == nil ? nil : other.explanation)
  }

  /// What a search says of an entry, whatever officers made of it.
  fileprivate func finding(_ explanation: MatchExplanation?) -> Self {
    Self(
      list: list, entityID: entityID, caption: caption, score: score, topics: topics, nameScore: nameScore,
      dateOfBirth: dateOfBirth, nationality: nationality, documentNumber: documentNumber, explanation: explanation)
  }
}
