// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Specimens
import TestSupport
import Testing

@testable import GatehouseLab

@Suite("Bench: what is said of reading documents", .storeless)
struct EvidenceBenchTests {
  private static let day = CalendarDate("2026-01-01")!
  private static let passport = [
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
  ]

  private func picture(_ subject: EvidencePicture.Subject, seed: UInt64 = 4) throws -> EvidencePicture {
    try .draw(subject, seed: seed, wear: try #require(EvidenceWear("unworn")), on: Self.day)
  }

  private func reply(_ lines: [String], certain: [String] = []) -> PictureReply {
    PictureReply(wall: 1, processor: 1, peak: 1, lines: lines, certain: certain)
  }

  @Test("fields of a zone are cut out where they stand, in every format")
  func fields() {
    #expect(
      ZoneFields.of(Self.passport) == [
        "name": "ERIKSSON<<ANNA<MARIA", "number": "L898902C3", "nationality": "UTO", "birth_date": "740812",
        "sex": "F", "expiry_date": "120415",
      ])
    let card = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    #expect(ZoneFields.of(card)["number"] == "D23145890")
    #expect(ZoneFields.of(card)["nationality"] == "UTO")
    #expect(ZoneFields.of(["ABC"]).isEmpty && ZoneFields.of([]).isEmpty)
  }

  @Test("a zone is right, wrong or refused; wrong and certain is counted apart")
  func scores() throws {
    let picture = try picture(.passport)
    #expect(ZoneFields.of(picture.lines).count == ZoneFields.names.count)
    var score = EvidenceScore()
    score.add(reply(picture.lines, certain: ZoneFields.names), picture)
    score.add(reply([]), picture)
    var wrong = picture.lines
    let other = wrong[1].first == "A" ? "B" : "A"
    wrong[1].replaceSubrange(wrong[1].startIndex...wrong[1].startIndex, with: other)
    score.add(reply(wrong), picture)
    score.add(reply(wrong, certain: ["number"]), picture)
    score.add(reply(wrong, certain: ZoneFields.names + [ZoneFields.whole]), picture)
    score.add(reply(wrong, certain: ZoneFields.names), picture)
    let expected = EvidenceTally(asked: 6, right: 1, wrong: 4, wrongAndCertain: 1)
    #expect(score.zone == expected && score.zone.missing == 1)
    #expect(score.zoneFields["number"] == EvidenceTally(asked: 6, right: 1, wrong: 4, wrongAndCertain: 3))
    #expect(score.zoneFields["birth_date"]?.right == 5)
    #expect(score.missed.count == 5)
  }

  @Test("wears are repeatable, and a stronger one is stronger")
  func wears() throws {
    let moderate = try #require(EvidenceWear("moderate")), strong = try #require(EvidenceWear("strong"))
    #expect(moderate.degradations(seed: 9) == moderate.degradations(seed: 9))
    #expect((1...50).contains { moderate.degradations(seed: 9) != moderate.degradations(seed: $0) })
    #expect(moderate.degradations(seed: 9).allSatisfy { $0.strength == 1 })
    #expect(strong.degradations(seed: 9).allSatisfy { $0.strength == 2 })
    #expect(try #require(EvidenceWear("turned")).degradations(seed: 9).first?.kind == .turn)
    #expect(try #require(EvidenceWear("unworn")).degradations(seed: 9).isEmpty)
    #expect(EvidenceWear("ruined") == nil)
  }

  @Test("a reliability table counts where confidence lies, and how far it is from the truth")
  func reliability() {
    var table = ReliabilityTable()
    #expect(table.calibrationError == 0)
    for number in 0..<10 { table.add(confidence: 0.92, isRight: number > 0) }
    table.add(confidence: 1, isRight: true)
    table.add(confidence: 0, isRight: false)
    #expect(table.bins.first { $0.from == 0.9 }.map { [$0.fields, $0.right] } == [10, 9])
    #expect(table.bins.first { $0.from == 0.99 }?.fields == 1 && table.bins.first { $0.from == 0 }?.fields == 1)
    #expect(abs(table.calibrationError - 0.2 / 12) < 1e-9)
  }

  @Test("what is printed is the truth of the side that is shown")
  func truth() throws {
    let front = try picture(.cardFront)
    #expect(front.lines.isEmpty && front.barcode == nil && front.print[.surname] != nil)
    #expect(front.print[.issueDate] == nil, "the front of a card has no date of issue")
    let back = try picture(.cardBack)
    #expect(back.lines.count == 3 && back.print.isEmpty)
    let licence = try picture(.licenceBack)
    #expect(licence.barcode?.hasPrefix("@") == true && licence.print.isEmpty)
    #expect(try picture(.passport).print[.birthDate].flatMap { CalendarDate($0) } != nil)
  }

  @Test("pairs of honest holders go through the rules of a verification")
  func pairs() throws {
    let drawn = try Specimen.draw(.idCard, seed: 3, reference: Self.day)
    let reader = EvidenceReader()
    var documents: [DocumentKind: DocumentReading] = [:]
    for (side, picture) in drawn.images {
      let kind: DocumentKind = side == .front ? .nationalIDFront : .nationalIDBack
      documents[kind] = try reader.readNow(picture.data, as: kind, on: Self.day).reading
    }
    var report = PairReport()
    report.add(documents, seed: 3, declared: drawn.truth.holder, on: Self.day)
    var stranger = drawn.truth.holder
    (stranger.surname, stranger.givenNames) = ("Completely", "Different")
    report.add(documents, seed: 4, declared: stranger, on: Self.day)
    #expect(report.pairs == 2 && report.mismatch == 1 && report.refused == [4])
    #expect(report.rules["fail application-vs-document"] == 1)
  }

  @Test("the bench measures a reader that is a program of its own, and says why a peer is missing")
  func whole() throws {
    let folder = try TestFolder()
    // A reader that answers every picture with the same zone.
    let script = """
      import sys, json
      for line in sys.stdin:
          json.loads(line)
          reply = {"wall": 7, "processor": 5, "peak": 2048, "lines": \(Self.passport), "certain": []}
          print(json.dumps(reply), flush=True)
      """
    try Data(script.utf8).write(to: folder.url("reader.py"))
    let start = { try PictureReader("/usr/bin/env", ["python3", folder.file("reader.py")]) }
    let bench = try EvidenceBench(
      seed: 1, day: Self.day, folder: folder.path, isRelease: false, ours: start, peer: try start(), say: { _ in })
    defer { bench.stop() }
    try bench.measure(4, [.passport, .cardFront], [try #require(EvidenceWear("unworn"))])
    let report = bench.report
    #expect(report.pictures == ["unworn": ["passport": 2, "id-front": 2]])
    #expect(report.gatehouse.scores["unworn"]?.zone == EvidenceTally(asked: 2, wrong: 2))
    #expect(report.passportEye?.scores["unworn"]?.zone == EvidenceTally(asked: 2, wrong: 2))
    #expect(report.gatehouse.pageTimes.processor.percentile(50) == 5 && report.gatehouse.peak == 2048)
    #expect(report.table.contains("unworn: 4 pictures"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["reader.py"])
  }
}
