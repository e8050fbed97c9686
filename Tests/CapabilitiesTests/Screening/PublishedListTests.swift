// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: lists as they are published", .storeless)
struct PublishedListTests {
  @Test("ten entries of each form load without loss, and come back from what is kept", arguments: PublishedLists.names)
  func withoutLoss(name: String) throws {
    let expected = try #require(try PublishedLists.expected()[name])
    let reading = try PublishedLists.reading(name)
    #expect(reading.format.rawValue == expected.format)
    #expect(reading.list.version == .init(code: expected.code, version: expected.version))
    #expect(reading.list.entries.count == 10)
    #expect(reading.list.entries.map(PublishedLists.Entry.init) == expected.entries)
    let kept = try ListArchive.pieces(of: reading.list.entries).flatMap { try ListArchive.decode($0) }
    #expect(kept == reading.list.entries)
  }

  @Test("what a list says besides is kept in words")
  func remarks() throws {
    let un = try PublishedLists.reading("un.xml").list.entries[0]
    #expect(un.remarks == ["Listed on: 2020-01-02", "Comments: Invented for a test."])
    let advanced = try PublishedLists.reading("sdn_advanced.xml").list.entries
    #expect(advanced[0].remarks == ["Listed on: 2020-01-01"])
    #expect(advanced.first { $0.kind == .vessel }?.remarks.contains("VESSEL TYPE: Bulk Carrier") == true)
    let own = try InventedList.list("ref,name,dob,nationality\n1,Ann Other,in the sixties,Atlantis\n").entries[0]
    #expect(own.remarks == ["Date of birth: in the sixties", "Nationality: Atlantis"])
  }

  @Test(
    "the next day's file that says the same changes no entry", arguments: ["targets.simple.csv", "entities.ftm.json"])
  func exportedAgain(name: String) throws {
    let file = try PublishedLists.file(name)
    let text = String(decoding: file.bytes, as: UTF8.self).replacing("2026-11-20T00:00:00", with: "2026-11-21T06:30:00")
    #expect(Data(text.utf8) != file.bytes)
    let later = try ListReader.read([.init(name: name, bytes: Data(text.utf8))], countries: InventedList.countries)[0]
    let entries = try PublishedLists.reading(name).list.entries
    var changes = ListChanges()
    changes.add("OPEN", later.list.entries, before: entries)
    #expect(changes.isEmpty)
    #expect(later.list.entries.map(\.digest) == entries.map(\.digest))
  }

  @Test("the search finds people of every form, and no name of a company")
  func search() throws {
    for name in PublishedLists.names {
      let index = ScreeningIndex([try PublishedLists.reading(name).list], countries: InventedList.countries)
      let subject = InventedList.subject("Bartholomew Quindaro Ashgrove", born: "1964-08-12", nationality: "NZL")
      guard case .screened(let report) = index.screen(subject, threshold: 0.85) else {
        return #expect(Bool(false), "\(name) was not searched")
      }
      #expect(report.hits.count == 1, "\(name)")
    }
  }

  @Test("several files are several lists, and OFAC's tables are one")
  func several() throws {
    let files = try ["alt.csv", "un.xml", "sdn.csv", "add.csv"].map(PublishedLists.file)
    let readings = try ListReader.read(files, countries: InventedList.countries)
    #expect(readings.map(\.list.version.code) == ["UN", "OFAC_SDN"])
    #expect(readings[1].files.map(\.name) == ["sdn.csv", "alt.csv", "add.csv"])
  }

