// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Evidence

/// Values and kinds that are told by where print stands, where captions are half as high as values and not legible.
@Suite("Evidence: print without its captions")
struct PrintPlaceTests {
  private func word(_ text: String, _ x: Int, _ y: Int, _ width: Int? = nil, height: Int = 44) -> OCRWord {
    // So likely that only what caps a value's certainty keeps it below 0.9.
    OCRWord(
      text: text, confidence: 0.999, region: Region(x: x, y: y, width: width ?? text.count * 26, height: height))
  }

  private let licence = VisualTemplate.ofProgram("aamva-licence")

  /// A licence as a picture of 1,600 pixels was read: captions are as high as the line that they stand on.
  private func page(
    surname: String = "1", given: String = "2", number: [OCRWord]? = nil, extra: [OCRWord] = []
  ) -> VisualZoneReader {
    VisualZoneReader(
      words: (number ?? [word("14174162", 738, 199)]) + [
        word("UTAH", 77, 59, 210, height: 60), word("DRIVER", 824, 115, height: 41),
        word("LICENSE", 1012, 115, height: 41),
        word("4aotno.", 540, 199, 190), word("əctass@", 541, 265, 141), word("D", 706, 265),
        word("30oB", 541, 330, 100, height: 49), word("06/17/1992", 669, 330, height: 49),
        word("aaiss", 1086, 393, 109, height: 50), word("04/25/2020", 1216, 393, height: 50),
        word("ab", 541, 394, 40, height: 50), word("exP", 599, 394, 64, height: 50),
        word("04/25/2030", 686, 394, height: 50),
        word(surname, 543, 461, 16 + 10 * (surname.count - 1), height: 55), word("JOHNSON", 589, 461, height: 55),
        word(given, 544, 526, 43), word("ROBERT", 585, 526), word("8", 542, 594, 19, height: 41),
        word("834", 585, 594, height: 41), word("MAPLE", 686, 594, height: 41), word("AVE", 850, 594, height: 41),
        word("SPRINGFIELD,", 586, 654, 300, height: 41), word("UT", 913, 654, height: 41),
        word("45350", 988, 654, height: 41), word("5", 544, 793, 20, height: 33),
        word("00001038210619113375", 645, 793, 500, height: 33),
      ] + extra)
  }

  @Test("numbers of close rows end no value, and a value may begin where its number's place ends")
  func closeRows() throws {
    let read = page().read(licence)
    #expect(read[.surname] == "JOHNSON" && read[.givenNames] == "ROBERT")
    #expect(try #require(read.values[.surname]).confidence >= PrintedPerson.certainMin)
  }

  @Test("the only number of a licence is its own, and is never certain")
  func bareLicenceNumber() throws {
    let number = try #require(page().read(licence).values[.documentNumber])
    #expect(number.text == "14174162" && number.confidence <= Certainty.wornCaptionMost)
    #expect(page(extra: [word("S98-91-2195", 1100, 199)]).read(licence)[.documentNumber] == nil, "two may be it")
    #expect(page(extra: [word("84321-0042", 1100, 654)]).read(licence)[.documentNumber] == "14174162", "postal code")
    #expect(page(extra: [word("07/08/2021", 1100, 800)]).read(licence)[.documentNumber] == "14174162", "a date")
  }

  @Test("the number of a licence may stand in three groups of three digits, and is never certain")
  func numberInGroups() throws {
    func groups(_ texts: [String]) -> [OCRWord] { texts.enumerated().map { word($1, 738 + $0 * 100, 199) } }
    let read = page(number: groups(["075", "212", "681"])).read(licence)
    let number = try #require(read.values[.documentNumber])
    #expect(number.text == "075212681" && number.confidence <= Certainty.wornCaptionMost)
    for others in [["075", "212"], ["075", "212", "681", "400"], ["075", "212", "68A"]] {
      #expect(page(number: groups(others)).read(licence)[.documentNumber] == nil)
    }
  }

  @Test("what is left of a caption before a licence's number is no part of it, and the number is not certain then")
  func captionBeforeNumber() throws {
    let caption = [word("4d.", 738, 199, 60), word("cno", 815, 199, 70)]
    let read = page(number: caption + [word("X95591273", 900, 199)]).read(licence)
    let number = try #require(read.values[.documentNumber])
    #expect(number.text == "X95591273" && number.confidence <= Certainty.wornCaptionMost)
  }

