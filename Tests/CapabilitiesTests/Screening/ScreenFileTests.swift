// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: tables as spreadsheets export them", .storeless)
struct ScreenFileTests {
  /// Names and nationalities of the rows of a table.
  private static func read(_ bytes: Data) throws -> [String] {
    var rows: [String] = []
    try ScreenFile.subjects(bytes) { row, subject in
      let subject = try subject.get()
      rows.append("\(row) \(subject.names[0]) \(subject.nationalities.joined(separator: "+"))")
    }
    return rows
  }

  private static func fault(_ bytes: Data) -> String? {
    do { _ = try read(bytes) } catch { return "\(error)" }
    return nil
  }

  /// In UTF-16 with the byte order mark, as Excel's "Unicode text" is, or without it.
  private static func utf16(_ text: String, isLittle: Bool, mark: Bool = true) -> Data {
    let units = Array(((mark ? "\u{FEFF}" : "") + text).utf16)
    return Data(units.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  private static let header = ["full_name", "date_of_birth", "nationality"]
  private static let rows = [
    ["Zoë Müller", "1971-03-04", "DE"], ["Vanterpoole, Ottilie", "1980", "\"KW;CA\""], ["Ōta 太田", "", ""],
  ]
  private static let expected = ["0 Zoë Müller DE", "1 Vanterpoole, Ottilie KW+CA", "2 Ōta 太田 "]

  private static func table(_ separator: String) -> String {
    let lines = [header] + rows.map { row in row.map { $0.contains(",") && separator == "," ? "\"\($0)\"" : $0 } }
    return lines.map { $0.joined(separator: separator) }.joined(separator: "\r\n") + "\r\n"
  }

  @Test("fields are parted by what the header is parted by", arguments: [",", ";", "\t"])
  func separators(separator: String) throws {
    #expect(try Self.read(Data(Self.table(separator).utf8)) == Self.expected)
    #expect(try Self.read(Data("\u{FEFF}\(Self.table(separator))".utf8)) == Self.expected)
  }

  @Test("UTF-16 is known by its mark, or by its first letter", arguments: [true, false])
  func wide(isLittle: Bool) throws {
    for mark in [true, false] {
      let bytes = Self.utf16(Self.table("\t"), isLittle: isLittle, mark: mark)
      #expect(try Self.read(bytes) == Self.expected)
    }
    #expect(
      Self.fault(Self.utf16("name\nAnna\n", isLittle: isLittle) + [0x41])
        == "the text is not UTF-16, as its beginning says")
    let half = Self.utf16("name\nA", isLittle: isLittle) + (isLittle ? [0x3D, 0xD8] : [0xD8, 0x3D])
    #expect(Self.fault(half) == "the text is not UTF-16, as its beginning says")
    #expect(
      Self.fault(Self.utf16("name\nAn\0na\n", isLittle: isLittle))
        == "line 2: the text has a character that is zero")
  }

  @Test("Windows-1252 is read where nothing in it could be UTF-8, and what is half of each is refused with its line")
  func singleBytes() throws {
    let windows = Data("name;nationality\r\nZo\u{EB} M\u{FC}ller;DE\r\n".unicodeScalars.map { UInt8($0.value) })
    #expect(try Self.read(windows) == ["0 Zoë Müller DE"])
    let reason = "the text is neither UTF-8, nor UTF-16, nor Windows-1252 throughout: save it as UTF-8"
    #expect(Self.fault(Data("name\nZoë\n".utf8) + [0x4D, 0xFC, 0x0A]) == "line 3: \(reason)")
    #expect(Self.fault(Data("\u{FEFF}name\nM".utf8) + [0xFC, 0x0A]) == "line 2: \(reason)")
    let zero = "line 3: the text has a character that is zero"
    #expect(Self.fault(Data("name\nAnna\n".utf8) + [0x4D, 0x00, 0x0A]) == zero)
    #expect(Self.fault(Data("name\nAnna\n".utf8) + [0xC3, 0x28, 0x0A, 0x00]) == "line 3: \(reason)")
  }

