// SPDX-License-Identifier: Apache-2.0

/// The institution in whose name messages are written.
package struct MessageSender: Sendable {
  /// As customers know it, by language; English is always there.
  let names: [String: String]
  /// Host of its web pages; codes are bound to it in autofill.
  package let host: String

  /// - Throws: `MessageSenderError` when a name could break a line of a message, or the host is invalid.
  package init(name: String, names: [String: String] = [:], host: String) throws {
    let all = names.merging(["en": name]) { $1 }
    for (_, name) in all {
      guard !name.isEmpty, name.count <= 60,
        !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "@" || $0 == "#" })
      else { throw MessageSenderError.name }
    }
    guard EmailAddress.isHostName(host[...]) else { throw MessageSenderError.host }
    self.names = all
    self.host = host
  }

  func name(in language: String) -> String { names[language] ?? names["en"] ?? host }
}

package enum MessageSenderError: Error, Sendable, Equatable { case name, host }
