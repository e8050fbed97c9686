// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

extension VisualTemplate {
  /// The program's template of a passport's data page.
  static var passport: VisualTemplate { ofProgram("icao-passport") }

  static func ofProgram(_ name: String) -> VisualTemplate {
    guard let template = DocumentTemplates.ofProgram[name] else { preconditionFailure("the program has \(name)") }
    return template
  }
}

@Suite("Evidence: document templates")
struct TemplateTests {
  private static let mine = """
    {
      "name": "ruritania-card", "kind": "NATIONAL_ID_FRONT_SIDE", "issuing_states": ["RUR"], "languages": ["de"],
      "anchors": ["KENNKARTE"], "values": "right", "dates": "day-first",
      "fields": [
        {"field": "surname", "captions": ["ZUNAME"]},
        {"field": "given_names", "captions": ["RUFNAME"]},
        {"field": "document_number", "captions": ["KENNZAHL"], "values": "below"},
        {"field": "birth_date", "captions": ["GEBOREN AM"]}
      ]
    }
    """

  private func read(_ json: String) throws -> VisualTemplate {
    try TemplateFile.read(Data(json.utf8), file: "mine.json")
  }

  private func reason(_ json: String) -> String? {
    do {
      _ = try read(json)
      return nil
    } catch { return (error as? TemplateFault)?.reason }
  }

  private func word(_ text: String, _ x: Int, _ y: Int, height: Int = 24) -> OCRWord {
    OCRWord(text: text, confidence: 0.9, region: Region(x: x, y: y, width: text.count * 16, height: height))
  }

  @Test("the program has a passport, a card's front, and licences after ISO and after AAMVA")
  func ofProgram() {
    let all = DocumentTemplates.ofProgram.all
    #expect(all.map(\.name) == ["icao-passport", "icao-td1-front", "iso-18013-licence", "aamva-licence"])
    #expect(all.map(\.kind) == [.passport, .nationalIDFront, .drivingLicence, .drivingLicence])
    for template in all {
      #expect(template.required == [.surname, .givenNames, .documentNumber, .birthDate, .expiryDate])
    }
  }

