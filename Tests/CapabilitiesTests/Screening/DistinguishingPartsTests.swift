// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: names by the rules of their languages, and words that tell names apart", .storeless)
struct DistinguishingPartsTests {
  private let threshold = MatchingPolicy.standard.threshold

  @Test(
    "a Chinese name in the spelling of Wade and Giles is the one in Pinyin, with its apostrophes and without",
    arguments: [
      ("Hsieh Chih-kuo", "Xie Zhiguo"), ("Ch'ien Hsüeh-jen", "Qian Xueren"), ("Ts'ao T'ien-jung", "Cao Tianrong"),
      ("Teng Hsiao-chün", "Deng Xiaojun"), ("Chang Tzu-hsien", "Zhang Zixian"), ("HSU, Jo-shih", "Xu Ruoshi"),
      ("Kuo Tse-lieh", "Guo Zelie"), ("Po I-chien", "Bo Yijian"),
    ])
  func wadeGiles(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test(
    "a name is read so only when each of its syllables is one, and one cannot be Pinyin",
    arguments: ["Kim Jong-su", "Chang Su Ha", "Hans Kuo", "Chung", "Li Wei", "Ottilie Vanterpool", "Hsu", ""])
  func otherSpellings(name: String) { #expect(WadeGiles.pinyin(name) == nil) }

  @Test(
    "another Chinese name stays another one",
    arguments: [("Hsieh Chih-kuo", "Xu Jianguo"), ("Teng Hsiao-chün", "Tang Shaohua"), ("Hsieh Chin-lung", "謝金松")])
  func otherChinese(one: String, other: String) { expect(one, other, .person, isHit: false) }

  @Test(
    "a consonant that spellings of Chinese take for another, or that ends a syllable, may be a slip",
    arguments: ["Hsieh Chin-lung", "Xie Jinlong", "Xie Jinrong", "Xie Jimlong"])
  func chineseSlips(name: String) { expect("謝金龍", name, .person, isHit: true) }

  @Test(
    "a compound of an Arabic name is one word or several in Latin letters too",
    arguments: [
      ("Abdelhakim Belkanderi", "Abd al-Hakim Bilkandari"), ("Abdulaziz Kandari", "Abd el-Aziz Kandari"),
      ("Abdurrahman Qindari", "Abdul Rahman Qindari"), ("Abdirashid Warfaa", "Abd al-Rashid Warfaa"),
      ("Noureddine Kandari", "Nur al-Din Kandari"), ("Salah Eddine Kandari", "Salahuddin al-Kandari"),
      ("Saif-ud-Din Qindari", "Saifuddin Qindari"), ("Abdelaziz Qindari", "Abdoulaziz Qindari"),
    ])
  func compounds(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test(
    "another compound stays another one, and `Abdullah` is none",
    arguments: [("Abdelhakim Kandari", "Abd al-Majid Kandari"), ("Noureddine Kandari", "Saif al-Din Kandari")])
  func otherCompounds(one: String, other: String) {
    expect(one, other, .person, isHit: false)
    #expect(LatinCompounds.read(ListedName("Abdullah Kandari").words) == nil)
    #expect(LatinCompounds.read(ListedName("Ottilie Vanterpool").words) == nil)
  }

  @Test("the vowel that a last consonant carries in Devanagari is not spoken, unless two stand together")
  func devanagari() {
    expect("पुनित नामदेव", "Punit Namdev", .person, isHit: true)
    expect("\u{905}\u{91C}\u{93C}\u{940}\u{91C}\u{93C} नामदेव", "Aziz Namdev", .person, isHit: true)
    let nukta = ListedName("\u{905}\u{91C}\u{93C}\u{940}\u{91C}\u{93C}")
    #expect(nukta.words.first.map { String(decoding: $0.letters, as: UTF8.self) } == "AZIZ")
    #expect(ListedName("पुनित मिश्र").words.map { String(decoding: $0.letters, as: UTF8.self) }.last == "MISRA")
  }

  @Test("a Ukrainian name is read with `h` and `y`, and a Russian one is not")
  func ukrainian() {
    expect("Сергій Гагрій", "Serhiy Hahrii", .person, isHit: true)
    expect("Сергій Гагрій", "Sergii Gagrii", .person, isHit: true)
    #expect(ScriptReading.ukrainian("Сергей Гагрий") == nil)
  }

  @Test(
    "father and son, and a woman's two names beside a man's, are two persons",
    arguments: [
      ("Thaddeus Quindaro Jr", "Thaddeus Quindaro Sr"), ("Thaddeus Quindaro Junior", "Thaddeus Quindaro Senior"),
      ("Thaddeus Quindaro II", "Thaddeus Quindaro III"), ("Thaddeus Quindaro Jr", "Thaddeus Quindaro Senior"),
      ("Valentin Quindarov", "Valentina Quindarova"),
      ("Yevgeny Quindarsky", "Yevgenia Quindarskaya"),
    ])
  func otherPersons(one: String, other: String) { expect(one, other, .person, isHit: false) }

  @Test(
    "a generation that one name leaves out, or writes otherwise, and one woman's form alone tell nothing",
    arguments: [
      ("Thaddeus Quindaro Jr.", "Thaddeus Quindaro Junior"), ("Thaddeus Quindaro Jr.", "Thaddeus Quindaro II"),
      ("Thaddeus Quindaro", "Thaddeus Quindaro Sr."), ("Valentina Quindarov", "Valentina Quindarova"),
      ("Sr. Thaddeus Quindaro", "Thaddeus Quindaro Jr."), ("JR Quindaro Belkander", "QUINDARO BELKANDER III, J.R."),
    ])
  func samePersons(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test("a name that is Junior or Senior is the same wherever it stands")
  func junior() {
    let listed = "QUINDARO BELKANDER, Thaddeus Junior"
    #expect(NamePair(listed, "Thaddeus Quindaro Belkander Junior", kind: .person).score == 1)
    #expect(NamePair("SENIOR, Thaddeus Quindaro", "Thaddeus Senior", kind: .person).score >= 0.97)
  }

  @Test(
    "places, numbers and points of the compass tell organisations apart that have nothing else of their own",
    arguments: [
      ("Bank of Oman", "Bank of Iran"), ("Central Bank of Iran", "Central Bank of Iraq"),
      ("Embassy of Mali", "Embassy of Malta"), ("Hunan Chemical Industry", "Henan Chemical Industry"),
      ("Quindaro North Shipping", "Quindaro South Shipping"), ("Quindaro Import", "Quindaro Export"),
      ("Second Quindaro Bank", "Third Quindaro Bank"), ("18th Quindaro Institute", "27th Quindaro Institute"),
      ("Unit 41398", "Unit 41486"), ("Factory No. 4", "Factory No. 9"),
    ])
  func otherOrganisations(one: String, other: String) { expect(one, other, .organisation, isHit: false) }

  @Test(
    "an organisation is the same with abbreviations, ordinals and numbers written otherwise, or a slip in its place",
    arguments: [
      ("Quindaro Nat'l Petroleum Co", "Quindaro National Petroleum Company"),
      ("Quindaro Univ. Hospital", "Quindaro University Hospital"), ("2nd Quindaro Bank", "Second Quindaro Bank"),
      ("Quindaro Factory No. 7", "Quindaro Factory #7"), ("St. Quindarius Shipyard", "Saint Quindarius Shipyard"),
      ("Bank of Irna", "Bank of Iran"), ("Bank Quindaro Iran", "Iran Bank Quindaro"),
      ("National Quindaro Tanker Company", "NQTC"), ("Islamic Brigade", "Islamic International Brigade"),
      ("Shaanxi Coal Mining Bureau", "Shanxi Coal Mining Bureau"), ("Quindaro Gesellschaft mbH", "Quindaro GmbH"),
    ])
  func sameOrganisations(one: String, other: String) { expect(one, other, .organisation, isHit: true) }

  @Test("a ship's number is the same in Roman and in other digits")
  func ships() {
    expect("Quindaro Star II", "Quindaro Star 2", .vessel, isHit: true)
    expect("Quindaro I", "Quindaro 1", .vessel, isHit: true)
  }

  @Test("a search finds a listed name in another spelling, and tells which generation is another one")
  func search() throws {
    let names = ["Hsieh Chih-kuo", "Abd al-Hakim Bilkandari", "Thaddeus Quindaro Jr.", "Bronislava QUINDAROVA"]
    let entries = names.enumerated().map { WatchList.Entry(reference: "Z.\($0)", names: [$1]) }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "Z", version: "1"), entries: entries)], countries: InventedList.countries)
    for (number, name) in ["Xie Zhiguo", "Abdelhakim Bilkandari"].enumerated() {
      let answers = try #require(index.answers(to: InventedList.subject(name)))
      #expect(answers.first { $0.ref == "Z.\(number)" }?.score ?? 0 >= threshold, "\(name)")
    }
    let father = try #require(index.answers(to: InventedList.subject("Thaddeus Quindaro Sr.")))
    let son = try #require(index.answers(to: InventedList.subject("Thaddeus Quindaro Jr.")))
    let found = try #require(father.first { $0.ref == "Z.2" })
    #expect(found.score < son.first { $0.ref == "Z.2" }?.score ?? 0)
    #expect(found.explanation.contradicts.contains("SR is not JR."))
    let man = try #require(index.answers(to: InventedList.subject("Bronislav Quindarov")))
    let woman = try #require(man.first { $0.ref == "Z.3" })
    #expect(woman.explanation.contradicts.contains("Two parts are those of the other sex."))
  }

  private func expect(_ one: String, _ other: String, _ kind: WatchList.Kind, isHit: Bool) {
    for (one, other) in [(one, other), (other, one)] {
      #expect((NamePair(one, other, kind: kind).score >= threshold) == isHit, "\(one) \(other)")
    }
  }
}
