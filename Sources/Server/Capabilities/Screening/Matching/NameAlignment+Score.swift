// SPDX-License-Identifier: Apache-2.0

/// What the pairs and the parts without one amount to.
extension NameAlignment {
  func personScore() -> Double {
    var edits = 0.0
    var whole = 0
    var wholeLetters = 0
    for pair in pairs {
      let isParticle = isParticle(pair)
      edits += pair.edits * (isParticle ? 0.3 : 1)
      // An initial is no whole part, not even where both names have it.
      guard pair.relation != .contradiction, pair.relation != .initial, !isParticle, !isInitial(pair) else { continue }
      whole += max(pair.mine.count, pair.theirs.count)
      wholeLetters += min(letters(pair.mine, mine), letters(pair.theirs, theirs))
    }
    guard whole > 0 else { return 0 }
    edits += refutedEdits
    var extra = 0.0
    var extras = 0
    func leaveOut(_ word: WordPairs.Facts) {
      switch word.wordClass {
      case .particle: extra += policy.extraPart * 0.1
      case .initial: extra += policy.extraPart * 0.2
      case .patronymic: extra += policy.extraPart * 0.4
      default:
        extra += policy.extraPart
        extras += 1
      }
    }
    for part in mineLeft { leaveOut(mine[part]) }
    for part in theirsLeft { leaveOut(theirs[part]) }
    if extras > 0, whole == 1 { extra += policy.singlePart + (wholeLetters < 5 ? policy.singlePart : 0) }
    let extraMax = policy.extraPartsMax + (whole == 1 ? policy.singlePart : 0)
    return max(0, 1 - editLoss(edits) - min(extra, extraMax))
  }

  func organisationScore() -> Double {
    var edits = 0.0
    var distinctive = 0
    for pair in pairs {
      edits += pair.edits * (isParticle(pair) ? 0.3 : 1)
      let length = Double(max(letters(pair.mine, mine), letters(pair.theirs, theirs)))
      let isDistinctive = isDistinctive(pair)
      let areNumbers =
        pair.mine.allSatisfy { mine[$0].wordClass == .number }
        && pair.theirs.allSatisfy { theirs[$0].wordClass == .number }
      if isDistinctive, agrees(pair) { distinctive += 1 }
      if pair.relation == .contradiction, !areNumbers {
        if pair.edits / length > policy.wordDifferenceMax || pair.edits >= policy.editsMax { return 0.5 }
      } else if isDistinctive, pair.edits / length >= policy.wordDifferenceMax {
        return 0.5
      }
    }
    guard !pairs.isEmpty else { return 0 }
    // `Bank of Oman` and `Bank of Iran`: names that have nothing of their own but a place or a number.
    if pairs.contains(where: isOtherPlaceOrNumber), !pairs.contains(where: isOfItsOwn) { return 0.5 }
    var extra = 0.0
    func leaveOut(_ word: WordPairs.Facts) {
      switch word.wordClass {
      case .particle, .initial: extra += 0.01
      case .generic: extra += distinctive > 0 ? policy.extraGenericWord : policy.extraWord
      default: extra += policy.extraWord
      }
    }
    for part in mineLeft { leaveOut(mine[part]) }
    for part in theirsLeft { leaveOut(theirs[part]) }
    return max(0, 1 - editLoss(edits) - extra)
  }

  private func editLoss(_ edits: Double) -> Double {
    let shorter = min(letters(mine.indices, mine), letters(theirs.indices, theirs))
    let allowed = min(policy.editsMax, max(0.5, Double(shorter) / policy.lettersPerEdit))
    return policy.editsWeight * edits / allowed
  }

  private func isDistinctive(_ pair: Pair) -> Bool {
    pair.mine.contains { mine[$0].wordClass.isDistinctive }
      || pair.theirs.contains { theirs[$0].wordClass.isDistinctive }
  }

  /// A letter stands for very many words: it tells no organisation from another.
  private func agrees(_ pair: Pair) -> Bool { pair.relation != .contradiction && pair.relation != .initial }

  /// Whether two names agree in what other organisations do not have.
  private func isOfItsOwn(_ pair: Pair) -> Bool { agrees(pair) && isDistinctive(pair) && !isInstitution(pair) }

  private func isInstitution(_ pair: Pair) -> Bool {
    pair.relation == .same && ContrastingWords.isInstitution(words.mine[pair.mine.lowerBound].letters)
  }

  private func isOtherPlaceOrNumber(_ pair: Pair) -> Bool {
    guard pair.relation == .contradiction else { return false }
    let (one, other) = (pair.mine.lowerBound, pair.theirs.lowerBound)
    return mine[one].wordClass == .number && theirs[other].wordClass == .number || contrast(one, other) != nil
  }

  /// Whether two parts are those of the other sex, one of them a Slavic family name: `Petrov` and `Petrova` with
  /// `Aleksandr` and `Aleksandra`. One alone may be a slip, or the name as another country writes it.
  var isOtherSex: Bool {
    var (marks, count, hasFamilyName) = (0, 0, false)
    for pair in pairs where pair.relation == .spelling || pair.relation == .contradiction || pair.relation == .given {
      count += 1
      guard count < 4 else { return false }
      // Most pairs are known from their last letters to be no such forms.
      let isMineFeminine = mine[pair.mine.lowerBound].last == UInt8(ascii: "A")
      guard isMineFeminine != (theirs[pair.theirs.lowerBound].last == UInt8(ascii: "A")) else { continue }
      let (one, other) = (words.mine[pair.mine.lowerBound].letters, letters(ofTheir: pair.theirs.lowerBound))
      let mark = SexMark.of(one, other)
      marks += mark
      hasFamilyName = hasFamilyName || mark != 0 && SexMark.isFamilyName(mark > 0 ? other : one)
    }
    return abs(marks) > 1 && hasFamilyName
  }

  /// Whether both names tell whose son or daughter a person is, and what stands before that in the one corresponds to
  /// what stands behind it in the other, but to nothing before it: `Omar bin Salim` and `Salim bin Omar`.
  var isOtherFather: Bool {
    guard let mySon = descent, let theirSon = Self.descent(theirs, { letters(ofTheir: $0) }) else { return false }
    var isCrossed = false
    for pair in pairs where agrees(pair) && !isParticle(pair) {
      let isMineBefore = pair.mine.lowerBound < mySon
      guard isMineBefore == (pair.theirs.lowerBound < theirSon) else {
        isCrossed = true
        continue
      }
      if isMineBefore { return false }
    }
    return isCrossed
  }

  /// Where a name first tells whose son or daughter a person is, between two names.
  static func descent(_ facts: [WordPairs.Facts], _ letters: (Int) -> [UInt8]) -> Int? {
    guard let place = facts.indices.first(where: { facts[$0].mayBeDescent && WordClass.isDescent(letters($0)) }),
      facts[..<place].contains(where: { $0.wordClass == .plain }), place + 1 < facts.count
    else { return nil }
    return place
  }

  private func isInitial(_ pair: Pair) -> Bool {
    pair.relation == .same && mine[pair.mine.lowerBound].wordClass == .initial
  }

  private func isParticle(_ pair: Pair) -> Bool {
    pair.mine.allSatisfy { mine[$0].wordClass == .particle }
      && pair.theirs.allSatisfy { theirs[$0].wordClass == .particle }
  }
}
