import DocumentCore
import Foundation

extension ScreeningIndex {
  /// Searches every list.
  ///
  /// Without a list, and for a subject without any name that can be read in Latin letters, nothing is found clean: the
  /// search fails.
  package func screen(_ subject: Screening.Subject, threshold: Double) -> Screening.Outcome {
    var policy = MatchingPolicy.standard
    policy.threshold = threshold
    return screen(subject, policy: policy)
  }

  /// The same with every threshold and weight.
  package func screen(_ subject: Screening.Subject, policy: MatchingPolicy) -> Screening.Outcome {
    guard !versions.isEmpty else { return .failed(reason: "there is no list to search") }
    guard let matches = matches(of: subject, policy: policy) else {
      return .failed(reason: "the subject has no readable name")
    }
    let hits = matches.lazy.filter { $0.score >= policy.threshold }.prefix(Self.hitsMax).map {
      hit($0, of: subject, policy: policy)
    }
    return .screened(
      Screening.Report(lists: versions, threshold: policy.threshold, hits: Array(hits)))
  }

  /// An entry that resembles a subject, whether or not it is a hit.
  struct Match {
    let entry: Int
    /// 0…1, name and everything else together.
    fileprivate(set) var score = 0.0
    let found: NameSearch.Found?
    /// The reading of the subject's name that was found.
    let name: ListedName?
    /// The subject's name as it was given.
    let text: String
    let date: BirthDate.Agreement?
    let sharedNationalities: Set<String>
    let hasOtherNationality: Bool
    let hasOtherSex: Bool
    let isSameDocument: Bool
  }

  /// Every entry whose name is worth looking at, best first.
  /// - Returns: nil when no name of the subject can be read.
  func matches(of subject: Screening.Subject, policy: MatchingPolicy) -> [Match]? {
    var best: [Int32: (found: NameSearch.Found, name: ListedName, text: String)] = [:]
    var isReadable = false
    for isPerson in (subject.kind ?? .person).readings {
      for text in subject.names {
        for name in ListedName.alternatives(text, isPerson: isPerson) where !name.words.isEmpty {
          isReadable = true
          for (entry, found) in NameSearch(name, in: self, policy: policy).best(least: policy.nameMin)
          where found.score > best[entry]?.found.score ?? 0 {
            best[entry] = (found, name, text)
          }
        }
      }
    }
    guard isReadable else { return nil }
    let documents = Set(subject.documentNumbers.map(WatchList.plain).filter { !$0.isEmpty })
    let sameDocument = Set(documents.flatMap { entriesByDocument[$0] ?? [] })
    let nationalities = Set(subject.nationalities.compactMap(countries.alpha3))
    let numbers = Set(best.keys).union(sameDocument)
    return numbers.map { number in
      match(
        Int(number), best[number], subject, nationalities: nationalities, isSameDocument: sameDocument.contains(number),
        policy: policy)
    }.sorted {
      ($0.score, $0.found?.score ?? 0, -$0.entry) > ($1.score, $1.found?.score ?? 0, -$1.entry)
    }
  }

  private func match(
    _ number: Int, _ best: (found: NameSearch.Found, name: ListedName, text: String)?, _ subject: Screening.Subject,
    nationalities: Set<String>, isSameDocument: Bool,
    policy: MatchingPolicy
  ) -> Match {
    let date = subject.dateOfBirth.flatMap { born in
      entries[number].entry.datesOfBirth.lazy.map { $0.agreement(with: born) }.min()
    }
    let shared = nationalities.isEmpty ? [] : nationalities.intersection(entries[number].entry.nationalities)
    let isOther = shared.isEmpty && !nationalities.isEmpty && !entries[number].entry.nationalities.isEmpty
    let sex = entries[number].entry.sex
    let isOtherSex = subject.sex != nil && sex != nil && subject.sex != sex
    var match = Match(
      entry: number, found: best?.found, name: best?.name, text: best?.text ?? subject.names.first ?? "",
      date: date, sharedNationalities: shared, hasOtherNationality: isOther, hasOtherSex: isOtherSex,
      isSameDocument: isSameDocument)
    match.score = score(of: match, policy)
    return match
  }

  /// What name, dates, nationalities and sex amount to.
  private func score(of match: Match, _ policy: MatchingPolicy) -> Double {
    if match.isSameDocument { return policy.sameDocument }
    guard let found = match.found else { return 0 }
    let name = names[Int(found.name)]
    var score = found.score - (name.isWeak ? policy.weakName : 0)
    if name.isPerson {
      // The less a date of birth confirms, the closer and the rarer the name itself must be.
      let doubt = policy.doubt(after: match.date)
      let isOtherScript =
        match.name?.isConsonantal != facts[Int(wordsOfNames[Int(name.words.lowerBound)])].isConsonantal
      score =
        1 - (1 - score) * policy.nameDifference * max(doubt, policy.doubtMin)
        - (1 - found.coverage) * policy.uncoveredName * doubt
        - (doubt < 1 ? 0 : max(0, policy.toldMin - found.told) * policy.toldMissing)
        - (isOtherScript ? policy.otherScript : 0)
    }
    if let date = match.date { score += policy.weight(of: date) }
    if !match.sharedNationalities.isEmpty { score += policy.sameNationality }
    if match.hasOtherNationality { score += policy.otherNationality }
    if match.hasOtherSex { score += policy.otherSex }
    return min(1, max(0, score))
  }
}
