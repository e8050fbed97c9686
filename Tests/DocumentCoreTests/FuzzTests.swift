// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import TestSupport
import Testing

@Suite("DocumentCore: hostile input")
struct FuzzTests {
  static let today = CalendarDate("2026-01-01")!
  private static let zoneAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<<<<<<<<<<")
  private static let anyAlphabet = Array("AZ09<kces«‹≤([{ \t\r\n\u{0}\u{1e}öß\u{308}😀\u{2028}É١-'")

  @Test("random bytes, 0 to 200 lines of any length: every reader answers", arguments: 0..<12)
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      let lines = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        let bytes = (0..<Int.random(in: 0...90, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      readAll(lines)
    }
  }

  @Test("lines of nearly right shape: every reader answers, and what is accepted holds", arguments: 0..<12)
  func nearZones(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 100)
    for _ in 0..<40 {
      let length = [9, 28, 30, 32, 34, 36, 38, 42, 44, 46].randomElement(using: &generator)!
      let alphabet = Bool.random(using: &generator) ? Self.zoneAlphabet : Self.anyAlphabet
      let lines = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        generator.text(of: alphabet, length: length + Int.random(in: -1...1, using: &generator))
      }
      readAll(lines)
    }
  }

  @Test(
    "huge lines, many lines and runs of one character are answered",
    arguments: [
      "<", "K", "«", "0", "A", "\n", " ", "<\n", "DAQ\n", "\u{301}", "O0",
    ])
  func huge(unit: String) {
    // Quadratic work on a million characters would not end in the time of a test run.
    let text = String(repeating: unit, count: 1_000_000)
    _ = MRZ.parse(lines: [text], referenceDate: Self.today)
    _ = MRZ.parse(lines: [text, text], referenceDate: Self.today)
    _ = MRZ.parse(lines: Array(repeating: "<", count: 100_000), referenceDate: Self.today)
    _ = MRZRecognition.repair(ocrText: text, referenceDate: Self.today)
    _ = MRZRecognition.repair(ocrLines: [text, text, text], referenceDate: Self.today)
    _ = MRZRecognition.repair(ocrLines: Array(repeating: unit, count: 100_000), referenceDate: Self.today)
    _ = MRZ.NameField.encode(surname: text, givenNames: text, length: 39)
    _ = StateCode.kind(of: text)
    #expect(throws: AAMVA.Failure.self) { try AAMVA.parse("@\n\u{1e}\rANSI 636000100102" + text) }
  }

  @Test("many windows of hard candidates stay within the bound")
  func hardWindows() {
    let line = "0O1I2Z5S8B0O1I2Z5S8B0O1I2Z5S8B0O1I2Z5S8B<<08"
    let outcome = MRZRecognition.repair(
      ocrLines: Array(repeating: line, count: 5000), referenceDate: Self.today)
    guard case .unreadable = outcome else {
      Issue.record("nothing here is a zone")
      return
    }
  }

  @Test("a licence with any byte changed, cut or doubled is read or refused", arguments: 0..<8)
  func mutatedLicences(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 200)
    for _ in 0..<100 {
      var bytes = Array(AAMVATests.sample.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8.random(in: 0...127, using: &generator), at: index)
        default: bytes.replaceSubrange(index..<min(bytes.count, index + 40), with: [])
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let licence = try? AAMVA.parse(String(decoding: bytes, as: UTF8.self))
      #expect(licence?.elements.isEmpty != true)
    }
  }

  @Test("generated holders are written, read back and survive misreadings that check digits can tell", arguments: 0..<8)
  func holders(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed + 300)
    for _ in 0..<30 {
      let format = MRZ.Format.allCases.randomElement(using: &generator)!
      let record = try holder(format, &generator)
      let lines = try MRZ.lines(of: record)
      let result = MRZ.parse(lines: lines, referenceDate: Self.today)
      #expect(result.valid && result.format == format, "\(lines) \(result.errors)")
      #expect(result.record == record)
      #expect(try MRZ.lines(of: #require(result.record)) == lines)
      // Noughts read as letters in the dates are always mended.
      var seen = lines
      let row = 1
      let dates = format == .td1 ? 0..<7 : format == .frenchID1988 ? 27..<34 : 13..<20
      seen[row] = String(seen[row].enumerated().map { dates.contains($0) && $1 == "0" ? "O" : $1 })
      guard case .accepted(let reading) = MRZRecognition.repair(ocrLines: seen, referenceDate: Self.today) else {
        Issue.record("not read: \(seen)")
        continue
      }
      #expect(reading.lines == lines)
    }
  }

  private func holder(_ format: MRZ.Format, _ generator: inout SeededGenerator) throws -> MRZ.Record {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    func name() -> String { generator.text(of: letters, length: Int.random(in: 2...12, using: &generator)) }
    let isLong = (format == .td1 || format == .td2) && Bool.random(using: &generator)
    let longest = format == .frenchID1988 ? 12 : 9
    let number = generator.text(
      of: letters + Array("0123456789"), length: isLong ? Int.random(in: 10...13, using: &generator) : longest)
    let birth = CalendarDate("1950-01-01")!.adding(days: Int.random(in: 0...25_000, using: &generator))!
    let expiry = Self.today.adding(days: Int.random(in: 0...3650, using: &generator))!
    return try MRZ.Record(
      format: format, documentCode: format == .td3 ? "PP" : format.rawValue.hasPrefix("MRV") ? "V" : "ID",
      issuingState: format == .frenchID1988 ? "FRA" : "UTO", surname: name(), givenNames: name() + " " + name(),
      documentNumber: number, nationality: "UTO", birthDate: PartialDate(birth),
      sex: MRZ.Sex.allCases.randomElement(using: &generator)!,
      expiryDate: Bool.random(using: &generator) ? expiry : nil,
      optionalData1: format == .td3 && Bool.random(using: &generator) ? "AB12" : "")
  }

  private func readAll(_ lines: [String]) {
    let result = MRZ.parse(lines: lines, referenceDate: Self.today)
    #expect(result.valid == result.errors.isEmpty)
    #expect((result.fields == nil) == (result.checkDigits == nil))
    if result.valid, let record = result.record { #expect((try? MRZ.lines(of: record)) == lines) }
    for outcome in [
      MRZRecognition.repair(ocrLines: lines, referenceDate: Self.today),
      MRZRecognition.repair(ocrText: lines.joined(separator: "\n"), referenceDate: Self.today),
    ] {
      switch outcome {
      case .accepted(let reading): #expect(reading.result.allCheckDigitsHold)
      case .unreadable(let reasons): #expect(!reasons.isEmpty)
      }
    }
    _ = try? AAMVA.parse(lines.joined(separator: "\n"))
    for (a, b) in zip(lines, lines.dropFirst()).prefix(10) {
      _ = NameComparison.compare(PersonName(primary: a, secondary: b), PersonName(primary: b, secondary: a))
    }
  }
}

extension SeededGenerator {
  /// Text of characters drawn from an alphabet.
  fileprivate mutating func text(of alphabet: [Character], length: Int) -> String {
    String((0..<length).map { _ in alphabet.randomElement(using: &self)! })
  }
}
