// SPDX-License-Identifier: Apache-2.0

/// Which listed names share enough with the searched one to be worth measuring.
extension NameSearch {
  /// Share of a name's rarity that must be alike before it is measured, unless that much is alike.
  private static let candidateShare = 0.45
  private static let candidateRarity = 1.0
  /// Share of what both names tell that must be alike before they are measured; a hit needs more.
  static let candidateCoverage = 0.45

  /// A listed name that shares enough to be worth measuring.
  struct Candidate {
    let name: Int32
    /// What both names tell, in rare words.
    let all: Double
    /// What of the listed name was found.
    let told: Double
    /// What of each name was not found.
    let rest: (mine: Double, theirs: Double)
    /// The score that it has to be able to reach, whatever others have to.
    var least = -Double.infinity
  }

  /// Where in `ScreeningIndex.namesByWord` the names with a word stand, by their groups.
  struct ListsOfWord {
    let little: Range<Int>
    let much: Range<Int>
    let initials: Range<Int>

    init(of word: Int32, in index: ScreeningIndex) {
      little = index.names(with: word, .little)
      much = index.names(with: word, .much)
      initials = index.names(with: word, .initials)
    }

    /// How many have no initials.
    var count: Int { little.count + much.count }
  }

  /// Listed names that are this one but for blanks and a letter, whatever they share word by word.
  func joinedCandidates() -> [Candidate] {
    index.names(joinedLike: joined).filter { index.names[Int($0)].isPerson == name.isPerson }.map(joinedCandidate)
  }

  /// A name that is this one without its blanks, of which the words do not tell what it can reach.
  func joinedCandidate(_ number: Int32) -> Candidate {
    Candidate(name: number, all: 1, told: index.names[Int(number)].rarity, rest: (0, 0))
  }