  @Test("the number of a field that has run together with its date is no part of the date")
  func numberBeforeDate() {
    func read(_ text: String) -> VisualZoneReader { VisualZoneReader(words: [word(text, 540, 199)]) }
    for (text, date) in [("307-20-1970", "1970-07-20"), ("3.09/12/2000", "2000-09-12")] {
      #expect(read(text).read(licence)[.birthDate] == date)
    }
    #expect(read("4b01/24/2035").read(licence)[.expiryDate] == "2035-01-24")
    for text in ["507-20-1970", "313-32-1970", "307-20/1970"] {
      #expect(read(text).lines.joined().map(\.text) == [text])
    }
  }

  @Test("the name that is missing on a licence stands over the other one's caption, however long its own is")
  func captionsOfUnlikeLength() throws {
    let names = [
      word("1ast", 677, 499, 70), word("HERNANDEZ", 777, 499), word("2.", 674, 564, 30), word("FIRST", 720, 564, 110),
      word("NAMES", 840, 564, 110), word("JENNIFER", 1000, 564), word("DRIVER", 845, 293), word("LICENSE", 1016, 293),
    ]
    let read = VisualZoneReader(words: names).read(licence)
    #expect(read[.surname] == "HERNANDEZ")
    #expect(try #require(read.values[.surname]).confidence <= Certainty.wornCaptionMost)
  }

  @Test("a title is no worn caption of the number, which begins with the same words")
  func titleIsNoCaption() throws {
    let card = VisualZoneReader(words: [
      word("PERSONALAUSWEIS", 265, 108), word("/", 709, 108), word("IDENTITY", 763, 108), word("CARD", 983, 108),
      word("L3JX2T894", 1254, 95), word("Surname", 599, 208, height: 20), word("SCHRÖDER", 598, 248),
    ])
    let number = try #require(card.read(VisualTemplate.ofProgram("icao-td1-front")).values[.documentNumber])
    #expect(number.text == "L3JX2T894" && number.confidence <= Certainty.wornCaptionMost)
  }

