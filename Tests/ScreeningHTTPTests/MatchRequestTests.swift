// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import Screening
import Testing
import TestSupport

@testable import ScreeningHTTP

@Suite("Screening API: reading queries", .storeless)
struct MatchRequestTests {
  /// Nationalities are understood by codes and names of countries, and by the other codes of travel documents.
  private static let nationalities = ["NZ", "nzl", "South African", "Korea, North", "D", "XXA", "GBD", "UNO", "SUN"]
  private static let letters = Array("aZ0 -'.,éßЖ中ا\u{200F}\"\\/{}[]:\n😀")

  /// A query that is acceptable, as JSON and as what has to be understood.
  private struct Sample {
    let json: [String: Any]
    let query: MatchOrder.Query

    init(_ generator: inout SeededGenerator) {
      func text(_ most: Int) -> String {
        let count = Int.random(in: 1...most, using: &generator)
        return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
      }
      func texts(_ range: ClosedRange<Int>, _ most: Int) -> [String] {
        (0..<Int.random(in: range, using: &generator)).map { _ in text(most) }
      }
      let names = texts(1...MatchQuery.namesMax, 40)
      var json: [String: Any] = ["names": names]
      let nationalities = (0..<Int.random(in: 0...MatchQuery.valuesMax, using: &generator)).compactMap { _ in
        MatchRequestTests.nationalities.randomElement(using: &generator)
      }
      let documents = texts(0...MatchQuery.valuesMax, 20)
      if !nationalities.isEmpty || Bool.random(using: &generator) { json["nationalities"] = nationalities }
      if !documents.isEmpty || Bool.random(using: &generator) { json["document_numbers"] = documents }
      let id = Bool.random(using: &generator) ? text(30) : nil
      if let id { json["id"] = id } else if Bool.random(using: &generator) { json["id"] = NSNull() }
      let dates = ["1971-03-04", "1971-03", "1971", "circa 1971", "4 Mar 1971", nil]
      let date = dates.randomElement(using: &generator) ?? nil
      if let date { json["date_of_birth"] = date }
      let kind = Bool.random(using: &generator) ? WatchList.Kind.allCases.randomElement(using: &generator) : nil
      if let kind { json["kind"] = kind.rawValue }
      let sex = Bool.random(using: &generator) ? WatchList.Sex.allCases.randomElement(using: &generator) : nil
      if let sex { json["sex"] = sex.rawValue }
      self.json = json
      query = MatchOrder.Query(
        id: id,
        subject: Screening.Subject(
          names: names, dateOfBirth: date.flatMap { BirthDate($0) }, nationalities: nationalities,
          documentNumbers: documents, kind: kind, sex: sex))
    }
  }

  private static func order(_ bytes: Data) throws -> MatchOrder {
    try RequestContent(bytes: bytes).decode(as: MatchRequest.self).order(ScreeningTestApp.countries)
  }

  @Test("what is acceptable is understood as it was meant, alone and in batches")
  func understood() throws {
    var generator = SeededGenerator(seed: 27)
    for _ in 0..<300 {
      let samples = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Sample(&generator) }
      let limit = Bool.random(using: &generator) ? Int.random(in: 1...MatchRequest.answersMax, using: &generator) : nil
      var body: [String: Any] = ["queries": samples.map(\.json)]
      if let limit { body["limit"] = limit }
      let order = try Self.order(try JSONSerialization.data(withJSONObject: body))
      #expect(order.queries == samples.map(\.query) && order.isBatch)
      #expect(order.limit == limit ?? MatchRequest.answersUsual)
      let one = try Self.order(try JSONSerialization.data(withJSONObject: ["query": samples[0].json]))
      #expect(one.queries == [samples[0].query] && !one.isBatch)
    }
  }

  @Test("one fault in a batch refuses the batch and is named where it stands")
  func located() throws {
    var generator = SeededGenerator(seed: 28)
    let faults: [(member: String, value: Any, pointer: String)] = [
      ("id", String(repeating: "x", count: MatchQuery.idMax + 1), "id"), ("names", [String](), "names"),
      ("names", [String](repeating: "A", count: MatchQuery.namesMax + 1), "names"),
      ("names", ["A", String(repeating: "e\u{301}", count: MatchQuery.nameMax)], "names/1"),
      ("names", ["A", 7] as [Any], "names/1"), ("date_of_birth", "yesterday", "date_of_birth"),
      ("date_of_birth", "1971-02-30", "date_of_birth"), ("nationalities", [""], "nationalities/0"),
      ("nationalities", ["NZ", "ZZZ"], "nationalities/1"), ("nationalities", [" "], "nationalities/0"),
      ("nationalities", ["New Zeeland"], "nationalities/0"),
      ("document_numbers", [String](repeating: "1", count: MatchQuery.valuesMax + 1), "document_numbers"),
      ("kind", "Person", "kind"), ("sex", "M", "sex"), ("sex", true, "sex"),
    ]
    for _ in 0..<20 {
      for fault in faults {
        var bodies = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Sample(&generator).json }
        let place = Int.random(in: bodies.indices, using: &generator)
        bodies[place][fault.member] = fault.value
        let bytes = try JSONSerialization.data(withJSONObject: ["queries": bodies])
        let problem = #expect(throws: Problem.self) { try Self.order(bytes) }
        #expect(problem?.fields.map(\.pointer) == ["/queries/\(place)/\(fault.pointer)"])
      }
    }
  }

  @Test("changed bytes are understood within the limits or refused with a problem; nothing else happens")
  func changed() throws {
    var generator = SeededGenerator(seed: 29)
    var refused = 0
    for _ in 0..<1_500 {
      let samples = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Sample(&generator).json }
      var bytes = try JSONSerialization.data(withJSONObject: ["queries": samples, "limit": 5] as [String: Any])
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.insert(UInt8.random(in: 32...126, using: &generator), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      do {
        let order = try Self.order(bytes)
        #expect(!order.queries.isEmpty && (1...MatchRequest.answersMax).contains(order.limit))
        for query in order.queries {
          #expect((1...MatchQuery.namesMax).contains(query.subject.names.count))
          #expect(query.subject.names.allSatisfy { (1...MatchQuery.nameMax).contains($0.unicodeScalars.count) })
        }
      } catch let problem as Problem {
        #expect([.badRequest, .unprocessable].contains(problem.category))
        refused += 1
      }
    }
    #expect(refused > 0)
  }
}
