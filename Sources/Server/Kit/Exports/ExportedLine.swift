/// One line of an audit chain as the person may see it whose story it is: what was done, when, and by what kind of
/// actor. Who it was, and the facts, are ids and digests of the house.
package struct ExportedLine: Encodable, Sendable, Equatable {
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

  /// A chain from its beginning, for the one whose story it is.
  package func exported(_ chain: String) throws -> [ExportedLine] { try whole(chain).map(ExportedLine.init) }
}
