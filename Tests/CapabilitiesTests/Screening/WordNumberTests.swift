// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Screening

@Suite("Screening: words are read once while lists are arranged", .storeless)
struct WordNumberTests {
  @Test("every listed name has the words that it has when it is read alone, whatever was read before it")
  func words() throws {
    let names: [(String, WatchList.Kind)] = [
      ("Ashgrove Trading Lmtd", .organisation), ("Lmtd Ashgrove", .organisation), ("Ashgrove Gmhb", .organisation),
      ("Gmhb Ashgrove of Trading", .organisation), ("Ashgrove (Trading), \"Ltd\"", .organisation),
      ("A.S.H. Grove 21 B2B", .organisation), ("Äshgrove & Söhne", .organisation), ("أحمد الأشجروف", .person),
      ("Ahmad Alashgrof", .person), ("AL Ashgrove", .person), ("Al Ashgrove", .unspecified),
      ("Joint Stock Company Ashgrove", .organisation), ("Ashgrove Joint Stock Company", .organisation),
      ("Ashgrove Joint Trading", .organisation), ("Ashgrove/Okavelloe Trading", .organisation),
      ("Ashgrove Ltd Compamy Okavelloe Tools", .organisation), ("Ashgrove Okavelloe Compamy", .organisation),
    ]
    let entries = names.enumerated().map {
      WatchList.Entry(reference: "\($0.offset)", kind: $0.element.1, names: [$0.element.0])
    }
    let list = WatchList(version: .init(code: "T", version: "1"), entries: entries + entries.reversed())
    let index = ScreeningIndex([list], countries: InventedList.countries)
    for number in list.entries.indices {
      let entry = list.entries[Int(index.entries.order(of: number))]
      let alone = entry.kind.readings.flatMap { isPerson in
        ListedName.alternatives(entry.names[0], isPerson: isPerson).filter { !$0.words.isEmpty }
      }
      let listed = index.names(of: Int32(number)).map { index.names[$0] }
      #expect(listed.map { index.words(of: $0).map { index.words[Int($0)] } } == alone.map(\.words))
    }
  }
}
