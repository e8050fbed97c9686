// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: the digits that make a zone")
struct ZoneDigitTests {
  private func zone(_ lines: [String]) -> MRZReading {
    MRZReading(
      lines: lines, referenceDate: CalendarDate(year: 2026, month: 1, day: 1)!, confidence: 1,
      region: Region(x: 0, y: 0, width: 10, height: 10), source: .pitch)
  }

  private let name = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"

  @Test("one digit that holds makes no zone, two do")
  func digits() {
    #expect(DocumentReader.kind(of: zone([name, "L898902C36UTO7408122F1204159ZE184226B<<<<<10"])) == .passport)
    let two = zone([name, "L898902C36UTO7408122F1204150ZE184226B<<<<<31"])
    #expect(two.isShownByDigits && DocumentReader.kind(of: two) == .passport)
    let one = zone([name, "L898902C37UTO7408122F1204150ZE184226B<<<<<31"])
    #expect(one.result.checkDigits?.all.filter(\.ok).count == 1)
    #expect(!one.isShownByDigits && DocumentReader.kind(of: one) == nil)
  }

  @Test("digits over nothing but fillers make no zone, though they hold")
  func fillers() {
    let empty = zone([name, String(repeating: "<", count: 44)])
    #expect(empty.result.checkDigits?.all.contains(where: \.ok) == true)
    #expect(!empty.isShownByDigits && DocumentReader.kind(of: empty) == nil)
  }

  @Test("a visa is told by two digits, too")
  func visa() {
    func isVisa(_ second: String) -> Bool {
      let mrz = zone(["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", second])
      let reading = DocumentReading(
        expected: .passport, detected: nil, page: .init(width: 1600, height: 1100, outlined: true, corners: []),
        mrz: mrz, visualZone: nil, barcode: nil, portrait: nil, faces: FaceReport(faces: [], detector: "haar"),
        quality: ImageQuality(
          sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
          subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
        checks: [], failure: nil)
      return Readability.failure(of: reading)?.shows == .visa
    }
    #expect(isVisa("L8988901C4XXX4009078F96121096ZE184226B<<<<<<"))
    #expect(!isVisa("L8988901C5XXX4009079F96121096ZE184226B<<<<<<"))
  }
}
