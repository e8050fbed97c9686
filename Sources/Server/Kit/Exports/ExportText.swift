// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The text of what is given out of a person (GDPR art. 15 and 20).
package enum ExportText {
  /// Indented, members in the order of their names, in `snake_case`.
  package static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dataEncodingStrategy = .base64
    return try encoder.encode(value)
  }
}

/// A picture beside an export's text, as the text lists it.
package struct ExportedFile: Encodable, Sendable, Equatable {
  /// Which picture of its row it is, such as `portrait`.
  package let what: String
  /// Within the export.
  package let path: String
  package let bytes: Int
  package let sha256: String
}

extension Blobs {
  /// Opens a picture for an export.
  /// - Parameter context: what it was sealed for.
  /// - Returns: nil when it is gone, or the key of whose it was.
  package func exported(
    _ key: String, as what: String, context: String, by vault: Vault, in database: any SQLDatabase
  ) async throws -> (file: ExportedFile, bytes: Data)? {
    guard let sealed = try await get(key) else { return nil }
    let bytes: Data
    do { bytes = try await vault.open(sealed, context: context, in: database) } catch VaultError.erased { return nil }
    let file = ExportedFile(what: what, path: "images/\(key).jpg", bytes: bytes.count, sha256: bytes.sha256Hex)
    return (file, bytes)
  }
}

/// One line of an audit chain as the person whom the chain is about may see it: what was done, when, and by what kind
/// of actor. Who it was, and the facts, are ids and digests of the institution.
package struct ExportedAuditEntry: Encodable, Sendable, Equatable {
  /// RFC 3339 in UTC.
  package let at: String
  package let actor: String
  package let action: String

  init(_ line: AuditLine) {
    (at, actor, action) = (line.at.rfc3339, Self.role(of: line.actor), line.action)
  }

  /// An actor without a name: `agent` for every colleague, also of another system's, `device` for every device.
  package static func role(of actor: String) -> String {
    actor.contains("agent:") ? "agent" : String(actor.prefix { $0 != ":" })
  }
}

extension AuditStore {
  /// Lines of one chain that are read; a chain is never near it, not even one with a line for every signature.
  private static let wholeMax = 1_000_000
  private static let wholePage = 500

  /// A chain from its beginning.
  package func whole(_ chain: String) throws -> [AuditLine] {
    var whole: [AuditLine] = []
    while whole.count < Self.wholeMax {
      let page = try lines(of: chain, after: whole.last?.sequence ?? 0, limit: Self.wholePage)
      whole += page
      if page.count < Self.wholePage { break }
    }
    return whole
  }

  /// A chain from its beginning, for the person whom it is about.
  package func exported(_ chain: String) throws -> [ExportedAuditEntry] {
    try whole(chain).map(ExportedAuditEntry.init)
  }
}
