// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The beginning of a text of others: at most so many Unicode scalars, of which each is at most four bytes of UTF-8.
  ///
  /// `prefix(_:)` counts what a reader takes for one character. Any number of joiners or selectors may belong to one
  /// (UAX #29 §3), so that one character may be as long as a whole body.
  /// - Parameter max: also what `maxLength` of a JSON schema counts.
  package func prefix(scalars max: Int) -> String {
    guard utf8.count > max else { return self }
    var kept = UnicodeScalarView()
    kept.append(contentsOf: unicodeScalars.prefix(max))
    return String(kept)
  }
}
