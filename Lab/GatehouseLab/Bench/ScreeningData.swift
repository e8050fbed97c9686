// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Screening

/// Lists, pairs and queries of a folder, in the columns that `gatehouse screen` reads.
struct ScreeningData: Sendable {
  struct Pair: Sendable {
    let names: (String, String)
    let kind: WatchList.Kind
    let isMatch: Bool
    let isStrong: Bool
  }

  struct Query: Sendable {
    let subject: Screening.Subject
    /// References of the entry that is meant, any of them; empty when a hit is a false alarm.
    let expected: Set<String>

    /// The same with nothing but the name.
    var nameAlone: Query {
      Query(
        subject: .init(
          names: subject.names, dateOfBirth: nil, nationalities: [], documentNumbers: [], kind: subject.kind),
        expected: expected)
    }
  }

  let lists: [WatchList]
  let pairs: [Pair]
  /// Tables of queries by their names, those that are listed first.
  let tables: [(name: String, queries: [Query])]

  var positives: [Query] { tables.flatMap(\.queries).filter { !$0.expected.isEmpty } }
  var negatives: [Query] { tables.filter { $0.name.hasPrefix("negatives") }.flatMap(\.queries) }

  init(folder: String) throws {
    let listNames = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/lists").sorted()
    let files = try listNames.filter { $0.hasSuffix(".csv") }.map { try ListReader.File(path: "\(folder)/lists/\($0)") }
    lists = try ListReader.read(files, countries: .iso).map(\.list)
    pairs = try Self.pairs("\(folder)/name_pairs.csv")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    // The larger table of one kind stands for the smaller one.
    let stems = names.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }
    let listed = stems.filter { $0.hasPrefix("positives") }
    let others = stems.filter { $0.hasPrefix("negatives") && !stems.contains("\($0)_5k") }
    tables = try (listed + others).map { ($0, try Self.queries("\(folder)/\($0).csv")) }
  }

  private static func pairs(_ path: String) throws -> [Pair] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let rows = try CSV(bytes).rows
    var pairs: [Pair] = []
    try ScreenFile.pairs(bytes) { row, one, other, kind in
      pairs.append(
        Pair(
          names: (one, other), kind: kind, isMatch: rows[row]["is_match"].lowercased() == "true",
          isStrong: rows[row]["quality"] == "STRONG"))
    }
    return pairs
  }

  private static func queries(_ path: String) throws -> [Query] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let rows = try CSV(bytes).rows
    var queries: [Query] = []
    try ScreenFile.subjects(bytes) { row, subject in
      let expected = rows[row]["expected_ref"].split(separator: "|").map(String.init)
      queries.append(Query(subject: try subject.get(), expected: Set(expected)))
    }
    return queries
  }
}

/// What `scripts/screening_peer.py` measured of one matcher, on the same rows of the same folder.
struct ScreeningPeer: Decodable, Sendable {
  let matcher: String
  let threshold: Double
  let precision: Double
  let recall: Double
  let f1: Double
  let auc: Double
  let strongWrong: Int
  let found: Int
  let positives: Int
  let alarms: Int
  let negatives: Int
  /// Searches a second of processor time, on `sample` rows of each table.
  let rate: Double
  let sample: Int
}
