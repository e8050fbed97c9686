// SPDX-License-Identifier: Apache-2.0

import Foundation
import Screening

/// What kinds of merchants are for, in words for customers: ranges of merchant category codes (ISO 18245) from a file.
package struct SpendingCategories: Sendable {
  package enum Language: Sendable { case english, french }

  struct Rule: Sendable {
    let codes: ClosedRange<Int>
    let english: String
    let french: String
  }

  /// Why a file cannot be read. Names lines only.
  package struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// In ascending order, without overlap.
  private let rules: [Rule]

  /// What comes with the program.
  package static let shipped: SpendingCategories = {
    do { return try SpendingCategories(Data(PackageResources.spending_csv)) } catch {
      preconditionFailure("spending.csv: \(error)")
    }
  }()

  /// - Parameter bytes: CSV with the columns `from`, `to`, `en`, `fr`, in ascending order.
  package init(_ bytes: Data) throws(Fault) {
    let table: CSV
    do { table = try CSV(bytes) } catch { throw Fault(description: "\(error)") }
    guard table.columns.isSuperset(of: ["from", "to", "en", "fr"]) else {
      throw Fault(description: "the columns are from, to, en and fr")
    }
    var rules: [Rule] = []
    for row in table.rows {
      guard let from = Self.code(row["from"]), let to = Self.code(row["to"]), from <= to,
        from > rules.last?.codes.upperBound ?? -1
      else { throw Fault(description: "line \(row.line): codes of four digits, ascending, none twice") }
      guard !row["en"].isEmpty, !row["fr"].isEmpty else {
        throw Fault(description: "line \(row.line): a word in each language")
      }
      rules.append(Rule(codes: from...to, english: row["en"], french: row["fr"]))
    }
    self.rules = rules
  }

  /// - Returns: empty for a code that no rule has.
  package func name(of code: String, in language: Language) -> String {
    guard let number = Self.code(code), let rule = rules.first(where: { $0.codes.contains(number) }) else { return "" }
    return language == .french ? rule.french : rule.english
  }

  private static func code(_ text: String) -> Int? {
    text.utf8.count == 4 && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}
