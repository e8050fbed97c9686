// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: names that a field cut off within their last word", .storeless)
struct CutNameTests {
  private let threshold = MatchingPolicy.standard.threshold

  @Test(
    "a long name of a person whose last word was cut is the same name",
    arguments: [
      ("Bartholomew Ben Ali Ben Quindaro Ash", "Bartholomew Ben Ali Ben Quindaro Ashgrove"),
      ("MARIA DE LOS ANGELES QUINDARO VANT", "Maria de los Angeles Quindaro Vanterpool"),
      ("Muhammad Ahmad Ibrahim al-Quind", "Muhammad Ahmad Ibrahim al-Quindari"),
      ("BARTHOLOMEW MAXIMILIAN QUIND", "Bartholomew Maximilian Quindaro"),
    ])
  func cut(one: String, other: String) {
    for (one, other) in [(one, other), (other, one)] {
      let score = NamePair(one, other, kind: .person).score
      #expect(score >= threshold && score < 1, "\(one) \(other)")
    }
  }

  @Test(
    "another word, a short name and a name of two words stay as they are",
    arguments: [
      ("MARIA DE LOS ANGELES QUINDARO VANT", "Maria de los Angeles Quindaro Wintermute"),
      ("Muhammad Ahmad Ibrahim al-Qand", "Muhammad Ahmad Ibrahim al-Wintermuti"),
      ("Bartholomew Maximilian Quin", "Ottilie Quindaro"), ("Maria Quin", "Maria Quindaro"),
    ])
  func notCut(one: String, other: String) {
    for (one, other) in [(one, other), (other, one)] {
      #expect(NamePair(one, other, kind: .person).score < threshold, "\(one) \(other)")
    }
  }

  @Test(
    "a last word that is a name of its own is not a part of the other's",
    arguments: [
      ("Juan Carlos Rodriguez Martin", "Juan Carlos Rodriguez Martinez"),
      ("Christopher Quindaro Robert", "Christopher Quindaro Robertson"),
    ])
  func wholeNames(one: String, other: String) {
    for (one, other) in [(one, other), (other, one)] {
      #expect(NamePair(one, other, kind: .person).score < threshold, "\(one) \(other)")
    }
  }

  @Test("a brother's family name is not his sister's without its last letter")
  func siblings() {
    let (one, other) = ("Radomir Petrovich Quindarov", "Radomira Petrovna Quindarova")
    #expect(NamePair(one, other, kind: .person).score < 0.6)
    #expect(NamePair(other, one, kind: .person).score < 0.6)
  }

  @Test("of names that a slash parts the last word of one is not where the field ended")
  func slash() {
    let (one, other) = ("Ottilie Ben Quind/Bartholomew Ben Ali Ashgrove", "Ottilie Ben Quindaro")
    #expect(NamePair(one, other, kind: .person).score == NamePair("Ottilie Ben Quind", other, kind: .person).score)
  }

  @Test("behind a comma the last word is no family name, and is compared as it stands")
  func comma() {
    let whole = "Vanterpool, Maria de los Angeles Quindaro"
    #expect(NamePair("Vanterpool, Maria de los Angeles Quin", whole, kind: .person).score < 0.97)
  }
}
