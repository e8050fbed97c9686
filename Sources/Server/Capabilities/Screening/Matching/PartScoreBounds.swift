// SPDX-License-Identifier: Apache-2.0

/// What every search asks of a name before it reads its words: how its entry's dates are known and of which years they
/// are, whether it has initials, and about how much it tells. Four bytes, so that one look at the memory is enough.
struct NameProfile {
  /// Rare words are told apart in quarters; what tells more than that is one.
  static let rarities = 42
  private static let rarityStep = 0.25

  /// The periods in the upper half, and the year below them.
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// - Parameters:
  ///   - year: the `BirthYear` of its entry.
  ///   - periods: those of the entry's dates, as `BirthYear` tells.
  init(
    _ dates: KnownDates, year: UInt8 = BirthYear.unknown, periods: UInt16 = 0, hasInitials: Bool, rarity: Double = 0
  ) {
    let kind = Int(dates.rawValue) * 2 + (hasInitials ? 1 : 0)
    let rest = kind * Self.rarities + min(Self.rarities - 1, max(0, Int(rarity / Self.rarityStep)))
    rawValue = UInt32(periods) << 16 | UInt32(year) << 8 | UInt32(rest)
  }

  /// The same name when it is known how much it tells.
  func telling(_ rarity: Double) -> NameProfile {
    .init(dates, year: year, periods: periods, hasInitials: hasInitials, rarity: rarity)
  }

  /// The `BirthYear` of its entry.
  var year: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  var periods: UInt16 { UInt16(rawValue >> 16) }
  /// All but the years.
  var withoutYears: Int { Int(rawValue & 0xFF) }
  private var kind: Int { withoutYears / Self.rarities }
  var hasInitials: Bool { kind & 1 == 1 }
  var dates: KnownDates { KnownDates(rawValue: UInt8(kind / 2)) ?? .none }

  /// How much the name tells, at least and at most.
  var rarity: (least: Double, most: Double) {
    let step = withoutYears % Self.rarities
    let least = Double(step) * Self.rarityStep
    return (least, step == Self.rarities - 1 ? 1_000 : least + Self.rarityStep)
  }
}

/// How promising a name is by the parts that it has and by its profile, worked out once for each two of them.
struct PartScoreBounds {
  /// For each profile a cell, by what its year tells of the dates.
  private static let row = 4 * profiles
  private static let profiles = 256
  private static let unworthy: UInt8 = 1

  private let search: NameSearch
  /// Bits that are among those asked for though the name may not have them.
  var assumed = 0
  /// Whether it is known of each name, before its profile is read, if it is among `SubjectFacts.perhaps`.
  let isPerhapsKnown: Bool
  private let least: Double
  private let prospects: ScoreAdjustments
  let kinds: PartKinds

  /// For each set of bits, and `NameTally.perhaps` in the upper half, the number of its row from 1; 0 when it has none
  /// yet, and -1 when it is worth nothing.
  private var rows: [Int32]
  private var sets: [PartKinds.Shares] = []
  /// For each set of bits whether a name with them shares enough: 1 or -1, and 0 when it is not known yet.
  private var isShared: [Int8]
  /// Whether a name with them is worth a look, in the same way: asked of most names that share a word, and so in a byte
  /// where `rows` takes four. In the second quarter of those that are perhaps of the same date, and in the upper half
  /// of those that tell much.
  private var isWorthy: [Int8]
  /// 0 when it is not worked out, or 1, or the step and 2.
  private var cells: [UInt8] = []

  /// - Parameter least: a score; names that cannot reach it are worth nothing.
  init(
    of search: NameSearch, kinds: PartKinds, least: Double, _ prospects: ScoreAdjustments, isPerhapsKnown: Bool = false
  ) {
    (self.search, self.least, self.prospects) = (search, least, prospects)
    (self.kinds, self.isPerhapsKnown) = (kinds, isPerhapsKnown)
    rows = Array(repeating: 0, count: 2 << kinds.bitCount)
    isShared = Array(repeating: 0, count: 1 << kinds.bitCount)
    isWorthy = Array(repeating: 0, count: 4 << kinds.bitCount)
  }

  /// Whether a name with these parts shares enough to be looked at when its date of birth agrees.
  mutating func mayAgree(_ shared: Int) -> Bool {
    if isShared[shared] == 0 { isShared[shared] = least(of: kinds.shares(of: shared, assumed: 0)) == nil ? -1 : 1 }
    return isShared[shared] > 0
  }

  /// Whether any name with these parts is worth a look, whatever its profile.
  /// - Parameters:
  ///   - isPerhaps: whether the name is among `SubjectFacts.perhaps`, as far as it is known.
  ///   - tellsMuch: whether it is of `NameGroup.much`.
  @inline(__always)
  mutating func mayBeWorth(_ shared: Int, perhaps isPerhaps: Bool = false, tellsMuch: Bool = false) -> Bool {
    let place = place(of: shared, perhaps: isPerhaps) | (tellsMuch ? 2 << kinds.bitCount : 0)
    // Of tens of thousands of names a few hundred have parts that no other had.
    if isWorthy[place] == 0 { workOut(shared, perhaps: isPerhaps, tellsMuch: tellsMuch, at: place) }
    return isWorthy[place] > 0
  }

