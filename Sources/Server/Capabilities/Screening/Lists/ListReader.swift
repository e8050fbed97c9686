// SPDX-License-Identifier: Apache-2.0

import Crypto
import DocumentCore
import Foundation
import Kit

/// Reads list files as their publishers publish them. Each format is recognised by content and read in a stream: what is
/// in memory is the entries, not the file.
package enum ListReader {
  /// A file, mapped into memory.
  package struct File: Sendable {
    /// Without its folder.
    package let name: String
    package let bytes: Data

    package init(name: String, bytes: Data) {
      self.name = name
      self.bytes = bytes
    }

    /// - Parameter isMapped: maps the file, instead of copying it into memory. A mapped file that is shortened
    ///   meanwhile would end the program then.
    /// - Throws: `ListFault` when the file cannot be read or is larger than `bytesMax`.
    package init(path: String, isMapped: Bool = true) throws(ListFault) {
      name = (path as NSString).lastPathComponent
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        throw ListFault(file: name, reason: "it is a folder, and not a file")
      }
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
      guard let size, size <= ListReader.bytesMax else {
        throw ListFault(file: name, reason: size == nil ? "the file cannot be read" : "the file is too large")
      }
      do { bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: isMapped ? .alwaysMapped : []) } catch {
        throw ListFault(file: name, reason: "the file cannot be read")
      }
    }
  }

  /// A list with the form that it was read from and the files that it came from.
  package struct Reading: Sendable {
    package internal(set) var list: WatchList
    package let format: ListFormat
    /// In the order given.
    package let files: [File]
    /// How many listed ones are no entries, by their schema: wallets and securities have no name to be searched for.
    /// Entries that lack one are `ListReader.unnamed`.
    package var skipped: [String: Int] = [:]
    /// What is missing, in sentences for operators; the list can be searched all the same.
    package internal(set) var warnings: [String] = []
    /// How a table of one's own was written; that of publishers is known.
    package var encoding = ScreenFile.Encoding.utf8

    /// SHA-256 over the files, one after the other in their order, in hexadecimal digits.
    var sha256: String {
      var hash = SHA256()
      for file in files { hash.update(data: file.bytes) }
      return hash.finalize().hex
    }
  }

  /// What a format's parser found.
  struct Parsed {
    var drafts: [EntryDraft]
    /// The publisher's own name of the version; nil when the file has none.
    var version: String?
    /// Where in the file the n-th entry stands; empty when the format does not tell.
    var lines: [Int] = []
    /// What entries are listed for that do not tell.
    var topic = "sanction"
    /// As in `Reading`.
    var skipped: [String: Int] = [:]
    /// As in `Reading`.
    var encoding = ScreenFile.Encoding.utf8

    /// Leaves out what has no name to be searched for, and counts it: one such entry must not keep the new ones away.
    /// - Throws: `ListFault` for a file that has so many of them that its names are rather where they are not read.
    mutating func skipUnnamed(of file: String) throws(ListFault) {
      let named = drafts.indices.filter { drafts[$0].hasName }
      if named.count < drafts.count {
        skip(drafts.count - named.count)
        if !lines.isEmpty { lines = named.map { lines[$0] } }
        drafts = named.map { drafts[$0] }
      }
      let count = skipped[ListReader.unnamed] ?? 0
      guard count <= ListReader.unnamedFew || Double(count) <= ListReader.unnamedShareMax * Double(count + drafts.count)
      else {
        let unnamed = count.counted("entry has", "entries have")
        throw ListFault(file: file, reason: "\(unnamed) no name, and \(drafts.count.counted("has", "have")) one")
      }
    }

    /// Counts entries, or rows of none, without a name.
    mutating func skip(_ count: Int) {
      if count > 0 { skipped[ListReader.unnamed, default: 0] += count }
    }
  }

  /// No published list comes near it: `SDN_ADVANCED.XML` has some 120 MB, OpenSanctions' default some 3 GB.
  package static let bytesMax = 4 << 30
  static let entriesMax = 2_000_000
  /// As what entries without a name are counted.
  static let unnamed = "unnamed"
  /// So many entries without a name are left out of any list.
  static let unnamedFew = 10
  /// More of them may be this share of what a list has; it may lose as much from one version to the next.
  static let unnamedShareMax = 0.2

  /// Reads files of any formats. OFAC's tables of names, alternate names, addresses and comments become one list.
  /// - Parameters:
  ///   - code: of the list; nil for that of the format or else the name of the file. Only for one list.
  ///   - version: nil for what the publisher says in the file, or else `fallback`.
  /// - Throws: `ListFault` for the first file that is not a list: of several files none is taken then.
  package static func read(
    _ files: [File], code: String? = nil, version: String? = nil, fallback: String = "unknown",
    countries: CountryNames
  ) throws(ListFault) -> [Reading] {
    var readings: [Reading] = []
    for group in try groups(files) {
      let named = code ?? group.format.code ?? stem(group.files[0].name)
      var parsed = try parse(group, countries)
      try parsed.skipUnnamed(of: group.files[0].name)
      let list = WatchList(
        version: .init(code: named, version: version ?? parsed.version ?? fallback),
        entries: try entries(parsed, isPEP: named == "PEP", of: group.files[0].name))
      readings.append(
        Reading(
          list: list, format: group.format, files: group.files, skipped: parsed.skipped, warnings: warnings(of: group),
          encoding: parsed.encoding))
    }
    return readings
  }

  /// Name of a file without its ending, in capitals.
  static func stem(_ name: String) -> String { (name as NSString).deletingPathExtension.uppercased() }

  private struct Group {
    let format: ListFormat
    var files: [File]
    var formats: [ListFormat]
  }

  /// OFAC's tables mean something together only. A list of names whose aliases were forgotten would find half.
  private static func groups(_ files: [File]) throws(ListFault) -> [Group] {
    var groups: [Group] = []
    var companions: [(file: File, format: ListFormat)] = []
    for file in files {
      guard let format = ListFormat(file.bytes) else {
        if let missing = CustomListTable.missingColumn(file) {
          throw ListFault(file: file.name, line: 1, reason: "the column \(missing) is missing")
        }
        throw ListFault(file: file.name, reason: reason(ofUnknown: file.bytes))
      }
      if [.ofacAliases, .ofacAddresses, .ofacComments].contains(format) {
        companions.append((file, format))
      } else {
        groups.append(Group(format: format, files: [file], formats: [format]))
      }
    }
    let tables = groups.indices.filter { groups[$0].format == .ofacNames }
    for (file, format) in companions {
      guard let table = tables.first(where: { areTogether(groups[$0].files[0], file) })
      else { throw ListFault(file: file.name, reason: "OFAC's table of primary names, SDN.CSV, is not beside it") }
      groups[table].files.append(file)
      groups[table].formats.append(format)
    }
    for table in tables where !groups[table].formats.contains(.ofacAliases) {
      throw ListFault(
        file: groups[table].files[0].name, reason: "OFAC's table of alternate names, ALT.CSV, is not beside it")
    }
    return groups
  }

  /// OFAC's table of addresses can be done without: no one is found by an address.
  private static func warnings(of group: Group) -> [String] {
    guard group.format == .ofacNames, !group.formats.contains(.ofacAddresses) else { return [] }
    return ["OFAC's table of addresses, ADD.CSV, was not beside it: no entry has an address"]
  }

  /// Why bytes are in no form that is known here, as far as their beginning tells.
  private static func reason(ofUnknown bytes: Data) -> String {
    if bytes.isEmpty { return "the file is empty, as a failed download is" }
    let start = bytes.prefix(256)
    // The name of the first file in the archive stands at its beginning, and programs begin with different ones.
    let firstNames = ["[Content_Types].xml", "_rels/", "docProps/", "xl/", "mimetypeapplication/"]
    if bytes.starts(with: Data("PK\u{3}\u{4}".utf8)),
      firstNames.contains(where: { start.firstRange(of: Data($0.utf8)) != nil })
    {
      return "the file is a spreadsheet or a document: save the table as CSV in UTF-8"
    }
    let magics: [[UInt8]] = [Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B]]
    if magics.contains(where: bytes.starts) { return "the file is packed: unpack it and load what is in it" }
    let head = TableText.head(bytes, ListFormat.headBytes)
    guard head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<" else {
      return "the file is in no form of list that is known here"
    }
    // XML of spreadsheets and editors is UTF-16 sometimes.
    if bytes.prefix(4).contains(where: { $0 == 0 || $0 == 0xFF }) { return "the XML is not UTF-8" }
    if let form = XMLProlog.root(of: Data(head.utf8)).flatMap({ otherForms[$0] }) { return form }
    let text = head.lowercased()
    if text.contains("<html") { return "the file is a web page, as a failed download is" }
    return text.contains("<!doctype")
      ? "the XML has a document type declaration" : "the file is in no form of list that is known here"
  }

  /// Forms of the same lists that are not read, by the roots of their XML.
  private static let otherForms = [
    "Designations": "the file is the UK Sanctions List as XML: load its CSV",
    "ArrayOfFinancialSanctionsTarget": "the file is OFSI's list as XML: load its CSV",
    "sanctionsData": "the file is OFAC's enhanced XML: load SDN.XML or SDN_ADVANCED.XML",
    "WHOLE": "the file is the EU's list as XML 1.0: load XML 1.1 or a CSV",
  ]

  /// Of OFAC's tables, `CONS_ALT.CSV` goes with `CONS_PRIM.CSV`, and `ALT.CSV` with `SDN.CSV`.
  static func areTogether(_ one: File, _ other: File) -> Bool {
    one.name.lowercased().hasPrefix("cons") == other.name.lowercased().hasPrefix("cons")
  }

  private static func parse(_ group: Group, _ countries: CountryNames) throws(ListFault) -> Parsed {
    let file = group.files[0]
    switch group.format {
    case .ofacXML: return try OFACList.read(file, countries)
    case .ofacAdvancedXML: return try OFACAdvancedList.read(file, countries)
    case .ofacNames, .ofacAliases, .ofacAddresses, .ofacComments:
      return try OFACTables.read(Array(zip(group.files, group.formats)), countries)
    case .unXML: return try UNList.read(file, countries)
    case .euXML: return try EUList.read(file, countries)
    case .euCSV: return try EUList.readTable(file, countries)
    case .ofsiCSV, .ukCSV: return try UKList.read(file, countries)
    case .openSanctionsCSV: return try OpenSanctionsTable.read(file, countries)
    case .followTheMoney: return try FollowTheMoney.read(file, countries)
    case .table: return try CustomListTable.read(file, countries)
    }
  }

  static func entries(
    _ parsed: Parsed, isPEP: Bool, of file: String
  ) throws(ListFault) -> [WatchList.Entry] {
    var entries: [WatchList.Entry] = []
    entries.reserveCapacity(parsed.drafts.count)
    for (number, draft) in parsed.drafts.enumerated() {
      let line = parsed.lines.indices.contains(number) ? parsed.lines[number] : nil
      guard !draft.reference.isEmpty, let entry = draft.entry(topic: isPEP ? "role.pep" : parsed.topic) else {
        throw ListFault(file: file, line: line, reason: "an entry has no reference or no name")
      }
      guard !draft.isTooLarge else {
        throw ListFault(file: file, line: line, reason: "an entry has too much text, or shares too much with others")
      }
      entries.append(entry)
    }
    // A list without one entry in it is a failed download, not a clean world.
    guard !entries.isEmpty else { throw ListFault(file: file, reason: "there is no entry in the file") }
    return entries
  }
}
