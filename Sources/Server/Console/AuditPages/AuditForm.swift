// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What the form of the search holds, as it was typed.
struct AuditForm: Sendable, Equatable {
  /// Longest value of a field.
  private static let lengthMax = 128
  /// What stands before an id in the names of chains: a person, a case or an account is looked for by the id alone.
  private static let prefixes = [
    "", "finaptic-user-", "finaptic-", "finaptic-account-", "finaptic-card-", "oneassist-", "saltedge-",
    "saltedge-operation-", "activation:", "case-", "screening-case-", "approval-", "conversation-",
  ]

  let subject: String
  let actor: String
  let action: String
  /// Days of UTC, as in `2026-11-26`; both count.
  let from: String
  let to: String
  var query: AuditQuery

  /// - Throws: `Problem` invalid for a text that names no day, and for a value that no line can have.
  init(_ value: (_ name: String) -> String?) throws {
    func text(_ name: String) throws -> String {
      let text = (value(name) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      guard text.utf8.count <= Self.lengthMax, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
        throw Problem.validation([
          .init("/\(name)", "unreadable", "\(Self.lengthMax) bytes at most, without control characters.")
        ])
      }
      return text
    }
    func day(_ name: String, _ text: String) throws -> Instant? {
      guard !text.isEmpty else { return nil }
      guard let instant = Instant(rfc3339: "\(text)T00:00:00Z") else {
        throw Problem.validation([.init("/\(name)", "not-a-day", "A day, as in 2026-11-26.")])
      }
      return instant
    }
    (subject, actor, action) = (try text("subject"), try text("actor"), try text("action"))
    (from, to) = (try text("from"), try text("to"))
    var query = AuditQuery()
    if !subject.isEmpty {
      let name = UUID(uuidString: subject) == nil ? subject : subject.lowercased()
      query.chains = Self.prefixes.map { $0 + name }
    }
    if !actor.isEmpty { query.actor = Self.holdsID(actor) ? actor.lowercased() : actor }
    if !action.isEmpty {
      guard !Self.holdsID(action) else { throw Self.unknown("action") }
      query.action = action
    }
    query.since = try day("from", from)
    query.before = try day("to", to).map { $0 + .days(1) }
    query.after = value("after").flatMap(AuditCursor.init(text:))
    self.query = query
  }

  /// The same where the actor is a colleague or a program. The log keeps whom a search was for: an id of whom else it
  /// may be would stay there when that person is erased.
  /// - Parameter known: the actor of an id that stands alone or behind its kind; nil for one that is not known.
  /// - Throws: `Problem` invalid for an id that is not known.
  func with(_ known: (_ actor: String) async throws -> String?) async throws -> AuditForm {
    guard let actor = query.actor, Self.holdsID(actor) else { return self }
    var form = self
    form.query.actor = try await known(actor)
    guard form.query.actor != nil else { throw Self.unknown("actor") }
    return form
  }

  private static func holdsID(_ text: String) -> Bool {
    text.contains(/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/)
  }

  private static func unknown(_ field: String) -> Problem {
    Problem.validation([.init("/\(field)", "unknown-value", "An id of a member of staff or of a program.")])
  }

  /// The same search at an address.
  /// - Parameter after: where it goes on.
  func address(_ path: String, after: AuditCursor? = nil) -> String {
    let fields = [
      ("subject", subject), ("actor", actor), ("action", action), ("from", from), ("to", to),
      ("after", after?.text ?? ""),
    ]
    let query = fields.filter { !$0.1.isEmpty }.map { name, value in
      "\(name)=\(Self.encoded(value))"
    }
    return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