  @Test(
    "a file that is no list is refused with its line",
    arguments: [
      ("a.csv", "name,born\nAnn,1970\n", 1 as Int?, "the column ref is missing"),
      ("a.csv", "title,born\nAnn,1970\n", nil, "no form of list"), ("a.xml", "<list/>", nil, "no form of list"),
      ("a.txt", "", nil, "the file is empty"),
      ("un.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><CONSOLIDATED_LIST/>", nil, "type declaration"),
      // What stands for a root here is in a comment, whose end is behind it.
      ("un.xml", "<!--><CONSOLIDATED_LIST>--><!DOCTYPE a [<!ENTITY b 'c'>]><export/>", nil, "type declaration"),
      ("un.xml", "<?><CONSOLIDATED_LIST>?><!DOCTYPE a [<!ENTITY b 'c'>]><export/>", nil, "type declaration"),
      // Each of these ended the program: Foundation's parser takes no instruction that is a name alone.
      ("un.xml", "<CONSOLIDATED_LIST>\n<?x?></CONSOLIDATED_LIST>", 2, "a name alone"),
      ("un.xml", "<?xml?>\n<CONSOLIDATED_LIST/>", 1, "a name alone"),
      ("un.xml", "<CONSOLIDATED_LIST/>\n<?x?>", 2, "a name alone"),
      ("un.xml", "<CONSOLIDATED_LIST>\n<!--<?a--><?b?></CONSOLIDATED_LIST>", 2, "a name alone"),
      ("un.xml", "<CONSOLIDATED_LIST/>", nil, "no entry"),
      ("un.xml", "<CONSOLIDATED_LIST>\n<INDIVIDUALS>\n<INDIVIDUAL>\n", 3, "not whole XML"),
      ("un.xml", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<CONSOLIDATED_LIST/>", 1, "encoding is not UTF-8"),
      (
        "un.xml", "<CONSOLIDATED_LIST>\n<INDIVIDUAL><FIRST_NAME>Ann</FIRST_NAME></INDIVIDUAL></CONSOLIDATED_LIST>", 2,
        "no reference or no name"
      ),
      ("own.csv", "ref,name\n1,Ann Other\n2,\"Bob\n", 3, "not closed"),
      ("own.csv", "ref,Name,note,name ,note\n1,Ann Other,,Bob,\n", 1, "the column name is there twice"),
      ("own.csv", "ref,name\n1,Ann Other\n2,Bob,Extra\n", 3, "not as many fields"),
      ("eu.csv", "Entity_LogicalId;NameAlias_WholeName\n;Ann Other\n", 2, "no reference or no name"),
      (
        "f.json", "{\"id\":\"1\",\"schema\":\"Person\",\"properties\":{\"name\":[\"Ann\"]}}\n{\"id\":", 2,
        "not a JSON object"
      ),
      ("f.json", "{\"id\":\"1\",\"schema\":\"Person\",\"properties\":{}}\n", nil, "no entry in the file"),
      ("alt.csv", "7000,1,\"aka\",\"A\",-0- \r\n", nil, "SDN.CSV"),
      ("sdn.csv", String(repeating: "1,", count: 11) + "1\r\n", nil, "ALT.CSV"),
    ])
  func refused(name: String, text: String, line: Int?, reason: String) throws {
    let fault = try #require(throws: ListFault.self) {
      try ListReader.read([.init(name: name, bytes: Data(text.utf8))], countries: InventedList.countries)
    }
    #expect(fault.file == name)
    #expect(fault.line == line)
    #expect(fault.reason.contains(reason))
  }

