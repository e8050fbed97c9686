// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// How the secondary identifiers of a subject and an entry agree: date of birth, nationality, sex and document.
struct SecondaryIdentifiers {
  /// Nil when one of the two dates of birth is unknown.
  let date: BirthDate.Agreement?
  let isSameNationality: Bool
  let isOtherNationality: Bool
  let isOtherSex: Bool
  let isSameDocument: Bool
  /// The list gives so many years that one of them agrees with almost any date.
  var isOneOfManyYears = false

  /// Years of birth of one person above which the agreement with one of them adds nothing. `circa` stands for five.
  static let yearsMax = 5

  /// What they add to a score.
  func weight(_ policy: MatchingPolicy) -> Double {
    var weight = 0.0
    if let date { weight += isOneOfManyYears ? min(0, policy.weight(of: date)) : policy.weight(of: date) }
    if isSameNationality { weight += policy.sameNationality }
    if isOtherNationality { weight += policy.otherNationality }
    if isOtherSex { weight += policy.otherSex }
    return weight
  }
}

/// How the dates of birth of an entry are known.
enum KnownDates: UInt8, CaseIterable {
  case none
  /// Each is a day.
  case days
  /// One is a month, a year, a span or about then.
  case vague

  init(_ dates: [BirthDate]) {
    self = dates.isEmpty ? .none : dates.allSatisfy { $0.first == $0.last && !$0.isApproximate } ? .days : .vague
  }
}

/// How dates of birth and the other identifiers adjust the score of a name.
struct ScoreAdjustment {
  /// How far the name stays in doubt after the date of birth.
  let doubt: Double
  /// What dates, nationalities and sex add.
  let weight: Double
}

/// What the year of an entry's dates tells of how they agree with a subject's.
enum YearAgreement: Int {
  /// They may agree, or no year is known.
  case possible
  /// `BirthDate.Agreement.close` at best, unless a slip tells them apart.
  case close
  /// `BirthDate.Agreement.conflict`, unless a slip tells them apart.
  case conflict
  /// The name is among `SubjectFacts.perhaps`.
  case perhaps
}

/// The adjustments that are possible by the entries' dates of birth, before these are read.
struct ScoreAdjustments {
  private let byDates: [[ScoreAdjustment]]
  private let perhaps: [ScoreAdjustment]
  private let close: [ScoreAdjustment]
  private let conflict: [ScoreAdjustment]
  /// All of them but `perhaps`.
  private let others: [ScoreAdjustment]
  /// Whether only names are asked about whose dates are far from the subject's.
  private var isOnlyConflict = false
  private let years: ClosedRange<Int>
  /// The periods of years that may agree, and of those that are close.
  private let agreeing: UInt16
  private let near: UInt16

  /// - Parameters:
  ///   - byDates: for each of `KnownDates` what may be.
  ///   - perhaps: of dates that may agree as far as they are known.
  ///   - close: of dates that are some years apart.
  ///   - conflict: of dates that are more years apart.
  ///   - years: the `BirthYear`s of dates that may agree.
  init(
    _ byDates: [[ScoreAdjustment]], perhaps: [ScoreAdjustment] = [], close: ScoreAdjustment? = nil,
    conflict: ScoreAdjustment? = nil,
    years: ClosedRange<Int> = BirthYear.all
  ) {
    (self.byDates, self.perhaps, self.years) = (byDates, perhaps, years)
    (self.close, self.conflict) = (close.map { [$0] } ?? [], conflict.map { [$0] } ?? [])
    others = byDates.flatMap(\.self) + self.close + self.conflict
    agreeing = BirthYear.periods(around: years, by: 0)
    near = BirthYear.periods(around: years, by: BirthDate.approximateYears)
  }

