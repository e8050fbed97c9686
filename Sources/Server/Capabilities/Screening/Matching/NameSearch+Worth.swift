// SPDX-License-Identifier: Apache-2.0

/// How much a listed name has to share with the searched one before it is worth a look.
extension NameSearch {
  /// Share of what both names tell below which even a name whose date of birth agrees is not looked at. Such a name can
  /// be a hit with less than `candidateCoverage`, for words that are no variants may still be more than half alike.
  private static let remoteCoverage = 0.4

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
    guard name.isPerson, found >= Self.remoteCoverage * all - 1e-9 else { return nil }
    return max(least, policy.threshold)
  }
}
