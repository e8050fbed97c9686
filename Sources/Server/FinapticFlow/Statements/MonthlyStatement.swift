// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import Ledger

/// The statement of an account for a month of UTC, as it was given out: two documents that never change. A statement
/// that was wrong is followed by another one, which names it.
package struct MonthlyStatement: Sendable, Hashable {
  package typealias ID = Identifier<MonthlyStatement>

  /// A form in which it is given out.
  package enum Format: String, Sendable, CaseIterable {
    /// For people: tagged, in their language.
    case pdf = "PDF"
    /// For programs: camt.053.001.08 (ISO 20022).
    case message = "CAMT_053"

    package var mediaType: String { self == .pdf ? "application/pdf" : "application/xml" }
    /// How a file of it ends, and the name of it in a path.
    package var suffix: String { self == .pdf ? "pdf" : "xml" }

    init?(suffix: String) {
      guard let format = Self.allCases.first(where: { $0.suffix == suffix }) else { return nil }
      self = format
    }
  }

  /// One of its documents, sealed in the store of objects.
  package struct Document: Sendable, Hashable {
    /// Key of the object.
    let blob: String
    /// SHA-256 of the document, in hexadecimal digits.
    package let digest: String
    /// Bytes of the document.
    package let size: Int
  }

  package let id: ID
  package let tenant: Int
  package let account: BankAccount.ID
  package let month: DayEnd.Month
  /// 1 for the first one of the month, one more for each correction.
  package let revision: Int
  /// The statement that this one takes the place of; nil for the first one.
  package let corrects: ID?
  /// BCP 47.
  package let language: String
  package let createdAt: Instant
  package let pdf: Document
  package let message: Document

  package subscript(_ format: Format) -> Document { format == .pdf ? pdf : message }

  /// What a document's object is sealed for, so that it opens nowhere else.
  static func context(_ id: ID, _ format: Format) -> String { "finaptic_statement.\(format.suffix):\(id)" }
}

extension DayEnd.Month {
  /// As in `2026-10`.
  package var text: String { String(firstDay.description.prefix(7)) }
  var firstDay: WireDate {
    let years = Int(number) / 12
    // Months since 1970-01 are never before it: tenants are newer.
    return WireDate(year: 1970 + years, month: Int(number) % 12 + 1, day: 1) ?? WireDate(daysSince1970: 0)
  }
  var from: LedgerTime { LedgerTime(microseconds: Int64(firstDay.daysSince1970) * 86_400_000_000) }
  /// Exclusive.
  var to: LedgerTime { LedgerTime(microseconds: (lastDay + 1) * 86_400_000_000) }

  /// - Parameter number: months since 1970-01, from 0.
  init(number: Int64) {
    let first = WireDate(year: 1970 + Int(number) / 12, month: Int(number) % 12 + 1, day: 1)
    self.init(of: Int64((first ?? WireDate(daysSince1970: 0)).daysSince1970))
  }
}