  @Test("the reader of results is told of Windows-1252, with which other code pages of Latin letters agree")
  func encodings() throws {
    func encoding(_ bytes: Data) throws -> ScreenFile.Encoding { try ScreenFile.subjects(bytes) { _, _ in } }
    #expect(try encoding(Data("name\nZoë\n".utf8)) == .utf8)
    #expect(try encoding(Self.utf16("name\nZoë\n", isLittle: true)) == .utf16)
    // The last names are Icelandic, with three letters beyond ASCII in a row, and French.
    let western = "name\nÄnne Ößner\nSæþór Þóðs\nL’Haÿ-les-Roses\n"
    #expect(try encoding(try #require(western.data(using: .windowsCP1252))) == .windows1252)
  }

  @Test(
    "words of nothing but letters beyond ASCII are of another code page: as Windows-1252 they would be found nowhere",
    arguments: [
      // Muhammad in Windows-1256, Lev in Windows-1251, Eleni in Windows-1253, Wang in GBK, Müller in code page 850.
      [0xE3, 0xCD, 0xE3, 0xCF], [0xCB, 0xE5, 0xE2], [0xC5, 0xEB, 0xDD, 0xED, 0xE7], [0xCD, 0xF5, 0xD0, 0xA1],
      [0x4D, 0x81, 0x6C, 0x6C, 0x65, 0x72],
    ] as [[UInt8]])
  func otherCodePages(name: [UInt8]) {
    for end in [[], [0x0A], Array(",KW\n".utf8)] as [[UInt8]] {
      let header = end.count > 1 ? "name,nationality\n" : "name\n"
      #expect(Self.fault(Data(header.utf8) + name + end)?.hasPrefix("line 2: the text is neither UTF-8") == true)
    }
  }

  @Test("a column that is read must not be there twice: one of the two would not be searched for")
  func twice() throws {
    for header in ["name,Name", "full_name, full_name ", "dob,name,dob", "name,country,country"] {
      let twice = header.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
      let row = header.split(separator: ",").map { _ in "1971" }.joined(separator: ",")
      #expect(Self.fault(Data("\(header)\n\(row)\n".utf8)) == "line 1: the column \(twice) is there twice")
    }
    #expect(Self.fault(Data("name,note,note,country,country,nationality\nAnna,,,,,KW\n".utf8)) == nil)
  }

  @Test("pairs are read in the same way, and a table of other columns is refused by them")
  func pairs() throws {
    var seen: [String] = []
    try ScreenFile.pairs(Self.utf16("name1;name2\nLi Bo;Bo, Li\n", isLittle: true)) { _, one, other, _ in
      seen.append("\(one)|\(other)")
    }
    #expect(seen == ["Li Bo|Bo, Li"])
    let missing = "line 1: the table has no column query_name, "
    #expect(Self.fault(Data("who;born\nAnna;1971\n".utf8))?.hasPrefix(missing) == true)
    // A comma parts the columns where it can, though names may have semicolons.
    #expect(try Self.read(Data("name,dob;born,nationality\nA;B,x,DE\n".utf8)) == ["0 A;B DE"])
    let ragged = Data("name;nationality\nAnna;DE;x\n".utf8)
    #expect(Self.fault(ragged) == "line 2: the row has not as many fields as the header")
  }

