// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

@testable import Screening

/// Ten invented entries in each form in which lists are published, and what each form can say of them. The files follow
/// the publishers' documentation; what is expected was written down beside them, not read by this program.
enum PublishedLists {
  /// What a file says.
  struct Expected: Decodable, Sendable {
    let format: String
    let code: String
    let version: String
    /// Further files of the same list.
    let files: [String]
    let entries: [Entry]
  }

  /// An entry in plain words.
  struct Entry: Decodable, Equatable, Sendable {
    let reference: String
    let kind: String
    let names: [String]
    let weakNames: [String]
    let sex: String
    /// First and last day; `~` before them when approximate.
    let births: [String]
    let places: [String]
    let nationalities: [String]
    /// Type, number, country.
    let identifiers: [[String]]
    let programmes: [String]
    let addresses: [String]
    let topics: [String]
  }

  static let names = [
    "sdn.xml", "sdn_advanced.xml", "sdn.csv", "un.xml", "eu.xml", "eu.csv", "ofsi.csv", "uk.csv", "targets.simple.csv",
    "entities.ftm.json", "own.csv",
  ]

  static func expected() throws -> [String: Expected] {
    try JSONDecoder().decode([String: Expected].self, from: Data(contentsOf: url("expected.json")))
  }

  static func file(_ name: String) throws -> ListReader.File { try ListReader.File(path: url(name).path) }

  /// The list of a file and of those that belong to it.
  static func reading(_ name: String) throws -> ListReader.Reading {
    let files = try [name] + (expected()[name]?.files ?? [])
    let readings = try ListReader.read(try files.map(file), countries: InventedList.countries)
    return readings[0]
  }

  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Published/\(name)")
  }
}

extension PublishedLists.Entry {
  init(_ entry: WatchList.Entry) {
    self.init(
      reference: entry.reference, kind: entry.kind.rawValue, names: entry.names, weakNames: entry.weakNames,
      sex: entry.sex?.rawValue ?? "",
      births: entry.datesOfBirth.map { "\($0.isApproximate ? "~" : "")\($0.first.isoText)/\($0.last.isoText)" },
      places: entry.placesOfBirth, nationalities: entry.nationalities.sorted(),
      identifiers: entry.identifiers.map { [$0.type, $0.number, $0.country ?? ""] }, programmes: entry.programmes,
      addresses: entry.addresses, topics: entry.topics)
  }
}
