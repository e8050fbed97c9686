import Casework
import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/records/…`: lists of what flows keep, and one by itself. Nothing is changed here.
package struct RecordRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/records"
  /// Lines of the history of a record; the newest are shown.
  private static let historyMax = 200

  /// A shelf, and what a member needs to look at it.
  package struct Entry: Sendable {
    let shelf: any RecordShelf
    let permission: StaffPermission

    package init(_ shelf: any RecordShelf, for permission: StaffPermission) {
      (self.shelf, self.permission) = (shelf, permission)
    }
  }

  /// All of them.
  package struct Shelves: Sendable {
    let entries: [Entry]
    /// Whose rows belong to which desk.
    let policy: CaseworkPolicy

    package init(_ entries: [Entry], policy: CaseworkPolicy) { (self.entries, self.policy) = (entries, policy) }
  }

  private let signIn: StaffSignIn
  private let entries: [Entry]
  private let policy: CaseworkPolicy

  package init(_ signIn: StaffSignIn, _ shelves: Shelves) {
    (self.signIn, entries, policy) = (signIn, shelves.entries, shelves.policy)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    for entry in entries {
      group.get(RouterPath(entry.shelf.kind), use: page(entry) { visit, request, _ in
        func value(_ name: String) -> String? {
          request.uri.queryParameters.get(name).map { $0.trimmingCharacters(in: .whitespaces) }
            .flatMap { $0.isEmpty ? nil : $0 }
        }
        let state = value("state").flatMap { entry.shelf.states.contains($0) ? $0 : nil }
        let question = RecordQuestion(state: state, name: value("name"), after: value("after"))
        let found = try await entry.shelf.page(question, for: reader(visit))
        return try RecordListPage(found, question, entry.shelf, for: visit).response()
      })
      group.get(RouterPath("\(entry.shelf.kind)/{record}"), use: page(entry) { visit, _, parameters in
        guard let id = parameters.get("record"), RecordQuestion.isName(id) else { throw Problem.notFound }
        let file = try await entry.shelf.record(id, for: reader(visit))
        let (history, before) = try await signIn.core.database.read { tx in
          let store = AuditStore(tx)
          let before = max(0, try store.length(of: file.chain) - Self.historyMax)
          return (try store.lines(of: file.chain, after: before, limit: Self.historyMax), before)
        }
        return try RecordFilePage(file, history, isCut: before > 0, entry.shelf.kind, for: visit).response()
      })
    }
  }

  static func path(of kind: String) -> String { "\(base)/\(kind)" }

  private func reader(_ visit: StaffVisit) -> RecordReader {
    RecordReader(
      chain: visit.member.id.rawValue, actor: visit.actor, email: visit.member.email,
      scope: policy.scope(of: visit.member.tenant))
  }

  private typealias Show = @Sendable (StaffVisit, Request, Parameters) async throws -> Response

  private func page(
    _ entry: Entry, _ show: @escaping Show
  ) -> @Sendable (Request, PublicContext) async throws -> Response {
    { [signIn] request, context in
      guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
      try await signIn.require(entry.permission, of: visit)
      return try await signIn.renewing(visit, try await show(visit, request, context.parameters))
    }
  }
}
