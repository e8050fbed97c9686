// SPDX-License-Identifier: Apache-2.0

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

    /// Its name with the beginning of a digest of the content, since two contents may be published under one name.
    func name(withContent sha256: String) -> String { "\(version)+\(sha256.prefix(8))" }
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
  /// - `pob`, `gender`, `program`, `addresses`, `listed_on`, `remarks`: places of birth, sex, programmes, addresses, and
  ///   what else there is to say;
  /// - `nationality`: names or codes of countries;
  /// - `document_numbers`: numbers of identity documents;
  /// - `topics`: what the entry is listed for; `sanction` when absent, `role.pep` on a list whose code is `PEP`.
  ///
  /// Several values in a field are parted by semicolons.
  /// - Throws: `ListFault` with the line.
  package init(_ data: Data, version: Version, countries: CountryNames) throws(ListFault) {
    let file = ListReader.File(name: "the table", bytes: data)
    let parsed = try CustomListTable.read(file, countries)
    self.init(version: version, entries: try ListReader.entries(parsed, isPEP: version.code == "PEP", of: file.name))
  }

  /// A document number without blanks and marks, upper case. Of a ship's number only the seven digits: some lists write
  /// `IMO` before them and some do not.
  static func plain(_ number: String) -> String {
    let plain = String(
      number.uppercased().unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) }.map(Character.init))
    guard plain.hasPrefix("IMO") else { return plain }
    let digits = plain.dropFirst(3)
    return digits.utf8.count == 7 && digits.allSatisfy(\.isWholeNumber) ? String(digits) : plain
  }
}
