// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: QR codes of documents")
struct DocumentQRTests {
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  private static let region = Region(x: 0, y: 0, width: 10, height: 10)
  private static let printed: [VisualZone.Field: String] = [
    .surname: "RASSENDYLL", .givenNames: "RUDOLF", .documentNumber: "R1234567", .birthDate: "1960-02-04",
    .expiryDate: "2034-12-10",
  ]

  /// The program's template of a card's front with a code, as the file of an operator has it.
  private static func template(_ qr: String) throws -> VisualTemplate {
    let json = """
      {
        "name": "icao-td1-front", "kind": "NATIONAL_ID_FRONT_SIDE", "issuing_states": [], "languages": ["en"],
        "anchors": ["IDENTITY CARD"], "values": "below", "dates": "day-first", "qr": \(qr),
        "fields": [{"field": "surname", "captions": ["SURNAME"]}]
      }
      """
    return try TemplateFile.read(Data(json.utf8), file: "mine.json")
  }

  private static func fault(_ qr: String) -> String? {
    do {
      _ = try template(qr)
      return nil
    } catch { return (error as? TemplateFault)?.reason }
  }

  @Test("a template tells parts by their number or by their key; what is missing or no value of a field is left out")
  func values() throws {
    let rule = try #require(
      try Self.template(
        """
        {"separator": "|", "fields": [
          {"field": "document_number", "part": 2}, {"field": "surname", "key": "SN"},
          {"field": "given_names", "key": "GN"}, {"field": "birth_date", "key": "DOB"},
          {"field": "expiry_date", "part": 6}, {"field": "issue_date", "part": 60}, {"field": "sex", "part": 7}
        ]}
        """
      ).qr)
    let payload = "v1| R1234567 |GN=Rudolf Karl|SN:Rassendyll|DOB=19600204|10.12.2034|unknown"
    #expect(
      rule.values(of: payload, dates: .dayFirst) == [
        .documentNumber: "R1234567", .surname: "RASSENDYLL", .givenNames: "RUDOLF KARL", .birthDate: "1960-02-04",
        .expiryDate: "2034-12-10",
      ])
    #expect(rule.values(of: "", dates: .dayFirst).isEmpty)
    #expect(rule.values(of: "https://example.com/", dates: .dayFirst).isEmpty)
    #expect(rule.values(of: "|12|SNOW=White|DOB=19609999", dates: .dayFirst).isEmpty, "no number, no key, no date")
    #expect(rule.values(of: String(repeating: "|", count: 100_000), dates: .dayFirst).isEmpty)
  }

  @Test("another form of a value, or an address of the web, is no value that differs from print")
  func forms() throws {
    let rule = QRTemplate(
      separator: "|",
      rules: [
        .init(field: .documentNumber, place: .part(1)), .init(field: .surname, place: .part(2)),
        .init(field: .sex, place: .part(3)),
      ])
    #expect(rule.values(of: "https://example.com/verify?id=1234567", dates: .dayFirst).isEmpty)
    #expect(rule.values(of: "R1234567/2|RASSENDYLL<<RUDOLF|M.", dates: .dayFirst).isEmpty)
    #expect(
      rule.values(of: "R-123 4567|O’Brien-Smith|m", dates: .dayFirst)
        == [.documentNumber: "R-1234567", .surname: "O’BRIEN-SMITH", .sex: "M"])
  }

  @Test("whatever a code says: values are of the fields of its template, and each is what its own text gives again")
  func anyPayload() {
    var seeded = SeededGenerator(seed: 37)
    let separators = ["|", ";", "::", "\n", "<"], keys = ["DOB", "N", "ключ", "é"]
    let values = ["1960-02-04", "19600204", "10.12.2034", "99999999", "R1234567", "ŁUKASZ", "M"]
    let marks = ["=", ":", " ", "é", "e\u{301}", "👨‍👩‍👧", "\u{0}", "\u{202E}", "٣", "<<", "/", "\r\n", ""]
    let pieces = separators + keys + values + marks
    for _ in 0..<4000 {
      let fields = VisualZone.Field.allCases.shuffled(using: &seeded).prefix(Int.random(in: 1...11, using: &seeded))
      let rule = QRTemplate(
        separator: separators.randomElement(using: &seeded)!,
        rules: fields.map { field in
          let place: QRTemplate.Place =
            Bool.random(using: &seeded)
            ? .part(Int.random(in: 1...QRTemplate.partMax, using: &seeded))
            : .key(keys.randomElement(using: &seeded)!)
          return .init(field: field, place: place)
        })
      let count = Int.random(in: 0...90, using: &seeded)
      let payload = (0..<count).map { _ in pieces.randomElement(using: &seeded)! }.joined()
      for (field, value) in rule.values(of: payload, dates: .dayFirst) {
        #expect(fields.contains(field) && !value.isEmpty)
        #expect(
          FieldText.reading(field, value.split(separator: " ").map(String.init), .dayFirst) == value,
          "\(field) \(value.debugDescription) of \(payload.debugDescription)")
      }
    }
  }

  @Test("parts that a code was made of are found in it, by number and by key, whatever their order")
  func madeOfParts() {
    var seeded = SeededGenerator(seed: 38)
    for _ in 0..<500 {
      let fields = Array(Self.printed).shuffled(using: &seeded)
      var (parts, rules): ([String], [QRTemplate.Rule]) = ([], [])
      for (field, value) in fields {
        for number in 0..<Int.random(in: 0...3, using: &seeded) { parts.append("x\(number)") }
        let isKeyed = Bool.random(using: &seeded)
        parts.append(isKeyed ? "\(field.rawValue)=\(value)" : " \(value) ")
        rules.append(.init(field: field, place: isKeyed ? .key(field.rawValue) : .part(parts.count)))
      }
      let rule = QRTemplate(separator: "|", rules: rules)
      #expect(rule.values(of: parts.joined(separator: "|"), dates: .dayFirst) == Self.printed)
    }
  }

  @Test("a code beside the document is not the document's")
  func beside() throws {
    let picture = try Pictures.frame(Pictures.gradient(1000, 700))
    let outline = Quad(corners: [(100, 100), (800, 120), (790, 600), (110, 580)])
    func code(_ x: Double, _ y: Double) -> Quad {
      Quad(corners: [(x, y), (x + 80, y), (x + 80, y + 80), (x, y + 80)])
    }
    let page = Page(frame: picture, outline: outline)
    for (x, y) in [(120.0, 130.0), (700, 500), (400, 300)] { #expect(page.holds(code(x, y))) }
    for (x, y) in [(5.0, 5.0), (850, 300), (400, 610)] { #expect(!page.holds(code(x, y))) }
    #expect(Page(frame: picture, outline: nil).holds(code(5, 5)))
  }

  @Test("a code that is described wrongly is told by its place")
  func faults() {
    #expect(Self.fault("7") == "qr is no object")
    #expect(Self.fault(#"{"separator": "", "fields": []}"#) == "qr.separator has 1 to 4 characters")
    #expect(Self.fault(#"{"separator": "|", "fields": []}"#) == "qr.fields is a list of 1 to 11")
    #expect(Self.fault(#"{"separator": "|", "fields": [{"field": "sex"}]}"#) == "qr.fields[0] has either part or key")
    #expect(
      Self.fault(#"{"separator": "|", "fields": [{"field": "sex", "part": 0}]}"#)
        == "qr.fields[0].part is a number of 1 to 64")
    #expect(
      Self.fault(#"{"separator": "|", "fields": [{"field": "sex", "part": 1}, {"field": "sex", "part": 2}]}"#)
        == "qr.fields[1]: sex is there twice")
    #expect(
      Self.fault(#"{"separator": "|", "fields": [{"field": "sex", "at": 1}]}"#)
        == "qr.fields[0].at is no member of a template")
  }

  private static func reading(_ code: [VisualZone.Field: String], confidence: Double = 0.95) -> DocumentReading {
    var reading = DocumentReading(
      expected: .nationalIDFront, detected: .nationalIDFront,
      page: .init(width: 1600, height: 1009, outlined: true, corners: []), mrz: nil,
      visualZone: VisualZone(
        values: printed.mapValues { .init(text: $0, confidence: confidence, region: region) }), barcode: nil,
      qr: QRReading(payload: "code", region: region, values: code), portrait: nil,
      faces: FaceReport(faces: [], detector: "haar"),
      quality: ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: nil)
    reading.checks = DocumentChecks(today: today).checks(of: reading)
    return reading
  }

  @Test("a code that says what is printed passes; of another number it fails, where print is certain, and names it")
  func compared() {
    func check(_ code: [VisualZone.Field: String], confidence: Double = 0.95) -> EvidenceCheck? {
      Self.reading(code, confidence: confidence).check(.qrConsistency)
    }
    #expect(check(Self.printed)?.result == .pass)
    #expect(check([.documentNumber: "R1234567"])?.result == .pass, "only what the code has is compared")
    #expect(check([:])?.result == .pass)
    #expect(check([.surname: "HENTZAU"])?.result == .pass, "half of a name is not compared")
    let other = Self.printed.merging([.documentNumber: "X7654321"]) { $1 }
    #expect(check(other) == EvidenceCheck(.qrConsistency, .fail, fields: ["document_number"]))
    #expect(check(other, confidence: 0.6) == EvidenceCheck(.qrConsistency, .review, fields: ["document_number"]))
    let rules = CrossDocumentRules(policy: .init(today: Self.today))
    let outcome = rules.decide(VerificationEvidence(documents: [.nationalIDFront: Self.reading(other)]))
    #expect(outcome.status == .mismatch && outcome.rule(.qrConsistency)?.reasons == ["document_number"])
  }

  @Test("readings with a code are stored and read again, and those of before have none")
  func stored() throws {
    let reading = Self.reading(Self.printed)
    let json = try JSONEncoder().encode(reading)
    #expect(try JSONDecoder().decode(DocumentReading.self, from: json) == reading)
    var members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    members["qr"] = nil
    let old = try JSONSerialization.data(withJSONObject: members)
    #expect(try JSONDecoder().decode(DocumentReading.self, from: old).qr == nil)
  }

  @Test("the code of a drawn card is found in its picture, where its template asks for one")
  func picture() async throws {
    let drawn = try Specimen.draw(.idCard, seed: 11, reference: Self.today, degrade: [])
    let payload = "RUR|R1234567|19600204"
    let front = try LumaPlane(Frame.open(try #require(drawn.images.first).picture.data, limits: ImageLimits()).frame)
    var small = ImageLimits()
    small.shortSideMin = 21
    let code = try LumaPlane(Frame.open(try QRCode.png(payload, module: 4), limits: small).frame)
    var raw = Pictures.Raw(front)
    raw.lay(Pictures.Raw(code), x: 1100, y: 700)
    let fields = #"[{"field": "document_number", "part": 2}, {"field": "birth_date", "part": 3}]"#
    let member = try JSONSerialization.jsonObject(with: Data("{\"separator\": \"|\", \"fields\": \(fields)}".utf8))
    let folder = try TestFolder()
    let ours = try JSONSerialization.jsonObject(with: Data(PackageResources.icao_td1_front_json))
    let plain = try #require(ours as? [String: Any])
    let mine = try JSONSerialization.data(withJSONObject: plain.merging(["qr": member]) { $1 })
    try mine.write(to: URL(fileURLWithPath: folder.path + "/card.json"))
    var settings = EvidenceSettings()
    let picture = try Pictures.jpeg(raw)
    let without = try EvidenceReader(settings: settings).readNow(picture, as: .nationalIDFront, on: Self.today)
    #expect(without.reading.qr == nil)
    settings.templates = try DocumentTemplates(folder: folder.path)
    let read = try EvidenceReader(settings: settings).readNow(picture, as: .nationalIDFront, on: Self.today)
    #expect(read.reading.qr?.payload == payload)
    #expect(read.reading.qr?.values == [.documentNumber: "R1234567", .birthDate: "1960-02-04"])
    #expect(read.reading.check(.qrConsistency)?.result != .pass, "the card is another person's")
  }
}