  @Test("alternate names of another day's list are refused, instead of being given to the wrong entry")
  func strayAliases() throws {
    let names = try PublishedLists.file("sdn.csv")
    let aliases = ListReader.File(name: "alt.csv", bytes: Data("9999,1,\"aka\",\"A\",-0- \r\n".utf8))
    let fault = try #require(throws: ListFault.self) {
      try ListReader.read([names, aliases], countries: InventedList.countries)
    }
    #expect(fault == ListFault(file: "alt.csv", line: 1, reason: "SDN.CSV has no entry of this number"))
  }

  @Test("bytes that are not UTF-8 are refused with their line: the XML parser would end the program on some of them")
  func notUTF8() throws {
    let bytes = Data("<export>\n<sanctionEntity a".utf8) + [0xF9] + Data("='1'/></export>".utf8)
    let fault = try #require(throws: ListFault.self) {
      try ListReader.read([.init(name: "eu.xml", bytes: bytes)], countries: InventedList.countries)
    }
    #expect(fault == ListFault(file: "eu.xml", line: 2, reason: "the text is not UTF-8"))
  }

  @Test("an element with many attributes is refused with its line before the parser compares each with all others")
  func attributes() throws {
    func fault(_ count: Int) throws -> ListFault {
      let attributes = (0..<count).map { " a\($0)='1'" }.joined()
      let text = "<CONSOLIDATED_LIST>\n<INDIVIDUAL\(attributes)/></CONSOLIDATED_LIST>"
      return try #require(throws: ListFault.self) {
        try ListReader.read([.init(name: "un.xml", bytes: Data(text.utf8))], countries: InventedList.countries)
      }
    }
    let crowded = ListFault(file: "un.xml", line: 2, reason: "an element has more than 1,000 attributes")
    #expect(try fault(1001) == crowded)
    // Refused as well, as it has no name.
    #expect(try fault(1000) != crowded)
  }

  @Test("an XML declaration is read whole, however it is filled up, or refused", arguments: [0, 180, 250, 5_000])
  func longDeclaration(blanks: Int) throws {
    func fault(encoding: String) -> ListFault? {
      let filled = String(repeating: " ", count: blanks)
      let text = "<?xml version='1.0'\(filled) encoding='\(encoding)'?>\n<CONSOLIDATED_LIST/>"
      do throws(ListFault) { try ListText.checkXML(.init(name: "un.xml", bytes: Data(text.utf8))) } catch {
        return error
      }
      return nil
    }
    #expect(fault(encoding: "ISO-8859-1")?.line == 1)
    #expect((fault(encoding: "UTF-8") == nil) == (blanks < 250))
    let style = "<?xml-stylesheet href='\(String(repeating: "a", count: blanks))'?>\n<CONSOLIDATED_LIST/>"
    try ListText.checkXML(.init(name: "un.xml", bytes: Data(style.utf8)))
  }

  @Test(
    "a download that ends too early is no list, wherever it ends",
    arguments: ["sdn.xml", "sdn_advanced.xml", "un.xml", "eu.xml"], 0..<3 as Range<UInt64>)
  func cut(name: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 27)
    let whole = try PublishedLists.file(name).bytes
    let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
    for _ in 0..<20 {
      let cut = ListReader.File(name: name, bytes: Data(whole.prefix(Int.random(in: 0..<end, using: &generator))))
      #expect(throws: ListFault.self) { try ListReader.read([cut], countries: InventedList.countries) }
    }
  }

  @Test(
    "any mutilation gives a list or a fault with the file's name", arguments: PublishedLists.names,
    0..<4 as Range<UInt64>)
  func mutilated(name: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 1_000)
    let files = try ([name] + (PublishedLists.expected()[name]?.files ?? [])).map(PublishedLists.file)
    let marks = Array("\",;<>&/{}[]:\n\r-0\u{0}\u{1A}".utf8) + [0xC3, 0xED, 0xFF]
    for _ in 0..<25 {
      let mutilated = files.map { file in
        var bytes = Array(file.bytes)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes.insert(marks.randomElement(using: &generator) ?? 0, at: place)
          case 1: bytes.remove(at: place)
          case 2: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          // A whole stretch twice: rows, elements and quotes where they do not belong.
          default: bytes.insert(contentsOf: bytes[place..<min(place + 80, bytes.count)], at: place)
          }
        }
        return ListReader.File(name: file.name, bytes: Data(bytes))
      }
      do {
        for reading in try ListReader.read(mutilated, countries: InventedList.countries) {
          #expect(reading.list.entries.allSatisfy { !$0.reference.isEmpty && !$0.names[0].isEmpty })
          let kept = try ListArchive.pieces(of: reading.list.entries).flatMap { try ListArchive.decode($0) }
          #expect(kept == reading.list.entries)
        }
      } catch let fault as ListFault { #expect(files.map(\.name).contains(fault.file)) }
    }
  }

  @Test("what is kept of a list, changed anywhere, gives entries or is refused", arguments: 0..<8 as Range<UInt64>)
  func archive(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let piece = ListArchive.pieces(of: try PublishedLists.reading("own.csv").list.entries)[0]
    for _ in 0..<100 {
      var bytes = piece
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      if Bool.random(using: &generator) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)) }
      do {
        let entries = try ListArchive.decode(bytes)
        #expect(entries.allSatisfy { !$0.names.isEmpty })
      } catch { #expect(error == .unreadable) }
    }
  }
}
