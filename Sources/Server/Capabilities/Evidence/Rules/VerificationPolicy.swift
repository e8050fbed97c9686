// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What an institution asks of a set of documents (identity-documents §8.3).
package struct VerificationPolicy: Sendable {
  /// The day in the institution's time zone.
  package var today: CalendarDate
  /// In years; nil for none.
  package var minimumAge: Int?
  /// Documents of Utopia pass: for sandboxes and demonstrations only.
  package var acceptsSpecimens: Bool

  package init(today: CalendarDate, minimumAge: Int? = 18, acceptsSpecimens: Bool = false) {
    self.today = today
    self.minimumAge = minimumAge
    self.acceptsSpecimens = acceptsSpecimens
  }

  /// What the rules are set to, for receipts of decisions. The rules themselves are the program's.
  package static func versions(minimumAge: Int?, acceptsSpecimens: Bool) -> [String: String] {
    [
      "minimum age": minimumAge.map { "\($0)" } ?? "none", "specimens": acceptsSpecimens ? "accepted" : "refused",
    ]
  }
}
