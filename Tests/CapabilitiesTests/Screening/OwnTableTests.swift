// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Screening

@Suite("Screening: tables of one's own as spreadsheets write them", .storeless)
struct OwnTableTests {
  private static let commas = "ref,name,aliases,dob\n1,\"Méndez, José\",Pepe; Pepito,1971-03-04\n2,Ann Other,,\n"
  private static let semicolons = "ref;name;aliases;dob\n1;Méndez, José;\"Pepe; Pepito\";1971-03-04\n2;Ann Other;;\n"

  private func reading(_ bytes: Data) throws -> ListReader.Reading {
    let file = ListReader.File(name: "own.csv", bytes: bytes)
    return try #require(try ListReader.read([file], countries: InventedList.countries).first)
  }

  private func fault(_ bytes: Data) -> String? {
    do { _ = try reading(bytes) } catch let fault as ListFault { return "\(fault)" } catch { return "\(error)" }
    return nil
  }

  private func utf16(_ text: String, isLittle: Bool, hasMark: Bool) -> Data {
    let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
    return Data(units.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  @Test("semicolons, tabs, UTF-16 and Windows-1252 give the list that commas and UTF-8 give")
  func same() throws {
    let plain = try reading(Data(Self.commas.utf8))
    #expect(plain.list.entries.map(\.names) == [["Méndez, José", "Pepe", "Pepito"], ["Ann Other"]])
    #expect(plain.encoding == .utf8)
    let tabs = Self.semicolons.replacing("\"Pepe; Pepito\"", with: "Pepe# Pepito").replacing(";", with: "\t")
      .replacing("#", with: ";")
    let western = try #require(Self.semicolons.data(using: .windowsCP1252))
    var all: [(Data, ScreenFile.Encoding)] = [
      (Data(Self.semicolons.utf8), .utf8), (Data(tabs.utf8), .utf8), (western, .windows1252),
      (Data([0xEF, 0xBB, 0xBF] + Self.semicolons.replacing("\n", with: "\r\n").utf8), .utf8),
    ]
    for isLittle in [true, false] {
      for hasMark in [true, false] { all.append((utf16(tabs, isLittle: isLittle, hasMark: hasMark), .utf16)) }
    }
    for (bytes, encoding) in all {
      let read = try reading(bytes)
      #expect(read.list.entries == plain.list.entries)
      #expect(read.encoding == encoding && read.format == .table)
    }
  }

  @Test("what is unclear is refused, with the line")
  func unclear() throws {
    let mixed = Data(Self.commas.utf8) + Data("3,Jos".utf8) + Data([0xE9]) + Data(" Other,,\n".utf8)
    #expect(
      fault(mixed) == "own.csv, line 4: the text is neither UTF-8, nor UTF-16, nor Windows-1252 throughout: "
        + "save it as UTF-8")
    let cyrillic = Data("ref,name\n1,".utf8) + Data([0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2]) + Data("\n".utf8)
    #expect(fault(cyrillic)?.hasPrefix("own.csv, line 2: the text is neither") == true)
    #expect(
      fault(Data("ref;name;aliases\n1;Ann Other;Annie;A. Other\n".utf8))
        == "own.csv, line 2: the row has not as many fields as the header")
    #expect(fault(Data("ref;title\n1;Ann\n".utf8)) == "own.csv, line 1: the column name is missing")
    #expect(fault(Data("id\tname\n1\tAnn\n".utf8)) == "own.csv, line 1: the column ref is missing")
    #expect(fault(Data("a,b\n1,2\n".utf8)) == "own.csv: the file is in no form of list that is known here")
    #expect(
      fault(utf16("ref,name\n1,Ann\n", isLittle: true, hasMark: true) + Data([0x41]))
        == "own.csv: the text is not UTF-16, as its beginning says")
  }

  @Test("a publisher's table in UTF-16 is no list: read byte by byte, its names would be others")
  func publishers() {
    for text in [
      "1,OTHER LTD,-0-,TEST,-0-,-0-,-0-,-0-,-0-,-0-,-0-,-0-\n", "1,2,Fern Lane,Durban,Utopia,-0-\n",
      "Entity_LogicalId;NameAlias_WholeName\n1;Ann Other\n", "id,schema,name,birth_date\n1,Person,Ann Other,1961\n",
      "Unique ID,Name 6,Name 1\nT1,OTHER,Ann\n",
    ] {
      #expect(ListFormat(Data(text.utf8)) != nil)
      for isLittle in [true, false] {
        for hasMark in [true, false] {
          #expect(ListFormat(utf16(text, isLittle: isLittle, hasMark: hasMark)) == nil, "\(text)")
        }
      }
    }
  }

  @Test("the columns that a table of customers may have are read under the same names")
  func columns() throws {
    let text = "ref,name,schema,date_of_birth,country,sex,document_number\n1,Ann Other,Person,1971-03-04,DE,f,P 1\n"
    let entry = try #require(try reading(Data(text.utf8)).list.entries.first)
    #expect(entry.kind == .person && entry.sex == .female && entry.nationalities == ["DEU"])
    #expect(entry.datesOfBirth == [try #require(BirthDate("1971-03-04"))])
    #expect(entry.identifiers.map(\.number) == ["P 1"])
  }

  @Test("every sequence of bytes is UTF-8 where Swift's own reading says that it is")
  func validity() {
    let edges: [UInt8] = [
      0x01, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF,
    ]
    var wrong: [[UInt8]] = []
    func check(_ bytes: [UInt8]) {
      let isText = bytes.withUnsafeBytes { ListText.isUTF8($0) }
      if isText != (String(validating: bytes, as: UTF8.self) != nil) { wrong.append(bytes) }
    }
    for first in UInt8(1)...255 {
      check([first])
      for second in edges {
        check([first, second])
        for third in edges {
          check([first, second, third])
          for fourth in edges { check([first, second, third, fourth]) }
        }
      }
    }
    #expect(wrong.isEmpty)
  }
}
