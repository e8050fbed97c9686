// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

/// Values of licences and cards of which small print has hidden or changed the caption.
@Suite("Evidence: print whose captions have run together")
struct PrintCompletionTests {
  private func word(_ text: String, _ x: Int, _ y: Int, _ width: Int? = nil, height: Int = 44) -> OCRWord {
    OCRWord(
      text: text, confidence: 0.999, region: Region(x: x, y: y, width: width ?? text.count * 26, height: height))
  }

  private let licence = VisualTemplate.ofProgram("aamva-licence")
  private let title = [OCRWord](
    ["DRIVER", "LICENSE"].enumerated().map {
      OCRWord(
        text: $0.element, confidence: 0.999, region: Region(x: 800 + $0.offset * 200, y: 115, width: 170, height: 40))
    })

  private func read(_ words: [OCRWord]) -> VisualZone { VisualZoneReader(words: title + words).read(licence) }

  @Test("a word of a caption over a name is not the name, which stands below")
  func captionOverName() {
    let zone = read([
      word("1.", 540, 400, 20, height: 22), word("LAST", 570, 400, 70, height: 22), word("LEE", 545, 440),
      word("2.", 540, 500, 20, height: 22), word("FIRST", 570, 500, 80, height: 22), word("TYRONE", 545, 540),
      word("JAMES", 730, 540),
    ])
    #expect(zone[.surname] == "LEE" && zone[.givenNames] == "TYRONE JAMES")
  }

  @Test("a surname that is a word of captions does not take the given names below it")
  func surnameAsCaption() {
    let zone = read([
      word("1", 540, 400, 20), word("LAST", 575, 400), word("2", 540, 460, 20), word("ANNA", 575, 460),
      word("MARIE", 700, 460),
    ])
    #expect(zone[.surname] == nil && zone[.givenNames] == "ANNA MARIE")
  }

  @Test("what stands without a capital before a name in capitals is its caption misread")
  func misreadCaption() throws {
    let zone = read([
      word("2", 545, 541, 12), word("rrst", 590, 541), word("JENNIFER", 707, 541), word("ANN", 930, 541),
    ])
    let given = try #require(zone.values[.givenNames])
    #expect(given.text == "JENNIFER ANN" && given.confidence <= Certainty.wornCaptionMost)
  }

  @Test("a small word of a name is no caption where a template has numbers alone")
  func smallWordOfName() throws {
    let zone = VisualZoneReader(words: [word("1.", 545, 400, 20), word("de", 590, 400), word("BÚRCA", 660, 400)])
      .read(VisualTemplate.ofProgram("iso-18013-licence"))
    let surname = try #require(zone.values[.surname])
    #expect(surname.text == "DE BÚRCA" && surname.confidence >= PrintedPerson.certainMin)
  }

  @Test("a caption that has run together with its number is known by the shapes of its characters")
  func shapes() throws {
    // Two letters may be it, so that only a caption tells which.
    let other = [word("eves", 800, 300), word("M", 920, 300, 40)]
    #expect(read([word("issex", 545, 660), word("F", 690, 660, 30)] + other)[.sex] == "F")
    #expect(read([word("ısæ×", 545, 660), word("F", 690, 660, 30)] + other)[.sex] == nil)
  }

  @Test("the only letter of a sex behind a caption is the sex, is never certain, and is no class")
  func loneSex() throws {
    let sex = try #require(read([word("assx", 545, 662), word("M", 653, 662, 40)]).values[.sex])
    #expect(sex.text == "M" && sex.confidence <= Certainty.wornCaptionMost)
    #expect(read([word("9ctass", 545, 268), word("M", 720, 268, 40)])[.sex] == nil, "a motorcycle's class")
    for caption in ["9aEND", "END", "12REST", "REST"] {
      #expect(read([word(caption, 545, 268, 150), word("M", 720, 268, 40)])[.sex] == nil, "a motorcycle's endorsement")
    }
    #expect(read([word("M", 653, 662, 40)])[.sex] == nil, "nothing stands before it")
    #expect(read([word("assx", 545, 662), word("M", 900, 662, 40)])[.sex] == nil, "too far from it")
    #expect(read([word("WASHBURN", 545, 662), word("M", 770, 662, 40)])[.sex] == nil, "an initial")
  }

  private let card = VisualTemplate.ofProgram("icao-td1-front")

