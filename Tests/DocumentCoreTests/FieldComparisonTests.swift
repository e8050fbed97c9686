// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@Suite("Fields: pass, review or fail")
struct FieldComparisonTests {
  static let today = CalendarDate("2026-01-01")!

  @Test(
    "birth dates",
    arguments: [
      ([1974, 8, 12], [1974, 8, 12], Verdict.pass), ([1974, 8], [1974, 8, 12], .pass), ([1974], [1974, 8, 12], .pass),
      ([1974, 8, 12], [1974, 12, 8], .review), ([1974, 8, 12], [1974, 8, 13], .fail),
      ([1974, 8], [1974, 9, 12], .fail),
      ([1974, 8, 12], [1975, 8, 12], .fail), ([], [1974, 8, 12], .review), ([], [], .pass),
    ])
  func birthDates(_ a: [Int], _ b: [Int], verdict: Verdict) throws {
    let (x, y) = (try #require(partial(a)), try #require(partial(b)))
    #expect(FieldComparison.birthDate(x, y) == verdict)
    #expect(FieldComparison.birthDate(y, x) == verdict)
  }

  @Test(
    "document numbers",
    arguments: [
      ("AB 12-34", "AB1234", false, Verdict.pass), ("AB1234", "AB1Z34", false, .review),
      ("AB1234", "AB1Z34", true, .fail), ("A81234", "AS1234", false, .review), ("AB1234", "AB1235", false, .fail),
      ("", "", false, .fail), ("AB1234", "AB123", false, .fail), ("A00", "AOO", false, .review),
      ("M9N4Q8S5", "MON4O8S5", false, .review), ("M9N4Q8S5", "MON4O8S7", false, .fail),
    ])
  func documentNumbers(_ a: String, _ b: String, isCovered: Bool, verdict: Verdict) {
    #expect(FieldComparison.documentNumber(a, b, isCoveredByCheckDigit: isCovered) == verdict)
  }

  @Test(
    "expiry dates",
    arguments: [
      ("2032-01-01", "2032-01-01", Verdict.pass), ("2026-01-31", "2026-01-31", .review),
      ("2026-02-01", "2026-02-01", .pass), ("2026-01-01", "2026-01-01", .review), ("2025-12-31", "2025-12-31", .fail),
      ("2032-01-01", "2032-01-02", .fail), ("", "", .pass), ("", "2032-01-01", .fail),
    ])
  func expiries(_ a: String, _ b: String, verdict: Verdict) {
    // No date stands for no expiry.
    let dates = [a, b].map { CalendarDate($0) }
    #expect(FieldComparison.expiry(dates[0], dates[1], today: Self.today) == verdict)
  }

  @Test("sexes, states, personal numbers and addresses")
  func others() {
    #expect(FieldComparison.sex(.female, .female) == .pass)
    #expect(FieldComparison.sex(.female, .unspecified) == .pass)
    #expect(FieldComparison.sex(nil, .male) == .pass)
    #expect(FieldComparison.sex(.female, .male) == .fail)
    #expect(FieldComparison.state("D", "DEU") == .pass)
    #expect(FieldComparison.state("D<<", "DEU") == .pass)
    for (one, other) in [("RKS", "XKX"), ("ROM", "ROU")] { #expect(FieldComparison.state(one, other) == .pass) }
    #expect(FieldComparison.state("FRA", "DEU") == .fail)
    #expect(FieldComparison.personalNumber(nil, "1") == .pass)
    #expect(FieldComparison.personalNumber("1-2", "12") == .pass)
    #expect(FieldComparison.personalNumber("1", "2") == .fail)
    #expect(FieldComparison.address("1 Main St.", "1 MAIN ST") == .pass)
    #expect(FieldComparison.address("1 Main St.", "2 MAIN ST") == .review)
    #expect(Verdict.worst(of: [.pass, .review, .pass]) == .review)
    #expect(Verdict.worst(of: [.review, .fail]) == .fail)
    #expect(Verdict.worst(of: []) == .pass)
  }

  @Test("a printed line of an address is a part of the barcode's, or its street and city in other words")
  func addressLine() throws {
    let licence = try AAMVA.parse(
      "@\n\u{1E}\rANSI 636000100101DL00310200DLDAQD12345678\nDCSSAMPLE\nDACMICHAEL\nDAG2300 WEST BROAD STREET\n"
        + "DAIRICHMOND\nDAJVA\nDAK232690000  \nDCGUSA\r")
    func verdict(_ line: String) -> Verdict { FieldComparison.addressLine(line, of: licence.address) }
    for line in [
      "2300 West Broad Street", "2300 WEST BROAD STREET RICHMOND, VA 23269",
      "2300 WEST BROAD STREET, RICHMOND VIRGINIA",
      "WEST BROAD STREET", "RICHMOND, VA 23269",
    ] { #expect(verdict(line) == .pass, "\(line)") }
    for line in ["2301 WEST BROAD STREET", "17 ELM STREET", "2300 WEST BROAD STREET NORFOLK VA"] {
      #expect(verdict(line) == .review, "\(line)")
    }
    let bare = try AAMVA.parse("@\n\u{1E}\rANSI 636000100101DL00310200DLDAQD12345678\nDCSSAMPLE\nDCGUSA\r")
    #expect(FieldComparison.addressLine("17 ELM STREET", of: bare.address) == .pass)
  }

  @Test(
    "minimum age: an unknown day is the last one of the known period",
    arguments: [
      ([2008, 1, 1], Verdict.pass), ([2008, 1, 2], .fail), ([2008, 1], .fail), ([2007, 12], .pass), ([2008], .fail),
      ([2007], .pass), ([], .review),
    ])
  func ages(_ birth: [Int], verdict: Verdict) throws {
    #expect(FieldComparison.age(try #require(partial(birth)), atLeast: 18, on: Self.today) == verdict)
  }

  @Test(
    "what a state code stands for",
    arguments: [
      ("FRA", StateCode.Kind.state), ("D", .state), ("D<<", .state), ("GBD", .icaoAddition), ("RKS", .icaoAddition),
      ("UNO", .organisation), ("EUE", .organisation), ("XXA", .person), ("ANT", .withdrawn), ("INP", .withdrawn),
      ("XKK", .icaoAddition), ("YUG", .withdrawn), ("UTO", .specimen), ("COU", .unknown), ("", .unknown),
      ("FRANCE", .unknown),
    ])
  func states(code: String, kind: StateCode.Kind) {
    #expect(StateCode.kind(of: code) == kind)
  }

  @Test("the document layer tells of specimens, unknown states and lone composite errors")
  func findings() {
    let card = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<5", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    let specimen = MRZ.parse(lines: card, referenceDate: Self.today)
    #expect(DocumentFinding.findings(in: specimen) == [.specimenState, .onlyCompositeFails])
    let permit = ["IVGBRZU12345673<<<<<<<<<<<<<<<", "6608198F0808088COU<<<<<<<<<<<6", "SAMPLE<<SUSANNA<<<<<<<<<<<<<<<"]
    let unknown = MRZ.parse(lines: permit, referenceDate: Self.today)
    #expect(DocumentFinding.findings(in: unknown) == [.unknownNationality, .unexpectedDocumentCode])
    #expect(DocumentFinding.findings(in: MRZ.parse(lines: [], referenceDate: Self.today)).isEmpty)
  }

  private func partial(_ parts: [Int]) -> PartialDate? {
    PartialDate(
      year: parts.first, month: parts.count > 1 ? parts[1] : nil, day: parts.count > 2 ? parts[2] : nil)
  }
}
