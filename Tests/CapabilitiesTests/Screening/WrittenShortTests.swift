// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: names and legal forms as they are shortened in writing", .storeless)
struct WrittenShortTests {
  private func isMatch(_ one: String, _ other: String, _ kind: WatchList.Kind) -> Bool {
    ScreenedPair(row: 0, one, other, kind: kind, policy: .standard).match
  }

  @Test(
    "given names that are shortened in writing are these names",
    arguments: [
      ("Chas.", "Charles"), ("Thos.", "Thomas"), ("Jas.", "James"), ("Robt.", "Robert"), ("Edw.", "Edward"),
      ("Benj.", "Benjamin"), ("Saml.", "Samuel"), ("Fco.", "Francisco"),
    ])
  func given(short: String, name: String) {
    #expect(isMatch("\(short) Thornquist", "\(name) Thornquist", .person))
    #expect(!isMatch("\(short) Thornquist", "Ottokar Thornquist", .person))
  }

  @Test("a word that is a legal form but for two letters is a word of the name")
  func words() {
    // That is why `FSUE` is not one of the forms.
    #expect(!isMatch("Kvellenburg Fuse", "Kvellenburg", .organisation))
  }

  @Test("EV stands for an association behind its name only")
  func before() {
    #expect(!isMatch("EV Kvellen", "Kvellen", .organisation))
    #expect(!isMatch("EV Charging Ltd", "Charging Ltd", .organisation))
  }

  @Test("Y is a J where names are written short, and Yas is not James")
  func folded() {
    #expect(!isMatch("Yas Karimi", "James Karimi", .person))
    #expect(!isMatch("Yas Karimi", "Jim Karimi", .person))
  }

  @Test("Muh. is Mohammed")
  func mohammed() {
    #expect(isMatch("Muh. Rizal Thornquist", "Muhammad Rizal Thornquist", .person))
    #expect(!isMatch("Muh. Rizal Thornquist", "Martin Rizal Thornquist", .person))
  }

  @Test(
    "legal forms are the same written out, with the endings that English gives Russian words, and translated",
    arguments: [
      ("Kvellenburg Aktieselskab", "Kvellenburg A/S"), ("Kvellenburg AB (publ)", "Kvellenburg Aktiebolag"),
      ("Aktsionernoye Obshchestvo Kvellenburg", "AO Kvellenburg"),
      ("Publichnoye aktsionernoye obshchestvo Kvellenburg", "PJSC Kvellenburg"),
      ("Zakrytoye aktsionernoye obshchestvo Kvellenburg", "CJSC Kvellenburg"),
      ("Otkrytoye aktsionernoye obshchestvo Kvellenburg", "OJSC Kvellenburg"),
      ("Федеральное государственное унитарное предприятие Квелленбург", "FGUP Kvellenburg"),
      ("Federal State Unitary Enterprise Kvellenburg", "FGUP Kvellenburg"),
      ("Kvellenburg EIRL", "Kvellenburg Empresa Individual de Responsabilidad Limitada"),
      ("Kvellenburg e.V.", "Kvellenburg eingetragener Verein"),
    ])
  func forms(one: String, other: String) {
    #expect(isMatch(one, other, .organisation))
    #expect(!isMatch(one, other.replacing("Kvellenburg", with: "Ternovka"), .organisation))
  }
}
