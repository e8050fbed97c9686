// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A version of a list that is kept in the store.
package struct StoredList: Sendable, Hashable, Identifiable {
  package typealias ID = Identifier<StoredList>

  package let id: ID
  /// Its code, and the version's name, which no other version of the code has.
  package let version: WatchList.Version
  /// SHA-256 over the files that it was read from, one after the other in the order given, in hexadecimal digits.
  package let sha256: String
  /// The form of the first of the files.
  package let format: ListFormat
  /// Names of the files, without folders.
  package let files: [String]
  package let entryCount: Int
  /// How many listed ones are no entries, by their schema.
  package let skipped: [String: Int]
  /// What was missing when it was loaded, in sentences for operators; it is searched all the same.
  package let warnings: [String]
  package let loadedAt: Instant
  /// Who loaded it, as the audit log names them.
  package let loadedBy: String
  /// When another version took its place; nil for the one that is searched.
  package let replacedAt: Instant?
}

/// An update that was refused: the list stayed as it was.
package struct RefusedList: Sendable, Hashable {
  package let fault: ListFault
  package let at: Instant
  package let by: String
}
