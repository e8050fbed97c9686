import DocumentCore
import Foundation

extension ScreeningIndex {
  /// What date, nationality and name weigh against one another. Found by trying on published lists and invented people.
  private enum Evidence {
    static let exactDate = 0.06
    static let slipOfDate = 0.03
    static let sameYear = 0.02
    static let closeDate = -0.06
    static let otherDate = -0.14
    static let sameNationality = 0.02
    static let otherNationality = -0.04
    /// A nickname alone says little.
    static let weakName = -0.08
    /// One and the same document is one and the same person, whatever the name.
    static let sameDocument = 1.0
    /// A name below this is no match, whatever else agrees.
    static let nameMin = 0.70
  }

  /// Searches every list.
  ///
  /// Without a list, and for a subject without any name that can be read in Latin letters, nothing is found clean: the
  /// search fails.
  package func screen(_ subject: Screening.Subject, threshold: Double) -> Screening.Outcome {
    guard !versions.isEmpty else { return .failed(reason: "there is no list to search") }
    let readable = Set(subject.names.map(ListedName.init)).filter { !$0.words.isEmpty }
    guard !readable.isEmpty else { return .failed(reason: "the subject has no readable name") }
    var best: [Int32: (score: Double, isWeak: Bool)] = [:]
    for name in readable {
      for (entry, found) in nameScores(of: name) where found.score > best[entry]?.score ?? 0 { best[entry] = found }
    }
    let documents = Set(subject.documentNumbers.map(WatchList.plain).filter { !$0.isEmpty })
    let sameDocument = Set(documents.flatMap { entriesByDocument[$0] ?? [] })
    for entry in sameDocument where best[entry] == nil { best[entry] = (0, false) }
    let nationalities = Set(subject.nationalities.compactMap(countries.alpha3))
    let hits = best.compactMap { entry, name in
      hit(
        Int(entry), name: name, born: subject.dateOfBirth, nationalities: nationalities,
        isSameDocument: sameDocument.contains(entry))
    }.filter { $0.score >= threshold }
      .sorted { ($0.score, $0.nameScore, $1.list, $1.entityID) > ($1.score, $1.nameScore, $0.list, $0.entityID) }
    return .screened(
      Screening.Report(lists: versions, threshold: threshold, hits: Array(hits.prefix(Self.hitsMax))))
  }

  private func hit(
    _ number: Int, name: (score: Double, isWeak: Bool), born: BirthDate?, nationalities: Set<String>,
    isSameDocument: Bool
  ) -> Screening.Hit {
    let (entry, list) = entries[number]
    let dates = born.flatMap { born in entry.datesOfBirth.map { $0.agreement(with: born) }.min() }
    var score = name.score + (name.isWeak ? Evidence.weakName : 0)
    switch dates {
    case .exact: score += Evidence.exactDate
    case .slip: score += Evidence.slipOfDate
    case .year: score += Evidence.sameYear
    case .close: score += Evidence.closeDate
    case .conflict: score += Evidence.otherDate
    case nil: break
    }
    let isShared = !nationalities.isDisjoint(with: entry.nationalities)
    if !nationalities.isEmpty, !entry.nationalities.isEmpty {
      score += isShared ? Evidence.sameNationality : Evidence.otherNationality
    }
    if isSameDocument { score = Evidence.sameDocument }
    return Screening.Hit(
      list: versions[list].code, entityID: entry.reference, caption: entry.names[0], score: Self.rounded(score),
      topics: entry.topics, nameScore: Self.rounded(name.score), dateOfBirth: .init(dates), nationality: isShared,
      documentNumber: isSameDocument)
  }

  /// Two decimals, held in 0…1: more digits would feign precision.
  private static func rounded(_ score: Double) -> Double { (min(1, max(0, score)) * 100).rounded() / 100 }

  /// The best name score of every entry that shares something with the name.
  private func nameScores(of name: ListedName) -> [Int32: (score: Double, isWeak: Bool)] {
    let matcher = NameMatcher(name, in: self)
    var best: [Int32: (score: Double, isWeak: Bool)] = [:]
    for candidate in matcher.candidates() {
      let listed = names[Int(candidate)]
      let score = matcher.score(of: listed)
      guard score >= Evidence.nameMin else { continue }
      // Of equal scores the real name counts, not the nickname.
      if let known = best[listed.entry], (known.score, known.isWeak ? 0 : 1) >= (score, listed.isWeak ? 0 : 1) {
        continue
      }
      best[listed.entry] = (score, listed.isWeak)
    }
    return best
  }
}

extension Screening.DateOfBirthMatch {
  fileprivate init(_ agreement: BirthDate.Agreement?) {
    switch agreement {
    case .exact: self = .exact
    case .slip, .year: self = .year
    case .close, .conflict: self = .conflict
    case nil: self = .none
    }
  }
}
