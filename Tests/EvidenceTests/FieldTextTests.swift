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
      // The Netherlands, Hungary, Iceland and Türkiye print their own name of the month first.
      ("10 MAA/MAR 1965", "1965-03-10"), ("03 SZE/SEP 2001", "2001-09-03"), ("03 ÁGÚ/AUG 2001", "2001-08-03"),
      ("14 NİS/APR 1990", "1990-04-14"), ("14 OCA /JAN 1990", "1990-01-14"),
      // June in Irish begins like May in Dutch.
      ("01 MEI/JUN 1967", nil), ("MAA/MAR 1965", nil),
      // Dates of issue and of expiry side by side, of one month or of two.
      ("28 AUG 2019 27 AUG 2029", nil), ("28 AUG 2019 30 AUG/AOÛT 2029", nil), ("28 AUG 2019 27.08.2029", nil),
      ("28 AUG 2019 27 SEP 2029", nil), ("14 MAR I MARS 1990", "1990-03-14"), ("14 MAR 1 MARS 1990", "1990-03-14"),
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

  @Test("a stroke of a date that is read as a 1 is one, with doubt")
  func strokesAsOnes() {
    for text in ["2411211981", "24/1211981", "24112/1981"] {
      #expect(PrintedDate.parse(text)?.isoText == "1981-12-24" && !PrintedDate.isPlain(text))
    }
    #expect(PrintedDate.parse("2421221981") == nil, "other digits are no strokes")
    #expect(PrintedDate.parse("3311211981") == nil, "no such day")
    #expect(PrintedDate.parse("1211511990") == nil, "no such month")
    for text in ["2011-12-24", "2011.12.24", "2011/12/24", "2011 12 24"] {
      #expect(PrintedDate.parse(text)?.isoText == "2011-12-24" && PrintedDate.isPlain(text), "the year comes first")
    }
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

  @Test(
    "a year of two digits is read beside the name of a month, and its century is not guessed",
    arguments: [
      ("12 MAR /MARS 90", 90, 3, 12), ("01 AUG/AOÛT 04", 4, 8, 1), ("12 MAR 90", 90, 3, 12),
      ("22 AUG IAOÛT 50", 50, 8, 22),
    ])
  func shortYears(text: String, year: Int, month: Int, day: Int) {
    #expect(PrintedDate.short(text) == PrintedDate.Short(yearOfCentury: year, month: month, day: day))
    #expect(PrintedDate.parse(text) == nil && !PrintedDate.isPlain(text))
  }

  @Test(
    "what is no such date",
    arguments: [
      "12.03.90", "12 03 90", "12 MAR 1990", "12 MAR", "MAR 90", "12 MAR 9", "12 MAR 19 90", "12 MAR I I 90", "",
    ])
  func noShortYears(text: String) { #expect(PrintedDate.short(text) == nil) }

  @Test("the calendar of the century counts")
  func shortLeapYear() throws {
    let leap = try #require(PrintedDate.short("29 FEB 00"))
    #expect(leap.date(inCenturyOf: 1999) == nil && leap.date(inCenturyOf: 2026)?.isoText == "2000-02-29")
  }

  @Test(
    "a date stands beside its place, and nothing that has a digit is left out",
    arguments: [
      (["ROMA", "(RM)", "14.03.1990"], "1990-03-14"), (["14.03.1990", "BERLIN"], "1990-03-14"),
      (["14", "MAR", "1990", "LYON"], "1990-03-14"), (["3.", "14.03.1990"], nil), (["14.03.1990", "75", "PARIS"], nil),
      (["BERLIN"], nil),
    ] as [([String], String?)])
  func place(words: [String], date: String?) {
    let seen = words.enumerated().map { at, text in
      OCRWord(text: text, confidence: 0.999, region: Region(x: 100 + at * 200, y: 50, width: 180, height: 24))
    }
    #expect(VisualZoneReader.value(of: .birthDate, in: seen)?.text == date)
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
    let longest = "A123456789012345678901234"
    #expect(FieldText.reading(.documentNumber, [longest]) == longest)
    #expect(FieldText.reading(.documentNumber, ["A12345678-9012", "345678901234"]) == "A12345678-9012345678901234")
    for field in [VisualZone.Field.documentNumber, .personalNumber] {
      #expect(FieldText.reading(field, [longest, "5"]) == nil)
      #expect(FieldText.reading(field, ["N95W120876", "DU", "DOCUMENT", "DOCUMENT", "NO"]) == nil)
    }
    #expect(FieldText.reading(.surname, ["|", "O'BRIEN-SMITH", "~"]) == "O'BRIEN-SMITH")
    #expect(FieldText.reading(.surname, ["--"]) == nil)
    #expect(FieldText.reading(.sex, ["M"]) == "M")
    #expect(FieldText.reading(.sex, ["Q"]) == nil)
    #expect(FieldText.reading(.sex, ["F."]) == "F")
    for word in ["V/F", "Ž/F", "K/F", "F/F"] { #expect(FieldText.reading(.sex, [word]) == "F") }
    for word in ["F/Ž", "V/", "/F", "VR/F", "V/FR", "1/F"] { #expect(FieldText.reading(.sex, [word]) == nil) }
    // What a caption says too is taken, and never with certainty.
    for (word, isPlain) in [("V/F", true), ("M/M", true), ("M/F", false), ("F/M", false)] {
      #expect(FieldText.isPlain(.sex, [word]) == isPlain)
    }
    for word in ["FR", "MM", "F1", "FRA"] { #expect(FieldText.reading(.sex, [word]) == nil) }
    #expect(FieldText.reading(.nationality, ["CANADIAN/CANADIENNE"]) == "CANADIAN CANADIENNE")
    #expect(FieldText.reading(.nationality, ["British", "Citizen"]) == "BRITISH CITIZEN")
  }

  @Test(
    "the letter of sex is the one behind the stroke, wherever the spaces are: before it is another language's",
    arguments: [
      (["F", "/", "M"], "M", false), (["F", "/M"], "M", false), (["F/", "M"], "M", false),
      (["M", "/", "F"], "F", false), (["E", "/", "M"], "M", true), (["K", "/", "F"], "F", true),
      (["V", "/", "F"], "F", true), (["FÉRFI/M"], "M", true), (["NŐ", "/", "F"], "F", true), (["F", "F"], "F", true),
      (["V/E"], "F", false), (["K", "/", "E"], nil, false),
      (["M", "/"], nil, false), (["F", "M"], nil, false), (["E"], "F", false), (["M", "175", "cm"], "M", true),
    ] as [([String], String?, Bool)])
  func sexInTwoLanguages(words: [String], sex: String?, isPlain: Bool) {
    #expect(FieldText.reading(.sex, words) == sex)
    if sex != nil { #expect(FieldText.isPlain(.sex, words) == isPlain) }
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

  @Test("the dates of a licence's column are certain, though their order alone makes none certain")
  func certainColumn() {
    let words = [
      word("20.10.1968", 650, 409), word("BERLIN", 780, 409), word("10.03.2020", 650, 490),
      word("09.03.2030", 650, 573),
    ].map { OCRWord(text: $0.text, confidence: 0.999, region: $0.region) }
    let zone = PageText.read(
      .ofProgram("iso-18013-licence"), from: VisualZoneReader(words: words), readsWorn: true)
    #expect(zone.texts == ["birth_date": "1968-10-20", "issue_date": "2020-03-10", "expiry_date": "2030-03-09"])
    #expect(zone.values.values.allSatisfy { $0.confidence >= PrintedPerson.certainMin })
  }

  @Test("the column of a licence reads its dates in the template's order")
  func columnOrder() {
    let words = [
      word("02/11/1968", 650, 409), word("03/10/2020", 650, 490), word("03/09/2030", 650, 573),
      word("A68190890", 650, 650),
    ]
    let lines = VisualZoneReader(words: words).lines
    let monthFirst = LicenceColumn(lines: lines, dates: .monthFirst).read()
    #expect(
      monthFirst.texts.filter { $0.key != "document_number" } == [
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
