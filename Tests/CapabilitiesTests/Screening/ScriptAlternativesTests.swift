// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: names in scripts that leave a sound or a blank open", .storeless)
struct ScriptAlternativesTests {
  private let threshold = MatchingPolicy.standard.threshold

  @Test(
    "compounds of Arabic names are one word or several, with the article's letter or the next one doubled",
    arguments: [
      ("عبد الرحمن الكنداري", "Abdulrahman Al-Kandari"), ("عبد الرحمن الكنداري", "Abdurrahman al-Kandari"),
      ("عبدالرحمن الكنداري", "Abdul Rahman Al-Kandari"), ("عبد الله كنداري", "Abdullah Kandari"),
      ("عبد العزيز كنداري", "Abdulaziz Kandari"), ("حسن نصر الدين", "Hassan Nasreddine"),
      ("حسن نصر الدين", "Hassan Nasr al-Din"), ("سليم كرم / عبد العزيز كنداري", "Abdulaziz Kandari"),
    ])
  func compounds(one: String, other: String) { expect(one, other, isHit: true) }

  @Test(
    "an `h` behind another letter is a sound of its own, and a first `و` may be a V",
    arguments: [
      ("سهيل زهير", "Suhail Zuhair"), ("علی اکبر ولایتیان", "Ali Akbar Velayatian"), ("وليد كرم", "Walid Karam"),
    ])
  func sounds(one: String, other: String) { expect(one, other, isHit: true) }

  @Test(
    "Hebrew letters that stand for two sounds are read as either",
    arguments: [
      ("יוסף כהן", "Yosef Cohen"), ("אברהם לוי", "Avraham Levi"), ("אברהם לוי", "Abraham Levy"),
      ("דוד פרידמן", "David Friedman"), ("פנחס וייס", "Pinchas Weiss"), ("חיים ביטון", "Chaim Biton"),
      ("רבקה שוורץ", "Rivka Schwartz"),
    ])
  func hebrew(one: String, other: String) { expect(one, other, isHit: true) }

  @Test(
    "another name in the same letters stays another one",
    arguments: [
      ("عبد الكريم كنداري", "Abdulhakim Kandari"), ("سليم كرم", "Samir Karam"), ("דוד כהן", "Daniel Cohen"),
      ("משה לוי", "Moshe Levin"),
    ])
  func others(one: String, other: String) { expect(one, other, isHit: false) }

  @Test("a search finds a listed name by a reading that is not the first one")
  func search() throws {
    let names = ["Abdulrahman KANDARI", "Yosef COHEN", "Suhail ZUHAIR", "Ottilie VANTERPOOL"]
    let entries = names.enumerated().map { WatchList.Entry(reference: "Z.\($0)", names: [$1]) }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "Z", version: "1"), entries: entries)], countries: InventedList.countries)
    for (number, name) in ["عبد الرحمن كنداري", "יוסף כהן", "سهيل زهير"].enumerated() {
      let answers = try #require(index.answers(to: InventedList.subject(name)))
      #expect(answers.first { $0.ref == "Z.\(number)" }?.score ?? 0 >= 0.7, "\(name)")
    }
  }

  private func expect(_ one: String, _ other: String, isHit: Bool) {
    for (one, other) in [(one, other), (other, one)] {
      #expect((NamePair(one, other, kind: .person).score >= threshold) == isHit, "\(one) \(other)")
    }
  }
}
