// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@Suite("AAMVA: the barcode of a North American licence")
struct AAMVATests {
  /// The standard's own example (identity-documents §9.3).
  static let sample =
    "@\n\u{1e}\rANSI 636000100102DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
    + "DCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\n"
    + "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\n"
    + "DCK123456789\nDDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r"

  @Test("the sample is read whole")
  func sampleIsRead() throws {
    let licence = try AAMVA.parse(Self.sample)
    expectSample(licence)
    #expect(licence.version == 10)
    #expect(licence.jurisdictionVersion == 1)
    #expect(licence.issuerNumber == "636000")
    #expect(licence.kind == .drivingLicence)
    #expect(licence.sex == .male)
    #expect(licence.elements["ZVA"] == "01")
    #expect(licence.isLimitedDuration)
    #expect(licence.compliance == "F")
    #expect(licence.vehicleClass == "D" && licence.restrictions == "K" && licence.endorsements == "PH")
    #expect(licence.height == "068 in")
  }

  @Test(
    "the mistakes of real cards do not matter",
    arguments: [
      ("\n", "\r\n"), ("ANSI ", "AAMVA"), ("@\n\u{1e}\r", "@\n\r"), ("@\n\u{1e}\r", ""), ("00410278", "99999999"),
      ("\u{1e}", ""), ("DLDAQ", "DLDLDAQ"), ("DLDAQ", "DAQ"), ("DLDAQ", "\nDAQ"), ("DCGUSA\n", ""),
      ("DL00410278ZV03190008", ""), ("\rZVZVA01\r", ""), ("DBB06061986", "DBB19860606"), ("DACMICHAEL", "DAC MICHAEL "),
      ("DCUJR\n", "DCUJR\nDAH\nDAHunavl\nDDHNONE\nDDI00000000\n"),
    ])
  func tolerant(of: String, with: String) throws {
    expectSample(try AAMVA.parse(replacing(of, with, in: Self.sample)))
  }

  @Test(
    "odd payloads are flagged",
    arguments: [
      ("DCF2424244747474786102204\n", "", AAMVA.Flag.documentDiscriminatorMissing),
      ("DAJVA", "DAJNY", .issuerDoesNotMatchState), ("ANSI 636000", "ANSI 999999", .issuerUnknown),
      ("DBD06062019", "DBD06062029", .issuedAfterExpiry), ("DBB06061986", "DBB06062020", .bornAfterIssue),
      ("DBB06061986", "DBB02301986", .dateUnreadable),
    ])
  func flags(of: String, with: String, flag: AAMVA.Flag) throws {
    #expect(try AAMVA.parse(replacing(of, with, in: Self.sample)).flags == [flag])
  }

  @Test("a Canadian card writes the year first")
  func canada() throws {
    let payload =
      "@\n\u{1e}\rANSI 636012080002DL00410278DLDAQA1234-56789\nDCSTREMBLAY\nDACZOE\nDDFT\nDBB20010203\n"
      + "DBA00000000\nDBC2\nDAJON\nDAKK1A 0B1\nDCFX\nDCGCAN\r"
    let licence = try AAMVA.parse(payload)
    #expect(licence.birthDate == CalendarDate(year: 2001, month: 2, day: 3))
    #expect(licence.expiryDate == nil)
    #expect(licence.sex == .female)
    #expect(licence.address.postalCode == "K1A 0B1")
    #expect(licence.personName.possiblyTruncated)
    #expect(licence.flags.isEmpty)
  }

  @Test(
    "the names of versions 1 to 3 are read",
    arguments: [
      (
        "@\n\u{1e}\rAAMVA6360200101DL00390187DLDAQ12-345-6789\nDAASAMPLE,JANE,MARY ANN\nDBB19700102\r", 1, "JANE",
        "MARY ANN" as String?
      ),
      (
        "@\n\u{1e}\rANSI 636020020102DL00390187DLDAQ12-345-6789\nDABSAMPLE\nDCTJANE MARY ANN\nDBB01021970\nDCGUSA\r", 2,
        "JANE", "MARY ANN"
      ),
      (
        "@\n\u{1e}\rANSI 636020030101DL00390187DLDAQ12-345-6789\nDCSSAMPLE\nDCTJANE,MARY,ANN\nDBB01021970\nDCGUSA\r", 3,
        "JANE", "MARY ANN"
      ),
      ("@\n\u{1e}\rANSI 636020030001ID00390187IDDAQ12-345-6789\nDCSSAMPLE\nDCTJANE\nDBB01021970\r", 3, "JANE", nil),
    ])
  func oldNames(payload: String, version: Int, first: String, middle: String?) throws {
    let licence = try AAMVA.parse(payload)
    #expect(licence.version == version)
    #expect(licence.name.family == "SAMPLE")
    #expect(licence.name.first == first)
    #expect(licence.name.middle == middle)
    #expect(licence.birthDate == CalendarDate(year: 1970, month: 1, day: 2))
    #expect(licence.flags == (version < 2 ? [] : [.documentDiscriminatorMissing]))
    #expect(licence.kind == (payload.contains("ID0039") ? .identityCard : .drivingLicence))
  }

  @Test(
    "postal codes lose their filling",
    arguments: [
      ("232690000  ", "23269"), ("232691234", "23269-1234"), ("23269", "23269"), ("23269-1234", "23269-1234"),
      ("23269    ", "23269"), ("v6b 4y8", "V6B 4Y8"),
    ])
  func postalCodes(written: String, read: String) throws {
    let payload = replacing("DAK232690000  ", "DAK" + written, in: Self.sample)
    #expect(try AAMVA.parse(payload).address.postalCode == read)
  }

  @Test(
    "what is no payload is refused",
    arguments: [
      ("", AAMVA.Failure.noHeader), ("hello", .noHeader), ("@\n\u{1e}\rANSI 63600", .noHeader),
      ("@\n\u{1e}\rANSI 636000100102DL00410278", .noElements), (String(repeating: "A", count: 100_000), .tooLong),
    ])
  func refused(payload: String, failure: AAMVA.Failure) {
    #expect(throws: failure) { try AAMVA.parse(payload) }
  }

  private func expectSample(_ licence: AAMVA.Licence) {
    #expect(licence.number == "T64235789")
    #expect(licence.name.family == "SAMPLE")
    #expect(licence.name.first == "MICHAEL")
    #expect(licence.name.middle == "JOHN")
    #expect(licence.name.suffix == "JR")
    #expect(licence.name.familyTruncation == .notTruncated)
    #expect(licence.birthDate == CalendarDate(year: 1986, month: 6, day: 6))
    #expect(licence.issueDate == CalendarDate(year: 2019, month: 6, day: 6))
    #expect(licence.expiryDate == CalendarDate(year: 2024, month: 12, day: 10))
    #expect(licence.address.street == "2300 WEST BROAD STREET")
    #expect(licence.address.street2 == nil)
    #expect(licence.address.city == "RICHMOND")
    #expect(licence.address.state == "VA")
    #expect(licence.address.postalCode == "23269")
    #expect(licence.flags.isEmpty)
  }

  private func replacing(_ old: String, _ new: String, in text: String) -> String {
    // By bytes: a carriage return and a line feed are one Character.
    let (source, pattern) = (Array(text.utf8), Array(old.utf8))
    var result: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index...].starts(with: pattern) {
        result += Array(new.utf8)
        index += pattern.count
      } else {
        result.append(source[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
