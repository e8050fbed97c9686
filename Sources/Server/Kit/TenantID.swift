// SPDX-License-Identifier: Apache-2.0

import Storage

/// A tenant of one of the systems, for capabilities that serve several of them. Its text, as in `finaptic/1`, is what
/// is stored and what operators write.
package struct TenantID: Hashable, Comparable, Sendable, SQLConvertible, LosslessStringConvertible {
  package let system: String
  /// As the system names the tenant.
  package let name: String

  package init(_ system: String, _ name: String) { (self.system, self.name) = (system, name) }

  /// Nil unless the text is a system of lower-case letters, a slash and a name of letters, digits, `.`, `_` and `-`.
  package init?(_ text: String) {
    guard let parts = text.wholeMatch(of: /([a-z]{1,16})\/([A-Za-z0-9._-]{1,64})/) else { return nil }
    self.init(String(parts.1), String(parts.2))
  }

  package var description: String { "\(system)/\(name)" }

  package var sqlValue: SQLValue { .text(description) }
  /// What is stored came from this type: it is only taken apart.
  package init(sqlValue: SQLValue) throws {
    let parts = try String(sqlValue: sqlValue).split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw SQLError.unreadable("tenant without a system") }
    self.init(parts[0], parts[1])
  }

  package static func < (one: TenantID, other: TenantID) -> Bool { one.description < other.description }
}

extension TenantID: Codable {
  package init(from decoder: any Decoder) throws {
    try self.init(sqlValue: .text(decoder.singleValueContainer().decode(String.self)))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
