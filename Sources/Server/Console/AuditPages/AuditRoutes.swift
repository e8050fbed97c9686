// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/audit`: the audit log of the installation, for those who may see what every institution's people did. Each
/// look and each export is a line of the log.
package struct AuditRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/audit"

  private let signIn: StaffSignIn
  private let search: AuditSearch

  package init(_ signIn: StaffSignIn) { (self.signIn, search) = (signIn, AuditSearch(signIn.core)) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page(show))
    group.get("export", use: page(export))
  }

  private typealias Show = @Sendable (StaffVisit, AuditForm) async throws -> Response

  private func page(_ show: @escaping Show) -> StaffSignIn.Handler {
    signIn.page(for: .readAudit) { [signIn] visit, request, _ in
      let form = try await AuditForm { request.uri.queryParameters.get($0) }.with { actor in
        try await signIn.core.database.read { tx in
          let known = ActorLookup(tx)
          return try known.contains(actor) ? actor : known.named(actor)
        }
      }
      return try await show(visit, form)
    }
  }

  @Sendable
  private func show(_ visit: StaffVisit, _ form: AuditForm) async throws -> Response {
    let found = try await search.page(form.query, by: visit.actor, chain: visit.member.id.rawValue)
    return try AuditLogPage(found, form, for: visit).response()
  }

  @Sendable
  private func export(_ visit: StaffVisit, _ form: AuditForm) async throws -> Response {
    let found = try await search.export(form.query, by: visit.actor, chain: visit.member.id.rawValue)
    return Response.attachment(
      Data(AuditCSV.text(found.findings).utf8), "text/csv; charset=utf-8",
      named: "audit\(found.isCut ? "-cut" : "").csv")
  }
}

extension StaffPermission {
  /// Search the audit log, of every institution of the installation.
  package static let readAudit = StaffPermission(rawValue: "read:audit")
}
