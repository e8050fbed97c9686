// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What is given out of a person, as the person reads it: the text, and the pictures beside it.
package struct ReadExport {
  package let text: String
  /// By path.
  package let pictures: [String: Data]
  private let members: [String: Any]

  package init(_ export: some Encodable, pictures: [String: Data] = [:]) throws {
    let json = try ExportText.json(export)
    text = String(decoding: json, as: UTF8.self)
    members = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
    self.pictures = pictures
  }

  package func list(_ name: String) -> [[String: Any]] { members[name] as? [[String: Any]] ?? [] }

  /// The files that the text lists: path, bytes, SHA-256.
  package var listed: [String] {
    Self.files(in: members).map { file in
      "\(file["path"] as? String ?? "") \(file["bytes"] as? Int ?? -1) \(file["sha256"] as? String ?? "")"
    }.sorted()
  }

  /// The pictures that there are, in the same form.
  package var beside: [String] {
    pictures.map { "\($0.key) \($0.value.count) \($0.value.sha256Hex)" }.sorted()
  }

  private static func files(in value: Any) -> [[String: Any]] {
    guard let members = value as? [String: Any] else {
      return (value as? [Any] ?? []).flatMap { files(in: $0) }
    }
    return members.flatMap { name, value in
      name == "files" ? value as? [[String: Any]] ?? [] : files(in: value)
    }
  }
}
