// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@Suite("MRZ recognition: from OCR text to a zone")
struct MRZRecognitionTests {
  static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  static let passport = [
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
  ]
  static let card = [
    "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
  ]

  /// Skipped by name when the specification's folder is absent.
  @Test(
    "ocr_correction_vectors", .enabled(if: Vectors.isPresent, "mrz-vectors.json is not there"),
    arguments: Vectors.file?.corrections ?? [])
  func vectors(_ vector: VectorsFile.Correction) throws {
    let date = try #require(Vectors.file).referenceDate
    let outcomes = [
      MRZRecognition.repair(ocrLines: vector.rawLines, referenceDate: date),
      MRZRecognition.repair(ocrText: vector.rawLines.joined(separator: "\n"), referenceDate: date),
    ]
    for outcome in outcomes { #expect(accepted(outcome)?.lines == vector.expectedLines, "\(outcome)") }
  }

  /// Skipped by name when the specification's folder is absent.
  @Test(
    "a zone whose check digits hold is read as it stands",
    .enabled(if: Vectors.isPresent, "mrz-vectors.json is not there"), arguments: Vectors.file?.zones ?? [])
  func valid(_ vector: VectorsFile.Zone) throws {
    let date = try #require(Vectors.file).referenceDate
    guard MRZ.parse(lines: vector.lines, referenceDate: date).valid else { return }
    let reading = try #require(accepted(MRZRecognition.repair(ocrLines: vector.lines, referenceDate: date)))
    #expect(reading.lines == vector.lines)
    #expect(reading.corrections.isEmpty)
  }

  @Test("a zone amid the page's other text is found")
  func amidText() throws {
    let page = """
      PASSPORT   UTOPIA / UTOPIE  12 AUG 1974
      Place of birth: ZENITH 12345678

      \(Self.passport[0])
      \(Self.passport[1])
      page 2 of 32
      """
    #expect(accepted(MRZRecognition.repair(ocrText: page, referenceDate: Self.today))?.lines == Self.passport)
  }

  @Test(
    "what can be repaired is repaired, and each change told",
    arguments: [
      (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<KKKKKKKK", passport[1]], 8),  // fillers read as letters
      (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<", passport[1]], 2),  // two fillers lost
      (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<", passport[1]], 2),  // two too many
      ([passport[0], "L898902C36UTO7408122F1204159ZE184226B<<<<10"], 1),  // a filler lost within the line
      ([passport[0], "L8989O2C36UTO7408122F1204159ZE184226B<<<<<10"], 1),  // O for 0 in the number
      (["P<UTOERIKSSON≤≤ANNA<MARIA<<<<<<((((<<<<<<<<<", passport[1]], 0),  // look-alikes of fillers
      (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<KKK<KKKK", passport[1]], 7),
      (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<SCEKCE", passport[1]], 6),
      (["P<UTOERIKSSON<<ANNA<MARIAKKKKKKKKKKKKKKKKKKK", passport[1]], 19),
    ])
  func repaired(lines: [String], corrections: Int) throws {
    let outcome = MRZRecognition.repair(ocrLines: lines, referenceDate: Self.today)
    let reading = try #require(accepted(outcome), "\(outcome)")
    #expect(reading.lines == Self.passport)
    #expect(reading.corrections.count == corrections)
  }

  @Test(
    "numbers and optional data are mended where one reading satisfies the check digits",
    arguments: [
      "L898902C36UTO7408122F320415312345678Z<<<<<04", "L8989O2C36UTO7408122F3204153123456782<<<<<04",
      "L8989O2C36UTO7408122F320415312345678Z<<<<<04", "L8989O2C36UTO74O8122F32O4153123456782<<<<<O4",
    ])
  func mended(line: String) {
    let outcome = MRZRecognition.repair(ocrLines: [Self.passport[0], line], referenceDate: Self.today)
    #expect(accepted(outcome)?.lines[1] == "L898902C36UTO7408122F3204153123456782<<<<<04", "\(outcome)")
  }

  @Test(
    "a card is repaired like a passport, data that only the composite covers included",
    arguments: [
      (
        ["1<UT0D2314S8907<<<<<<<<<<<<<<<", "74O8I22F1Z041S9UT0<<<<<<<<<<<6", "ER1K55ON<<ANNA<MAR1A<<<<<<<<<<"],
        ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
      ),
      (
        ["I<SWE59000002<81987O3142391<<<", "8703145M1701027SWE<<<<<<<<<<<8", "SPECIMEN<<SVEN<<<<<<<<<<<<<<<<"],
        ["I<SWE59000002<8198703142391<<<", "8703145M1701027SWE<<<<<<<<<<<8", "SPECIMEN<<SVEN<<<<<<<<<<<<<<<<"]
      ),
      (
        ["IDBEL600001795<0152<<<<<<<<<<<", "1301014F2311207UTO1301O1987398", "SPECIMEN<<SPECIMEN<<<<<<<<<<<<"],
        ["IDBEL600001795<0152<<<<<<<<<<<", "1301014F2311207UTO130101987398", "SPECIMEN<<SPECIMEN<<<<<<<<<<<<"]
      ),
    ])
  func cards(seen: [String], lines: [String]) {
    let outcome = MRZRecognition.repair(ocrLines: seen, referenceDate: Self.today)
    #expect(accepted(outcome)?.lines == lines, "\(outcome)")
  }

  @Test(
    "a line without a filler is one of a zone when it has a format's length",
    arguments: [
      ["IDINDABDULRAHMANALKHATTABIBNABDULLAH", "8FZYMUL7R<RKS2603313F4512189IL48<<<8"],
      ["A<GBRZNSQQ063<31TV908<<<<<<<<<", "6804299M1802164FRA1FD433DD8WZ6", "ABDULRAHMANALKHATTABIBNABDULLA"],
      ["IDRKSY7UDGEFAI50C2UBIGPBCPUEZG", "7412<<6F<<<<<<<USA<<<<<<<<<<<9", "Q<<CHRISTOPHMRJINATHANALEXANDE"],
      ["PPUTO" + String(repeating: "ABC", count: 13), passport[1]],
    ])
  func withoutFillers(lines: [String]) throws {
    let page = ["SURNAME", "GIVEN NAMES AND OTHER PRINTED CAPTIONS ON IT"] + lines
    for seen in [lines, page] {
      let outcome = MRZRecognition.repair(ocrText: seen.joined(separator: "\n"), referenceDate: Self.today)
      let reading = try #require(accepted(outcome), "\(outcome)")
      #expect(reading.lines == lines && reading.corrections.isEmpty)
    }
  }

  @Test("names that end in the letters of misread fillers stay", arguments: ["KEES", "ECKES", "SECKE", "CEES"])
  func names(name: String) throws {
    var lines = Self.passport
    lines[0] = "P<UTO" + String(repeating: "A", count: 39 - 2 - name.count) + "<<" + name
    let reading = try #require(accepted(MRZRecognition.repair(ocrLines: lines, referenceDate: Self.today)))
    #expect(reading.lines == lines)
  }

  @Test(
    "what check digits cannot tell apart is not guessed",
    arguments: [
      // 6/G, 1/L and 8/S count the same: such a reading holds and is left as it is.
      ("L898902C36UTO7408122F1204159ZE184226B<<<<<10", true), ("1898902C36UTO7408122F1204159ZE184226B<<<<<10", true),
      ("L898902C35UTO7408122F1204159ZE184226B<<<<<10", false), ("L898902C36UTO7409122F1204159ZE184226B<<<<<10", false),
      ("L898902C36UTO7408122F1204159ZE184226B<<<<<12", false),
    ])
  func unreadable(line: String, isAccepted: Bool) {
    let outcome = MRZRecognition.repair(ocrLines: [Self.passport[0], line], referenceDate: Self.today)
    if isAccepted {
      #expect(accepted(outcome)?.lines[1] == line)
    } else {
      #expect(accepted(outcome) == nil, "\(outcome)")
    }
  }

  @Test("a check digit that can be mended in several ways is not mended")
  func ambiguous() {
    // Two letters O at places of equal weight: the digit cannot tell which one is a zero.
    let outcome = MRZRecognition.repair(
      ocrLines: [
        "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
        "OA1OA14A<\(digit)UTO7408122F1204159<<<<<<<<<<<<<<<\(composite)",
      ],
      referenceDate: Self.today)
    #expect(outcome == .unreadable([.ambiguousRepair]))
  }

  private let digit = MRZ.checkDigit(of: "0A1OA14A<")!
  private var composite: Int { MRZ.checkDigit(of: "0A1OA14A<\(digit)74081221204159<<<<<<<<<<<<<<<")! }

  @Test(
    "text without a zone is unreadable, and the reason told",
    arguments: [
      ("", MRZRecognition.Reason.noCandidateLines), ("hello world", .noCandidateLines),
      ("P<UTOERIKSSON<<ANNA", .noWindowOfKnownFormat),
      ("I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6", .noWindowOfKnownFormat),
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHI<KLMNOPQ\n\(passport[1])", .lengthNotRepairable),
    ])
  func reasons(text: String, reason: MRZRecognition.Reason) {
    #expect(MRZRecognition.repair(ocrText: text, referenceDate: Self.today) == .unreadable([reason]))
  }

  private func accepted(_ outcome: MRZRecognition.Outcome) -> MRZRecognition.Reading? {
    guard case .accepted(let reading) = outcome else { return nil }
    return reading
  }
}
