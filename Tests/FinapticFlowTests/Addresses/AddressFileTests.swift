// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic address suggestions: files", .storeless)
struct AddressFileTests {
  @Test("what comes with the program are addresses that an application may have, in every province")
  func sample() throws {
    let index = try AddressDirectory.sample.get()
    #expect(index.count > 100)
    #expect(index.search("1").isEmpty, "one letter is not looked for")
    // The pattern of the published sample.
    var suggested = index.search("123")
    #expect(suggested.count == 10)
    let rows = String(decoding: PackageResources.addresses_csv, as: UTF8.self).split(whereSeparator: \.isNewline)
    for province in CanadianProvince.allCases {
      let row = try #require(rows.first { $0.contains(",\(province.rawValue),") }, "\(province)")
      // As a customer types it who goes on until there is no other.
      let typed = row.split(separator: ",").last.map { "\(row.prefix { $0 != "," }) \($0)" } ?? ""
      let found = index.search(typed)
      #expect(found.count == 1 && found.first?.province == province, "\(province)")
      suggested += found
    }
    let rules = try RuleTable.rules()
    for address in suggested {
      let wire = address.wire(type: "HOME")
      let kept = try rules.addresses(.init(onboardingApplicationId: RuleTable.id, addresses: [wire]))
      #expect(kept.addresses == [wire])
    }
  }

  @Test("every row of the sample is taken")
  func sampleRows() throws {
    var builder = AddressIndexBuilder()
    let report = try AddressFile.read(Data(PackageResources.addresses_csv), into: &builder)
    #expect(report.left.isEmpty && report.taken == builder.count)
    let text = String(decoding: PackageResources.addresses_csv, as: UTF8.self)
    for province in CanadianProvince.allCases { #expect(text.contains(",\(province.rawValue),"), "\(province)") }
  }

  @Test("rows that are no home are left, and said by line")
  func rows() throws {
    var builder = AddressIndexBuilder()
    let report = try AddressFile.read(
      Data(
        #"""
        \#u{FEFF}Locality,line1,LINE2,area,postal_code,extra
        Toronto,1 Main Street,Unit 4,ontario,m5v3l9,x
        Montréal,"2, rue ""Haute"" ",,Québec,H2Y 1C6,
        Toronto,,,ON,M5V 3L9,
        Toronto,PO Box 7,,ON,M5V 3L9,
        Toronto,3 Main Street,,ON,V6B 1A1,
        Toronto,3 Main Street,,ON,12345,
        Orlando,3 Main Street,,Florida,M5V 3L9,
        """#.utf8), into: &builder)
    #expect(report.taken == 2 && report.left.values.reduce(0, +) == 5)
    #expect(report.examples.map { $0.prefix(7) }.contains("line 5:"))
    let index = try AddressIndex(builder.finished())
    #expect(index.search("haute").first?.line1 == "2, rue \"Haute\"")
    let one = try #require(index.search("1 main").first)
    #expect(
      one.wire(type: "WORK")
        == .init(
          type: "WORK", line1: "1 Main Street", line2: "Unit 4", locality: "Toronto", administrativeArea: "Province",
          area: "Ontario", postalCode: "M5V 3L9", country: "Canada"))
  }

  @Test(
    "a file that is no table of addresses is refused",
    arguments: ["", "a,b\n1,2", "line1,locality,area\n1,2,3", "line1,locality,area,postal_code\n1,2,3", "line1,\"x"])
  func refused(text: String) {
    var builder = AddressIndexBuilder()
    #expect(throws: AddressFile.Fault.self) { try AddressFile.read(Data(text.utf8), into: &builder) }
    #expect(builder.count == 0)
  }

  @Test("an index is taken up when it is loaded, replaced as a whole, and refused when it is invalid")
  func catalogue() throws {
    let folder = try TestFolder()
    let (csv, index) = (folder.file("a.csv"), folder.file("a.index"))
    let catalogue = AddressDirectory(path: index, suggestsSample: false)
    #expect(try catalogue.index() == nil)
    func load(_ street: String) throws -> AddressFile.Report {
      try Data("line1,locality,area,postal_code\n1 \(street),Toronto,ON,M5V 3L9\n".utf8)
        .write(to: URL(fileURLWithPath: csv))
      return try AddressFile.load(csv, into: index)
    }
    #expect(try load("Main Street").taken == 1)
    let first = try #require(try catalogue.index())
    #expect(first.search("main").count == 1)
    #expect(try load("Other Road").taken == 1)
    #expect(try catalogue.index()?.search("other").count == 1)
    // Who looks still looks at what was there.
    #expect(first.search("main").count == 1)
    try Data("line1,locality,area,postal_code\n".utf8).write(to: URL(fileURLWithPath: csv))
    #expect(throws: AddressFile.Fault.self) { try AddressFile.load(csv, into: index) }
    #expect(try catalogue.index()?.search("other").count == 1)
    try Data("GHADDR01 and nothing else".utf8).write(to: URL(fileURLWithPath: index))
    #expect(throws: AddressIndex.Unreadable.self) { try catalogue.index() }
    #expect(try AddressDirectory(path: nil, suggestsSample: true).index()?.count == AddressDirectory.sample.get().count)
  }
}
