import DocumentCore
import Foundation
import Kit

/// A list of sanctioned or politically exposed people in one version.
package struct WatchList: Sendable {
  /// One listed person.
  package struct Entry: Sendable, Hashable {
    /// The list's own reference.
    package let reference: String
    /// The main name first.
    package let names: [String]
    /// Nicknames and the like, too common to mean much alone.
    package let weakNames: [String]
    /// Every date that the list gives.
    package let datesOfBirth: [BirthDate]
    /// ISO 3166-1 alpha-3.
    package let nationalities: Set<String>
    /// Letters and digits only, upper case.
    package let documentNumbers: Set<String>
    /// What the person is listed for, `sanction`, `role.pep`.
    package let topics: [String]
  }

  /// Which list in which version.
  package struct Version: Sendable, Hashable, Codable {
    /// Such as `UN`, `OFAC_SDN`, `EU_CFSP`, `UK_OFSI`, `PEP`.
    package let code: String
    /// The publisher's or operator's name for it, or a day.
    package let version: String

    package init(code: String, version: String) {
      self.code = code
      self.version = version
    }
  }

  /// Why a file is not a list.
  package enum Fault: Error, Sendable, Equatable {
    /// The file cannot be read or is not such a table; the text names the kind of fault and the line, no content.
    case unreadable(String)
    /// A column that every list must have.
    case missingColumn(String)
    /// A list without one person in it is a failed download, not a clean world.
    case empty
  }

  /// Which list this is.
  package let version: Version
  /// At least one when read from a file.
  package let entries: [Entry]

  package init(version: Version, entries: [Entry]) {
    self.version = version
    self.entries = entries
  }

  /// Reads a list from a CSV table with a header (RFC 4180, UTF-8).
  ///
  /// Columns, in any order; those not named here are ignored:
  /// - `ref` (required): the list's reference of the entry;
  /// - `name` (required): the main name, `Given FAMILY` or `FAMILY, Given`;
  /// - `kind`: `entity`, `vessel` and `aircraft` rows are skipped, as only people are screened;
  /// - `aliases`, `weak_aliases`, `original_script`: more names;
  /// - `dob`: dates as `BirthDate.init(_: String)` reads them; others say nothing;
  /// - `nationality`: names or codes of countries;
  /// - `document_numbers`: numbers of identity documents;
  /// - `topics`: what the person is listed for; `sanction` when absent, `role.pep` on a list whose code is `PEP`.
  ///
  /// Several values in a field are parted by semicolons.
  package init(_ data: Data, version: Version, countries: CountryNames) throws(Fault) {
    let table: CSV
    do { table = try CSV(data) } catch { throw .unreadable("\(error)") }
    for column in ["ref", "name"] where !table.columns.contains(column) { throw .missingColumn(column) }
    let otherKinds: Set<String> = ["entity", "vessel", "aircraft"]
    var entries: [Entry] = []
    for row in table.rows where !otherKinds.contains(row["kind"].lowercased()) {
      guard !row["ref"].isEmpty, !row["name"].isEmpty else { throw .unreadable("no ref or name, line \(row.line)") }
      let topics = Self.values(row["topics"])
      entries.append(
        Entry(
          reference: row["ref"],
          names: [row["name"]] + Self.values(row["aliases"]) + Self.values(row["original_script"]),
          weakNames: Self.values(row["weak_aliases"]),
          datesOfBirth: Self.values(row["dob"]).compactMap { BirthDate($0) },
          nationalities: Set(Self.values(row["nationality"]).compactMap(countries.alpha3)),
          documentNumbers: Set(Self.values(row["document_numbers"]).map(Self.plain).filter { !$0.isEmpty }),
          topics: topics.isEmpty ? [version.code == "PEP" ? "role.pep" : "sanction"] : topics))
    }
    guard !entries.isEmpty else { throw .empty }
    self.init(version: version, entries: entries)
  }

  /// A document number without blanks and marks, upper case.
  static func plain(_ number: String) -> String {
    String(number.uppercased().unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) }.map(Character.init))
  }

  private static func values(_ field: String) -> [String] {
    field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }
}