  @inline(never)
  private mutating func workOut(_ shared: Int, perhaps isPerhaps: Bool, tellsMuch: Bool, at place: Int) {
    let isWorth =
      tellsMuch
      ? isWorth(shared, tellsMuch: true, perhaps: isPerhaps || !isPerhapsKnown, others: !isPerhaps)
      : row(of: shared, perhaps: isPerhaps) > 0 || !isPerhapsKnown && row(of: shared, perhaps: true) > 0
    isWorthy[place] = isWorth ? 1 : -1
  }

  @inline(__always)
  private func place(of shared: Int, perhaps isPerhaps: Bool) -> Int {
    shared | (isPerhaps ? 1 << kinds.bitCount : 0)
  }

  private mutating func row(of shared: Int, perhaps isPerhaps: Bool) -> Int {
    let place = place(of: shared, perhaps: isPerhaps)
    if rows[place] == 0 { rows[place] = addSet(shared, perhaps: isPerhaps) }
    return Int(rows[place])
  }

  /// How promising a name is that has these parts and no other; nil when it is worth no look.
  mutating func step(of shared: Int, _ profile: NameProfile, perhaps isPerhaps: Bool = false) -> Int? {
    let isPerhaps = isPerhapsKnown ? isPerhaps : prospects.mayBePerhaps(profile)
    let set = row(of: shared, perhaps: isPerhaps) - 1
    guard set >= 0 else { return nil }
    let years = isPerhaps ? .perhaps : prospects.agreement(ofYear: profile.year, periods: profile.periods)
    let cell = set * Self.row + years.rawValue * Self.profiles + profile.withoutYears
    if cells[cell] == 0 { cells[cell] = worth(of: sets[set], profile, years) }
    return cells[cell] == Self.unworthy ? nil : Int(cells[cell]) - 2
  }

  /// Whether a name without initials is worth a look that has these parts and no other, and is not known to be among
  /// `SubjectFacts.perhaps`.
  /// - Parameter tellsMuch: whether it is of `NameGroup.much`.
  func isWorth(_ shared: Int, tellsMuch: Bool = false) -> Bool {
    isWorth(shared, tellsMuch: tellsMuch, perhaps: !isPerhapsKnown, others: true)
  }

  private func isWorth(_ shared: Int, tellsMuch: Bool, perhaps: Bool, others: Bool) -> Bool {
    let shares = kinds.shares(of: shared, assumed: assumed)
    let rarity = tellsMuch ? NameGroup.muchMin : 0
    guard let least = least(of: shares, rarity: rarity) else { return false }
    let some = (others ? prospects.all(perhaps: false) : []) + (perhaps ? prospects.all(perhaps: true) : [])
    return some.contains {
      let besides = max(0, rarity - shares.most)
      return search.most(shares.mine, shares.most, $0, hasInitials: search.hasInitials, besidesMin: besides)
        >= least - 1e-9
    }
  }

  /// What names with that much have to reach, however little they tell besides: a listed word may stand for several
  /// parts, so that a name may tell less than what they tell together. Nil when no name shares enough.
  private func least(of shares: PartKinds.Shares, rarity: Double = 0) -> Double? {
    search.leastScore(shares.shared, shares.sharedMost, of: rarity, least: least)
  }

  /// - Returns: its number from 1, or -1 when no name with these parts is worth a look.
  private mutating func addSet(_ shared: Int, perhaps isPerhaps: Bool) -> Int32 {
    let shares = kinds.shares(of: shared, assumed: assumed)
    guard let needed = least(of: shares) else { return -1 }
    // Whether any name with these parts can reach so much is asked once, not of each.
    guard prospects.all(perhaps: isPerhaps).contains(where: { reaches(needed, shares, $0) }) else { return -1 }
    sets.append(shares)
    cells.append(contentsOf: repeatElement(0, count: Self.row))
    return Int32(sets.count)
  }

  /// Whether a name with these parts may reach a score, with initials or without.
  private func reaches(_ score: Double, _ shares: PartKinds.Shares, _ prospect: ScoreAdjustment) -> Bool {
    search.most(shares.mine, shares.most, prospect, hasInitials: true) >= score - 1e-9
      || search.most(shares.mine, shares.most, prospect, hasInitials: false) >= score - 1e-9
  }

  private func worth(of shares: PartKinds.Shares, _ profile: NameProfile, _ years: YearAgreement) -> UInt8 {
    let all = profile.rarity
    guard let least = least(of: shares, rarity: all.least) else { return Self.unworthy }
    let besides = (max(0, all.least - shares.most), max(0, all.most - shares.least))
    let hasInitials = search.hasInitials || profile.hasInitials
    var most = -Double.infinity
    for prospect in prospects.of(profile.dates, years) {
      most = max(
        most, search.most(shares.mine, shares.most, besides, all: all.most, prospect, hasInitials: hasInitials))
    }
    return most < least - 1e-9 ? Self.unworthy : UInt8(CandidateQueue.step(most + 1e-9) + 2)
  }
}
