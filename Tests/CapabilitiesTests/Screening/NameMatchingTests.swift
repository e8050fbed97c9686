// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: which names are alike", .storeless)
struct NameMatchingTests {
  private let threshold = MatchingPolicy.standard.threshold

  @Test(
    "a person is known in other spellings, orders, scripts and with parts left out",
    arguments: [
      ("Bartolomew Quindaro", "Bartholomew Quindaro"), ("Quindaro, Bartholomew", "Bartholomew Quindaro"),
      ("BartholomewQuindaro", "Bartholomew Quindaro"), ("B. Quindaro", "Bartholomew Quindaro"),
      ("Dr. Bartholomew Quindaro", "Bartholomew Quindaro"), ("Barth0l0mew Quindar0", "Bartholomew Quindaro"),
      ("Bartholomew Xaver Quindaro", "Bartholomew Quindaro"), ("JC Quindaro", "Jean-Claude Quindaro"),
      ("Wolodymyr Quindarow", "Volodymyr Quindarov"), ("Abdul Rahman Quindari", "Abd al-Rahman Quindari"),
      ("سليم كرم", "Salim Karam"), ("Σταύρος Μητσάκης", "Stavros Mitsakis"), ("בנימין שלום", "Binyamin Shalom"),
      ("Тамсин Окавелло", "Tamsin Okavello"), ("王小明", "Wang Xiaoming"), ("Bill Quindaro", "William Quindaro"),
      ("Bob Quindaro", "Robert Quindaro"), ("Liz Quindaro", "Elisabeth Quindaro"),
      ("Paco Quindaro", "Francisco Quindaro"), ("Саша Квиндаров", "Oleksandr Kvindarov"),
      ("Katja Quindarova", "Yekaterina Quindarova"), ("Beppe Quindaro", "Giuseppe Quindaro"),
      ("Kasia Quindarska", "Katarzyna Quindarska"), ("Jeff Quindaro", "Geoffrey Quindaro"),
      ("Connie Quindaro", "Constance Quindaro"),
    ])
  func alike(one: String, other: String) {
    #expect(NamePair(one, other, kind: .person).score >= threshold)
    #expect(NamePair(other, one, kind: .person).score >= threshold)
  }

