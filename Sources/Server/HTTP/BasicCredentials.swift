// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A name and a password from an `Authorization` field (RFC 7617).
package struct BasicCredentials: Sendable {
  package let name: String
  package let password: String

  /// Nil when the field is no well-formed Basic one.
  package init?(authorization: String?) {
    let parts = (authorization ?? "").split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", parts[1].utf8.count <= 1024,
      let bytes = Data(base64Encoded: String(parts[1])), let text = String(data: bytes, encoding: .utf8),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    name = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }
}
