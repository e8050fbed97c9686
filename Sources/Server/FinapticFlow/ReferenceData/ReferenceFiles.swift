// SPDX-License-Identifier: Apache-2.0

import Foundation
import Screening

/// The long lists come as files of one form: `code,en,fr`, and `withdrawn` where a code is no longer offered.
package struct ReferenceFiles: Sendable {
  /// Why a file cannot be read. Names files, lines and columns only.
  package struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  private static let bytesMax = 16 << 20
  private static let textMax = 300

  /// The subset that comes with the program, for sandboxes and tests. It is parsed once in a process.
  package static func shipped() throws(Fault) -> ReferenceCatalogue { try parsed.get() }

  private static let parsed = Result { () throws(Fault) -> ReferenceCatalogue in
    ReferenceCatalogue(
      occupations: try entries(Data(PackageResources.occupation_csv), "occupation.csv", isOccupation),
      industries: try entries(Data(PackageResources.industry_csv), "industry.csv", isIndustry))
  }

  /// An operator's folder with `occupation.csv` and `industry.csv`; what is not there is what comes with the program.
  package static func catalogue(folder: String) throws(Fault) -> ReferenceCatalogue {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Fault(description: "there is no folder \(folder)")
    }
    return ReferenceCatalogue(
      occupations: try read("occupation.csv", in: folder, otherwise: PackageResources.occupation_csv, isOccupation),
      industries: try read("industry.csv", in: folder, otherwise: PackageResources.industry_csv, isIndustry))
  }

  private static func read(
    _ name: String, in folder: String, otherwise shipped: [UInt8], _ isCode: (String) -> Bool
  ) throws(Fault) -> [ReferenceEntry] {
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return try entries(Data(shipped), name, isCode) }
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= bytesMax else {
      throw Fault(description: "\(name) cannot be read, or is too large")
    }
    return try entries(bytes, name, isCode)
  }

  /// Entries in the file's own order.
  static func entries(
    _ bytes: Data, _ name: String, _ isCode: (String) -> Bool
  ) throws(Fault) -> [ReferenceEntry] {
    let table: CSV
    do { table = try CSV(bytes) } catch { throw Fault(description: "\(name): \(error)") }
    guard table.columns.isSuperset(of: ["code", "en", "fr"]) else {
      throw Fault(description: "\(name) has the columns code, en and fr")
    }
    var (entries, seen): ([ReferenceEntry], Set<String>) = ([], [])
    for row in table.rows {
      let (code, english, french) = (row["code"], row["en"], row["fr"])
      guard isCode(code) else { throw Fault(description: "\(name), line \(row.line): not a code of this list") }
      guard seen.insert(code).inserted else { throw Fault(description: "\(name), line \(row.line): a code again") }
      guard [english, french].allSatisfy({ !$0.isEmpty && $0.unicodeScalars.count <= textMax }) else {
        throw Fault(description: "\(name), line \(row.line): a text of 1 to \(textMax) characters in each language")
      }
      guard ["", "true", "false"].contains(row["withdrawn"]) else {
        throw Fault(description: "\(name), line \(row.line): withdrawn is true or false")
      }
      entries.append(.init(code, english: english, french: french, isWithdrawn: row["withdrawn"] == "true"))
    }
    guard !entries.isEmpty else { throw Fault(description: "\(name) has no code") }
    return entries
  }

  /// `OCCUPATION_8255_CONTRACTOR_AND_SUPERVISOR_LANDSCAPING`: four digits, or five since the classification of 2021.
  static func isOccupation(_ code: String) -> Bool {
    code.wholeMatch(of: /OCCUPATION_[0-9]{4,5}_[A-Z0-9_]{1,120}/) != nil
  }
  /// Six digits.
  static func isIndustry(_ code: String) -> Bool { code.wholeMatch(of: /[0-9]{6}/) != nil }
}