  @Test("characters are compared only where both names are written in them, and traditional ones are simplified ones")
  func characters() {
    #expect(CharacterNames.difference("山本太郎", "山木太郎") == 1)
    #expect(CharacterNames.difference("김하늘", "박하은") == 2)
    for (one, other) in [
      ("歐陽東風", "欧阳东风"), ("김하늘", "김 하늘"), ("김하늘", "김하늘".decomposedStringWithCanonicalMapping),
      ("山本太郎", "Yamamoto Taro"), ("山本太郎", "山本太"), ("バラク・オバマ", "バラカ・オバマ"), ("山", "川"),
      ("김하늘", "金何泥"), ("", ""),
    ] { #expect(CharacterNames.difference(one, other) == 0, "\(one) \(other)") }
  }

  /// `J` is read as `I` in German and Slavic names, and not in Pinyin.
  @Test("in Chinese characters, a syllable with J is another one than one with Y, and the same one is a hit")
  func pinyin() throws {
    let given = ["Wei", "Min", "Hong"].flatMap { ["\($0)long", "\($0)ping"] }
    let entries = (["Jian"] + given + given.reversed() + given).enumerated().map { number, name in
      WatchList.Entry(reference: "Z.\(number)", names: ["ZHANG, \(name)"])
    }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "Z", version: "1"), entries: entries)], countries: InventedList.countries)
    func best(_ name: String) throws -> Double {
      let answers = try #require(index.answers(to: InventedList.subject(name)))
      return answers.first { $0.ref == "Z.0" }?.score ?? 0
    }
    for name in ["燕 张", "张燕", "张 艳"] { #expect(try best(name) < threshold, "\(name)") }
    for name in ["建 张", "张建", "張 建", "Zhang Jian"] { #expect(try best(name) >= threshold, "\(name)") }
    for (one, other) in [("张燕", "Zhang Jian"), ("建 张", "Yan Zhang")] {
      let score = NamePair(one, other, kind: .person).score
      #expect(score == NamePair(other, one, kind: .person).score && score < 0.93, "\(one) \(other)")
    }
    // Longer ones and those with a dot spell names of other languages, where the two stand for one another.
    #expect(CharacterNames.isChineseName("张 建") && !CharacterNames.isChineseName("约翰·燕"))
    #expect(!CharacterNames.isChineseName("Zhang 建") && !CharacterNames.isChineseName("建"))
  }

  @Test("an initial covers less where its own name has a part that the other one lacks")
  func initials() throws {
    let entries = ["David Grantham", "David Quindaro"].enumerated().map { number, name in
      WatchList.Entry(reference: "I.\(number)", names: [name], datesOfBirth: BirthDate("1945").map { [$0] } ?? [])
    }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "I", version: "1"), entries: entries)], countries: InventedList.countries)
    func score(_ name: String, _ reference: String) throws -> Double {
      let answers = try #require(index.answers(to: InventedList.subject(name, born: "1945"), limit: 10))
      return answers.first { $0.ref == reference }?.score ?? 0
    }
    #expect(try score("David G. Valadaoso", "I.0") < threshold)
    #expect(try score("D. Quindaro", "I.1") >= threshold && score("David Q.", "I.1") >= threshold)
  }

  @Test(
    "another given or family name is another person",
    arguments: [
      ("Bartholomew Quindaro", "Bartholomew Ashgrove"), ("Boris Quindaro", "Roman Quindaro"),
      ("Oleksandr Quindarenko", "Volodymyr Oleksandrovych Quindarenko"), ("Kim Jong Man", "Kim Jong Sik"),
      ("Sergey Viktorovich Quindarov", "Sergey Ivanovich Quindarov"), ("Pol Pot", "Paul Murphy"),
      ("Bill Quindaro", "Robert Quindaro"), ("Masha Petrovskoy", "Aleksandra Petrovskoy"),
      ("Ottilie H. Allen", "Alex H. O. Wint"), ("山本太郎", "山木太郎"), ("石山早苗", "市山早苗"), ("김하늘", "김하은"), ("김 하늘", "김하은"),
    ])
  func others(one: String, other: String) {
    #expect(NamePair(one, other, kind: .person).score < threshold)
  }

  @Test(
    "an organisation is known under any writing of its legal form, without its article and by its first letters",
    arguments: [
      ("Quindaro Bank AG", "Quindaro Bank Aktiengesellschaft"), ("Quindaro Bank G.m.b.H.", "Quindaro Bank GmbH"),
      ("Quindaro Trading Co., Ltd.", "Quindaro Trading Limited"), ("OOO Quindaro", "Quindaro o.O.O."),
      ("The Quindaro & Gamble Company", "Quindaro and Gamble Company"), ("Quin Daro Ltd", "Quindaro Ltd"),
      ("Quindaro S.A.", "QUINDARO SA"), ("FABQUIN EUROPE Sp. z o.o.", "Fabquin"),
      ("Quindaro Minera, Sociedad Anonima de C.V.", "Quindaro Minera S.A. de C.V."),
      ("Quindaro Industries (Pvt) Limited", "Quindaro Industries (Pvt) Ltd."),
      ("Quindaro Trading Limtied", "Quindaro Trading Limited"),
      ("QLA", "Quindaro’s Liberation Army"), ("MV Quindaro Spirit", "Quindaro Spirit"),
      ("M/V Quindaro Spirit", "Quindaro Spirit"), ("Quindaro A.E.", "Quindaro Anonymi Etaireia"),
      ("Quindaro Oy", "Quindaro Osakeyhtiö"), ("Quindaro Kft.", "Quindaro Korlátolt Felelősségű Társaság"),
      ("Quindaro FZE", "Quindaro Free Zone Establishment"), ("Quindaro PJS", "Quindaro Public Joint Stock Company"),
      ("Quindaro Pty Ltd", "Quindaro Proprietary Limited"),
    ])
  func organisations(one: String, other: String) {
    #expect(NamePair(one, other, kind: .organisation).score >= threshold)
    #expect(NamePair(other, one, kind: .organisation).score >= threshold)
  }

  @Test(
    "organisations that share only what many are called are others",
    arguments: [
      ("BWX Industries, Inc.", "BAQ Industries, Inc."), ("Bank of Quindaro (Japan)", "Bank of Quindaro (France)"),
      ("Quindaro Trading Company", "Ashgrove Trading Company"), ("Management Company", "Quindaro Management Company"),
      ("Quindaro Litigation Solutions", "Quindaro Solutions"), ("Psa Group", "Ashgrove Group"), ("Bank Psa", "Bank"),
      ("Quindaro Limited", "Q Finance Ltd"),
    ])
  func otherOrganisations(one: String, other: String) {
    #expect(NamePair(one, other, kind: .organisation).score < threshold)
  }

  @Test("the spelling's cost is symmetric, nought for the same word, and never above its limit", arguments: 0..<4)
  func spelling(seed: UInt64) {
    var randomness = seed &+ 7
    func pick(_ bound: Int) -> Int {
      randomness = randomness &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((randomness >> 33) % UInt64(bound))
    }
    for _ in 0..<400 {
      let one = (0..<pick(9)).map { _ in UInt8(65 + pick(26)) }
      let other = (0..<pick(9)).map { _ in UInt8(65 + pick(26)) }
      let cost = SpellingCost.between(one, other, limit: 3)
      #expect(cost == SpellingCost.between(other, one, limit: 3))
      #expect(cost <= 3)
      #expect(SpellingCost.between(one, one, limit: 3) == 0)
    }
  }

  @Test("what is known of a word's letters never hides a spelling that is near", arguments: 0..<4)
  func letterSets(seed: UInt64) {
    var randomness = seed &+ 11
    func pick(_ bound: Int) -> Int {
      randomness = randomness &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((randomness >> 33) % UInt64(bound))
    }
    for _ in 0..<400 {
      let words = (0..<3).map { _ in SpellingCost.Spelling((0..<1 + pick(7)).map { _ in UInt8(65 + pick(26)) }) }
      let joined = SpellingCost.Spelling(words[1].letters + words[2].letters)
      let cost = SpellingCost.between(words[0], joined, limit: 2.5)
      let facts = words.enumerated().map { number, word in
        WordPairs.Facts(
          ListedName.Word(letters: word.letters, wordClass: .plain, isConsonantal: false), number: Int32(number))
      }
      if cost < 2.5 { #expect(SpellingCost.mayJoin(facts[0], facts[1], facts[2], limit: 2.5)) }
      for limit in [0.5, 1.3, 2.0] {
        // A nearer limit gives the same answer below it.
        #expect(min(cost, limit) == min(SpellingCost.between(words[0], joined, limit: limit), limit))
        #expect(SpellingCost.areWithin(limit, words[0], joined) == (cost < limit))
      }
    }
  }

  @Test("a search finds organisations and vessels, and people only among people")
  func kinds() throws {
    let list = try InventedList.list(
      """
      ref,kind,name
      K.1,entity,"QUINDARO TRADING CO., LTD."
      K.2,vessel,QUINDARO SPIRIT
      K.3,person,Quindaro Spirit

      """)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    func found(_ name: String, _ kind: WatchList.Kind) -> Set<String> {
      let subject = Screening.Subject(
        names: [name], dateOfBirth: nil, nationalities: [], documentNumbers: [], kind: kind)
      return Set((index.answers(to: subject) ?? []).filter(\.match).map(\.ref))
    }
    #expect(found("Quindaro Trading Limited", .organisation) == ["K.1"])
    #expect(found("MV Quindaro Spirit", .vessel) == ["K.2"])
    #expect(found("Quindaro Spirit", .unspecified) == ["K.2", "K.3"])
    #expect(found("Spirit Quindaro", .person) == ["K.3"])
  }

  @Test("a short form of a given name is a hit with the date of birth, and another given name is not")
  func otherForms() throws {
    let list = try InventedList.list(
      """
      ref,name,dob
      F.1,"PETROVSKOY, Aleksandr Ivanovich",1961-03-04
      F.2,Liz Driftwell,1971-05-06
      F.3,William Haverstock,

      """)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    func answer(_ name: String, _ born: String) -> ScreenAnswer? {
      index.answers(to: InventedList.subject(name, born: born))?.first { $0.match }
    }
    let found = try #require(answer("Sasha Petrovskoy", "1961-03-04"))
    #expect(found.ref == "F.1")
    #expect(found.explanation.name.contains("SASHA is another form of ALEKSANDR."))
    #expect(answer("Elizabeth Driftwell", "1971-05-06")?.ref == "F.2")
    #expect(answer("Masha Petrovskoy", "1961-03-04") == nil)
    #expect(answer("Robert Driftwell", "1971-05-06") == nil)
    // By name alone, where all else of a rare name agrees.
    let alone = ["Bill Haverstock", "Robert Haverstock"].map { name in
      (index.answers(to: InventedList.subject(name)) ?? []).filter(\.match).map(\.ref)
    }
    #expect(alone == [["F.3"], []])
    var policy = MatchingPolicy.standard
    policy.otherFormEdits = 10
    let subject = InventedList.subject("Sasha Petrovskoy", born: "1961-03-04")
    #expect(index.answers(to: subject, policy: policy)?.contains { $0.match } == false)
  }

  @Test("a hit says which part matched which, what confirmed and what contradicted")
  func explanation() throws {
    let subject = InventedList.subject("Bartolomew Ashgrove", born: "1965-08-12", nationality: "ZAF")
    let answer = try #require(try InventedList.index().answers(to: subject)?.first)
    #expect(answer.ref == "W.1")
    #expect(answer.explanation.name.contains("ASHGROVE is the same."))
    #expect(answer.explanation.confirms.contains { $0.hasPrefix("The dates of birth are one day, one month") })
    #expect(answer.explanation.contradicts.contains { $0.hasPrefix("The nationality is another one") })
    #expect(answer.explanation.text.contains("Bartolomew Ashgrove"))
  }

  @Test("tables are read by their columns, row by row, and faults name the column or the line")
  func tables() throws {
    var rows: [(Int, Screening.Subject)] = []
    try ScreenFile.subjects(
      Data("\u{FEFF}full_name,date_of_birth,gender,nationality\n\"Ashgrove, Barty\",1964-8-2,M,NZ; ZA\nX Y,,,\n".utf8)
    ) { rows.append(($0, try $1.get())) }
    #expect(rows.map(\.0) == [0, 1])
    #expect(rows[0].1.names == ["Ashgrove, Barty"])
    #expect(rows[0].1.kind == .person)
    #expect(rows[0].1.sex == .male)
    #expect(rows[0].1.dateOfBirth == BirthDate("1964-08-02"))
    #expect(rows[0].1.nationalities == ["NZ", "ZA"])
    var kinds: [WatchList.Kind?] = []
    for columns in ["full_name,first_name", "full_name,given_names", "full_name,city"] {
      try ScreenFile.subjects(Data("\(columns)\nX Y,X\n".utf8)) { kinds.append(try $1.get().kind) }
    }
    #expect(kinds == [.person, .person, .unspecified])
    var pairs: [WatchList.Kind] = []
    try ScreenFile.pairs(Data("name1,name2,schema\nA,B,Vessel\nC,D,LegalEntity\n".utf8)) { pairs.append($3) }
    #expect(pairs == [.vessel, .unspecified])
    #expect(throws: ScreenFile.Fault.self) { try ScreenFile.pairs(Data("name1\nA\n".utf8)) { _, _, _, _ in } }
    #expect(throws: ScreenFile.Fault.self) { try ScreenFile.subjects(Data("name\nA,B\n".utf8)) { _, _ in } }
    #expect(throws: ScreenFile.Fault.self) { try ScreenFile.subjects(Data()) { _, _ in } }
    #expect {
      try ScreenFile.subjects(Data("name,dob\nA,1960\nB\n".utf8)) { _, _ in }
    } throws: { "\($0)" == "line 3: the row has not as many fields as the header" }
  }

  @Test("a policy's file changes what it names, and anything else in it is refused")
  func policies() throws {
    let policy = try MatchingPolicy(Data(#"{"threshold": 0.9, "otherDate": -0.2}"#.utf8))
    #expect(policy.threshold == 0.9)
    #expect(policy.otherDate == -0.2)
    #expect(policy.editsWeight == MatchingPolicy.standard.editsWeight)
    #expect(try MatchingPolicy(Data("{}".utf8)) == .standard)
    for text in [#"{"treshold": 0.9}"#, #"{"threshold": 2}"#, #"{"editsMax": 0}"#, #"{"threshold": "x"}"#, "[]", ""] {
      #expect(throws: MatchingPolicy.Fault.self) { try MatchingPolicy(Data(text.utf8)) }
    }
  }

  @Test("members of a policy that say something against one another are told; a policy that was kept is read")
  func contradictions() throws {
    #expect(MatchingPolicy.standard.contradiction == nil)
    for (text, words) in [
      (#"{"nameMin": 0.9}"#, "nameMin is not above threshold"), (#"{"nameMin": 1.5}"#, "nameMin is between 0 and 1"),
      (#"{"threshold": 0.6}"#, "nameMin is not above threshold"),
      (#"{"extraPart": 0.2}"#, "extraPart is not above extraPartsMax"),
      (#"{"weakName": -0.1}"#, "weakName is not negative"), (#"{"otherDate": 0.1}"#, "otherDate is not above 0"),
    ] {
      #expect(try MatchingPolicy(Data(text.utf8)).contradiction?.description == words)
    }
    #expect(try MatchingPolicy(Data(#"{"threshold": 0.6, "nameMin": 0.5}"#.utf8)).contradiction == nil)
  }

  @Test("any bytes as a table give rows or a fault, never a crash", arguments: 0..<8)
  func fuzz(seed: UInt64) {
    var randomness = seed &+ 3
    func pick(_ bound: Int) -> Int {
      randomness = randomness &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((randomness >> 33) % UInt64(bound))
    }
    let table = "name1,name2,schema\nBarty Ashgrove,\"Ашгров, Барти\",Person\nQuin AG,金 GmbH,Company\n"
    let western = "name1;name2\nZo\u{EB} M\u{FC}ller;M\u{FC}ller, Zo\u{EB}\n".unicodeScalars.map { UInt8($0.value) }
    let wide = table.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for turn in 0..<90 {
      var bytes = [Array(table.utf8), western, wide][turn % 3]
      for _ in 0...pick(10) { bytes[pick(bytes.count)] = UInt8(pick(256)) }
      _ = try? ScreenFile.pairs(Data(bytes)) { _, one, other, kind in
        #expect((0...1).contains(NamePair(one, other, kind: kind).score))
      }
    }
  }
}
