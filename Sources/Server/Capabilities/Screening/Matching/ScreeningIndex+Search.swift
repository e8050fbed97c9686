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
    let hits = matches.lazy.filter { $0.score >= policy.threshold }.map { hit($0, of: subject, policy: policy) }
    return .screened(
      Screening.Report(lists: versions, threshold: policy.threshold, hits: Array(hits)))
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
    let circumstances: Circumstances
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
    var best: [Int32: Match] = [:]
    var ranking = Ranking(limit: limit, least: least)
    for number in facts.documents {
      let match = Match(
        entry: Int(number), score: min(1, max(0, policy.sameDocument)), found: nil, name: nil,
        text: subject.names.first ?? "", circumstances: facts.circumstances(of: Int(number), in: self))
      best[number] = match
      ranking.add(match.score, of: number)
    }
    var searches: [(search: NameSearch, text: String, doubtful: [Int32])] = []
    for isPerson in (subject.kind ?? .person).readings {
      for text in subject.names {
        for name in ListedName.alternatives(text, isPerson: isPerson) where !name.words.isEmpty {
          let search = NameSearch(name, in: self, policy: policy)
          let doubtful = measure(search, text, facts, policy, &best, &ranking)
          searches.append((search, text, doubtful))
        }
      }
    }
    guard !searches.isEmpty else { return nil }
    if fills, best.values.count(where: { $0.score >= least }) < limit {
      for (search, text, doubtful) in searches {
        for number in doubtful { measure(number, search, text, facts, policy, &best) }
      }
    }
    if fills, best.count < limit {
      for (search, text, _) in searches {
        for number in search.remoteCandidates(limit: Self.remoteMax) {
          measure(number, search, text, facts, policy, &best, nameMin: 0)
        }
      }
    }
    return Array(
      best.values.sorted {
        ($0.score, $0.found?.score ?? 0, -$0.entry) > ($1.score, $1.found?.score ?? 0, -$1.entry)
      }.prefix(limit))
  }

  /// Names that are measured of those that resemble the subject less than any answer would.
  private static let remoteMax = 12

  /// - Returns: names that a look at their sets of letters alone would not have left out, and that were not measured.
  private func measure(
    _ search: NameSearch, _ text: String, _ facts: SubjectFacts, _ policy: MatchingPolicy,
    _ best: inout [Int32: Match], _ ranking: inout Ranking
  ) -> [Int32] {
    // Of an entry that is found the name counts that resembles the subject most, though another would score more.
    var doubtful: [Int32: [Int32]] = [:]
    let prospects = KnownDates.allCases.map { facts.prospects($0, policy) }
    func most(_ candidate: NameSearch.Candidate) -> Double {
      let circumstances = facts.circumstances(of: Int(names[Int(candidate.name)].entry), in: self)
      guard !circumstances.isSameDocument else { return 1 }
      let (doubt, weight) = (policy.doubt(after: circumstances.date), circumstances.weight(policy))
      let most = search.most(candidate, doubt: doubt, weight: weight)
      guard most >= ranking.least else { return most }
      let letters = search.mostByLetters(candidate.name, doubt: doubt, weight: weight, least: ranking.least)
      if letters.close < ranking.least, letters.bySets >= ranking.least {
        let entry = names[Int(candidate.name)].entry
        if best[entry] != nil { return min(most, letters.bySets) }
        doubtful[entry, default: []].append(candidate.name)
      }
      return min(most, letters.close)
    }
    func measureAll(_ promising: inout Promising) {
      promising.forEach(while: { $0 >= ranking.least }) { some in
        search.fetched &+= fetch(some)
        let candidates = some.compactMap { search.candidate($0, least: ranking.least, prospects) }
        search.fetched &+= fetchFacts(of: candidates)
        return candidates.compactMap { candidate in
          let most = most(candidate)
          return most >= ranking.least ? (candidate.name, most) : nil
        }
      } _: { number in
        for other in doubtful.removeValue(forKey: names[Int(number)].entry) ?? [] {
          if let match = measure(other, search, text, facts, policy, &best) {
            ranking.add(match.score, of: Int32(match.entry))
          }
        }
        if let match = measure(number, search, text, facts, policy, &best) {
          ranking.add(match.score, of: Int32(match.entry))
        }
      }
    }
    // What is almost the same is measured first, for it tells what others have to reach.
    var promising = Promising()
    let joined = search.joinedCandidates()
    if !joined.isEmpty {
      for candidate in joined { promising.add(candidate.name, most(candidate)) }
      measureAll(&promising)
      promising = Promising()
    }
    search.find(facts, prospects, least: ranking.least, &promising) { candidate, promising in
      let most = most(candidate)
      if most >= ranking.least { promising.add(candidate.name, most) }
    }
    measureAll(&promising)
    return doubtful.values.flatMap(\.self)
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
    if let one = known?.found {
      // Of one reading of the subject's name the better place counts, of two readings the closer name.
      let isBetter = known?.name == search.name ? search.isBetter(found, than: one) : found.score > one.score
      guard isBetter else { return nil }
    }
    let circumstances = known?.circumstances ?? facts.circumstances(of: Int(entry), in: self)
    let match = Match(
      entry: Int(entry), score: score(of: found, search.name, circumstances, policy), found: found, name: search.name,
      text: text, circumstances: circumstances)
    best[entry] = match
    return match
  }

  /// What name, dates, nationalities and sex amount to.
  func score(
    of found: NameSearch.Found, _ mine: ListedName, _ circumstances: Circumstances, _ policy: MatchingPolicy
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
