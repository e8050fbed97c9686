import DocumentCore
import Foundation

/// A list of sanctioned or politically exposed people and of what belongs to them, in one version.
package struct WatchList: Sendable {
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
    /// A list without one entry in it is a failed download, not a clean world.
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
  /// - `name` (required): the main name, of persons `Given FAMILY` or `FAMILY, Given`;
  /// - `kind`: `person` or `individual`, which an empty one means too, `entity` or `organisation`, `vessel`, `aircraft`;
  ///   anything else is `unspecified`;
  /// - `aliases`, `weak_aliases`, `original_script`: more names;
  /// - `dob`: dates as `BirthDate.init(_: String)` reads them; others are kept as remarks;
  /// - `pob`, `gender`, `program`, `addresses`: places of birth, sex, programmes, addresses;
  /// - `nationality`: names or codes of countries;
  /// - `document_numbers`: numbers of identity documents;
  /// - `topics`: what the entry is listed for; `sanction` when absent, `role.pep` on a list whose code is `PEP`.
  ///
  /// Several values in a field are parted by semicolons.
  package init(_ data: Data, version: Version, countries: CountryNames) throws(Fault) {
    let table: CSV
    do { table = try CSV(data) } catch { throw .unreadable("\(error)") }
    for column in ["ref", "name"] where !table.columns.contains(column) { throw .missingColumn(column) }
    var entries: [Entry] = []
    for row in table.rows {
      guard !row["ref"].isEmpty, !row["name"].isEmpty else { throw .unreadable("no ref or name, line \(row.line)") }
      let topics = Self.values(row["topics"])
      entries.append(
        Entry(
          reference: row["ref"], kind: Self.kind(row["kind"]),
          names: [row["name"]] + Self.values(row["aliases"]) + Self.values(row["original_script"]),
          weakNames: Self.values(row["weak_aliases"]), sex: Sex(rawValue: row["gender"].lowercased()),
          datesOfBirth: Self.values(row["dob"]).compactMap { BirthDate($0) },
          placesOfBirth: Self.values(row["pob"]),
          nationalities: Set(Self.values(row["nationality"]).compactMap(countries.alpha3)),
          identifiers: Self.values(row["document_numbers"]).map { IdentityNumber(number: $0) },
          programmes: Self.values(row["program"]), addresses: Self.values(row["addresses"]),
          topics: topics.isEmpty ? [version.code == "PEP" ? "role.pep" : "sanction"] : topics,
          remarks: Self.values(row["dob"]).filter { BirthDate($0) == nil }.map { "Date of birth: \($0)" }))
    }
    guard !entries.isEmpty else { throw .empty }
    self.init(version: version, entries: entries)
  }

  /// A document number without blanks and marks, upper case.
  static func plain(_ number: String) -> String {
    String(number.uppercased().unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) }.map(Character.init))
  }

  private static func kind(_ text: String) -> Kind {
    switch text.lowercased() {
    case "", "person", "individual": .person
    case "entity", "organisation", "organization", "company": .organisation
    case "vessel", "ship": .vessel
    case "aircraft": .aircraft
    default: .unspecified
    }
  }

  private static func values(_ field: String) -> [String] {
    field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }
}
