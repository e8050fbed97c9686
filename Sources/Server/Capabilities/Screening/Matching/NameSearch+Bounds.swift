// SPDX-License-Identifier: Apache-2.0

/// What a listed name can reach, before it is measured.
extension NameSearch {
  /// What a word can add at most that is no variant of any other: two words that are further apart are not counted as
  /// one. Initials may stand for a word.
  static let strangerMax = 0.55
  private static let initialMax = 0.75
  /// A name of which more than that remains, in rare words, has a word left that is no particle.
  static let wordLeft = 0.34

  /// The highest score that a candidate can have.
  /// - Parameters:
  ///   - doubt: how far the name stays in doubt after the date of birth.
  ///   - weight: what dates, nationalities and sex add.
  func most(_ candidate: Candidate, doubt: Double, weight: Double) -> Double {
    guard name.isPerson else { return 1 + weight }
    return most(
      all: candidate.all, told: candidate.told, rest: candidate.rest, doubt: doubt, weight: weight,
      hasInitials: hasInitials || index.names[Int(candidate.name)].hasInitials)
  }

  private func most(
    all: Double, told: Double, rest: (mine: Double, theirs: Double), doubt: Double, weight: Double, hasInitials: Bool
  ) -> Double {
    // What only one of the names has is left out and adds nothing; what both have otherwise is paired, particles with
    // particles only.
    let other = hasInitials ? Self.initialMax : Self.strangerMax
    let mine = rest.theirs > Self.wordLeft || hasParticlePair || hasInitials ? rest.mine : min(rest.mine, rest.theirs)
    let theirs = rest.mine > Self.coveredRest ? rest.theirs : 0
    let uncovered = (rest.mine + rest.theirs - other * (mine + theirs)) / max(all, .leastNonzeroMagnitude)
    var most =
      1 - max(0, uncovered * policy.uncoveredName * doubt)
      - (doubt < 1 ? 0 : max(0, policy.toldMin - told - other * theirs) * max(0, policy.toldMissing)) + weight
    if !hasInitials, rest.mine > Self.wordLeft, rest.theirs > Self.wordLeft {
      // Two words that are no variants are so many edits apart at least.
      let edits = Double(leastLetters) * (1 - Self.strangerMax)
      most -=
        max(0, policy.editsWeight * edits / policy.editsMax * policy.nameDifference) * max(doubt, policy.doubtMin)
    }
    return most
  }

  /// What is left of a name that counts as covered.
  private static let coveredRest = 0.01

  /// A name that shares less than it may reaches less, but where more than nothing is left of the searched one: words
  /// of the other may be near that then.
  private static func leastRest(from rest: Double) -> Double { max(rest, coveredRest + 1e-6) }

  /// The highest score of a name that shares that much at most.
  /// - Parameter besidesMin: what it tells besides, at least.
  func most(
    _ share: Double, _ theirs: Double, _ prospect: ScoreAdjustment, hasInitials: Bool, besidesMin: Double = 0
  ) -> Double {
    guard name.isPerson else { return .infinity }
    let rest = max(0, total - share)
    let leastRest = Self.leastRest(from: rest)
    // Between its ends what the other name has besides makes a straight or a hollow line, so that one of them is the
    // highest: nothing, as much as is left of this one, the most of particles, the least of a word, and what makes up
    // for all that is missing.
    let word = Self.wordLeft + 1e-6
    let enough = max(0, policy.toldMin - theirs) / (hasInitials ? Self.initialMax : Self.strangerMax)
    func bound(_ rest: Double, _ besides: Double) -> Double {
      most(
        all: total + theirs + besides, told: theirs, rest: (rest, besides), doubt: prospect.doubt,
        weight: prospect.weight, hasInitials: hasInitials)
    }
    func bound(_ point: Double) -> Double {
      let besides = max(besidesMin, point)
      return max(bound(rest, besides), bound(leastRest, besides))
    }
    return max(max(bound(0), bound(leastRest)), max(bound(Self.wordLeft), bound(word), bound(max(word, enough))))
  }

  /// The highest score of a name that shares that much at most, and tells so much besides.
  /// - Parameters:
  ///   - besides: the least and the most.
  ///   - rarity: how much it tells at most, with everything.
  func most(
    _ share: Double, _ theirs: Double, _ besides: (Double, Double), all rarity: Double, _ prospect: ScoreAdjustment,
    hasInitials: Bool
  ) -> Double {
    guard name.isPerson else { return .infinity }
    // In between the line is straight but at these, so that one of them or an end is the highest.
    let rest = max(0, total - share)
    let leastRest = Self.leastRest(from: rest)
    let word = Self.wordLeft + 1e-6
    let enough = max(0, policy.toldMin - theirs) / (hasInitials ? Self.initialMax : Self.strangerMax)
    func bound(_ rest: Double, _ besides: Double) -> Double {
      most(
        all: total + rarity, told: theirs, rest: (rest, besides), doubt: prospect.doubt, weight: prospect.weight,
        hasInitials: hasInitials)
    }
    func bound(_ point: Double) -> Double {
      let other = min(besides.1, max(besides.0, point))
      return max(bound(rest, other), bound(leastRest, other))
    }
    return max(max(bound(0), bound(leastRest), bound(Self.wordLeft)), max(bound(word), bound(enough), bound(.infinity)))
  }
}
