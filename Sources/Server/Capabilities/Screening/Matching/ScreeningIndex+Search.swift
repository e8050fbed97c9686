// SPDX-License-Identifier: Apache-2.0

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
    guard let matches = matches(of: subject, policy: policy, limit: Self.hitsMax, least: policy.threshold) else {
      return .failed(reason: "the subject has no readable name")
    }
    let hits = matches.filter { $0.score >= policy.threshold }.map { hit($0, of: subject, policy: policy) }
    return .screened(Screening.Report(lists: versions, threshold: policy.threshold, hits: hits))
  }

  /// An entry that resembles a subject, whether or not it is a hit.
  struct Match {
    let entry: Int
    /// 0…1, name and everything else together.
    let score: Double
    let found: NameSearch.Found?
    /// The reading of the subject's name that was found.
    let name: ListedName?
    /// The subject's name as it was given.
    let text: String
    let circumstances: SecondaryIdentifiers
  }

  /// The entries that a subject resembles most, best first.
  ///
  /// What a listed name can reach at most is known before it is measured: from the words that it shares, and from the
  /// entry's date, nationality and sex. The most promising are measured first, until no other can be among the best.
  /// - Parameters:
  ///   - limit: how many are wanted.
  ///   - least: score below which an entry is not wanted, though it may be given.
  ///   - fills: gives what resembles the subject less too when there are fewer than `limit`.
  /// - Returns: nil when no name of the subject can be read.
  func matches(
    of subject: Screening.Subject, policy: MatchingPolicy, limit: Int, least: Double = 0, fills: Bool = false
  ) -> [Match]? {
    let facts = SubjectFacts(subject, in: self)
    var search = Search(facts, policy, limit: limit, least: least, fills: fills)
    for number in facts.documents {
      search.add(
        Match(
          entry: Int(number), score: min(1, max(0, policy.sameDocument)), found: nil, name: nil,
          text: subject.names.first ?? "", circumstances: facts.circumstances(of: Int(number), in: self)),
        isSettled: false)
    }
    for isPerson in (subject.kind ?? .person).readings {
      for text in subject.names {
        for name in ListedName.alternatives(text, isPerson: isPerson) where !name.words.isEmpty {
          search.readings.append((NameSearch(name, in: self, policy: policy), text))
        }
      }
    }
    guard !search.readings.isEmpty else { return nil }
    var doubtful: [[Int32]] = []
    for (reading, text) in search.readings { doubtful.append(measure(reading, text, &search)) }
    if fills, search.best.values.count(where: { $0.score >= least }) < limit {
      for ((reading, text), names) in zip(search.readings, doubtful) {
        for number in names { measure(number, reading, text, &search) }
      }
    }
    if fills, search.best.count < limit {
      search.nameMin = 0
      for (reading, text) in search.readings {
        for number in reading.remoteCandidates(limit: Self.remoteMax) { measure(number, reading, text, &search) }
      }
    }
    return Array(
      search.best.values.sorted {
        ($0.score, $0.found?.score ?? 0, -entries.order(of: $0.entry))
          > ($1.score, $1.found?.score ?? 0, -entries.order(of: $1.entry))
      }.prefix(limit))
  }

  /// Names that are measured of those that resemble the subject less than any answer would.
  private static let remoteMax = 12

  /// What a search has found so far.
  private struct Search {
    let facts: SubjectFacts
    let policy: MatchingPolicy
    let fills: Bool
    /// The subject's names as they are read, each with the name as it was given.
    var readings: [(search: NameSearch, text: String)] = []
    /// A name that is less alike is passed over.
    var nameMin: Double
    private(set) var best: [Int32: Match] = [:]
    /// Entries of which every name was measured.
    private(set) var settled: Set<Int32> = []
    private(set) var ranking: Ranking
    /// With what only fills the answers up.
    private var filling: Ranking

    init(_ facts: SubjectFacts, _ policy: MatchingPolicy, limit: Int, least: Double, fills: Bool) {
      (self.facts, self.policy, self.fills) = (facts, policy, fills)
      (ranking, filling) = (Ranking(limit: limit, least: least), Ranking(limit: limit, least: 0))
      nameMin = policy.nameMin
    }

    /// What a name has to reach before the others of its entry are measured.
    var least: Double { fills ? filling.least : ranking.least }

    mutating func add(_ match: Match, isSettled: Bool = true) {
      let entry = Int32(match.entry)
      best[entry] = match
      if isSettled { settled.insert(entry) }
      ranking.add(match.score, of: entry)
      filling.add(match.score, of: entry)
    }
  }

  /// - Returns: names that a look at their sets of letters alone would not have left out, and that were not measured: of
  ///   these answers are filled up.
  private func measure(_ reading: NameSearch, _ text: String, _ search: inout Search) -> [Int32] {
    let (facts, policy, fills) = (search.facts, search.policy, search.fills)
    var doubtful: [Int32] = []
    let prospects = facts.prospects(policy)
    func most(_ candidate: NameSearch.Candidate, least: Double) -> Double {
      let least = max(least, candidate.least)
      let circumstances = facts.circumstances(of: Int(names[Int(candidate.name)].entry), in: self)
      guard !circumstances.isSameDocument else { return 1 }
      let (doubt, weight) = (policy.doubt(after: circumstances.date), circumstances.weight(policy))
      let most = reading.most(candidate, doubt: doubt, weight: weight)
      guard most >= least else { return -.infinity }
      let letters = reading.mostByLetters(candidate.name, doubt: doubt, weight: weight, least: least)
      if fills, letters.close < least, letters.bySets >= least { doubtful.append(candidate.name) }
      return letters.close >= least ? min(most, letters.close) : -.infinity
    }
    func measureAll(_ promising: inout CandidateQueue) {
      promising.forEach(while: { $0 >= search.ranking.least }) { some in
        let least = search.ranking.least
        reading.fetched &+= fetch(some)
        let candidates = some.compactMap { reading.candidate($0, least: least, prospects) }
        reading.fetched &+= fetchFacts(of: candidates)
        return candidates.compactMap { candidate in
          let most = most(candidate, least: least)
          return most >= least ? (candidate.name, most) : nil
        }
      } _: { number in
        measure(number, reading, text, &search)
      }
    }
    // What is almost the same is measured first, for it tells what others have to reach.
    var promising = CandidateQueue()
    let joined = reading.joinedCandidates()
    if !joined.isEmpty {
      for candidate in joined { promising.add(candidate.name, most(candidate, least: search.ranking.least)) }
      measureAll(&promising)
      promising = CandidateQueue()
    }
    let least = search.ranking.least
    reading.find(facts, prospects, least: least, &promising) { candidate, promising in
      let most = most(candidate, least: least)
      if most >= least { promising.add(candidate.name, most) }
    }
    measureAll(&promising)
    return doubtful
  }

  /// Measures a listed name, and when it may be an answer all names of its entry by every reading: the one that
  /// resembles the subject most counts, whichever were left out before.
  private func measure(_ number: Int32, _ reading: NameSearch, _ text: String, _ search: inout Search) {
    let entry = names[Int(number)].entry
    guard !search.settled.contains(entry) else { return }
    let (facts, policy) = (search.facts, search.policy)
    var found: [Int32: Match] = [:]
    measure(number, reading, text, facts, policy, &found, nameMin: search.nameMin)
    guard let first = found[entry], first.score >= search.least else { return }
    // A single name that is read in one way is measured already.
    let all = names(of: entry)
    if all.count > 1 || search.readings.count > 1 {
      found = [:]
      every: for (reading, text) in search.readings {
        for other in all where names[other].isPerson == reading.name.isPerson {
          measure(Int32(other), reading, text, facts, policy, &found, nameMin: search.nameMin)
          // None is closer than a name with the same words, and of several the first counts.
          if !names[other].isWeak, let same = found[entry]?.found, same.score >= 1, same.coverage >= 1 { break every }
        }
      }
    }
    search.add(found[entry] ?? first)
  }

  /// Measures a listed name, and keeps it when it is the best of its entry.
  /// - Parameter nameMin: nil is the policy's.
  @discardableResult
  func measure(
    _ number: Int32, _ search: NameSearch, _ text: String, _ facts: SubjectFacts, _ policy: MatchingPolicy,
    _ best: inout [Int32: Match], nameMin: Double? = nil
  ) -> Match? {
    let found = search.measure(number)
    guard found.score >= nameMin ?? policy.nameMin else { return nil }
    let entry = names[Int(number)].entry
    let known = best[entry]
    let isOtherReading = known?.name != search.name
    // Of one reading of the subject's name the better place counts.
    if let one = known?.found, !isOtherReading, !search.isBetter(found, than: one) { return nil }
    let circumstances = known?.circumstances ?? facts.circumstances(of: Int(entry), in: self)
    let match = Match(
      entry: Int(entry), score: score(of: found, search.name, circumstances, policy), found: found, name: search.name,
      text: text, circumstances: circumstances)
    // Of two readings what they amount to counts: a closer name may leave out more.
    if isOtherReading, let known, let one = known.found, (match.score, found.score) <= (known.score, one.score) {
      return nil
    }
    best[entry] = match
    return match
  }

  /// What name, dates, nationalities and sex amount to.
  func score(
    of found: NameSearch.Found, _ mine: ListedName, _ circumstances: SecondaryIdentifiers, _ policy: MatchingPolicy
  ) -> Double {
    if circumstances.isSameDocument { return min(1, max(0, policy.sameDocument)) }
    let name = names[Int(found.name)]
    var score = found.score - (name.isWeak ? policy.weakName : 0)
    if name.isPerson {
      // The less a date of birth confirms, the closer and the rarer the name itself must be.
      let doubt = policy.doubt(after: circumstances.date)
      let isOtherScript = mine.isConsonantal != facts[Int(words(of: name)[words(of: name).startIndex])].isConsonantal
      score =
        1 - (1 - score) * policy.nameDifference * max(doubt, policy.doubtMin)
        - (1 - found.coverage) * policy.uncoveredName * doubt
        - (doubt < 1 ? 0 : max(0, policy.toldMin - found.told) * policy.toldMissing)
        - (isOtherScript ? policy.otherScript : 0)
    }
    return min(1, max(0, score + circumstances.weight(policy)))
  }
}