  @Test(
    "a name that other print is so close to that a mark would touch it is not certain",
    arguments: [(208, nil, true), (194, nil, false), (190, 294, true), (190, 306, false)] as [(Int, Int?, Bool)])
  func crowdedNames(above: Int, below: Int?, isDoubted: Bool) throws {
    // The name is 44 pixels high, and begins at 240; captions are 20 high.
    let next = below.map { [word("Given", 600, $0, height: 20), word("names", 720, $0, height: 20)] } ?? []
    let words = [word("Surname", 600, above, height: 20), word("STEFAN", 600, 240)] + next
    let name = try #require(
      VisualZoneReader(words: words).read(VisualTemplate.ofProgram("icao-td1-front")).values[.surname])
    #expect(name.text == "STEFAN" && (name.confidence < PrintedPerson.certainMin) == isDoubted)
  }

  @Test("a passport card is a card, and the caption of sex may be legible in one language alone")
  func passportCard() throws {
    let reader = VisualZoneReader(words: [
      word("PASSPORT", 100, 40), word("CARD", 340, 40), word("Surname", 500, 150, height: 20), word("WALSH", 500, 180),
      word("Card", 500, 400, 60, height: 20), word("no.", 570, 400, 40, height: 20), word("C44624004", 500, 430),
      word("Gnéas", 900, 150, height: 20), word("B/F", 900, 180),
    ])
    let template = try #require(reader.template(among: DocumentTemplates.ofProgram.all))
    #expect(template.kind == .nationalIDFront)
    let read = reader.read(template)
    #expect(read[.documentNumber] == "C44624004" && read[.sex] == "F")
  }

  @Test("no name of a licence is what it prints where there is no restriction")
  func none() {
    let words = [word("1.", 538, 585, 16), word("NONE", 776, 585)]
    #expect(VisualZoneReader(words: words).read(licence)[.surname] == nil)
    #expect(VisualZoneReader(words: [words[0], word("NOONE", 776, 585)]).read(licence)[.surname] == "NOONE")
  }

  @Test(
    "a licence's name that ends as a street does is not certain: the number of the house was taken for the name's",
    arguments: [
      (["MAIN", "ST"], true), (["OAK", "HILL", "STREET"], true), (["MAIN", "STONE"], false), (["WAY"], false),
    ] as [([String], Bool)])
  func street(words: [String], isDoubted: Bool) throws {
    let name = words.enumerated().map { word($1, 776 + $0 * 160, 585, 130) }
    let read = try #require(
      VisualZoneReader(words: [word("1.", 538, 585, 16)] + name).read(licence).values[.surname])
    #expect(read.text == words.joined(separator: " "))
    #expect((read.confidence < PrintedPerson.certainMin) == isDoubted)
  }

  @Test("names of a licence of which the given ones stand over the surname are not certain", arguments: [575, 695])
  func turnedNames(surnameAt y: Int) throws {
    let read = VisualZoneReader(words: [
      word("1.", 538, y, 16), word("HEIGHTS", 776, y), word("2.", 538, 635, 16), word("JENNIFER", 776, 635),
    ]).read(licence)
    #expect(read[.surname] == "HEIGHTS" && read[.givenNames] == "JENNIFER")
    for field in [VisualZone.Field.surname, .givenNames] {
      #expect((try #require(read.values[field]).confidence < PrintedPerson.certainMin) == (y > 635))
    }
  }

  @Test("the names of a licence are the two lines over its address, and are never certain")
  func namesOverAddress() throws {
    let read = page(surname: "ust", given: "sast").read(licence)
    #expect(read[.surname] == "JOHNSON" && read[.givenNames] == "ROBERT")
    for field in [VisualZone.Field.surname, .givenNames] {
      #expect(try #require(read.values[field]).confidence <= Certainty.wornCaptionMost)
    }
    let captions = Set(["LAST", "FIRST", "LN"].map { Label.letters(of: $0) })
    func names(_ words: [OCRWord]) -> [String]? {
      VisualZoneReader(words: words).namesOverAddress(captions: captions).map { [$0.surname.text, $0.givenNames.text] }
    }
    let address = [word("12", 600, 300), word("ELM", 660, 300), word("ST", 760, 300)]
    let city = [word("SALEM,", 600, 350), word("OR", 780, 350), word("97301", 850, 350)]
    let both = [word("LEE", 600, 200), word("ANN", 600, 250), word("J", 700, 250)]
    #expect(names(both + address + city) == ["LEE", "ANN J"])
    #expect(names(both + address) == ["LEE", "ANN J"], "a street tells by its last word too")
    let joined = [word("s.3878", 580, 300), word("N", 760, 300), word("MAIN", 800, 300), word("ST", 920, 300)]
    #expect(names(both + joined) == ["LEE", "ANN J"], "the address's own number has run together with the house's")
    let noStreet = [word("12", 600, 300), word("ELM", 660, 300), word("HEIGHTS", 760, 300)]
    #expect(names(both + noStreet) == nil, "no postal code follows")
    for (number, caption) in [("1", "LAST"), ("2", "FIRST"), ("1", "LN"), ("12", "REST")] {
      #expect(names(both + [word(number, 600, 300), word(caption, 660, 300)]) == nil, "a caption is no street")
    }
    #expect(names([word("LAST", 600, 200), word("ANN", 600, 250)] + address + city) == nil, "a caption is no name")
    #expect(names([word("LEE", 600, 80), word("ANN", 600, 250)] + address + city) == nil, "a line is missing between")
    #expect(names([word("LEE", 600, 200), word("Ann", 600, 250)] + address + city) == nil, "names are in capitals")
  }

  @Test("a word of a caption behind its number is no part of a name, which is not certain then")
  func captionBehindNumber() throws {
    let read = VisualZoneReader(words: [
      word("DRIVER", 600, 20), word("LICENSE", 780, 20), word("1", 500, 250, 16), word("NAME", 530, 250),
      word("HERNANDEZ", 660, 250), word("2", 500, 310, 16), word("GIVEN", 530, 310), word("MARIA", 690, 310),
      word("JAMES", 840, 310),
    ]).read(licence)
    #expect(read[.surname] == "HERNANDEZ" && read[.givenNames] == "MARIA JAMES")
    for field in [VisualZone.Field.surname, .givenNames] {
      #expect(try #require(read.values[field]).confidence <= Certainty.wornCaptionMost)
    }
  }

  @Test("names over the address do not stand beside a name that a caption gave otherwise")
  func captionGoesFirst() {
    let read = page(
      given: "sast",
      extra: [
        word("LAST", 1100, 560, height: 20), word("NAME", 1210, 560, height: 20), word("WASHBURN", 1330, 552),
      ])
    #expect(read.read(licence)[.givenNames] == nil)
  }

  @Test("names over the address stand in for what stands beside a speck that looks like a number")
  func specksAreNoNames() {
    var speck = word("OIN", 120, 300, 60, height: 20)
    speck.confidence = 0.5
    let read = page(surname: "ust", given: "sast", extra: [word("1", 90, 300, 10, height: 20), speck]).read(licence)
    #expect(read[.surname] == "JOHNSON" && read[.givenNames] == "ROBERT")
  }

  /// Cards of the Czech Republic and of Hungary in low light were taken for licences, and their days for months.
  @Test("specks that look like numbers of fields do not make a page without a title a licence")
  func specksAreNoNumbers() {
    let specks = [("1", 918, 25), ("2", 537, 104), ("T", 1020, 431), ("9", 20, 523), ("8", 532, 225), ("3", 233, 307)]
      .map { word($0.0, $0.1, $0.2, 12, height: 12) }
    let print = [
      word("Sex", 425, 298, height: 12), word("issued", 527, 382, height: 15), word("08.12.1991", 373, 354, height: 32),
      word("08.03.2032", 666, 374, height: 32),
    ]
    #expect(VisualZoneReader(words: specks + print).template(among: DocumentTemplates.ofProgram.all) == nil)
  }

  @Test("numbers of fields below one another at one left edge do")
  func numbersInAColumn() {
    let page = VisualZoneReader(words: [
      word("1.", 500, 100, 24), word("MUSTER", 560, 100), word("2.", 500, 160, 24), word("ERIKA", 560, 160),
      word("3.", 502, 220, 24), word("14.03.1990", 560, 220), word("4b.", 500, 280, 40), word("14.03.2030", 560, 280),
    ])
    #expect(page.template(among: DocumentTemplates.ofProgram.all)?.name == "iso-18013-licence")
  }

  @Test("of the only two dates of a card the first is that of birth where no card is valid so long")
  func birthByAge() throws {
    let card = VisualTemplate.ofProgram("icao-td1-front")
    func read(_ dates: [String]) -> VisualZone {
      VisualZoneReader(
        words: [word("IDENTITY", 100, 20), word("CARD", 320, 20)]
          + dates.enumerated().map { word($0.element, 500, 200 + $0.offset * 100) }
      ).read(card)
    }
    let birth = try #require(read(["10.03.2033", "05.09.1981"]).values[.birthDate])
    #expect(birth.text == "1981-09-05" && birth.confidence <= Certainty.wornCaptionMost)
    #expect(read(["10.03.2033", "05.09.1981"])[.expiryDate] == nil, "it may be that of issue")
    #expect(read(["10.03.2033", "10.03.2023"]).values.isEmpty)
    #expect(read(["10.03.2033"]).values.isEmpty)
  }

  /// A Slovak card in low light, whose title and values were read, and no caption.
  private func card(
    _ given: String = "ĽUBOMÍR", sex: String = "M", extra: [OCRWord] = []
  ) -> VisualZoneReader {
    VisualZoneReader(
      words: [
        word("SLOVENSKÁ", 82, 67, height: 40), word("REPUBLIKA", 359, 67, height: 40),
        word("IDENTITY", 484, 134, 150, height: 39), word("CARD", 654, 134, height: 39),
        word("Peroz", 607, 227, height: 19), word("HORVÁTH", 528, 259, height: 36),
        word("Guen", 605, 311, height: 16), word(given, 527, 340, height: 36), word(sex, 533, 421, height: 35),
        word("SVK", 825, 421, height: 37), word("12.04.1973", 531, 501, height: 37),
        word("12.06.2022", 531, 581, height: 37), word("12.06.2032", 1090, 582, height: 37),
      ] + extra)
  }

  @Test("a card whose captions are all lost is read by its title, its dates and the two names over that of birth")
  func namesOverBirth() throws {
    let template = try #require(card().template(among: DocumentTemplates.ofProgram.all))
    #expect(template.kind == .nationalIDFront)
    let read = card().read(template)
    #expect(
      read.texts == [
        "surname": "HORVÁTH", "given_names": "ĽUBOMÍR", "birth_date": "1973-04-12", "issue_date": "2022-06-12",
        "expiry_date": "2032-06-12", "sex": "M",
      ])
    #expect(read.values.values.allSatisfy { $0.confidence <= Certainty.wornCaptionMost })
    #expect(card("Lubomir").read(template)[.surname] == nil, "one name alone may be either")
    #expect(card(sex: "Ž/F").read(template)[.sex] == "F", "in two languages")
    let surname = [word("SURNAME", 528, 235, height: 18)]
    #expect(card(extra: surname).read(template)[.givenNames] == "ĽUBOMÍR", "the caption gives the same surname")
    let other = card(extra: [word("SURNAME", 900, 235, height: 18), word("KOVÁČ", 900, 259, height: 36)])
    #expect(other.read(template)[.surname] == "KOVÁČ" && other.read(template)[.givenNames] == nil)
  }
}
