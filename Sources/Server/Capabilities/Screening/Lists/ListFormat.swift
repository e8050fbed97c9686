// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The forms in which lists are published. A file is recognised by what is in it, never by its name.
package enum ListFormat: String, Sendable, CaseIterable, Codable {
  /// `SDN.XML` and `CONSOLIDATED.XML` of OFAC (root `sdnList`).
  case ofacXML = "ofac-xml"
  /// `SDN_ADVANCED.XML` and `CONS_ADVANCED.XML` of OFAC (root `Sanctions`, Advanced Sanctions Data Model).
  case ofacAdvancedXML = "ofac-advanced-xml"
  /// `SDN.CSV`, primary names: 12 fields, no header.
  case ofacNames = "ofac-csv"
  /// `ALT.CSV`, alternate names: 5 fields, no header.
  case ofacAliases = "ofac-csv-alt"
  /// `ADD.CSV`, addresses: 6 fields, no header.
  case ofacAddresses = "ofac-csv-add"
  /// `SDN_COMMENTS.CSV`, where remarks go on: 2 fields, no header.
  case ofacComments = "ofac-csv-comments"
  /// The consolidated list of the United Nations Security Council (root `CONSOLIDATED_LIST`).
  case unXML = "un-xml"
  /// The EU's consolidated list of financial sanctions, XML 1.1 (root `export`).
  case euXML = "eu-xml"
  /// The same as a table, CSV 1.1 or 1.0, parted by semicolons.
  case euCSV = "eu-csv"
  /// OFSI's consolidated list of asset freeze targets, `ConList.csv` in the format of 2022.
  case ofsiCSV = "ofsi-csv"
  /// The UK Sanctions List of the FCDO, CSV.
  case ukCSV = "uk-csv"
  /// `targets.simple.csv` of OpenSanctions.
  case openSanctionsCSV = "opensanctions-csv"
  /// Entities of the FollowTheMoney model, a JSON object a line: `entities.ftm.json`, `targets.nested.json`.
  case followTheMoney = "ftm-json"
  /// A table of one's own, as `WatchList.init(_:version:countries:)` describes it.
  case table = "csv"

  /// What a list in this form is called when its operator gives it no other code; nil where the name of the file says.
  package var code: String? {
    switch self {
    case .ofacXML, .ofacAdvancedXML, .ofacNames, .ofacAliases, .ofacAddresses, .ofacComments: "OFAC_SDN"
    case .unXML: "UN"
    case .euXML, .euCSV: "EU"
    case .ofsiCSV, .ukCSV: "UK"
    case .openSanctionsCSV, .followTheMoney, .table: nil
    }
  }

  /// How much of a file is looked at.
  static let headBytes = 64 * 1024

  /// - Returns: nil when the bytes have none of these forms.
  init?(_ bytes: Data) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes
    guard let first = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
    if first == UInt8(ascii: "<") {
      switch XMLProlog.root(of: body) {
      case "sdnList": self = .ofacXML
      case "Sanctions": self = .ofacAdvancedXML
      case "CONSOLIDATED_LIST": self = .unXML
      case "export": self = .euXML
      default: return nil
      }
      return
    }
    if first == UInt8(ascii: "{") {
      self = .followTheMoney
      return
    }
    let head = TableText.head(bytes, Self.headBytes)
    guard let table = Self.table(head) else { return nil }
    // Publishers write no UTF-16, and the readers of their tables would take each of its zero bytes for a letter.
    guard table == .table || !TableText.isUTF16(bytes) else { return nil }
    self = table
  }

  private static func table(_ head: String) -> ListFormat? {
    var rows: [[String]] = []
    // The head may end within a quoted field; only its first two rows matter.
    _ = CSV.scan(Array(head.utf8), dialect: .published()) { _, fields in
      rows.append(fields.map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() })
      return rows.count < 2 ? nil : .tooLarge
    }
    // Quotes that are published as they stand do not belong to a table of one's own, so that its header is read anew below.
    guard let first = rows.first else { return nil }
    let header = Set(first)
    for row in rows where row.contains("name 6") && row.contains("name 1") {
      if row.contains("unique id") { return .ukCSV }
      if row.contains("group id") { return .ofsiCSV }
    }
    if let line = head.split(whereSeparator: \.isNewline).first?.lowercased(),
      EUList.isHeader(line.split(separator: ";").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) })
    {
      return .euCSV
    }
    if header.isSuperset(of: ["id", "schema", "name", "birth_date"]) { return .openSanctionsCSV }
    if CustomListTable.dialect(Data(head.utf8)) != nil { return .table }
    return ofac(first)
  }

  /// OFAC's tables have no header: they are told by how many fields they have and by what stands in them.
  private static func ofac(_ row: [String]) -> ListFormat? {
    guard let number = row.first, !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    switch row.count {
    case 12: return .ofacNames
    case 5 where ["aka", "fka", "nka", "a.k.a.", "f.k.a.", "n.k.a."].contains(row[2]): return .ofacAliases
    case 6: return .ofacAddresses
    case 2: return .ofacComments
    default: return nil
    }
  }
}

/// What stands before the root of an XML document.
enum XMLProlog {
  private static let instruction = (open: Data("<?".utf8), close: Data("?>".utf8))
  private static let comment = (open: Data("<!--".utf8), close: Data("-->".utf8))

  /// The name of the root without its prefix.
  /// - Returns: nil for what is no XML in a form of ASCII, and for a document type declaration: with it come entities,
  ///   which grow or fetch, and no list needs one.
  static func root(of bytes: Data) -> String? {
    var rest = bytes[...]
    while true {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if rest.starts(with: instruction.open) {
        guard let after = skip(instruction, in: rest) else { return nil }
        rest = after
      } else if rest.starts(with: comment.open) {
        guard let after = skip(comment, in: rest) else { return nil }
        rest = after
      } else {
        break
      }
    }
    guard rest.first == UInt8(ascii: "<"), let next = rest.dropFirst().first, next != UInt8(ascii: "!") else {
      return nil
    }
    let ends = Set("> /\t\r\n".utf8)
    let name = rest.dropFirst().prefix(128).prefix { !ends.contains($0) }
    return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(String.init)
  }

  /// What stands behind a comment or an instruction. Its end is looked for behind its beginning: `<!-->` begins a
  /// comment and does not end it. Taken for a whole one, it would make a root of what the parser takes for a comment,
  /// and hide the document type declaration behind it.
  private static func skip(_ part: (open: Data, close: Data), in bytes: Data.SubSequence) -> Data.SubSequence? {
    let content = bytes.dropFirst(part.open.count)
    return content.firstRange(of: part.close).map { content[$0.upperBound...] }
  }
}