  /// - Parameters:
  ///   - year: the `BirthYear` of an entry.
  ///   - periods: those of its dates; nought without any.
  func agreement(ofYear year: UInt8, periods: UInt16) -> YearAgreement {
    let year = Int(year)
    guard year != Int(BirthYear.unknown) else {
      return periods == 0 || periods & agreeing != 0 ? .possible : periods & near != 0 ? .close : .conflict
    }
    let apart = max(years.lowerBound - year, year - years.upperBound)
    return apart <= 0 ? .possible : apart <= BirthDate.approximateYears ? .close : .conflict
  }

  func of(_ dates: KnownDates, _ agreement: YearAgreement) -> [ScoreAdjustment] {
    switch agreement {
    case .possible: byDates[Int(dates.rawValue)]
    case .close: close
    case .conflict: conflict
    case .perhaps: perhaps
    }
  }

  /// The same of a name that may be among `SubjectFacts.perhaps`.
  func of(_ profile: NameProfile) -> [ScoreAdjustment] {
    of(profile.dates, mayBePerhaps(profile) ? .perhaps : agreement(ofYear: profile.year, periods: profile.periods))
  }

  /// Whatever the dates are.
  /// - Parameter isPerhaps: of names that are among `SubjectFacts.perhaps`, otherwise of the others.
  func all(perhaps isPerhaps: Bool) -> [ScoreAdjustment] {
    isPerhaps ? perhaps : isOnlyConflict ? conflict : others
  }

  /// Whether no date of some periods agrees or is close, but for a slip.
  func areFar(_ periods: UInt16) -> Bool { !conflict.isEmpty && periods & near == 0 }

  /// The same for names of entries that are far, as `areFar` tells.
  var onlyConflict: ScoreAdjustments {
    var others = self
    others.isOnlyConflict = true
    return others
  }

  /// Whether a name may be among `SubjectFacts.perhaps`, by what its profile tells.
  func mayBePerhaps(_ profile: NameProfile) -> Bool {
    !perhaps.isEmpty && profile.dates != .none
      && agreement(ofYear: profile.year, periods: profile.periods) == .possible
  }
}

/// What is known of a subject besides names, as the entries have it.
struct SubjectFacts {
  let date: BirthDate?
  private let sex: WatchList.Sex?
  private let hasNationality: Bool
  private let nationalities: [UInt16]
  /// Entries with one of the subject's documents.
  let documents: [Int32]
  /// Names of entries with a day of birth that agrees but for a slip, or with one of the documents. Some repeat.
  let agreeing: [Range<Int32>]
  /// Entries with the same day of birth. In order.
  let bornOnSameDay: [Int32]

  init(_ subject: Screening.Subject, in index: ScreeningIndex) {
    date = subject.dateOfBirth
    sex = subject.sex
    let codes = subject.nationalities.compactMap(index.countries.alpha3)
    hasNationality = !codes.isEmpty
    nationalities = codes.compactMap(index.entries.number(ofCountry:))
    let plain = Set(subject.documentNumbers.map(WatchList.plain).filter { !$0.isEmpty })
    // A person has no document of a ship: passports have the seven digits of a ship's number, too.
    let isPerson = (subject.kind ?? .person) == .person
    let known = Set(plain.flatMap(index.entries.numbers(withDocument:)))
    documents = known.filter { !isPerson || ![.vessel, .aircraft].contains(index.entries[Int($0)].kind) }.sorted()
    var sameDay: [Int32] = []
    if let date {
      index.entries.forEach(bornOn: date) { names in
        guard let first = names.first, let last = names.last else { return }
        sameDay += index.names[Int(first)].entry...index.names[Int(last)].entry
      }
    }
    bornOnSameDay = ScreeningIndex.distinct(&sameDay)
    var agreeing: [Range<Int32>] = []
    if let date { index.entries.forEach(bornAbout: date) { if !$0.isEmpty { agreeing.append($0) } } }
    for entry in documents {
      let names = index.names(of: entry)
      agreeing.append(Int32(names.lowerBound)..<Int32(names.upperBound))
    }
    self.agreeing = agreeing
  }

  /// Names of entries with a date of birth that may agree as far as both are known. Some repeat.
  struct Perhaps {
    var names: [Int32] = []
    /// Where in `ScreeningIndex.namesByWord` others stand, in order.
    var lists: [Range<Int>] = []

