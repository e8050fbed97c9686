// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore
import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: print read line by line")
struct LineReadingTests {
  private static let reader = LineReader(dataPath: nil)
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!

  private func text(of kind: SpecimenKind, seed: UInt64, surname: String, givenNames: String) throws -> [String] {
    try lines(in: frame(of: kind, seed: seed, surname: surname, givenNames: givenNames)).map(\.text)
  }

  private func lines(in frame: Frame) throws -> [PrintLine] {
    try Self.reader.lines(in: frame.derived { cvision_ink(frame.handle, 225, $0) })
  }

  private func frame(of kind: SpecimenKind, seed: UInt64, surname: String, givenNames: String) throws -> Frame {
    var holder = Holder.random(seed: seed, reference: Self.today)
    holder.surname = surname
    holder.givenNames = givenNames
    let drawn = try Specimen.draw(kind, holder: holder, seed: seed, reference: Self.today, degrade: [])
    let frame = try Frame.open(try #require(drawn.images.first).picture.data, limits: ImageLimits()).frame
    return try Page.whole(frame).frame
  }

  private static let hasLatinModel = EvidenceReader.latinModel(EvidenceSettings()) == .usable

  @Test(
    "names keep their diacritics",
    .enabled(if: hasLatinModel, "Debian's package tesseract-ocr-script-latn is missing"),
    arguments: [
      ("Müller", "Søren"), ("Þórsdóttir", "Åsa"), ("Garcia Núñez", "Małgorzata"), ("Žižka", "Zoë"),
    ])
  func diacritics(surname: String, givenNames: String) throws {
    let lines = try text(of: .passport, seed: 3, surname: surname, givenNames: givenNames)
    #expect(lines.contains(surname.uppercased()))
    #expect(lines.contains(givenNames.uppercased()))
    #expect(lines.contains { $0.hasPrefix("Surname") }, "captions are lines of their own")
  }

  @Test(
    "the marks of a name close under a caption are the name's, also where the caption has tails beside them",
    .enabled(if: hasLatinModel, "Debian's package tesseract-ocr-script-latn is missing"))
  func marksUnderTails() throws {
    let drawn = try frame(of: .passport, seed: 3, surname: "Žižka", givenNames: "Zdeněk")
    let lines = try lines(in: drawn)
    let name = try #require(lines.first { $0.text == "ŽIŽKA" }).region
    let caption = try #require(lines.first { $0.text.hasPrefix("Code of issuing") }).region
    var page = try Pictures.Raw(LumaPlane(drawn))
    // Ground instead of the surname's own caption, and there the other one, whose g reaches down between the carons.
    page.lay(page.part(x: 900, y: name.y - 47, width: 350, height: 37), x: name.x - 10, y: name.y - 47)
    let (above, high) = (30, 28)
    let tails = page.part(x: caption.x - 4, y: caption.y - 3, width: caption.width + 8, height: high)
    let under = page.part(x: name.x, y: name.y - above, width: tails.width, height: high)
    let both = zip(tails.bgr, under.bgr).map { min($0, $1) }
    page.lay(Pictures.Raw(width: tails.width, height: high, bgr: both), x: name.x, y: name.y - above)
    let read = try self.lines(in: Pictures.frame(page)).map(\.text)
    #expect(read.contains("ŽIŽKA") && read.filter { $0.hasPrefix("Code of issuing") }.count == 2)
  }

  @Test(
    "the pieces of a pattern do not take the room of print that stands below them",
    .enabled(if: hasLatinModel, "Debian's package tesseract-ocr-script-latn is missing"))
  func belowPattern() throws {
    let drawn = try SpecimenCache.draw(.idCard, seed: 1)
    let picture = try #require(drawn.images.first { $0.side == .front }).picture
    let card = try Pictures.Raw(LumaPlane(Frame.open(picture.data, limits: ImageLimits()).frame))
    let (band, grey) = (320, [UInt8](repeating: 150, count: 9 * 11 * 3))
    let paper = [UInt8](repeating: 255, count: card.width * (card.height + band) * 3)
    var page = Pictures.Raw(width: card.width, height: card.height + band, bgr: paper)
    page.lay(card, x: 0, y: band)
    let piece = Pictures.Raw(width: 9, height: 11, bgr: grey)
    // Three side by side are taken for a line; there are more of them than lines are read.
    for row in 0..<10 {
      for column in 0..<card.width / 46 {
        for next in 0..<3 { page.lay(piece, x: column * 46 + next * 11, y: 10 + row * 30) }
      }
    }
    let frame = try Pictures.frame(page)
    let ink = try frame.derived { cvision_ink(frame.handle, 225, $0) }
    let printed = try #require(drawn.truth.sides.first { $0.side == .front }?.printed["surname"])
    #expect(try Self.reader.lines(in: ink).map(\.text).contains(printed))
  }

  @Test("the look for the model of Latin script finds what the engine is made with")
  func model() throws {
    #expect(try Self.reader.isLatin() == Self.hasLatinModel)
    #expect(LineReader.latinModel(dataPath: "/nonexistent") == .missing)
  }

  @Test("a file that is no line model is told as one that cannot be used, and not as missing")
  func otherModel() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Latin.traineddata")
    var random = SeededGenerator(seed: 101)
    // Tesseract's parts: how many there are, where each begins, and bytes of no network.
    func parts(_ count: Int32, _ bytes: Int) -> Data {
      var data = withUnsafeBytes(of: count.littleEndian) { Data($0) }
      for _ in 0..<24 {
        let offset = Int64(196 + random.next() % UInt64(max(1, bytes)))
        data.append(withUnsafeBytes(of: offset.littleEndian) { Data($0) })
      }
      for _ in 0..<bytes { data.append(UInt8(truncatingIfNeeded: random.next() % 4 == 0 ? random.next() : 0)) }
      return data
    }
    let files = [Data(), Data("no model".utf8), parts(3, 100), parts(24, 0)] + (0..<300).map { _ in parts(24, 600) }
    for data in files {
      try data.write(to: file)
      guard case .unusable(let reason) = LineReader.latinModel(dataPath: folder.path) else {
        Issue.record("\(data.count) bytes were taken for a model, or were not seen")
        continue
      }
      #expect(reason.hasPrefix("Latin.traineddata cannot be used: "))
      #expect(!reason.contains(folder.path))
      let fault = #expect(throws: CVisionFailure.self) { try LineReader(dataPath: folder.path).isLatin() }
      #expect(fault?.reason == reason)
    }
    try FileManager.default.removeItem(at: file)
    #expect(LineReader.latinModel(dataPath: folder.path) == .missing)
  }

