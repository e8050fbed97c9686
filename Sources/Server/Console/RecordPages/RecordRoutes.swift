// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/records/…`: lists of what flows keep, one by itself, and what can be done about it.
package struct RecordRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/records"
  /// A repository, and what a member needs to look at it.
  package struct Entry: Sendable {
    let repository: any RecordRepository
    let permission: StaffPermission
    /// What a member needs besides to act; nil where nothing can be done.
    let acting: StaffPermission?

    package init(_ repository: any RecordRepository, for permission: StaffPermission, acting: StaffPermission? = nil) {
      (self.repository, self.permission, self.acting) = (repository, permission, acting)
    }
  }

  /// All of them.
  package struct Repositories: Sendable {
    let entries: [Entry]
    /// Whose rows belong to which desk.
    let policy: CaseworkPolicy

    package init(_ entries: [Entry], policy: CaseworkPolicy) { (self.entries, self.policy) = (entries, policy) }
  }

  private let signIn: StaffSignIn
  private let entries: [Entry]
  private let policy: CaseworkPolicy

  package init(_ signIn: StaffSignIn, _ repositories: Repositories) {
    (self.signIn, entries, policy) = (signIn, repositories.entries, repositories.policy)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    for entry in entries {
      let list = RouterPath(entry.repository.kind)
      group.get(
        list,
        use: page(entry) { visit, request, _ in
          let question = Self.question(entry) { request.uri.queryParameters.get($0) }
          return try await self.list(entry, question, why: Self.look(request), for: visit)
        })
      // What is searched for may be a telephone number or an e-mail address, and browsers and proxies keep addresses of
      // pages: the form goes in a body.
      group.post(
        list,
        use: page(entry) { visit, request, _ in
          let form = try await StaffForm.read(request, csrf: visit.csrf)
          let question = Self.question(entry) { form[$0] }
          guard question.name != nil || question.after != nil else {
            return StaffRoutes.redirect("\(Self.path(of: entry.repository.kind))?state=\(question.state ?? "")")
          }
          return try await self.list(entry, question, why: nil, isForm: true, for: visit)
        })
      group.get(
        RouterPath("\(entry.repository.kind)/{record}"),
        use: page(entry) { visit, request, parameters in
          try await show(entry, Self.id(parameters), why: Self.look(request) ?? .direct, for: visit)
        })
      guard let acting = entry.acting, let repository = entry.repository as? any ActingRepository else { continue }
      group.post(
        RouterPath("\(repository.kind)/{record}/acts"),
        use: page(entry) { visit, request, parameters in
          let id = try Self.id(parameters)
          let form = try await StaffForm.read(request, csrf: visit.csrf)
          try await signIn.require(acting, of: visit)
          var act = RecordAct(form["act"] ?? "", form["subject"] ?? "")
          (act.key, act.filled) = (form["key"], form.all(after: RecordFilePage.fieldPrefix))
          let reader = reader(visit, why: .act)
          do {
            guard try await repository.act(act, of: id, because: form["reason"] ?? "", for: reader) else {
              throw Problem(
                .conflict, "second-person-asked",
                "A second person has to agree. Send the same again after their word.")
            }
            return StaffRoutes.redirect(Self.path(of: repository.kind, id, why: .act))
          } catch let problem as Problem
            where [.conflict, .unprocessable].contains(problem.category) || problem.code == "over-limit"
          {
            return try await show(
              entry, id, why: .act, fault: Phrase(firstOf: problem), status: problem.status,
              typed: problem.category != .conflict ? (act, form["reason"] ?? "") : nil, for: visit)
          }
        })
    }
  }

  /// How an address names why its reader looks.
  private static let whyField = "why"

  private static func look(_ request: Request) -> RecordAccess? {
    request.uri.queryParameters.get(whyField).flatMap { RecordAccess(rawValue: $0) }
  }

  static func path(of kind: String) -> String { "\(base)/\(kind)" }

  /// Of the records of a kind that an identifier names.
  static func path(of kind: String, named name: String, why: RecordAccess) -> String {
    "\(path(of: kind))?name=\(AuditForm.encoded(name))&\(whyField)=\(why.rawValue)"
  }

  /// Of one record, for members who get there by the page that has this address.
  static func path(of kind: String, _ record: String, why: RecordAccess) -> String {
    "\(path(of: kind))/\(record)?\(whyField)=\(why.rawValue)"
  }

  /// - Parameter value: what the address or the form has under a name.
  private static func question(_ entry: Entry, _ value: (String) -> String?) -> RecordQuestion {
    func text(_ name: String) -> String? {
      value(name).map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let state = text("state").flatMap { entry.repository.states.contains($0) ? $0 : nil }
    return RecordQuestion(state: state, name: text("name"), after: text("after"))
  }

  private func list(
    _ entry: Entry, _ question: RecordQuestion, why look: RecordAccess?, isForm: Bool = false, for visit: StaffVisit
  ) async throws -> Response {
    let why = look == .approval ? RecordAccess.approval : question.name == nil ? .list : .search
    let found = try await entry.repository.page(question, for: reader(visit, why: why))
    // The one that a form names is shown at once: browsers do not go back to the answer to a form without asking.
    if isForm, question.name != nil, question.after == nil, found.rows.count == 1, let only = found.rows.first {
      return StaffRoutes.redirect(Self.path(of: entry.repository.kind, only.id, why: why))
    }
    return try RecordListPage(found, question, entry.repository, why: why, for: visit).response()
  }

  private func show(
    _ entry: Entry, _ id: String, why: RecordAccess, fault: Phrase? = nil, status: HTTPResponse.Status = .ok,
    typed: RecordFilePage.Typed? = nil, for visit: StaffVisit
  ) async throws -> Response {
    let file = try await entry.repository.record(id, for: reader(visit, why: why))
    let tail = try await signIn.core.database.read { try AuditTail(of: file.chain, in: $0) }
    let mayAct = entry.acting.map { visit.member.permissions.contains($0) } ?? false
    let repository = mayAct ? entry.repository as? any ActingRepository : nil
    return try RecordFilePage(
      file, tail, entry.repository.kind, reasons: { repository?.reasons(of: $0) ?? [] }, fault: fault, typed: typed,
      for: visit
    ).response(status: status)
  }

  /// - Throws: `Problem` not-found for what is no id at all.
  private static func id(_ parameters: Parameters) throws -> String {
    guard let id = parameters.get("record"), RecordQuestion.isName(id) else { throw Problem.notFound }
    return id
  }

  private func reader(_ visit: StaffVisit, why: RecordAccess) -> RecordReader {
    RecordReader(
      chain: visit.member.id.rawValue, actor: visit.actor, email: visit.member.email,
      scope: policy.scope(of: visit.member.tenant), why: why)
  }

  private func page(_ entry: Entry, _ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: entry.permission, show)
  }
}