    var isEmpty: Bool { names.isEmpty && lists.allSatisfy(\.isEmpty) }
  }

  /// - Parameter countMax: the most that are wanted; nil when there are more.
  func perhaps(in index: ScreeningIndex, countMax: Int) -> Perhaps? {
    guard let date else { return Perhaps() }
    var found = Perhaps()
    if let years = BirthTable.yearsOfDays(with: date) { found.lists = years.map(index.names(bornInYear:)) }
    let count = index.entries.count(bornVaguelyAbout: date)
    guard found.lists.reduce(count, { $0 + $1.count }) <= countMax else { return nil }
    found.names.reserveCapacity(count)
    index.entries.forEach(bornVaguelyAbout: date) { for name in $0 { found.names.append(name) } }
    return found
  }

  /// The most that an entry's dates, nationalities and sex can add to a score, for an entry that `agreeing` lacks;
  /// for one that is among `perhaps` apart.
  func prospects(_ policy: MatchingPolicy) -> ScoreAdjustments {
    let others =
      (hasNationality ? max(0, policy.sameNationality, policy.otherNationality) : 0)
      + (sex == nil ? 0 : max(0, policy.otherSex))
    guard let date else {
      return ScoreAdjustments(KnownDates.allCases.map { _ in [ScoreAdjustment(doubt: 1, weight: others)] })
    }
    let conflict = ScoreAdjustment(doubt: 1, weight: policy.otherDate + others)
    let close = ScoreAdjustment(doubt: 1, weight: max(policy.closeDate, policy.otherDate) + others)
    let partial = ScoreAdjustment(doubt: policy.doubt(after: .partial), weight: policy.weight(of: .partial) + others)
    return ScoreAdjustments(
      KnownDates.allCases.map { listed in
        switch listed {
        case .none: [ScoreAdjustment(doubt: 1, weight: others)]
        case .days, .vague: [close]
        }
      }, perhaps: [close, partial], close: close, conflict: conflict, years: BirthYear.agreeing(with: date))
  }

  func circumstances(of entry: Int, in index: ScreeningIndex) -> SecondaryIdentifiers {
    var agreement: BirthDate.Agreement?
    if let date {
      for listed in index.entries.births(of: entry) {
        let next = listed.agreement(with: date)
        if agreement.map({ next < $0 }) ?? true { agreement = next }
      }
    }
    var (isSame, isOther) = (false, false)
    if hasNationality {
      let listed = index.entries.countries(of: entry)
      isSame = listed.contains(where: nationalities.contains)
      isOther = !isSame && !listed.isEmpty
    }
    let listed = index.entries.sex(of: entry)
    return SecondaryIdentifiers(
      date: agreement, isSameNationality: isSame, isOtherNationality: isOther,
      isOtherSex: sex != nil && listed != nil && sex != listed,
      isSameDocument: !documents.isEmpty && documents.contains(Int32(entry)),
      isOneOfManyYears: agreement == .partial
        && index.entries.births(of: entry).reduce(0) { $0 + $1.years.count } > SecondaryIdentifiers.yearsMax)
  }
}

/// The best scores so far, each of another entry.
struct Ranking {
  private let limit: Int
  private let floor: Double
  private var best: [(score: Double, entry: Int32)] = []

  init(limit: Int, least: Double) {
    self.limit = limit
    floor = least
  }

  /// What another entry has to reach to be among them.
  var least: Double { best.count < limit ? floor : max(floor, best[best.count - 1].score) }

  mutating func add(_ score: Double, of entry: Int32) {
    if let place = best.firstIndex(where: { $0.entry == entry }) {
      guard score > best[place].score else { return }
      best.remove(at: place)
    } else if best.count == limit {
      guard let last = best.last, score > last.score else { return }
      best.removeLast()
    }
    let place = best.firstIndex { $0.score < score } ?? best.count
    best.insert((score, entry), at: place)
  }
}
