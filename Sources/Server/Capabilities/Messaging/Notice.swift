/// What a message is about. The words for it are in `MessageTexts`.
package enum Notice: Sendable, Equatable {
  /// A code that confirms a phone number or an e-mail address (Rubix §8.2).
  case confirmContact(code: String, minutes: Int)
  case applicationCompleted
  case applicationRejected

  /// Every kind of notice, as it is named among the texts.
  package enum Kind: String, Sendable, CaseIterable {
    case confirmContact = "confirm-contact"
    case applicationCompleted = "application-completed"
    case applicationRejected = "application-rejected"
  }

  package var kind: Kind {
    switch self {
    case .confirmContact: .confirmContact
    case .applicationCompleted: .applicationCompleted
    case .applicationRejected: .applicationRejected
    }
  }

  /// The values of its own holes.
  var values: [String: String] {
    switch self {
    case .confirmContact(let code, let minutes): ["code": code, "minutes": String(minutes)]
    case .applicationCompleted, .applicationRejected: [:]
    }
  }
}

/// The institution in whose name messages are written.
package struct MessageHouse: Sendable {
  /// As customers know it, by language; English is always there.
  let names: [String: String]
  /// Host of its web pages; codes are bound to it in autofill.
  package let host: String

  /// - Throws: `MessageHouseError` when a name could break a line of a message, or the host is none.
  package init(name: String, names: [String: String] = [:], host: String) throws {
    let all = names.merging(["en": name]) { $1 }
    for (_, name) in all {
      guard !name.isEmpty, name.count <= 60,
        !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "@" || $0 == "#" })
      else { throw MessageHouseError.name }
    }
    guard EmailAddress.isHostName(host[...]) else { throw MessageHouseError.host }
    self.names = all
    self.host = host
  }

  func name(in language: String) -> String { names[language] ?? names["en"] ?? host }
}

package enum MessageHouseError: Error, Sendable, Equatable { case name, host }
