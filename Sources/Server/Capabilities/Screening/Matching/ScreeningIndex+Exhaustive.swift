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
    var best: [Int32: Match] = [:]
    for isPerson in (subject.kind ?? .person).readings {
      for text in subject.names {
        for name in ListedName.alternatives(text, isPerson: isPerson) where !name.words.isEmpty {
          var search = NameSearch(name, in: self, policy: policy)
          for number in names.indices where names[number].isPerson == isPerson {
            measure(Int32(number), &search, text, facts, policy, &best)
          }
        }
      }
    }
    return Set(best.lazy.filter { $0.value.score >= policy.threshold }.map { Int($0.key) }).union(
      facts.documents.map(Int.init))
  }
}
