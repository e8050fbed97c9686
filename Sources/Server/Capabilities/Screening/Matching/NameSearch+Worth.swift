// SPDX-License-Identifier: Apache-2.0

/// How much a listed name has to share with the searched one before it is worth a look.
extension NameSearch {
  /// Share of what both names tell below which even a name whose date of birth agrees is not looked at. Such a name can
  /// be a hit with less than `candidateCoverage`, for words that are no variants may still be more than half alike.
  private static let remoteCoverageMax = 0.4
  /// The same by any policy: names that share next to nothing are not looked at.
  private static let remoteCoverageMin = 0.05

  /// The same by one policy. Where hits need less of the names than by the standard one, a name that shares less may be
  /// one: a single common word of a long name, when the rest is left out.
  static func remoteCoverage(_ policy: MatchingPolicy) -> Double {
    let less = max(0, leastCoverage(.standard) - leastCoverage(policy))
    return max(remoteCoverageMin, remoteCoverageMax - less / (1 - strangerMax))
  }

  /// The share of what both names tell that has to be alike in a hit, when everything else confirms it; below nought
  /// when nothing has to.
  private static func leastCoverage(_ policy: MatchingPolicy) -> Double {
    let dates = [
      policy.exactDate, policy.swappedDate, policy.dateOffByOne, policy.digitOfDate, policy.partOfDate,
      policy.partialDate,
    ]
    let doubt = min(policy.doubtAfterDate, policy.doubtAfterSlip, policy.doubtAfterPart, 1)
    let highest = 1 + max(0, dates.max() ?? 0) + max(0, policy.sameNationality)
    let uncovered = policy.uncoveredName * doubt
    return uncovered > 0 ? 1 - (highest - policy.threshold) / uncovered : -.infinity
  }

  /// The score that a name has to be able to reach. One that shares much is of interest whatever it reaches; one that
  /// shares less, for its words are common or spelt otherwise, when it may be a hit.
  /// - Parameters:
  ///   - share: what the parts of this name tell that were found.
  ///   - theirs: what the words tell that were found for them.
  ///   - rarity: what the other name tells.
  ///   - least: the score that others have to reach.
  /// - Returns: nil for a name that is worth no look.
  func leastScore(_ share: Double, _ theirs: Double, of rarity: Double, least: Double) -> Double? {
    let (found, all) = (share + theirs, total + rarity)
    if share >= enough, found >= Self.candidateCoverage * all - 1e-9 { return least }
    guard name.isPerson, found >= remoteCoverage * all - 1e-9 else { return nil }
    return max(least, policy.threshold)
  }
}
