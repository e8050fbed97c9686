extension NameAlignment {
  /// What the pairs and the parts without one amount to.
  struct Summary {
    let pairs: [Pair]
    let mine: [ListedName.Word]
    let theirs: [ListedName.Word]
    let mineLeft: [Int]
    let theirsLeft: [Int]

    func personScore(_ policy: MatchingPolicy) -> Double {
      var edits = 0.0
      var whole = 0
      var wholeLetters = 0
      for pair in pairs {
        edits += pair.edits * (isParticle(pair) ? 0.3 : 1)
        guard pair.relation != .contradiction, pair.relation != .initial, !isParticle(pair) else { continue }
        whole += max(pair.mine.count, pair.theirs.count)
        wholeLetters += min(letters(pair.mine, mine), letters(pair.theirs, theirs))
      }
      guard whole > 0 else { return 0 }
      let left = mineLeft.map { mine[$0] } + theirsLeft.map { theirs[$0] }
      var extra = 0.0
      var extras = 0
      for word in left {
        switch word.wordClass {
        case .particle: extra += policy.extraPart * 0.1
        case .initial: extra += policy.extraPart * 0.2
        case .patronymic: extra += policy.extraPart * 0.4
        default:
          extra += policy.extraPart
          extras += 1
        }
      }
      if extras > 0, whole == 1 { extra += policy.singlePart + (wholeLetters < 5 ? policy.singlePart : 0) }
      let extraMax = policy.extraPartsMax + (whole == 1 ? policy.singlePart : 0)
      return max(0, 1 - editLoss(edits, policy) - min(extra, extraMax))
    }

    func organisationScore(_ policy: MatchingPolicy) -> Double {
      var edits = 0.0
      var distinctive = 0
      for pair in pairs {
        let words = pair.mine.map { mine[$0] } + pair.theirs.map { theirs[$0] }
        edits += pair.edits * (isParticle(pair) ? 0.3 : 1)
        let length = Double(max(letters(pair.mine, mine), letters(pair.theirs, theirs)))
        let isDistinctive = words.contains { $0.wordClass == .plain || $0.wordClass == .place }
        if pair.relation != .contradiction, isDistinctive { distinctive += 1 }
        if pair.relation == .contradiction, !words.allSatisfy({ $0.wordClass == .number }) {
          if pair.edits / length > policy.wordDifferenceMax || pair.edits >= policy.editsMax { return 0.5 }
        } else if isDistinctive, pair.edits / length >= policy.wordDifferenceMax {
          return 0.5
        }
      }
      guard !pairs.isEmpty else { return 0 }
      var extra = 0.0
      for word in mineLeft.map({ mine[$0] }) + theirsLeft.map({ theirs[$0] }) {
        switch word.wordClass {
        case .particle, .initial: extra += 0.01
        case .generic: extra += distinctive > 0 ? policy.extraGenericWord : policy.extraWord
        default: extra += policy.extraWord
        }
      }
      return max(0, 1 - editLoss(edits, policy) - extra)
    }

    private func editLoss(_ edits: Double, _ policy: MatchingPolicy) -> Double {
      let shorter = min(mine.reduce(0) { $0 + $1.letters.count }, theirs.reduce(0) { $0 + $1.letters.count })
      let allowed = min(policy.editsMax, max(0.5, Double(shorter) / policy.lettersPerEdit))
      return policy.editsWeight * edits / allowed
    }

    private func isParticle(_ pair: Pair) -> Bool {
      pair.mine.allSatisfy { mine[$0].wordClass == .particle }
        && pair.theirs.allSatisfy { theirs[$0].wordClass == .particle }
    }

    private func letters(_ parts: [Int], _ words: [ListedName.Word]) -> Int {
      parts.reduce(0) { $0 + words[$1].letters.count }
    }
  }
}
