// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is signed of a query: in whatever order its pairs are, and once it is in its form, it stays as it is. What a QR
/// code of an activation says is written as it was.
func fuzz(_ bytes: Data) {
  let query = text(bytes)
  if let body = try? CanonicalQuery.body(of: query) {
    precondition((try? CanonicalQuery.body(of: text(body))) == body)
    // By bytes, as a sign with an accent behind it is one character of Swift and two of a query.
    let turned = Data(query.utf8.split(separator: UInt8(ascii: "&")).reversed().joined(separator: "&".utf8))
    precondition((try? CanonicalQuery.body(of: text(turned))) == body)
  }
  if let scanned = try? ScannedCode(text: query) { precondition(scanned.text == query) }
}
