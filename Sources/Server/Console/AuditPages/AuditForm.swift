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
  let query: AuditQuery

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
    if !actor.isEmpty { query.actor = UUID(uuidString: actor) == nil ? actor : "agent:\(actor.lowercased())" }
    if !action.isEmpty { query.action = action }
    query.since = try day("from", from)
    query.before = try day("to", to).map { $0 + .days(1) }
    query.after = value("after").flatMap(AuditPlace.init(text:))
    self.query = query
  }

  /// The same search at an address.
  /// - Parameter after: where it goes on.
  func address(_ path: String, after: AuditPlace? = nil) -> String {
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
