// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: what printed words say")
struct FieldTextTests {
  @Test(
    "dates are read as documents print them, and nothing else is one",
    arguments: [
      ("14 MAR 1990", "1990-03-14"), ("14.03.1990", "1990-03-14"), ("14/03/1990", "1990-03-14"),
      ("1990-03-14", "1990-03-14"), ("14 MAR/MARS 1990", "1990-03-14"), ("1O.O3.199O", "1990-03-10"),
      ("14.031990", "1990-03-14"), ("29 FEB 2023", nil), ("31.04.2020", nil), ("99.99.9999", nil), ("", nil),
      ("UTOPIA", nil), ("14 MAR", nil), ("14.03.90", nil), ("14MAR 1990", "1990-03-14"), ("14MA 1990", nil),
      ("14 DÉC 1990", "1990-12-14"), ("03 FÉV/FEB 2001", "2001-02-03"), ("03 ENE 2001", "2001-01-03"),
      ("01 MRT 1999", "1999-03-01"), ("22 AGO 2010", "2010-08-22"), ("22 OTT 2010", "2010-10-22"),
      ("22 AOÛT 2010", "2010-08-22"), ("22 460 2010", nil), ("27 JUL1971", "1971-07-27"),
      ("27JUL1971", "1971-07-27"), ("JUL1971", nil), ("27 JUL71", nil),
    ] as [(String, String?)])
  func dates(text: String, date: String?) {
    #expect(PrintedDate.parse(text)?.isoText == date)
  }

  @Test(
    "a date is plain when no character stands for another, nothing was left out and no digit can be missing",
    arguments: [
      ("14 MAR 1990", true), ("14.03.1990", true), ("1990-03-14", true), ("14 MAR/MARS 1990", true),
      ("14.031990", true), ("14 MAR 202S", false), ("1O.O3.199O", false), ("I4 MAR 1990", false),
      ("14 M4R 1990", false), ("1$.03.1990", false), ("14|03|1990", false), ("4.03.1990", false),
      ("4 MAR 1990", false), ("31.04.2020", false), ("", false), ("14MAR 1990", false), ("14 MAR1990", false),
    ] as [(String, Bool)])
  func plainDates(text: String, isPlain: Bool) {
    #expect(PrintedDate.isPlain(text) == isPlain)
  }

  @Test("whatever is a plain date is the same date when letters may stand for digits")
  func plainOrNot() {
    var random = SeededGenerator(seed: 26)
    let forms = ["14.03.1990", "1990-03-14", "14 MAR 1990", "03 JUN/JUIN 2031"].map(Array.init)
    let alphabet = Array("0123456789OQDILZSGB ./-|$MARJUNDEC")
    var (plain, dates) = (0, 0)
    for _ in 0..<20_000 {
      var text = forms[Int(random.next() % UInt64(forms.count))]
      for _ in 0..<Int(random.next() % 3) {
        text[Int(random.next() % UInt64(text.count))] = alphabet[Int(random.next() % UInt64(alphabet.count))]
      }
      for order in PrintedDate.Order.allCases {
        let date = PrintedDate.parse(String(text), order)
        if date != nil { dates += 1 }
        guard PrintedDate.isPlain(String(text), order) else { continue }
        plain += 1
        #expect(date != nil)
        #expect(!text.contains { "OQDILZSGB".contains($0) } || text.contains { "MARJUNDEC".contains($0) })
      }
    }
    #expect(plain > 5_000 && dates > plain)
  }

  @Test("a label may have one slip in four letters")
  func labels() {
    #expect(Label.matches("Sumame", "SURNAME") == true)
    #expect(Label.matches("Surname", "SURNAME"))
    #expect(Label.matches("Prénoms", "PRENOMS"))
    #expect(!Label.matches("Sex", "SURNAME"))
    #expect(!Label.matches("No", "OF"))
    #expect(FieldNumber.matches("4a", "4A."))
    #expect(FieldNumber.matches("l.", "1."))
    #expect(!FieldNumber.matches("4b.", "4A."))
  }

