// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Screening
import Testing
import TestSupport

@Suite("Screening API: list entries")
struct EntityTests {
  private struct Entities: Decodable {
    let entities: [Entity]
  }

  private struct Entity: Decodable {
    struct BirthDate: Decodable {
      let first, last: String
      let is_approximate: Bool
    }

    struct Identifier: Decodable {
      let type, number: String
      let country: String?
    }

    let reference, kind: String
    let list: FoundAnswer.Version
    let names, weak_names: [String]
    let sex: String?
    let dates_of_birth: [BirthDate]
    let places_of_birth, nationalities: [String]
    let identifiers: [Identifier]
    let programmes, addresses, topics, remarks: [String]
  }

  /// What the tests of the readers expect of each file, in the words of their table.
  private struct Expected: Decodable {
    struct Entry: Decodable, Equatable {
      let reference, kind: String
      let names, weakNames: [String]
      let sex: String
      let births, places, nationalities: [String]
      let identifiers: [[String]]
      let programmes, addresses, topics: [String]
    }

    let code, version: String
    let files: [String]
    let entries: [Entry]
  }

  private static let published = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "CapabilitiesTests/Screening/Published")

  @Test(
    "ten entries of every published form come back whole, with their list and its version",
    arguments: [
      "sdn.xml", "sdn_advanced.xml", "sdn.csv", "un.xml", "eu.xml", "eu.csv", "ofsi.csv", "uk.csv",
      "targets.simple.csv", "entities.ftm.json", "own.csv",
    ])
  func published(name: String) async throws {
    let table = try JSONDecoder().decode(
      [String: Expected].self, from: Data(contentsOf: Self.published.appending(path: "expected.json")))
    let expected = try #require(table[name])
    try await ScreeningTestApp.run(list: nil) { app in
      try await app.load(
        ([name] + expected.files).map { try ListReader.File(path: Self.published.appending(path: $0).path) }, code: nil)
      let version = try #require(try await app.lists.current().first?.version)
      #expect(expected.entries.count == 10 && version.code == expected.code)
      for entry in expected.entries {
        let reference = try #require(entry.reference.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let found = try await app.call(.get, "entities/\(reference)").read(as: Entities.self).entities
        #expect(found.map(Self.plain) == [entry])
        #expect(found.first?.list == .init(code: version.code, version: version.version))
      }
    }
  }

  private static func plain(_ entity: Entity) -> Expected.Entry {
    Expected.Entry(
      reference: entity.reference, kind: entity.kind, names: entity.names, weakNames: entity.weak_names,
      sex: entity.sex ?? "",
      births: entity.dates_of_birth.map { "\($0.is_approximate ? "~" : "")\($0.first)/\($0.last)" },
      places: entity.places_of_birth, nationalities: entity.nationalities,
      identifiers: entity.identifiers.map { [$0.type, $0.number, $0.country ?? ""] }, programmes: entity.programmes,
      addresses: entity.addresses, topics: entity.topics)
  }

  @Test("what a list says of a document besides its number comes back, such as that it is known to be false")
  func remarks() async throws {
    let list = """
      <export generationDate="2026-11-24T16:47:04+02:00"><sanctionEntity euReferenceNumber="EU.1.1" logicalId="1">
      <subjectType code="person" classificationCode="P"/><nameAlias wholeName="Nemo Nullmann" strong="true"/>
      <identification number="P1" knownFalse="true" issuedBy="Registry"/></sanctionEntity></export>
      """
    try await ScreeningTestApp.run(list: nil) { app in
      try await app.load([ListReader.File(name: "eu.xml", bytes: Data(list.utf8))], code: nil)
      let found = try await app.call(.get, "entities/EU.1.1").read(as: Entities.self).entities
      #expect(found.map(\.remarks) == [["Document P1 issued by: Registry", "Document P1: known false"]])
    }
  }

  @Test("a reference that two lists use gives both entries, or that of the list that is named")
  func ambiguous() async throws {
    try await ScreeningTestApp.run { app in
      try await app.load("ref,name\n1,Nemo Nullmann\n", code: "OTHER", version: "7")
      func codes(_ path: String) async throws -> [String] {
        try await app.call(.get, path).read(as: Entities.self).entities.map { "\($0.list.code) \($0.names[0])" }
      }
      #expect(try await codes("entities/1").sorted() == ["OTHER Nemo Nullmann", "OWN Ansgar Quillon Driftwell"])
      #expect(try await codes("entities/1?list=OTHER") == ["OTHER Nemo Nullmann"])
      #expect(try await codes("entities/2") == ["OWN Ottilie Vanterpoole"])
      for path in ["entities/2?list=OTHER", "entities/1?list=own", "entities/3", "entities/%00", "entities/%FF"] {
        let answer = try await app.call(.get, path)
        #expect(answer.status == 404 && answer.problem == "not-found", "\(path)")
      }
    }
  }

  @Test("a reference with any characters is found by its percent-encoded form")
  func encoded() async throws {
    try await ScreeningTestApp.run(list: "ref,name\na/b c?é%41,Nemo Nullmann\n") { app in
      let reference = try #require("a/b c?é%41".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let found = try await app.call(.get, "entities/\(reference)").read(as: Entities.self).entities
      #expect(found.map(\.reference) == ["a/b c?é%41"])
      #expect(try await app.call(.get, "entities/\(String(repeating: "9", count: 257))").status == 404)
    }
    let long = String(repeating: "9/", count: 300)
    try await ScreeningTestApp.run(list: "ref,name\n\(long),Nemo Nullmann\n") { app in
      let reference = try #require(long.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let found = try await app.call(.get, "entities/\(reference)").read(as: Entities.self).entities
      #expect(found.map(\.reference) == [long])
    }
  }
}
