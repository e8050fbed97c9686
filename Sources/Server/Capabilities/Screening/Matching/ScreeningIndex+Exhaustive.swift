// SPDX-License-Identifier: Apache-2.0

extension ScreeningIndex {
  /// Numbers of the entries that are hits, as the search finds them: what the exhaustive search is compared with.
  package func hitEntries(of subject: Screening.Subject, policy: MatchingPolicy = .standard) -> Set<Int> {
    let matches = matches(of: subject, policy: policy, limit: entries.count, least: policy.threshold) ?? []
    return Set(matches.lazy.filter { $0.score >= policy.threshold }.map(\.entry))
  }

  /// The same with every name of every entry measured, so that nothing is left out: a million times as slow, to measure
  /// what the search misses.
  package func exhaustiveHitEntries(of subject: Screening.Subject, policy: MatchingPolicy = .standard) -> Set<Int> {
    let facts = SubjectFacts(subject, in: self)
    let found = everyMatch(of: subject, facts, policy).filter { $0.value.score >= policy.threshold }
    return Set(found.keys.map { Int($0) }).union(facts.documents.map { Int($0) })
  }

  /// The highest scores of all entries, found by measuring every name: what `answers` that are filled up are compared
  /// with. Document numbers do not count.
  package func exhaustiveScores(
    of subject: Screening.Subject, policy: MatchingPolicy = .standard, limit: Int = 5
  ) -> [Double] {
    let all = everyMatch(of: subject, SubjectFacts(subject, in: self), policy, nameMin: 0)
    return Array(all.values.map(\.score).filter { $0 > 0 }.sorted(by: >).prefix(limit))
  }

  /// Every entry that has a name which is alike enough, by its number, with every name measured.
  func everyMatch(
    of subject: Screening.Subject, _ facts: SubjectFacts, _ policy: MatchingPolicy, nameMin: Double? = nil
  ) -> [Int32: Match] {
    var best: [Int32: Match] = [:]
    for isPerson in (subject.kind ?? .person).readings {
      for text in subject.names {
        for name in ListedName.alternatives(text, isPerson: isPerson) where !name.words.isEmpty {
          let search = NameSearch(name, in: self, policy: policy)
          for number in names.indices where names[number].isPerson == isPerson {
            measure(Int32(number), search, text, facts, policy, &best, nameMin: nameMin)
          }
        }
      }
    }
    return best
  }
}
