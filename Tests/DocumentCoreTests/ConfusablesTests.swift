// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@Suite("Document core: characters that readers take for one another")
struct ConfusablesTests {
  @Test(
    "the look-alikes of print are known, both ways",
    arguments: ["9O", "O0", "0Q", "8B", "5S", "1I", "IL", "2Z", "6G", "0D", "8S", "9S", "Q9"])
  func pairs(pair: String) throws {
    let (a, b) = (try #require(pair.utf8.first), try #require(pair.utf8.last))
    #expect(Confusables.areConfusable(a, b) && Confusables.areConfusable(b, a) && Confusables.areConfusable(a, a))
  }

  @Test("what no reader mixes up is told apart", arguments: ["01", "A8", "MP", "47", "RX", "25"])
  func others(pair: String) throws {
    #expect(!Confusables.areConfusable(try #require(pair.utf8.first), try #require(pair.utf8.last)))
  }

  @Test(
    "a lost, added or other character is a slip beside any number of look-alikes, and two are not",
    arguments: [
      ("SC2839273", "C2839273", true), ("C2839273", "SC2839273", true), ("370909130", "37O9O913O", true),
      ("M9N48512", "MON4B5I2", true), ("1974-05-16", "1974-05-06", true), ("AB1234", "ab-1235", true),
      ("AB1234", "AB1256", false), ("AB1234", "CD1234", false), ("1974-05-16", "1981-05-06", false),
      ("AB1234", "AB12", false), ("", "A", false),
    ])
  func slips(_ a: String, _ b: String, isSlip: Bool) {
    #expect(Confusables.mayBeMisread(a, as: b) == isSlip)
    #expect(Confusables.mayBeMisread(b, as: a) == isSlip)
  }

  @Test(
    "every character of a zone belongs to a field of its format, and none outside does",
    arguments: MRZ.Format.allCases)
  func places(format: MRZ.Format) {
    for line in 0..<format.lineCount {
      for position in 0..<format.lineLength { #expect(format.fieldName(line: line, position: position) != nil) }
      #expect(format.fieldName(line: line, position: format.lineLength) == nil)
    }
    #expect(format.fieldName(line: format.lineCount, position: 0) == nil)
    #expect(format.fieldName(line: 0, position: 0) == .documentCode)
  }
}