  /// Adds the listed names that may share enough with this one to be worth measuring and to reach a score.
  ///
  /// Of most of them only a bound is known, from the parts that they have; `candidate` reads their words when it is
  /// their turn. Those of entries whose day of birth agrees are given with what they share, words with two slips too.
  /// - Parameters:
  ///   - prospects: what the rest makes of a name, by how the dates of its entry are known.
  ///   - least: the score.
  func find(
    _ facts: SubjectFacts, _ prospects: ScoreAdjustments, least: Double, _ promising: inout CandidateQueue,
    agreeing: (Candidate, inout CandidateQueue) -> Void
  ) {
    let strong = parts.indices.reduce(0) { parts[$1].weight > Self.wordLeft ? $0 | 1 << $1 : $0 }
    var entries = facts.bornOnSameDay
    let kinds = PartKinds(of: self)
    let strongBits = kinds.bits(of: strong)
    let lists = kinds.words.map { ListsOfWord(of: $0.number, in: index) }
    // Names whose dates may agree as far as they are known are told of besides, unless the lists of words are shorter.
    let perhaps = facts.perhaps(in: index, countMax: lists.reduce(0) { $0 + $1.count + $1.initials.count })
    var worths = PartScoreBounds(of: self, kinds: kinds, least: least, prospects, isPerhapsKnown: perhaps != nil)
    let idle = idleBits(worths, lists)
    let isPassedOver = idle.isPassedOver && facts.agreeing.isEmpty && perhaps?.isEmpty ?? true
    if isPassedOver { worths.assumed = idle.bits }
    let assumed = worths.assumed
    let far = index.periodsOfSpans.map(prospects.areFar)
    var (worthsFar, idleFar) = (worths, idle)
    if far.contains(true) {
      // None of these is among `perhaps`, for what may agree is not far.
      worthsFar = PartScoreBounds(
        of: self, kinds: kinds, least: least, prospects.onlyConflict, isPerhapsKnown: true)
      worthsFar.assumed = assumed
      idleFar = idleBits(worthsFar, lists, besides: idle)
    }
    func reach(_ bits: Int, _ idle: Int, _ idleFar: Int) -> NameTally.Reach {
      bits & ~idle == 0 ? .nowhere : bits & ~idleFar == 0 ? .near : .everywhere
    }
    var tally = NameTally()
    for (word, lists) in zip(kinds.words, lists) {
      tally.add(lists.initials, bits: word.first, again: word.again)
      postings += lists.initials.count
      guard word.bits & ~idle.bits != 0 || !isPassedOver else { continue }
      tally.add(
        lists.little, bits: word.first, again: word.again, bringsIn: reach(word.bits, idle.bits, idleFar.bits))
      tally.add(
        lists.much, bits: word.first | NameTally.tellingMuch, again: word.again,
        bringsIn: reach(word.bits, idle.bitsOfMuch, idleFar.bitsOfMuch))
      postings += lists.count
    }
    // A name that no word brings in is worth nothing, unless it has a word that was not to bring it in.
    let marksBringIn: NameTally.Reach = idleFar.bitsOfMuch != 0 ? .everywhere : .nowhere
    for list in perhaps?.lists ?? [] { tally.add(list, bits: NameTally.perhaps, bringsIn: marksBringIn) }
    var waiting: [NameTally.Told] = []
    tally.run(
      index.namesByWord, names: index.names.count, agreeing: facts.agreeing, perhaps: perhaps?.names ?? [],
      marksBringIn: marksBringIn, far: far
    ) { told, isFar in
      for one in told {
        if one.isAgreeing {
          // An entry whose day of birth agrees comes with all its names below.
          if one.parts & strongBits != 0 || worths.mayAgree(one.parts) {
            entries.append(index.names[Int(one.name)].entry)
          }
        } else if isFar
          ? worthsFar.mayBeWorth(one.parts | assumed, perhaps: one.isPerhaps, tellsMuch: one.isTellingMuch)
          : worths.mayBeWorth(one.parts | assumed, perhaps: one.isPerhaps, tellsMuch: one.isTellingMuch)
        {
          // Parts that were not run through may be there as well.
          waiting.append(one)
        }
      }
    }
    for start in stride(from: 0, to: waiting.count, by: ScreeningIndex.fetchedMax) {
      let some = waiting[start..<min(waiting.count, start + ScreeningIndex.fetchedMax)]
      for (one, profile) in zip(some, index.profiles(of: some)) {
        let parts = profile.hasInitials ? one.parts : one.parts | assumed
        if let step = worths.step(of: parts, profile, perhaps: one.isPerhaps) {
          promising.add(unread: one.name, step: step)
        }
      }
    }
    forEachAgreeing(of: ScreeningIndex.distinct(&entries)) { agreeing($0, &promising) }
  }

  /// Names that are run through though they may be worth nothing: fewer are not worth the question.
  private static let idleMin = 512
  private static let idleBitsMax = 6
  /// How many names can be run through while the words of one are read: of those that are found without the idle parts
  /// it is not known whether they have these, so that all have to be read.
  private static let readingCost = 16

  /// Those of names that tell little and of names that tell much, and whether the lists of the former are passed over.
  typealias IdleBits = (bits: Int, bitsOfMuch: Int, isPassedOver: Bool)

