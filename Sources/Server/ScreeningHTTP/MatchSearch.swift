// SPDX-License-Identifier: Apache-2.0

import Screening

/// The lists as they were when a call came, and how its queries are answered.
struct MatchSearch: Sendable {
  let lists: [WatchList.Version]
  let matcher: MatcherView
  let thresholds: ThresholdsView
  private let index: ScreeningIndex
  private let policy: MatchingPolicy
  private let limit: Int

  init(_ index: ScreeningIndex, _ policy: MatchingPolicy, limit: Int) throws {
    (self.index, self.policy, self.limit) = (index, policy, limit)
    let matcher = try Screening.Matcher(policy)
    lists = index.versions
    self.matcher = MatcherView(version: matcher.version, policy: matcher.policyDigest)
    thresholds = ThresholdsView(match: policy.threshold, name: policy.nameMin)
  }

  /// - Parameter row: the number of the query, from 0, as `gatehouse screen` counts rows.
  func answer(_ query: MatchOrder.Query, row: Int) -> MatchView {
    // One more than is shown tells whether that is all.
    let found = index.answers(to: query.subject, policy: policy, limit: limit + 1)
    let shown = found?.prefix(limit) ?? []
    let status: MatchView.Status =
      found == nil ? .error : shown.contains(where: \.match) ? .potentialMatch : .clean
    return MatchView(
      row: row, id: query.id, status: status, error: found == nil ? "unreadable-name" : nil, answers: Array(shown),
      more_matches: found?.dropFirst(limit).contains(where: \.match) ?? false, lists: lists, matcher: matcher,
      thresholds: thresholds)
  }
}