  @Test("a file in a folder is enough to read another document: no code knows it")
  func added() throws {
    let folder = try TestFolder()
    try Data(Self.mine.utf8).write(to: URL(fileURLWithPath: folder.path + "/card.json"))
    try Data("not a template".utf8).write(to: URL(fileURLWithPath: folder.path + "/README.md"))
    let templates = try DocumentTemplates(folder: folder.path)
    #expect(templates.all.map(\.name) == ["ruritania-card"] + DocumentTemplates.ofProgram.all.map(\.name))
    let page = VisualZoneReader(words: [
      word("KENNKARTE", 600, 30), word("Zuname", 500, 120), word("RASSENDYLL", 640, 120), word("Rufname", 500, 170),
      word("RUDOLF", 640, 170), word("Geboren", 500, 220), word("am", 625, 220), word("04.02.1960", 690, 220),
      word("Kennzahl", 500, 270), word("R1234567", 500, 300),
    ])
    let template = try #require(page.template(among: templates.all))
    #expect(template.name == "ruritania-card")
    #expect(
      page.read(template).texts == [
        "surname": "RASSENDYLL", "given_names": "RUDOLF", "birth_date": "1960-02-04", "document_number": "R1234567",
      ])
    #expect(page.template(among: DocumentTemplates.ofProgram.all) == nil)
  }

  @Test("a page in the shape of a card is none of a passport, whose captions are the same; any shape may be a card's")
  func shapes() throws {
    func page(_ width: Int, _ height: Int, outlined: Bool = true) throws -> Page {
      let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 6.0), (0.0, 6.0)].map { (x: $0.0, y: $0.1) }
      return Page(
        frame: try Pictures.frame(Pictures.gradient(width, height)), outline: outlined ? Quad(corners: corners) : nil)
    }
    let card = try page(159, 100), booklet = try page(142, 100)
    #expect(card.mayBe(.nationalIDFront) && card.mayBe(.drivingLicence) && !card.mayBe(.passport))
    #expect(booklet.mayBe(.nationalIDFront) && booklet.mayBe(.passport))
    #expect(try page(159, 100, outlined: false).mayBe(.passport), "the shape of a whole picture says nothing")
    let words = VisualZoneReader(words: [
      word("Surname", 500, 100), word("Sex", 500, 170), word("Nationality", 500, 240), word("Personal", 500, 310),
      word("No", 640, 310),
    ])
    let all = DocumentTemplates.ofProgram.all
    #expect(words.template(among: all)?.kind == .passport)
    #expect(words.template(among: card.likeliestFirst(all))?.kind == .nationalIDFront)
    // Without an outline the shape says nothing: then that it has no zone, unless it should be a passport's.
    let whole = try page(142, 100, outlined: false)
    func kind(_ expected: DocumentKind?, hasZone: Bool) -> DocumentKind? {
      words.template(among: whole.likeliestFirst(all, expected: expected, hasZone: hasZone))?.kind
    }
    #expect(kind(nil, hasZone: false) == .nationalIDFront)
    #expect(kind(.passport, hasZone: false) == .passport)
    #expect(kind(nil, hasZone: true) == .passport)
    #expect(kind(.nationalIDFront, hasZone: true) == .nationalIDFront)
  }

  @Test("the same caption in another language is no part of the value that a tilted line brings it to")
  func otherLanguage() {
    let page = VisualZoneReader(words: [
      word("Passport", 500, 100, height: 16), word("No", 640, 102, height: 16), word("LZ500177", 500, 122),
      word("Passeport", 650, 116, height: 16), word("No", 810, 118, height: 16),
      word("Surname", 500, 170, height: 16), word("YEBOAH", 500, 192), word("Nom", 620, 186, height: 16),
      // A name may be a caption's word: it is as high as the other names.
      word("Given", 500, 240, height: 16), word("names", 590, 240, height: 16), word("NOM", 500, 262),
      word("PRENOM", 560, 262),
    ])
    #expect(
      page.read(.passport).texts == [
        "document_number": "LZ500177", "surname": "YEBOAH", "given_names": "NOM PRENOM",
      ])
  }

  @Test(
    "captions of other languages are known, whatever marks they have",
    arguments: [
      ("ACHTERNAAM", "surname"), ("Fødselsdato", "birth_date"), ("Datum rođenja", "birth_date"), ("Płeć", "sex"),
    ])
  func languages(caption: String, field: String) throws {
    let words = caption.split(separator: " ").enumerated().map { word(String($1), 500 + $0 * 100, 100, height: 16) }
    #expect(VisualZoneReader(words: words).anchors(.passport).map(\.key.rawValue) == [field])
  }

  @Test("no caption of the program's templates is taken for that of another field, not even with slips")
  func apart() {
    for template in DocumentTemplates.ofProgram.all {
      for rule in template.rules {
        for caption in rule.captions {
          let words = caption.enumerated().map { word($0.element, 300 + $0.offset * 100, 100, height: 16) }
          let others = VisualZoneReader(words: words).anchors(template).keys.filter { $0 != rule.field }
          #expect(others.isEmpty, "\(template.name): \(caption)")
        }
      }
    }
  }

  @Test("a file with the name of one of the program's takes its place, and a state has its own and the general ones")
  func replaced() throws {
    let folder = try TestFolder()
    let own = Self.mine.replacing("ruritania-card", with: "icao-td1-front")
    try Data(own.utf8).write(to: URL(fileURLWithPath: folder.path + "/a.json"))
    let templates = try DocumentTemplates(folder: folder.path)
    #expect(templates.all.count == DocumentTemplates.ofProgram.all.count)
    #expect(templates["icao-td1-front"]?.anchors == [["KENNKARTE"]])
    #expect(templates.of(state: "RUR").map(\.name).contains("icao-td1-front"))
    #expect(!templates.of(state: "UTO").map(\.name).contains("icao-td1-front"))
    #expect(!templates.of(state: "UTO").map(\.name).contains("aamva-licence"))
    #expect(templates.of(state: nil) == templates.all)
  }

  @Test(
    "a wrong file is refused with the place of the fault",
    arguments: [
      ("\"kind\"", "\"sort\"", "sort is no member of a template"),
      ("NATIONAL_ID_FRONT_SIDE", "NATIONAL_ID_BACK_SIDE", "kind NATIONAL_ID_BACK_SIDE has no print that is read"),
      ("NATIONAL_ID_FRONT_SIDE", "CARD", "kind is one of PASSPORT"),
      ("ruritania-card", "Ruritania", "name is lower-case letters"),
      ("\"given_names\"", "\"surname\"", "fields[1]: surname is there twice"),
      ("\"given_names\"", "\"forename\"", "fields[1].field is one of surname"),
      ("\"RUFNAME\"", "\"Rufname\"", "fields[1].captions[0] is not right"),
      ("\"RUFNAME\"", "\"RUF  NAME\"", "fields[1].captions[0] is not right"),
      ("\"RUFNAME\"", "\"A B C D E F G\"", "fields[1].captions[0] is not right"),
      ("\"RUFNAME\"", "\"ABCDEFGHIJKLMNOPQRSTUVWXY\"", "fields[1].captions[0] is not right"),
      ("\"RUFNAME\"", "\"RUF #\"", "fields[1].captions[0] is not right"),
      ("[\"RUFNAME\"]", "[]", "fields[1].captions is a list of 1 to 60 texts"),
      ("[\"RUFNAME\"]", "\"RUFNAME\"", "fields[1].captions is a list of 1 to 60 texts"),
      ("\"below\"", "\"above\"", "fields[2].values is one of below, right, right-or-below"),
      ("\"day-first\"", "1", "dates is missing, or no text"),
      ("\"de\"", "\"german\"", "languages[0] is not right"),
      ("\"dates\"", "\"numbered_column\": 1, \"dates\"", "numbered_column is true or false"),
      ("\"dates\"", "\"bare_number\": \"yes\", \"dates\"", "bare_number is true or false"),
      ("{\n", "[{\n", "it is no JSON object"),
    ])
  func faults(part: String, replacement: String, reason expected: String) throws {
    let at = try #require(Self.mine.firstRange(of: part))
    var json = Self.mine
    json.replaceSubrange(at, with: replacement)
    let found = try #require(reason(json))
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test("a folder that is not there, and two files of one name, are refused")
  func folders() throws {
    #expect(throws: TemplateFault.self) { try DocumentTemplates(folder: "/nowhere/at/all") }
    let folder = try TestFolder()
    for name in ["a", "b"] {
      try Data(Self.mine.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name).json"))
    }
    let fault = #expect(throws: TemplateFault.self) { try DocumentTemplates(folder: folder.path) }
    #expect(fault?.file == "b.json")
    #expect(fault?.reason == "another file has the name ruritania-card too")
  }

  @Test("whatever a file holds, it is a template or a fault")
  func property() {
    var random = SeededGenerator(seed: 26)
    let file = Array(Self.mine.utf8)
    var refused = 0
    for _ in 0..<2000 {
      var bytes = file
      for _ in 0...Int(random.next() % 3) {
        let at = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: at)
        default: bytes.insert(bytes[Int(random.next() % UInt64(bytes.count))], at: at)
        }
      }
      do {
        let template = try TemplateFile.read(Data(bytes), file: "x")
        #expect(!template.rules.isEmpty && !template.anchors.isEmpty)
      } catch {
        #expect(error is TemplateFault)
        refused += 1
      }
    }
    #expect(refused > 500 && refused < 2000)
  }

  @Test("an AAMVA front is read by its numbered elements, month first")
  func aamvaNumbers() throws {
    let page = VisualZoneReader(words: [
      word("DRIVER", 600, 20), word("LICENSE", 720, 20), word("4d", 500, 100, height: 16),
      word("DLN", 540, 100, height: 16), word("T64235789", 620, 98), word("3", 500, 150, height: 16),
      word("DOB", 530, 150, height: 16),
      word("06/05/1986", 620, 148), word("4b", 500, 200, height: 16), word("EXP", 540, 200, height: 16),
      word("12/10/2029", 620, 198), word("4a", 900, 200, height: 16), word("ISS", 940, 200, height: 16),
      word("06/06/2021", 1020, 198), word("1", 500, 250, height: 16), word("SAMPLE", 540, 248),
      word("2", 500, 300, height: 16), word("MICHAEL", 540, 298), word("JOHN", 664, 298),
      word("15", 500, 350, height: 16), word("SEX", 540, 350, height: 16), word("M", 610, 348),
    ])
    let template = try #require(page.template(among: DocumentTemplates.ofProgram.all))
    #expect(template.name == "aamva-licence")
    let read = page.read(template).texts
    #expect(read["document_number"] == "T64235789")
    #expect(read["birth_date"] == "1986-06-05")
    #expect(read["expiry_date"] == "2029-12-10")
    #expect(read["issue_date"] == "2021-06-06")
    #expect(read["surname"] == "SAMPLE")
    #expect(read["given_names"] == "MICHAEL JOHN")
    #expect(read["sex"] == "M")
  }

  @Test("an AAMVA front is read by captions in words too, with values below them")
  func aamvaWords() throws {
    let page = VisualZoneReader(words: [
      word("DRIVER", 600, 20), word("LICENSE", 720, 20),
      word("LICENSE", 500, 100, height: 16), word("NO", 625, 100, height: 16), word("S123456789012", 500, 125),
      word("LAST", 500, 170, height: 16), word("NAME", 575, 170, height: 16), word("SAMPLE", 500, 195),
      word("FIRST", 500, 240, height: 16), word("NAME", 590, 240, height: 16), word("MICHAEL", 500, 265),
      word("DATE", 500, 310, height: 16), word("OF", 575, 310, height: 16), word("BIRTH", 620, 310, height: 16),
      word("12/31/1986", 500, 335), word("EXPIRES", 800, 310, height: 16), word("01/02/2030", 800, 335),
    ])
    let template = try #require(page.template(among: DocumentTemplates.ofProgram.all))
    #expect(template.name == "aamva-licence")
    let read = page.read(template).texts
    #expect(read["document_number"] == "S123456789012")
    #expect(read["surname"] == "SAMPLE" && read["given_names"] == "MICHAEL")
    #expect(read["birth_date"] == "1986-12-31" && read["expiry_date"] == "2030-01-02")
  }

  @Test("the month comes first only where a template says so, and is never guessed")
  func months() {
    #expect(PrintedDate.parse("03/04/1990", .monthFirst)?.isoText == "1990-03-04")
    #expect(PrintedDate.parse("03/04/1990")?.isoText == "1990-04-03")
    #expect(PrintedDate.parse("31/12/1990", .monthFirst) == nil)
    #expect(PrintedDate.parse("1990/12/31", .monthFirst)?.isoText == "1990-12-31")
    #expect(PrintedDate.parse("06061986", .monthFirst)?.isoText == "1986-06-06")
  }
}
