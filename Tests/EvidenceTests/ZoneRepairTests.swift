// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence

@Suite("Evidence: a zone is repaired where one variant alone can be meant")
struct ZoneRepairTests {
  private static let lines = [
    "P<UTOHADDAD<<HELENE<FATIMA<<<<<<<<<<<<<<<<<<", "BQ18631332UTO6403212F290827058264326G<<<<<62",
  ]

  /// What is changed in a zone whose cells all show their characters, but for some of the second line: there each of the
  /// glyphs fits by a step worse than the one before it, and any other not at all.
  private func changed(_ smeared: [Int: (glyphs: String, step: Float)]) throws -> [MRZReading.Correction] {
    let reader = ZoneReader(referenceDate: CalendarDate(year: 2026, month: 1, day: 1)!)
    let alphabet = try #require(MRZAlphabet.choose(rows: 2, columns: 44, head: "P<UTO"))
    var scores = ZoneScores()
    for (line, text) in Self.lines.enumerated() {
      for (column, character) in text.enumerated() {
        let smear = line == 1 ? smeared[column] : nil
        for (rank, glyph) in (smear?.glyphs ?? String(character)).enumerated() {
          let number = try #require(MRZAlphabet.characters.firstIndex(of: glyph))
          scores[line, column, number] = smear.map { 0.5 - Float(rank) * $0.step } ?? 0.95
        }
      }
    }
    return reader.repaired(scores.cells(of: alphabet), alphabet: alphabet, scores).corrections
  }

  @Test("one glyph of a date that its digit asks for is put right")
  func one() throws {
    #expect(try changed([13: ("86", 0.02)]) == [.init(line: 1, position: 13, from: "8", to: "6")])
  }

  @Test("8 and S, which the digit cannot tell apart and which fit nearly as well, leave the number as it was read")
  func two() throws {
    #expect(try changed([3: ("38S", 0.02)]).isEmpty)
  }

  @Test("nothing is changed where more variants fit nearly as well than are looked at")
  func many() throws {
    var smeared: [Int: (glyphs: String, step: Float)] = [13: ("86", 0.02)]
    for (column, character) in Array(Self.lines[1]).enumerated() where (28..<42).contains(column) {
      smeared[column] = (String(character) + "QRST", 0.002)
    }
    #expect(try changed(smeared).isEmpty)
  }
}
