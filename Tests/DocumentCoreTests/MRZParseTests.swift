// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Testing

/// Cases of our own, beside the vectors: each rule of identity-documents §1–5 that a vector may or may not show.
@Suite("MRZ: every error, every warning")
struct MRZParseTests {
  static let today = CalendarDate("2026-01-01")!

  /// A zone with some fields of a valid one replaced, and its check digits made right again.
  private func passport(_ change: (inout MRZ.Record) -> Void) throws -> MRZ.Result {
    var record = try #require(
      MRZ.parse(lines: MRZRecognitionTests.passport, referenceDate: Self.today).record)
    change(&record)
    return MRZ.parse(lines: try MRZ.lines(of: record), referenceDate: Self.today)
  }

  @Test(
    "birth dates",
    arguments: [
      ("740812", "1974-08-12", [], []), ("260101", "2026-01-01", [], []), ("260102", "1926-01-02", [], []),
      ("000229", "2000-02-29", [], []), ("010229", nil, [MRZ.ErrorCode.invalidBirthDate], []),
      ("740231", nil, [.invalidBirthDate], []), ("741312", nil, [.invalidBirthDate], []),
      ("740012", nil, [.invalidBirthDate], []), ("740800", nil, [.invalidBirthDate], []),
      ("74<<<<", nil, [], [MRZ.WarningCode.birthDateIncomplete]), ("7408<<", nil, [], [.birthDateIncomplete]),
      ("<<<<<<", nil, [], [.birthDateIncomplete]), ("7413<<", nil, [.invalidBirthDate], []),
      ("7400<<", nil, [.invalidBirthDate], []), ("74<<12", nil, [.invalidBirthDate], []),
      ("<<0812", nil, [.invalidBirthDate], []), ("7<<<<<", nil, [.invalidBirthDate], []),
      ("74081<", nil, [.invalidBirthDate], []), ("74O812", nil, [.invalidBirthDate], []),
      ("740000", nil, [.invalidBirthDate], []),
    ] as [(String, String?, [MRZ.ErrorCode], [MRZ.WarningCode])])
  func birthDates(raw: String, date: String?, errors: [MRZ.ErrorCode], warnings: [MRZ.WarningCode]) throws {
    let result = try passport { $0.birthDate = raw }
    #expect(result.fields?.birthDate?.isoText == date)
    #expect(result.fields?.birthDateRaw == raw)
    #expect(result.errors == errors)
    #expect(result.warnings == warnings)
  }

  @Test(
    "expiry dates",
    arguments: [
      ("760101", "2076-01-01", [], []), ("770101", "1977-01-01", [], []), ("991231", "1999-12-31", [], []),
      ("<<<<<<", nil, [], [MRZ.WarningCode.expiryDateUnspecified]),
      ("3204<<", nil, [MRZ.ErrorCode.invalidExpiryDate], []), ("32<<<<", nil, [.invalidExpiryDate], []),
      ("320431", nil, [.invalidExpiryDate], []), ("320230", nil, [.invalidExpiryDate], []),
      ("320229", nil, [], []),
    ] as [(String, String?, [MRZ.ErrorCode], [MRZ.WarningCode])])
  func expiryDates(raw: String, date: String?, errors: [MRZ.ErrorCode], warnings: [MRZ.WarningCode]) throws {
    let date = raw == "320229" ? "2032-02-29" : date
    let result = try passport { $0.expiryDate = raw }
    #expect(result.fields?.expiryDate?.isoText == date)
    #expect(result.errors == errors)
    #expect(result.warnings == warnings)
  }

  @Test("an expiry that is all fillers may have a filler or 0 as its digit, a birth date only 0")
  func fillerDigits() throws {
    for isFiller in [true, false] {
      let result = try passport {
        $0.expiryDate = "<<<<<<"
        $0.expiryDigitIsFiller = isFiller
      }
      #expect(result.valid)
      #expect(result.checkDigits?.expiryDate == .init(present: isFiller ? "<" : "0", computed: "0", ok: true))
    }
    let birth = MRZ.parse(
      lines: ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX<<<<<<<F96121096ZE184226B<<<<<<"],
      referenceDate: Self.today)
    #expect(birth.errors == [.checkDigitBirthDate])
  }

  @Test(
    "sexes",
    arguments: [
      ("F", "F", [], []), ("M", "M", [], []), ("<", "unspecified", [], []),
      ("X", "unspecified", [], [MRZ.WarningCode.sexXInMRZ]), ("0", "0", [MRZ.ErrorCode.invalidSex], []),
    ] as [(String, String, [MRZ.ErrorCode], [MRZ.WarningCode])])
  func sexes(written: String, read: String, errors: [MRZ.ErrorCode], warnings: [MRZ.WarningCode]) throws {
    let result = try passport { $0.sex = written }
    #expect(result.fields?.sexText == read)
    #expect(result.errors == errors)
    #expect(result.warnings == warnings)
  }

  @Test(
    "state codes are three letters, or one and two fillers",
    arguments: [
      ("UTO", true), ("D", true), ("QQQ", true), ("UT", false), ("", false), ("U1O", false), ("D<1", false),
      ("<UT", false),
    ])
  func states(code: String, isWellFormed: Bool) throws {
    #expect(try passport { $0.issuingState = code }.errors == (isWellFormed ? [] : [.invalidStateCode]))
    #expect(try passport { $0.nationality = code }.errors == (isWellFormed ? [] : [.invalidNationalityCode]))
  }

  @Test(
    "names",
    arguments: [
      ("ERIKSSON<<ANNA", "ERIKSSON", "ANNA", []), ("ERIKSSON", "ERIKSSON", nil, []),
      ("ERIKSSON<<<ANNA", "ERIKSSON", "ANNA", []), ("A<B<<C<D<<E", "A B", "C D E", []),
      ("", nil, nil, [MRZ.ErrorCode.nameEmpty]), ("<<ANNA", nil, "ANNA", [.nameEmpty]),
      ("ERIK5SON<<ANNA", "ERIK5SON", "ANNA", [.nameContainsDigit]),
    ] as [(String, String?, String?, [MRZ.ErrorCode])])
  func names(field: String, surname: String?, givenNames: String?, errors: [MRZ.ErrorCode]) throws {
    let result = try passport { $0.nameField = field }
    #expect(result.fields?.surname == surname)
    #expect(result.fields?.givenNames == givenNames)
    #expect(result.errors == errors)
  }

  @Test(
    "optional data of a passport: filler as digit",
    arguments: [
      ("", true, [], []), ("", false, [], []),
      ("123456782", true, [], [MRZ.WarningCode.fillerUsedForZeroCheckDigit]),
      ("ZE184226B", true, [MRZ.ErrorCode.checkDigitOptionalData], []),
    ] as [(String, Bool, [MRZ.ErrorCode], [MRZ.WarningCode])])
  func optionalData(data: String, isFiller: Bool, errors: [MRZ.ErrorCode], warnings: [MRZ.WarningCode]) throws {
    let result = try passport {
      $0.optionalData1 = data
      $0.optionalDigitIsFiller = isFiller
    }
    #expect(result.errors == errors)
    #expect(result.warnings == warnings)
  }

  @Test(
    "inner fillers of optional data keep their number, and none is kept at the ends",
    arguments: [
      ("AB<12", "AB 12"), ("AB<<12", "AB  12"), ("AB<<<12<3", "AB   12 3"), ("<<AB<<12", "AB  12"), ("AB", "AB"),
    ])
  func innerFillers(data: String, field: String) throws {
    let result = try passport { $0.optionalData1 = data }
    #expect(result.errors == [] && result.fields?.optionalData1 == field)
    #expect(result.record?.optionalData1 == data)
  }

  @Test("inner fillers of both optional data of a card keep their number")
  func innerFillersOfCards() {
    let lines = ["I<UTOD231458907A<<B<C<<<<<<<<<", "7408122F1204159UTOX<<<Y<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    let fields = MRZ.parse(lines: lines, referenceDate: Self.today).fields
    #expect(fields?.optionalData1 == "A  B C" && fields?.optionalData2 == "X   Y")
  }

  @Test(
    "shapes that are no zone of ours",
    arguments: [
      ([], MRZ.ErrorCode.invalidLength), ([""], .invalidLength),
      (["D1FRA12345678901234567890<<<<<"], .unsupportedFormat),
      (["AAA001D<<", "FACHE305142128097<<800126<<<<<", "MARCHAND<<FABIENNE<<<<<<<<<<<<"], .unsupportedFormat),
      (["I<UTOD231458907<<<<<<<<<<<<<<<"], .invalidLength),
      (Array(repeating: "I<UTOD231458907<<<<<<<<<<<<<<<", count: 4), .invalidLength),
      (
        ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<< ", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
        .invalidCharacter
      ),
      (
        ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
        .invalidLength
      ),
    ])
  func shapes(lines: [String], error: MRZ.ErrorCode) {
    let result = MRZ.parse(lines: lines, referenceDate: Self.today)
    #expect(result.errors == [error])
    #expect(result.fields == nil && result.checkDigits == nil)
  }

  @Test(
    "long numbers of TD2, missing digits, and numbers that only look long",
    arguments: [
      ("D23145890<UTO7408122F12041597349<<<", "D23145890734", "9", true),
      ("D23145890<UTO7408122F1204159<<<<<<<", "D23145890", "<", false),
      ("D231458907UTO7408122F12041597349<<<", "D23145890", "7", true),
      ("D23145890<UTO7408122F1204159<7349<<", "D23145890", "<", false),
      ("D23145890<UTO7408122F12041597348<<<", "D23145890734", "8", false),
      ("<<<<<<<<<<UTO7408122F1204159<<<<<<<", nil, "<", false),
    ] as [(String, String?, String, Bool)])
  func longNumbers(line: String, number: String?, present: String, ok: Bool) throws {
    let cover = Array(line)[0..<10] + Array(line)[13..<20] + Array(line)[21..<35]
    let composite = try #require(MRZ.checkDigit(of: String(cover)))
    let result = MRZ.parse(
      lines: ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", line + "\(composite)"], referenceDate: Self.today)
    #expect(result.fields?.documentNumber == number)
    #expect(result.checkDigits?.documentNumber.present == present)
    #expect(result.errors == (ok ? [] : [.checkDigitDocumentNumber]))
  }

  @Test("the French card is told from TD2 with the same beginning")
  func french() throws {
    let card = ["IDFRADOUEL<<<<<<<<<<<<<<<<<<<<932013", "0506932020438CHRISTIANE<<NI2906209F3"]
    let result = MRZ.parse(lines: card, referenceDate: Self.today)
    #expect(result.format == .frenchID1988)
    #expect(result.valid)
    #expect(result.fields?.givenNames == "CHRISTIANE NI")
    #expect(result.warnings == [.namePossiblyTruncated])
    #expect(try MRZ.lines(of: #require(result.record)) == card)
    let other = MRZ.parse(
      lines: ["IDFRABERTHIER<<CORINNE<<<<<<<<<<<<<<", "D231458907FRA7408122F1204159<<<<<<<6"], referenceDate: Self.today
    )
    #expect(other.format == .td2 && other.valid)
  }

  @Test("a record that does not fit is refused by the field's name")
  func refusals() throws {
    let record = try #require(MRZ.parse(lines: MRZRecognitionTests.passport, referenceDate: Self.today).record)
    var long = record
    long.documentNumber = "1234567890"
    #expect(throws: MRZ.EncodingFailure.tooLong(field: "documentNumber")) { try MRZ.lines(of: long) }
    var lower = record
    lower.nameField = "eriksson"
    #expect(throws: MRZ.EncodingFailure.invalidCharacter(field: "name")) { try MRZ.lines(of: lower) }
    var short = record
    short.birthDate = "7408"
    #expect(throws: MRZ.EncodingFailure.malformed(field: "birthDate")) { try MRZ.lines(of: short) }
  }

  @Test("plain text becomes lines, a summary and JSON")
  func text() {
    let lines = MRZ.lines(inText: "\n  \(MRZRecognitionTests.passport[0])\r\n\(MRZRecognitionTests.passport[1]) \n\n")
    #expect(lines == MRZRecognitionTests.passport)
    let result = MRZ.parse(lines: lines, referenceDate: Self.today)
    #expect(MRZ.summary(result).contains("surname          ERIKSSON"))
    #expect(MRZ.json(result).contains("\"format\" : \"TD3\""))
    #expect(throws: MRZVectors.MalformedFile.self) { try MRZVectors.reportJSON(for: .init("{}".utf8)) }
  }
}