  @Test("the only letter of a sex at the left edge of a card's values is the sex, and is never certain")
  func loneSexOfCard() throws {
    func sex(_ extra: [OCRWord]) -> VisualZone.Value? {
      VisualZoneReader(
        words: [
          word("IDENTITY", 80, 60, height: 40), word("CARD", 300, 60, height: 40),
          word("SURNAME", 528, 230, height: 20), word("HORVÁTH", 528, 259, height: 36),
        ] + extra
      ).read(card).values[.sex]
    }
    let read = try #require(sex([word("Soa", 528, 395, height: 19), word("F", 530, 420, 24, height: 36)]))
    #expect(read.text == "F" && read.confidence <= Certainty.wornCaptionMost)
    #expect(sex([word("F", 100, 420, 24, height: 36)]) == nil, "it is in no column")
    #expect(sex([word("F", 530, 420, 12, height: 16)]) == nil, "it is as small as a speck")
    #expect(sex([word("F", 530, 420, 24, height: 36), word("M", 530, 500, 30, height: 36)]) == nil, "two may be it")
  }

  @Test("an F whose lowest stroke is print beneath it is read with doubt, and one word of a caption tells a date")
  func blurredPrint() throws {
    let zone = VisualZoneReader(words: [
      word("SEX", 95, 392, height: 21), word("E", 101, 426, 20, height: 34),
      word("Gahoja", 1087, 470, 70, height: 22), word("ùu", 1160, 470, 36, height: 22),
      word("Oato", 1200, 470, 50, height: 22), word("ot", 1255, 470, 14, height: 22),
      word("expiry", 1272, 470, 60, height: 22), word("19", 1090, 500, 50, height: 37),
      word("08", 1154, 500, 50, height: 37), word("2035", 1223, 500, 90, height: 37),
    ]).read(card)
    #expect(zone[.expiryDate] == "2035-08-19")
    let sex = try #require(zone.values[.sex])
    #expect(sex.text == "F" && sex.confidence <= Certainty.cleanedMost)
  }

  @Test("the number of a licence's discriminator is not the licence's", arguments: ["DD", "5DD", "50D", "oD"])
  func discriminator(caption: String) {
    let date = [word("4a", 545, 700, 30), word("11/23/2025", 640, 700)]
    #expect(read(date + [word(caption, 545, 760, 60), word("097289160", 640, 760)])[.documentNumber] == nil)
    #expect(read(date + [word("no", 545, 760, 60), word("097289160", 640, 760)])[.documentNumber] == "097289160")
  }

  @Test("the surname is the line over the given names where its caption is lost, and is never certain")
  func surnameOverGivenNames() throws {
    let given = [
      word("FIRST", 570, 517, 78, height: 22), word("NAME", 660, 517, 65, height: 22), word("ROBERT", 547, 550),
    ]
    let zone = read([word("LLN", 544, 419, 50, height: 22), word("LEE", 547, 453)] + given)
    #expect(zone[.givenNames] == "ROBERT" && zone[.surname] == "LEE")
    #expect(try #require(zone.values[.surname]).confidence <= Certainty.wornCaptionMost)
    #expect(read([word("LEE", 547, 380)] + given)[.surname] == nil, "a line may be missing between")
    #expect(read([word("LEE", 900, 453)] + given)[.surname] == nil, "it is another column")
    #expect(read([word("LEE", 547, 453, height: 80)] + given)[.surname] == nil, "a title is higher")
  }

  @Test("a date of issue or birth that is still to come is that of expiry, with doubt, and never both")
  func futureDates() throws {
    func read(_ dates: [VisualZone.Field: String]) -> VisualZone {
      VisualZone(
        values: dates.mapValues {
          .init(text: $0, confidence: 0.96, region: Region(x: 0, y: 0, width: 100, height: 30))
        }
      ).withoutFutureDates(after: CalendarDate(year: 2026, month: 11, day: 29)!)
    }
    let moved = read([.issueDate: "2034-02-16"])
    #expect(moved.texts == ["expiry_date": "2034-02-16"])
    #expect(try #require(moved.values[.expiryDate]).confidence <= Certainty.wornCaptionMost)
    let right = read([.birthDate: "1990-02-16", .issueDate: "2026-11-29", .expiryDate: "2036-11-29"])
    #expect(right.texts.count == 3 && right.values.values.allSatisfy { $0.confidence == 0.96 })
    #expect(read([.birthDate: "2036-11-29", .expiryDate: "2035-11-29"]).texts == ["expiry_date": "2035-11-29"])
  }

  /// A Slovak card on a screen: the mark of `Á` touches the caption, was cut off with it, and `A` was read with 0.96.
  @Test("a name under print that is so close that a mark would be cut off is not certain")
  func closeCaption() throws {
    func surname(captionAt y: Int) throws -> VisualZone.Value {
      try #require(
        VisualZoneReader(words: [
          word("Priezvisko", 95, y, 118, height: 26), word("Surname", 230, y, 110, height: 26),
          word("ĽUPTAK", 98, 254, 221, height: 40),
        ]).read(VisualTemplate.ofProgram("icao-td1-front")).values[.surname])
    }
    #expect(try surname(captionAt: 225).confidence == Certainty.lookAlikeMost)
    #expect(try surname(captionAt: 212).confidence >= PrintedPerson.certainMin)
  }
}
