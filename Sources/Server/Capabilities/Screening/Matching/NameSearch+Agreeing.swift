// SPDX-License-Identifier: Apache-2.0

/// Names of entries whose day of birth agrees, but for a slip: there are so few that their words are compared one by
/// one.
extension NameSearch {
  /// Letters that are heard of only one of two names, when two slips and blanks tell them apart.
  private static let joinedApartMax = 5

  /// Tells of those names of some entries that share enough with this one when words with two slips count too, or are
  /// alike without their blanks.
  func forEachAgreeing(of entries: [Int32], _ body: (Candidate) -> Void) {
    var names: [Int32] = []
    for range in entries.map(index.names(of:)) { for number in range { names.append(Int32(number)) } }
    fetched &+= index.fetch(names[...]) &+ index.fetchWords(of: names)
    // What is known of the words tells of most names that they do not share enough, before any letters are read. Those
    // of the others are fetched together.
    var (left, remote): ([(number: Int32, isJoined: Bool)], [Int32]) = ([], [])
    for number in names {
      let listed = index.names[Int(number)]
      guard listed.isPerson == name.isPerson else { continue }
      if joined.soundSet.apart(from: listed.joinedSounds) <= Self.joinedApartMax, joinedScore(listed) > 0 {
        left.append((number, true))
        continue
      }
      let (words, count) = (index.words(of: listed), remote.count)
      let sum = variants.sum(of: words) { rarestRemote($0, words, &remote) }
      if needed(sum, listed) != nil { left.append((number, false)) } else { remote.removeSubrange(count...) }
    }
    fetched &+= index.fetchLetters(of: remote)
    for (number, isJoined) in left {
      guard !isJoined else {
        body(joinedCandidate(number))
        continue
      }
      let listed = index.names[Int(number)]
      let words = index.words(of: listed)
      let sum = variants.sum(of: words) { rarestRemote($0, words) }
      guard let least = needed(sum, listed) else { continue }
      var candidate = candidate(number, listed, sum.share, sum.theirs)
      candidate.least = least
      body(candidate)
    }
  }

  private func needed(_ sum: (share: Double, theirs: Double), _ listed: ScreeningIndex.Name) -> Double? {
    leastScore(sum.share, sum.theirs, of: listed.rarity, least: -.infinity)
  }

  /// How much the rarest of those words tells that may be words of this name with two slips, by what is known of them;
  /// nil when no word may.
  /// - Parameter remote: these are added to it.
  private func rarestRemote(_ part: Int, _ words: ArraySlice<Int32>, _ remote: inout [Int32]) -> Double? {
    var rarest: Double?
    for number in words where mayBeRemote(part, number) {
      remote.append(number)
      rarest = max(rarest ?? 0, index.rarities[Int(number)])
    }
    return rarest
  }

  /// The same of words that are, by their letters.
  private func rarestRemote(_ part: Int, _ words: ArraySlice<Int32>) -> Double? {
    var rarest: Double?
    for number in words where mayBeRemote(part, number) {
      let rarity = index.rarities[Int(number)]
      // A word that tells no more than another changes nothing.
      if let known = rarest, known >= rarity { continue }
      let spelling = index.words[Int(number)].spelling
      if WordVariants.isRemote(name.words[part].spelling, spelling, queryProfiles[part]) { rarest = rarity }
    }
    return rarest
  }

  private func mayBeRemote(_ part: Int, _ number: Int32) -> Bool {
    let other = index.facts[Int(number)]
    return other.isConsonantal == facts[part].isConsonantal && WordVariants.mayBeRemote(facts[part], other)
  }
}
