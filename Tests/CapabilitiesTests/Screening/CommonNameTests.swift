// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: common names, fathers, seats of organisations, and slips in words that say little", .storeless)
struct CommonNameTests {
  private let threshold = MatchingPolicy.standard.threshold

  @Test(
    "two common names are two persons', however few letters they differ by",
    arguments: [
      ("Hassan Quindaro", "Hussein Quindaro"), ("Daniel Quindaro", "Daniela Quindaro"),
      ("Mario Quindaro Belkander", "Maria Quindaro Belkander"), ("Rajesh Quindaro", "Ramesh Quindaro"),
      ("QUINDARO, Khalid", "Khalil Quindaro"), ("Karim Quindaro", "Karima Quindaro"),
      ("Thaddeus Williams", "Thaddeus Williamson"),
    ])
  func otherNames(one: String, other: String) { expect(one, other, .person, isHit: false) }

  @Test(
    "spellings and forms of one name are the same, and so is a slip that makes no common name",
    arguments: [
      ("Hasan Quindaro", "Hassan Quindaro"), ("Husayn Quindaro", "Hossein Quindaro"),
      ("Mikhail Quindaro", "Michael Quindaro"), ("Yosef Quindaro", "Joseph Quindaro"),
      ("Hassam Quindaro", "Hassan Quindaro"), ("Dabiela Quindaro", "Daniela Quindaro"),
      ("Bashir Quindaro", "Bashar Quindaro"), ("Sasha Quindaro", "Alexander Quindaro"),
      ("Davud Quindaro", "David Quindaro"), ("Ellen Quindaro", "Helen Quindaro"), ("Jeanne Quindaro", "Jane Quindaro"),
      ("QUINDARO, Jamal", "QUINDARO, Jamil"), ("Danielle Quindaro", "Daniela Quindaro"),
      ("Claude Quindaro", "Claudia Quindaro"),
    ])
  func sameNames(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test("no spelling is of two common names")
  func oneNameEach() {
    for (number, words) in CommonNames.names.enumerated() {
      for word in words {
        #expect(GivenNames.groups(of: Array(word.utf8)).common == UInt16(number + 1), "\(word)")
      }
    }
  }

  @Test("a search by name alone takes another common name for no hit, and one with the same date of birth for a hit")
  func search() throws {
    let entry = WatchList.Entry(
      reference: "Z.1", names: ["Hassan QUINDARO BELKANDER"], datesOfBirth: [try #require(BirthDate("1964-08-12"))])
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "Z", version: "1"), entries: [entry])], countries: InventedList.countries)
    let alone = try #require(index.answers(to: InventedList.subject("Hussein Quindaro Belkander")))
    #expect(alone.allSatisfy { !$0.match })
    let dated = try #require(
      index.answers(to: InventedList.subject("Hussein Quindaro Belkander", born: "1964-08-12")))
    let found = try #require(dated.first)
    #expect(found.match)
    #expect(found.explanation.contradicts.contains("HUSSEIN is not HASSAN."))
  }

  @Test(
    "who is named as the father of the other is another person",
    arguments: [
      ("Omran bin Selem Quindari", "Selem bin Omran Quindari"),
      ("Omran bin Selem Quindari", "Belkander ibn Omran Quindari"),
      ("Ottilie D/O Ravin Quindaro", "Vanterpool D/O Ravin Quindaro"),
      ("Ottilie D/O. Ravin Quindaro", "Vanterpool D/O: Ravin Quindaro"),
    ])
  func otherFathers(one: String, other: String) { expect(one, other, .person, isHit: false) }

  @Test(
    "a name with its father is the same in another order, and however it tells that",
    arguments: [
      ("Omran bin Selem Quindari", "QUINDARI, Omran ibn Selem"),
      ("bin Quindari Omran Selem", "Omran Selem bin Quindari"),
      ("Thaddeus S/O Ravin Quindaro", "Thaddeus bin Ravin Quindaro"), ("Thaddeus A/L Ravin", "Thaddeus s/o: Ravin"),
      ("Ottilie W/O Thaddeus Quindaro", "Ottilie Thaddeus Quindaro"),
      ("Quindaro Belkander / Ottilie Vanterpool", "Ottilie Vanterpool"),
    ])
  func sameFathers(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test("an explanation tells that one name has as the father's what the other has as the person's own")
  func explainedFather() throws {
    let entry = WatchList.Entry(reference: "Z.1", names: ["Omran bin Selem Quindari"])
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "Z", version: "1"), entries: [entry])], countries: InventedList.countries)
    let answers = try #require(index.answers(to: InventedList.subject("Selem bin Omran Quindari")))
    let sentence = "One name has as the father's what the other has as the person's own."
    #expect(try #require(answers.first).explanation.contradicts.contains(sentence))
  }

  @Test(
    "Mohammed is the same where it is shortened, and Abdul where it has a slip",
    arguments: [
      ("Mohd Quindaro Belkander", "Muhammad Quindaro Belkander"),
      ("Md. Quindaro Belkander", "Mohammed Quindaro Belkander"),
      ("QUINDARO, Belkander Mhd", "Belkander Mohamad Quindaro"), ("Thaddeus Quindaro MD", "Thaddeus Quindaro"),
      ("Md Abdelaziz Quindari", "Mohammed Abd al-Aziz Quindari"),
      ("Abrul Aziz Quindari", "Abdul Aziz Quindari"), ("Adul Aziz Quindari", "Abd al-Aziz Quindari"),
    ])
  func shortForms(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test(
    "MD behind a comma is a doctor's, and at the beginning it may be two initials",
    arguments: [
      ("QUINDARO BELKANDER, MD", "Quindaro Belkander MD"), ("Thaddeus Quindaro, MD", "Thaddeus Quindaro MD"),
      ("MD Quindaro Belkander", "Michael David Quindaro Belkander"), ("MD Quindaro", "Michael David Quindaro"),
    ])
  func doctors(one: String, other: String) { expect(one, other, .person, isHit: true) }

  @Test("Abul is no slip for Abdul", arguments: ["ABUL", "ABOUL"])
  func abul(name: String) {
    let first = ListedName("\(name) Quindari").words.first
    #expect(first.map { String(decoding: $0.letters, as: UTF8.self) } == name)
  }

  @Test(
    "what stands behind a legal form is where an organisation is, and a long legal form may have a slip",
    arguments: [
      ("Quindaro Tools Inc., Austin TX", "Quindaro Tools Inc."), ("Quindaro LLC Sharjah Branch", "Quindaro LLC"),
      ("Quindaro Trading Compamy", "Quindaro Trading Company"), ("Quindaro Limted", "Quindaro Ltd"),
      ("Quindaro Airways", "Quindaro"), ("Quindaro Laboratory", "Quindaro Lab"),
    ])
  func seats(one: String, other: String) { expect(one, other, .organisation, isHit: true) }

  @Test(
    "another seat is another organisation's, and what stands before the legal form or in front of all is its name",
    arguments: [
      ("Quindaro Bank PLC London", "Quindaro Bank PLC Dubai"), ("Quindaro Belkander Ltd", "Quindaro Ltd"),
      ("OOO Quindaro Belkander", "OOO Quindaro"), ("Quindaro Corporation for Tobacco", "Quindaro Corporation"),
    ])
  func otherSeats(one: String, other: String) { expect(one, other, .organisation, isHit: false) }

  private func expect(_ one: String, _ other: String, _ kind: WatchList.Kind, isHit: Bool) {
    for (one, other) in [(one, other), (other, one)] {
      #expect((NamePair(one, other, kind: kind).score >= threshold) == isHit, "\(one) \(other)")
    }
  }
}