  @Test("without ink there is no line")
  func empty() throws {
    let frame = try Frame.open(Pictures.jpeg(Pictures.gradient(1200, 800)), limits: ImageLimits()).frame
    let ink = try frame.derived { cvision_ink(frame.handle, 225, $0) }
    #expect(try Self.reader.lines(in: ink).allSatisfy { $0.words.allSatisfy { $0.confidence < 0.6 } })
  }

  @Test("a folder without Tesseract's data is a failure, not an empty page")
  func missing() throws {
    let frame = try Frame.open(Pictures.jpeg(Pictures.gradient(1200, 800)), limits: ImageLimits()).frame
    #expect(throws: CVisionFailure.self) {
      try LineReader(dataPath: "/nonexistent").lines(in: frame)
    }
  }

  /// As read from a specimen's page: captions in two languages on one line, values below them.
  private static let recorded: [(Int, Int, Int, Int, [String])] = [
    (530, 217, 161, 17, ["Surname", "/", "Nom"]), (532, 246, 187, 29, ["MÜLLER"]),
    (529, 304, 248, 17, ["Given", "names", "/", "Prénoms"]), (530, 334, 164, 33, ["SØREN"]),
    (530, 478, 345, 18, ["Date", "of", "birth", "/", "Date", "de", "naissance"]),
    (1034, 478, 355, 18, ["Date", "of", "issue", "/", "Date", "de", "délivrance"]),
    (531, 509, 239, 29, ["27", "DEC", "1984"]), (1035, 509, 238, 29, ["30", "DEC", "2023"]),
  ]

  private func words(_ lines: [(Int, Int, Int, Int, [String])]) -> [OCRWord] {
    lines.flatMap { x, y, width, height, texts in
      let letters = texts.reduce(0) { $0 + $1.count } + texts.count - 1
      var at = 0
      return texts.map { text in
        defer { at += text.count + 1 }
        return OCRWord(
          text: text, confidence: 0.9,
          region: Region(x: x + width * at / letters, y: y, width: width * text.count / letters, height: height))
      }
    }
  }

  @Test("values stand below their captions, and what is not there is absent")
  func fields() {
    let zone = VisualZoneReader(words: words(Self.recorded)).read(.passport)
    #expect(
      zone.texts == [
        "surname": "MÜLLER", "given_names": "SØREN", "birth_date": "1984-12-27", "issue_date": "2023-12-30",
      ])
  }

  @Test("a caption may be worn in several words, and a value begins under its first, legible or not")
  func wornCaptions() {
    let worn = words([
      (567, 326, 240, 18, ["Cven", "namos", "/", "Prénoms"]), (567, 358, 330, 33, ["GÜNTHER", "PETER"]),
      (1034, 326, 355, 18, ["Date", "df", "birtb", "/", "Deie", "Je", "noscsace"]),
      (1035, 358, 239, 29, ["01.11.2000"]),
      (567, 478, 345, 18, ["Date", "ot", "expiryt"]), (567, 509, 239, 29, ["28.01.2035"]),
      (1034, 478, 355, 18, ["Date", "of", "bissrt"]), (1035, 509, 239, 29, ["30.12.2023"]),
    ])
    #expect(
      VisualZoneReader(words: worn).read(.passport).texts
        == ["given_names": "GÜNTHER PETER", "birth_date": "2000-11-01", "expiry_date": "2035-01-28"])
  }

  @Test("a value begins where its words do, also when the beginning of its caption was not seen")
  func cutCaption() {
    let cut = words([(844, 331, 141, 28, ["Prénoms"]), (590, 374, 557, 62, ["JEAN-LUC", "BENEDICT"])])
    #expect(VisualZoneReader(words: cut).read(.passport).texts == ["given_names": "JEAN-LUC BENEDICT"])
  }

  @Test("captions of one other language are enough")
  func otherLanguages() {
    let german = words([
      (530, 217, 120, 17, ["Familienname"]), (532, 246, 187, 29, ["WEISS"]),
      (529, 304, 90, 17, ["Vornamen"]), (530, 334, 164, 33, ["JÜRGEN"]),
      (530, 478, 130, 18, ["Geburtsdatum"]), (531, 509, 239, 29, ["27.12.1984"]),
    ])
    #expect(
      VisualZoneReader(words: german).read(.passport).texts
        == ["surname": "WEISS", "given_names": "JÜRGEN", "birth_date": "1984-12-27"])
  }
}
