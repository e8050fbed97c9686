// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Evidence

/// Layouts of identity cards, licences and passports as States print them.
@Suite("Evidence: layouts of print")
struct PrintLayoutTests {
  private func word(_ text: String, _ x: Int, _ y: Int, height: Int = 24) -> OCRWord {
    // So likely that only what caps a value's certainty keeps it below 0.9.
    OCRWord(text: text, confidence: 0.999, region: Region(x: x, y: y, width: text.count * 16, height: height))
  }

  @Test("captions in two languages are one word where only a stroke is between them, or words with a stroke between")
  func strokes() {
    let page = VisualZoneReader(words: [
      word("Surname/Nom", 500, 100, height: 16), word("TREMBLAY", 500, 122),
      word("Given", 500, 170, height: 16), word("names/Prénoms", 590, 170, height: 16), word("CHLOÉ", 500, 192),
      word("NACIONALIDAD", 500, 240, height: 16), word("/", 700, 240, height: 16),
      word("NATIONALITY", 720, 240, height: 16), word("CANADIAN/CANADIENNE", 500, 262),
      word("Date", 500, 310, height: 16), word("of", 575, 310, height: 16),
      word("birth/Date", 620, 310, height: 16), word("de", 790, 310, height: 16),
      word("naissance", 830, 310, height: 16), word("14.03.1990", 500, 332),
      word("Date", 500, 380, height: 16), word("of", 575, 380, height: 16),
      word("expiry/Date", 620, 380, height: 16), word("d’expiration", 806, 380, height: 16),
      word("14.03.2030", 500, 402),
    ])
    #expect(
      page.read(.passport).texts == [
        "surname": "TREMBLAY", "given_names": "CHLOÉ", "nationality": "CANADIAN CANADIENNE",
        "birth_date": "1990-03-14", "expiry_date": "2030-03-14",
      ])
    let name = VisualZoneReader(words: [
      word("NOME", 500, 100, height: 16), word("/", 570, 100, height: 16), word("NAME", 590, 100, height: 16),
      word("GIULIA", 500, 122),
    ])
    #expect(name.read(.ofProgram("icao-td1-front")).texts == ["given_names": "GIULIA"])
  }

  @Test("of words that are nearly a caption the nearest is it, and none where the caption itself is on the page")
  func nearest() {
    func nationality(_ caption: String, _ other: String) -> String? {
      VisualZoneReader(words: [
        word("CARTE", 500, 20, height: 16), word("NATIONALE", 590, 20, height: 16), word("LEFÈVRE", 590, 42),
        word(caption, 500, 100, height: 16), word("/", 680, 100, height: 16), word(other, 700, 100, height: 16),
        word("FRA", 500, 122),
      ]).read(.ofProgram("icao-td1-front"))[.nationality]
    }
    #expect(nationality("NATIONALITÉ", "Nationality") == "FRA")
    #expect(nationality("NATIONALITÉ", "Nahenaity") == "FRA")
    #expect(nationality("NATIONALIIF", "Nationallty") == "FRA")
  }

  @Test("another field's caption is not nearly a caption, and no part of a title is")
  func otherCaptions() {
    func read(_ captions: [String], _ value: String) -> [String: String] {
      let words = captions.enumerated().map { word($0.element, 500 + $0.offset * 200, 100, height: 16) }
      return VisualZoneReader(words: words + [word(value, 500, 122)]).read(.ofProgram("icao-td1-front")).texts
    }
    #expect(read(["Nom", "/", "Name"], "LEFEVRE") == ["surname": "LEFEVRE"], "nearly NOME / NAME")
    #expect(read(["VALID", "FROM"], "14.03.2020") == ["issue_date": "2020-03-14"], "nearly VALIDEZ")
    #expect(read(["Prenume"], "ION") == ["given_names": "ION"], "nearly PREZIME")
    #expect(read(["NATIONAL", "IDENTITY"], "FRANCE").isEmpty, "nearly NATIONALITY")
    #expect(read(["NATIONAL1TY"], "FRANCE") == ["nationality": "FRANCE"])
  }

  @Test("two surnames stand below one another, and are no more certain than their captions")
  func twoLines() throws {
    let card = VisualTemplate.ofProgram("icao-td1-front")
    func page(_ second: [OCRWord]) -> VisualZone {
      VisualZoneReader(
        words: [
          word("APELLIDOS", 500, 100, height: 14), word("/", 650, 100, height: 14),
          word("SURNAME", 670, 100, height: 14), word("IBÁÑEZ", 500, 122),
          word("NOMBRE", 500, 230, height: 14), word("JOSÉ", 500, 252), word("LUIS", 580, 252),
        ] + second
      ).read(card)
    }
    let both = page([word("ROJAS", 500, 160)])
    #expect(both.texts == ["surname": "IBÁÑEZ ROJAS", "given_names": "JOSÉ LUIS"])
    #expect(try #require(both.values[.surname]).confidence <= Certainty.wornCaptionMost)
    #expect(try #require(page([]).values[.surname]).confidence > PrintedPerson.certainMin)
    #expect(page([word("DE", 500, 160), word("ROJAS", 548, 160)])[.surname] == "IBÁÑEZ DE ROJAS")
    for other in [
      word("SURNAME", 500, 160), word("M19", 500, 160), word("ROJAS", 540, 160), word("ROJAS", 500, 174),
      word("ROJAS", 500, 162, height: 14), word("Rojas", 500, 160),
    ] {
      #expect(page([other])[.surname] == "IBÁÑEZ", "\(other)")
    }
    let given = [word("Vornamen", 500, 145, height: 12), word("ROJAS", 500, 160)]
    #expect(page(given)[.surname] == "IBÁÑEZ", "a caption stands between")
  }

  @Test("a field number and its caption are found where no space was seen between them")
  func joined() {
    let page = VisualZoneReader(words: [
      word("15sex", 500, 350, height: 16), word("M", 610, 348), word("4aISS", 500, 400, height: 16),
      word("06/06/2021", 620, 398), word("4bEXP", 500, 450, height: 16), word("06/06/2031", 620, 448),
    ])
    #expect(
      page.read(.ofProgram("aamva-licence")).texts == [
        "sex": "M", "issue_date": "2021-06-06", "expiry_date": "2031-06-06",
      ])
  }

  @Test("the only three dates of a licence are told by their order, and never with certainty")
  func datesInOrder() throws {
    func page(_ dates: [String]) -> VisualZone {
      VisualZoneReader(
        words: [word("DRIVER", 600, 20), word("LICENSE", 720, 20)]
          + dates.enumerated().map { word($0.element, 620, 100 + $0.offset * 50) }
      ).read(.ofProgram("aamva-licence"))
    }
    let read = page(["06/13/2030", "07/02/1996", "06/13/2020"])
    #expect(read.texts == ["birth_date": "1996-07-02", "issue_date": "2020-06-13", "expiry_date": "2030-06-13"])
    #expect(read.values.values.allSatisfy { $0.confidence <= Certainty.wornCaptionMost })
    let worn = VisualZoneReader(words: [
      word("3008", 500, 100, height: 16), word("07/02/1996", 580, 98), word("siss", 500, 150, height: 16),
      word("06/13/2020", 580, 148), word("wexe", 500, 200, height: 16), word("06/13/2030", 580, 198),
    ]).read(.ofProgram("aamva-licence"))
    #expect(worn.texts == read.texts, "what is left of the captions is on the dates' lines")
    #expect(page(["06/13/2030", "07/02/1996"]).values.isEmpty)
    #expect(page(["06/13/2030", "07/02/1996", "06/13/2020", "06/13/2014"]).values.isEmpty)
    let captioned = VisualZoneReader(words: [
      word("DOB", 540, 150, height: 16), word("07/02/1996", 620, 150), word("06/13/2030", 620, 200),
      word("01/01/1990", 620, 250),
    ]).read(.ofProgram("aamva-licence"))
    #expect(captioned.texts == ["birth_date": "1996-07-02"], "a caption says otherwise")
  }

  @Test("a card's number without a caption is taken where nothing else looks like one, and is never certain")
  func bareNumber() throws {
    let card = VisualTemplate.ofProgram("icao-td1-front")
    func number(_ words: [OCRWord], _ template: VisualTemplate = card) -> VisualZone.Value? {
      let others = [
        word("Surname", 500, 170, height: 16), word("MÜLLER", 500, 192), word("PERSONALAUSWEIS", 100, 20),
        word("Date", 500, 240, height: 16), word("of", 575, 240, height: 16), word("birth", 620, 240, height: 16),
        word("12.08.1983", 500, 262), word("938568", 1300, 900),
      ]
      return VisualZoneReader(words: others + words).read(template).values[.documentNumber]
    }
    let bare = try #require(number([word("LZ6311T47", 1200, 20)]))
    #expect(bare.text == "LZ6311T47" && bare.confidence <= Certainty.wornCaptionMost)
    #expect(number([word("LZ6311T47", 1200, 20), word("XK7740021", 1200, 90)]) == nil)
    #expect(number([word("LZ6311T47", 1200, 20)], .passport) == nil, "a passport's has a caption")
    for text in ["LZ6311T", "LZ6311T4711", "lz6311t47", "123456789", "DEUTSCHE1", "14MAR1990"] {
      #expect(number([word(text, 1200, 20)]) == nil, "\(text)")
    }
    let captioned = number([
      word("CARD", 900, 20, height: 16), word("NO", 980, 20, height: 16), word("?", 900, 42),
      word("LZ6311T47", 1200, 300),
    ])
    #expect(captioned == nil, "where a caption is, the number stands under it")
  }
}