  @Test("values must have the shape of their field")
  func shapes() {
    #expect(FieldText.reading(.documentNumber, ["S$97732542"]) == "S97732542")
    #expect(FieldText.reading(.documentNumber, ["AUTHORITY"]) == nil)
    #expect(FieldText.reading(.surname, ["|", "O'BRIEN-SMITH", "~"]) == "O'BRIEN-SMITH")
    #expect(FieldText.reading(.surname, ["--"]) == nil)
    #expect(FieldText.reading(.sex, ["M"]) == "M")
    #expect(FieldText.reading(.sex, ["Q"]) == nil)
    #expect(FieldText.reading(.sex, ["F."]) == "F")
    for word in ["FR", "MM", "F1", "FRA"] { #expect(FieldText.reading(.sex, [word]) == nil) }
  }

  private func word(_ text: String, _ x: Int, _ y: Int, _ width: Int = 120) -> OCRWord {
    OCRWord(text: text, confidence: 0.9, region: Region(x: x, y: y, width: width, height: 32))
  }

  @Test(
    "D with a stroke is told from eth, which has its shape, by where neither Icelandic nor Faroese has eth",
    arguments: [("ÐORÐEVIĆ", "ĐORĐEVIĆ"), ("ÐUKA", "ĐUKA"), ("GUÐRÚN", "GUÐRÚN")])
  func stroke(read: String, name: String) {
    #expect(FieldText.reading(.surname, [read]) == name)
  }

  @Test("the column of a licence takes no name for given names where their line was not found")
  func cutColumn() {
    let words = [
      word("UTOPIA", 650, 150), word("TANAKA", 650, 232), word("20.10.1968", 650, 409), word("10.03.2020", 650, 490),
      word("09.03.2030", 650, 573),
    ]
    let zone = LicenceColumn(lines: VisualZoneReader(words: words).lines, dates: .dayFirst).read()
    #expect(zone[.surname] == nil && zone[.givenNames] == nil && zone[.expiryDate] == "2030-03-09")
  }

  @Test("the column of a licence names the holder where a number was misread, and not where both were read")
  func numberedNames() {
    let template = VisualTemplate.ofProgram("iso-18013-licence")
    let dates = [word("20.10.1968", 650, 409), word("10.03.2020", 650, 490), word("09.03.2030", 650, 573)]
    let names = [word("TANAKA", 650, 232), word("IAN", 650, 317)]
    func read(_ others: [OCRWord]) -> [String?] {
      let zone = PageText.read(template, from: VisualZoneReader(words: dates + names + others), readsWorn: true)
      return [zone[.surname], zone[.givenNames]]
    }
    #expect(read([word("2.", 600, 232, 30)]) == ["TANAKA", "IAN"])
    let second = word("QUENTIN", 650, 355)
    #expect(read([word("1.", 600, 232, 30), word("2.", 600, 317, 30), second]) == ["TANAKA", "IAN"])
  }

  @Test("the column of a licence reads its dates in the template's order")
  func columnOrder() {
    let words = [
      word("02/11/1968", 650, 409), word("03/10/2020", 650, 490), word("03/09/2030", 650, 573),
      word("A68190890", 650, 650),
    ]
    let lines = VisualZoneReader(words: words).lines
    let monthFirst = LicenceColumn(lines: lines, dates: .monthFirst).read()
    #expect(monthFirst.texts.filter { $0.key != "document_number" } == [
      "birth_date": "1968-02-11", "issue_date": "2020-03-10", "expiry_date": "2030-03-09",
    ])
    #expect(LicenceColumn(lines: lines, dates: .dayFirst).read()[.birthDate] == "1968-11-02")
  }

  @Test("fields of a licence are found by their order when their numbers are not read")
  func column() {
    let words = [
      word("DRIVING", 300, 40), word("LICENCE", 430, 40), word("TANAKA", 650, 232), word("IAN", 650, 317, 60),
      word("QUENTIN", 722, 317), word("20.10.1968", 650, 409), word("ZAPOLET", 1050, 409),
      word("10.03.2020", 650, 490), word("09.03.2030", 650, 573), word("A68190890", 650, 650), word("B", 650, 815, 20),
    ]
    let zone = LicenceColumn(lines: VisualZoneReader(words: words).lines, dates: .dayFirst).read()
    #expect(
      zone.texts == [
        "surname": "TANAKA", "given_names": "IAN QUENTIN", "birth_date": "1968-10-20", "issue_date": "2020-03-10",
        "expiry_date": "2030-03-09", "document_number": "A68190890",
      ])
  }
}
