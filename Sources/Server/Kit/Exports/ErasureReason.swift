// SPDX-License-Identifier: Apache-2.0

/// Why a person was erased: a code, because the record of an erasure must not identify the person.
package struct ErasureReason: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  /// - Returns: nil unless it is 1 to 64 lower-case letters, digits and hyphens.
  package init?(rawValue: String) {
    let isCode =
      (1...64).contains(rawValue.utf8.count)
      && rawValue.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    // A long run of digits may be a number of the person.
    guard isCode, rawValue.firstMatch(of: #/[0-9]{5}/#) == nil else { return nil }
    self.rawValue = rawValue
  }

  private init(code: String) { rawValue = code }

  /// The time for which the file was kept is over.
  package static let retention = ErasureReason(code: "retention")
  /// What the data was kept for has ended.
  package static let ended = ErasureReason(code: "ended")
}