  @Test("a pair with a name that the matcher would cut is not compared, and its result tells why")
  func longPairs() throws {
    let name = String(repeating: "Anna Maria ", count: 47) + "Weber"
    let longest = String(name.prefix(512))
    let rows = ["Anna Weber,ANNA WEBER", "\(name) One,\(name) Two", "Li Bo,\(longest)x", "\(longest),\(longest)"]
    let table = (["name1,name2"] + rows).joined(separator: "\n")
    var pairs: [ScreenedPair] = []
    try ScreenFile.pairs(Data(table.utf8)) { row, one, other, kind in
      pairs.append(ScreenedPair(row: row, one, other, kind: kind, policy: .standard))
    }
    #expect(pairs.map(\.error) == [nil, .name, .name, nil] && pairs.map(\.match) == [true, false, false, true])
    #expect(pairs[0].line(("A", "B")) == "0\t1.000\tmatch\tA\tB")
    #expect(pairs[1].line(("A", "B")) == "1\t-\tunreadable-name\t-\t-")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let documents = try pairs.prefix(2).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    #expect(
      documents == [
        #"{"match":true,"row":0,"score":1}"#, #"{"error":"unreadable-name","match":false,"row":1,"score":0}"#,
      ])
  }

  @Test("a pair with a name in which no word can be read is not compared, as such a row is not searched")
  func emptyPairs() throws {
    let names = ["Anna Weber", "", " ", "- -", "?", "\u{200B}"]
    let table = (["name1,name2,schema"] + names.flatMap { ["\($0),Anna Weber,Person", "Anna Weber,\($0),Company"] })
    var pairs: [ScreenedPair] = []
    try ScreenFile.pairs(Data(table.joined(separator: "\n").utf8)) { row, one, other, kind in
      pairs.append(ScreenedPair(row: row, one, other, kind: kind, policy: .standard))
    }
    #expect(pairs.map(\.error) == [nil, nil] + Array(repeating: .name, count: 10))
    #expect(pairs.map(\.match) == [true, true] + Array(repeating: false, count: 10))
    // Digits are a name of an organisation, and letters for a person's are read out of them where there are any.
    let number = ScreenedPair(row: 0, "7", "7", kind: .organisation, policy: .standard)
    #expect(number.error == nil)
    // What a search says of the same names.
    let list = try WatchList(
      Data("ref,name\n1,Anna Weber\n".utf8), version: .init(code: "A", version: "1"), countries: InventedList.countries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let rows = Data((["name,dob"] + names.map { "\($0)," }).joined(separator: "\n").utf8)
    var searched: [ScreenedRow] = []
    try ScreenFile.subjects(rows) { row, subject in
      searched.append(ScreenedRow(row: row, subject, countries: InventedList.countries) { index.answers(to: $0) })
    }
    #expect(searched.map(\.error) == [nil] + Array(repeating: .name, count: 5))
  }

  @Test("a table that is broken in the middle is refused before any row of it is taken")
  func broken() throws {
    for (text, fault) in [
      ("name,dob\nAnna,1971\nBo,1972,x\nAnna,\n", "line 3: the row has not as many fields as the header"),
      ("name,dob\nAnna,1971\n\"Bo,1972\nAnna,\n", "line 3: a quote is not closed"),
    ] {
      var taken = 0
      #expect {
        try ScreenFile.subjects(Data(text.utf8)) { _, _ in taken += 1 }
      } throws: { "\($0)" == fault }
      #expect(taken == 0)
    }
    // What is wrong with the header is told first.
    let missing = "line 1: the table has no column query_name, "
    #expect(Self.fault(Data("who,born\nAnna\n".utf8))?.hasPrefix(missing) == true)
  }

  @Test("a row of an empty field in quotes is a row, and an empty line is none", arguments: ["\n", "\r\n", "\r"])
  func emptyRows(end: String) throws {
    let lines = ["name", "", "Anna", "\"\"", "Bo", "", "\"\""]
    for text in [lines.joined(separator: end), lines.joined(separator: end) + end] {
      #expect(try Self.read(Data(text.utf8)) == ["0 Anna ", "1  ", "2 Bo ", "3  "])
    }
    #expect(Self.fault(Data("name,dob\n\"\"\n".utf8)) == "line 2: the row has not as many fields as the header")
    // The header is a row, too: its line is that on which it begins.
    #expect(Self.fault(Data("\n\nwho\nAnna\n".utf8))?.hasPrefix("line 3: the table has no column ") == true)
    #expect(Self.fault(Data("\n\n".utf8)) == "line 1: the header of the table is missing")
  }

  @Test("a name that the matcher would cut is not searched")
  func long() throws {
    var read: [ScreenFile.Unreadable?] = []
    for count in [512, 513, 10_000] {
      let table = Data("name\n\(String(repeating: "A", count: count))\n".utf8)
      try ScreenFile.subjects(table) { _, subject in
        if case .failure(let reason) = subject { read.append(reason) } else { read.append(nil) }
      }
    }
    #expect(read == [nil, .name, .name])
  }
}
