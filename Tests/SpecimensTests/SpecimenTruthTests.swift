// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Testing

@testable import Specimens

@Suite("Specimens: truth")
struct SpecimenTruthTests {
  /// Doc 9303-3 §4.9, worked out here a second time.
  private func digit(_ text: some StringProtocol) -> Character {
    let values = text.utf8.map { $0 >= 65 ? Int($0) - 55 : $0 == 60 ? 0 : Int($0) - 48 }
    let sum = zip(values, (0...).lazy.map { [7, 3, 1][$0 % 3] }).reduce(0) { $0 + $1.0 * $1.1 }
    return Character(String(sum % 10))
  }

  private func part(_ line: String, _ range: ClosedRange<Int>) -> String {
    String(Array(line)[(range.lowerBound - 1)...(range.upperBound - 1)])
  }

  @Test("every check digit of a passport's zone is right")
  func passportDigits() throws {
    for seed in UInt64(0)..<12 {
      let line = try zone(.passport, seed).lines[1]
      #expect(line.count == 44)
      #expect(part(line, 10...10) == String(digit(part(line, 1...9))))
      #expect(part(line, 20...20) == String(digit(part(line, 14...19))))
      #expect(part(line, 28...28) == String(digit(part(line, 22...27))))
      let optional = part(line, 29...42)
      let isEmpty = optional.allSatisfy { $0 == "<" }
      #expect(part(line, 43...43) == (isEmpty ? "<" : String(digit(optional))))
      #expect(part(line, 44...44) == String(digit(part(line, 1...10) + part(line, 14...20) + part(line, 22...43))))
    }
  }

  @Test("every check digit of a card's zone is right")
  func cardDigits() throws {
    for seed in UInt64(0)..<12 {
      let lines = try zone(.idCard, seed).lines
      #expect(lines.map(\.count) == [30, 30, 30])
      #expect(part(lines[0], 15...15) == String(digit(part(lines[0], 6...14))))
      #expect(part(lines[1], 7...7) == String(digit(part(lines[1], 1...6))))
      #expect(part(lines[1], 15...15) == String(digit(part(lines[1], 9...14))))
      let cover =
        part(lines[0], 6...30) + part(lines[1], 1...7) + part(lines[1], 9...15) + part(lines[1], 19...29)
      #expect(part(lines[1], 30...30) == String(digit(cover)))
    }
  }

  @Test(
    "the parser reads a zone back as the holder's own dates and number", arguments: [SpecimenKind.passport, .idCard])
  func parsed(kind: SpecimenKind) throws {
    for seed in UInt64(0)..<12 {
      let (holder, papers, lines) = try zone(kind, seed)
      let result = MRZ.parse(lines: lines, referenceDate: reference)
      #expect(result.errors.isEmpty)
      let fields = try #require(result.fields)
      #expect(fields.documentNumber == papers.number)
      #expect(fields.birthDate == holder.birthDate)
      #expect(fields.expiryDate == papers.expiryDate)
    }
  }

  @Test("the barcode's payload parses as AAMVA version 10, with the holder's own data and nothing flagged")
  func barcode() throws {
    for seed in UInt64(0)..<12 {
      let holder = Holder.random(seed: seed, reference: reference)
      let papers = Papers.random(.drivingLicence, seed: seed, reference: reference, holder: holder)
      let payload = DriverBarcode.payload(holder, papers, categories: "B")
      #expect(payload.hasPrefix("@\n\u{1E}\rANSI 636000100101DL0031"))
      let licence = try AAMVA.parse(payload)
      #expect(licence.number == papers.number)
      #expect(licence.birthDate == holder.birthDate)
      #expect(licence.issueDate == papers.issueDate)
      #expect(licence.expiryDate == papers.expiryDate)
      #expect(licence.flags.isEmpty)
      let length = payload.dropFirst(27).prefix(4)
      #expect(Int(length) == payload.utf8.count - 31)
    }
  }

  @Test("papers are in force on the reference date and were not issued before the holder was sixteen")
  func papers() {
    for seed in UInt64(0)..<300 {
      let holder = Holder.random(seed: seed, reference: reference)
      #expect((18...82).contains(holder.birthDate.age(on: reference)))
      for kind in SpecimenKind.allCases {
        let papers = Papers.random(kind, seed: seed, reference: reference, holder: holder)
        #expect(papers.issueDate < reference)
        #expect(holder.birthDate.age(on: papers.issueDate) >= 16)
        #expect(reference.days(until: papers.expiryDate) > 30)
      }
    }
  }

  @Test("a chosen holder and chosen papers are drawn as they are; a name without letters is refused")
  func chosen() throws {
    var holder = Holder.random(seed: 1, reference: reference)
    holder.surname = "Eriksson"
    holder.givenNames = "Anna Maria"
    var papers = Papers.random(.passport, seed: 1, reference: reference, holder: holder)
    papers.number = "L898902C3"
    let drawn = try Specimen.draw(.passport, holder: holder, papers: papers, seed: 1, reference: reference)
    #expect(drawn.truth.mrz[0] == "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<")
    #expect(drawn.truth.mrz[1].hasPrefix("L898902C36UTO"))
    #expect(drawn.truth.sides[0].printed["surname"] == "ERIKSSON")
    holder.surname = "…"
    #expect(throws: SpecimenError.unwritableHolder) {
      try Specimen.draw(.passport, holder: holder, papers: papers, seed: 1, reference: reference)
    }
  }

  @Test("the truth survives its JSON, and equal truths are equal files", arguments: SpecimenKind.allCases)
  func json(kind: SpecimenKind) throws {
    let truth = try Specimen.draw(kind, seed: 4, reference: reference, degrade: [.init(.perspective)]).truth
    let data = try truth.json()
    #expect(try JSONDecoder().decode(SpecimenTruth.self, from: data) == truth)
    #expect(try truth.json() == data)
  }

  private func zone(_ kind: SpecimenKind, _ seed: UInt64) throws -> (holder: Holder, papers: Papers, lines: [String]) {
    let holder = Holder.random(seed: seed, reference: reference)
    let papers = Papers.random(kind, seed: seed, reference: reference, holder: holder)
    let format: MRZ.Format = kind == .passport ? .td3 : .td1
    return (
      holder, papers,
      try MachineReadableZone.lines(format, code: kind == .passport ? "P" : "I", holder, papers)
    )
  }
}
