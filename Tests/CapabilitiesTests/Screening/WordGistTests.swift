// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

/// What names of one day are asked of their words stands twice in the index.
@Suite("Screening: the gists of words", .storeless)
struct WordGistTests {
  private static let names = [
    "Mohammad al-Rashid", "Mohamed Rachid", "Quindaro Okavello", "Kvindaro Okavelo", "Li", "Bartholomew Szymborek",
    "Bartolomeo Shimborek", "محمد الرشيد", "Aleksandr Noorzai", "Aleksander Nurzai", "Tamsin Ashgrove", "J. Ashgrove",
  ]

  @Test("they tell of two words what all that is known of these tells")
  func remote() {
    let entries = Self.names.enumerated().map { WatchList.Entry(reference: "G.\($0)", names: [$1]) }
    let index = ScreeningIndex(
      [WatchList(version: .init(code: "G", version: "1"), entries: entries)], countries: InventedList.countries)
    #expect(index.gists.map(\.rarity) == index.rarities)
    #expect(index.gists.map(\.isConsonantal) == index.facts.map(\.isConsonantal))
    var found: Set<Bool> = []
    for (one, gist) in zip(index.facts, index.gists) {
      for (other, otherGist) in zip(index.facts, index.gists) {
        let mayBeRemote = WordVariants.mayBeRemote(one, other)
        #expect(WordVariants.mayBeRemote(gist, otherGist) == mayBeRemote)
        found.insert(mayBeRemote)
      }
    }
    #expect(found == [true, false])
  }
}
