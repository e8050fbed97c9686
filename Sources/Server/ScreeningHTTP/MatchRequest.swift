// SPDX-License-Identifier: Apache-2.0

import Kit
import Screening

// What other servers send. Members are in snake case and checked strictly, as in all APIs of our own.

/// One query or a batch of them.
struct MatchRequest: Decodable, Sendable {
  static let queriesMax = 1_000
  static let answersMax = 50
  static let answersUsual = 5

  let query: MatchQuery?
  let queries: [MatchQuery]?
  /// Entries that an answer shows at most.
  let limit: Int?

  /// What is asked for, checked whole before any of it is searched for.
  /// - Throws: `Problem` validation-failed that names every member that is wrong, up to a number.
  func order(_ countries: CountryNames) throws -> MatchOrder {
    var faults: [Problem.Field] = []
    var subjects: [MatchOrder.Query] = []
    switch (query, queries) {
    case (let query?, nil): subjects = [query.subject(at: "/query", countries, &faults)]
    case (nil, let queries?):
      if (1...Self.queriesMax).contains(queries.count) {
        for (number, query) in queries.enumerated() {
          subjects.append(query.subject(at: "/queries/\(number)", countries, &faults))
          if faults.count >= MatchQuery.faultsMax { break }
        }
      } else {
        faults.append(.init("/queries", "length", "1 to \(Self.queriesMax) queries."))
      }
    case (nil, nil): faults.append(.init("/query", "required", "Either query or queries is required."))
    case (_?, _?): faults.append(.init("/queries", "one-of", "Either query or queries, not both."))
    }
    if let limit, !(1...Self.answersMax).contains(limit) {
      faults.append(.init("/limit", "range", "1 to \(Self.answersMax)."))
    }
    guard faults.isEmpty else { throw Problem.validation(faults) }
    return MatchOrder(queries: subjects, isBatch: queries != nil, limit: limit ?? Self.answersUsual)
  }
}

/// A request that was understood.
struct MatchOrder: Sendable {
  struct Query: Sendable, Equatable {
    /// The caller's own name for it.
    let id: String?
    let subject: Screening.Subject
  }

  let queries: [Query]
  let isBatch: Bool
  let limit: Int
}

/// Who is looked for.
struct MatchQuery: Decodable, Sendable {
  /// Faults that one refusal names.
  static let faultsMax = 20
  static let idMax = 64
  static let namesMax = 8
  static let nameMax = 300
  static let valuesMax = 8
  static let valueMax = 64

  let id: String?
  let names: [String]
  let date_of_birth: String?
  let nationalities: [String]?
  let document_numbers: [String]?
  let kind: String?
  let sex: String?

  fileprivate func subject(
    at place: String, _ countries: CountryNames, _ faults: inout [Problem.Field]
  ) -> MatchOrder.Query {
    if let id, !Self.has(id, atMost: Self.idMax) {
      faults.append(.init("\(place)/id", "length", "1 to \(Self.idMax) characters."))
    }
    Self.check(names, "\(place)/names", 1...Self.namesMax, Self.nameMax, &faults)
    Self.check(nationalities ?? [], "\(place)/nationalities", 0...Self.valuesMax, Self.valueMax, &faults)
    // What is not understood would be left out of the search, which the caller would not notice.
    for (number, nationality) in (nationalities ?? []).prefix(Self.valuesMax).enumerated()
    where Self.has(nationality, atMost: Self.valueMax) && !countries.isUnderstood(nationality) {
      let words = "An ISO 3166-1 code, a code of travel documents or the name of a country."
      faults.append(.init("\(place)/nationalities/\(number)", "unknown-value", words))
    }
    Self.check(document_numbers ?? [], "\(place)/document_numbers", 0...Self.valuesMax, Self.valueMax, &faults)
    let born = date_of_birth.flatMap { Self.has($0, atMost: Self.valueMax) ? BirthDate($0) : nil }
    // Nor may a date be left out.
    if date_of_birth != nil, born == nil {
      faults.append(.init("\(place)/date_of_birth", "format", "Such as 1971-03-04, 1971-03 or 1971."))
    }
    let kind = kind.map { WatchList.Kind(rawValue: $0) }
    if case .some(nil) = kind {
      let words = WatchList.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      faults.append(.init("\(place)/kind", "unknown-value", "One of \(words)."))
    }
    let sex = sex.map { WatchList.Sex(rawValue: $0) }
    if case .some(nil) = sex { faults.append(.init("\(place)/sex", "unknown-value", "female or male.")) }
    return MatchOrder.Query(
      id: id,
      subject: Screening.Subject(
        names: names, dateOfBirth: born, nationalities: nationalities ?? [], documentNumbers: document_numbers ?? [],
        kind: kind ?? nil, sex: sex ?? nil))
  }

  private static func check(
    _ values: [String], _ place: String, _ counts: ClosedRange<Int>, _ lengthMax: Int, _ faults: inout [Problem.Field]
  ) {
    guard counts.contains(values.count) else {
      faults.append(.init(place, "length", "\(counts.lowerBound) to \(counts.upperBound) values."))
      return
    }
    for (number, value) in values.enumerated() where !has(value, atMost: lengthMax) {
      faults.append(.init("\(place)/\(number)", "length", "1 to \(lengthMax) characters."))
    }
  }

  /// Counted as the description does: in code points (JSON Schema, `maxLength`).
  private static func has(_ text: String, atMost most: Int) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= most
  }
}