  /// Parts so common that a name needs another part besides to be worth a look, unless it has initials. Their names are
  /// looked up only for names that the other parts bring in, or passed over where these are very few. For names that
  /// tell much there are more such parts.
  /// - Parameters:
  ///   - lists: those of each of the words of `worths`.
  ///   - known: parts that are idle already, and are among them: what is idle by itself may be worth a look together
  ///     with these.
  func idleBits(
    _ worths: PartScoreBounds, _ lists: [ListsOfWord], besides known: IdleBits = (0, 0, false)
  ) -> IdleBits {
    var counts = Array(repeating: 0, count: worths.kinds.bitCount)
    for (word, lists) in zip(worths.kinds.words, lists) {
      var left = word.bits
      while left != 0 {
        counts[left.trailingZeroBitCount] += lists.count
        left &= left - 1
      }
    }
    let common = counts.indices.filter { counts[$0] >= Self.idleMin }.sorted { counts[$0] > counts[$1] }
    let bitsOfMuch = idleBits(among: common, worths, tellsMuch: true, besides: known.bitsOfMuch)
    let idle = idleBits(
      among: common.filter { bitsOfMuch >> $0 & 1 == 1 }, worths, tellsMuch: false, besides: known.bits)
    var (idleCount, otherCount) = (0, 0)
    for (word, lists) in zip(worths.kinds.words, lists) {
      if word.bits & ~idle == 0 { idleCount += lists.count } else { otherCount += lists.count }
    }
    return (idle, bitsOfMuch, otherCount * Self.readingCost <= idleCount)
  }

  /// Those of some bits of which any together are not worth a look.
  private func idleBits(among some: [Int], _ worths: PartScoreBounds, tellsMuch: Bool, besides known: Int) -> Int {
    var idle = known
    for bit in some where idle >> bit & 1 == 0 {
      guard idle.nonzeroBitCount < Self.idleBitsMax else { break }
      var (others, isIdle) = (idle, true)
      while isIdle {
        isIdle = !worths.isWorth(others | 1 << bit, tellsMuch: tellsMuch)
        if others == 0 { break }
        others = (others - 1) & idle
      }
      if isIdle { idle |= 1 << bit }
    }
    return idle
  }

  /// What is known of a name when its words are read; nil when it does not share enough, or cannot reach a score
  /// whatever else is known of its entry.
  func candidate(_ number: Int32, least: Double, _ prospects: ScoreAdjustments) -> Candidate? {
    let listed = index.names[Int(number)]
    let (share, theirs, matched) = variants.sums(of: index.words(of: listed))
    guard let least = leastScore(share, theirs, of: listed.rarity, least: least) else { return nil }
    var candidate = candidate(number, listed, matched.share, matched.theirs)
    candidate.least = least
    let profile = NameProfile(rawValue: index.profiles[Int(number)])
    let isWorth = prospects.of(profile).contains {
      most(candidate, doubt: $0.doubt, weight: $0.weight) >= least
    }
    return isWorth ? candidate : nil
  }

  /// What of a name must be alike before it is measured.
  var enough: Double { min(Self.candidateShare * total, Self.candidateRarity) - 1e-9 }

  func candidate(
    _ number: Int32, _ listed: ScreeningIndex.Name, _ share: Double, _ theirs: Double
  ) -> Candidate {
    Candidate(
      name: number, all: total + listed.rarity, told: theirs,
      rest: (max(0, total - share), max(0, listed.rarity - theirs)))
  }

  /// Names that share anything with this one, those that share most first: what resembles it most where nothing does.
  func remoteCandidates(limit: Int) -> [Int32] {
    var best: [(share: Double, name: Int32)] = []
    func add(_ name: Int32, _ share: Double) {
      guard best.count < limit || share > best[best.count - 1].share else { return }
      if best.count == limit { best.removeLast() }
      best.insert((share, name), at: best.firstIndex { $0.share < share } ?? best.count)
    }
    var tally = NameTally()
    for (number, part) in parts.enumerated() {
      for word in part.words {
        for group in NameGroup.allCases { tally.add(index.names(with: word, group), bits: 1 << number) }
      }
    }
    tally.run(index.namesByWord, names: index.names.count) { told, _ in
      for one in told {
        let listed = index.names[Int(one.name)]
        let all = total + listed.rarity
        var (share, theirs) = variants.sum(one.parts)
        guard best.count < limit || (all > 0 ? (share + theirs) / all : 0) > best[best.count - 1].share else {
          continue
        }
        (share, theirs, _) = variants.sums(of: index.words(of: listed))
        add(one.name, all > 0 ? (share + theirs) / all : 0)
      }
    }
    return best.map(\.name)
  }
}
