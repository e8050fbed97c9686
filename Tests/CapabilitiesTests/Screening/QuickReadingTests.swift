// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: the quick ways to read names and dates give what the long ways give", .storeless)
struct QuickReadingTests {
  private func random(_ letters: String, _ generator: inout SeededGenerator) -> String {
    let scalars = Array(letters.unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      text.append(scalars[Int.random(in: scalars.indices, using: &generator)])
    }
    return String(text)
  }

  private func isEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (ListedName(one, isPerson: false), ListedName(other, isPerson: false))
    return one.words == other.words && one.legalForms == other.legalForms
  }

  @Test("a name in ASCII is parted as the same name with a blank beyond ASCII is", arguments: 0..<4 as Range<UInt64>)
  func parted(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let name = random("ABLTcdg12  ,()\"-'&/\t\r\n\u{B}\u{1C}\u{1F}\u{7F}", &generator)
      // A no-break space is white space that two bytes are written for.
      #expect(isEqual(name, name + "\u{A0}"), "\(name.debugDescription)")
    }
  }

  @Test("a word with digits is parted as the same word with a dash beyond ASCII is", arguments: 0..<4 as Range<UInt64>)
  func digits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let word = random("ABLTcdg0129-'&/_\u{7F}", &generator) + "7"
      #expect(isEqual(word, word + "\u{2013}"), "\(word.debugDescription)")
    }
  }

  @Test(
    "a word is a misspelt legal form where two neighbours swapped make it one",
    arguments: ["LTD", "LLC", "INC", "GMBH", "CORP", "SPZOO", "LIMITED", "COMPANY", "AKTIENGESELLSCHAFT", "ASHGROVE"])
  func misspelt(form: String) throws {
    func swapped(_ word: [UInt8], _ one: Int, _ other: Int) -> [UInt8] {
      var word = word
      word.swapAt(one, other)
      return word
    }
    func isForm(_ word: [UInt8]) -> Bool {
      !LegalForm.parted(["ZQZ", String(decoding: word, as: UTF8.self)]).forms.isEmpty
    }
    let letters = Array(form.utf8)
    for one in letters.indices {
      for other in letters.indices {
        let word = swapped(letters, one, other)
        let isOneSwap = word.indices.dropLast().contains { place in
          word[place] != word[place + 1] && isForm(swapped(word, place, place + 1))
        }
        #expect(LegalForm.isMisspelt(word) == isOneSwap, "\(String(decoding: word, as: UTF8.self))")
      }
    }
  }

  @Test("a whole day is read as it is with a blank behind it, and a day that the calendar lacks is refused")
  func days() {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var wrong: [String] = []
    for year in ["0000", "0001", "1899", "1900", "1971", "1972", "2000", "9999"] {
      for month in 0...13 {
        for day in 0...32 {
          let text = "\(year)-\(two(month))-\(two(day))"
          if BirthDate(text) != BirthDate(text + " ") { wrong.append(text) }
        }
      }
    }
    #expect(wrong.isEmpty)
  }
}
