// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit

extension StaffSignIn {
  typealias Handler = @Sendable (Request, PublicContext) async throws -> Response

  /// What a page answers to the member who asks for it.
  typealias Show = @Sendable (StaffVisit, Request, Parameters) async throws -> Response

  /// A page or a form for members who are signed in and may, whose session goes on by it; the others sign in first.
  /// - Parameters:
  ///   - permission: what a member needs; nil for everybody who is signed in.
  ///   - refreshes: whether the page reads itself again, with `live` in its query, by which the session does not go on.
  ///   - isUse: whether the session goes on by it; not for what a script asks by itself.
  func page(
    for permission: StaffPermission?, refreshes: Bool = false, isUse: Bool = true, _ show: @escaping Show
  ) -> Handler {
    { [self] request, context in
      guard let visit = try await self.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
      if let permission { try await require(permission, of: visit) }
      let answer: Response
      do {
        let check = BodyCheck { try await requireStill(visit, permission) }
        answer = try await RequestContent.$whenRead.withValue(check) {
          try await show(visit, request, context.parameters)
        }
      } catch is EndedMeanwhile { return StaffRoutes.redirect(StaffRoutes.signInPath) }
      return !isUse || refreshes && Self.isRefresh(request) ? answer : try await renewing(visit, answer)
    }
  }

  /// Whether a page that is shown already reads itself again.
  static func isRefresh(_ request: Request) -> Bool { request.uri.queryParameters.get("live") != nil }

  /// The session ended, or the member lost a permission, while a form came.
  private struct EndedMeanwhile: Error {}

  /// A form may come slowly, and the session end meanwhile.
  /// - Throws: `EndedMeanwhile`.
  private func requireStill(_ visit: StaffVisit, _ permission: StaffPermission?) async throws {
    guard try await mayStillRead(visit, permission) else { throw EndedMeanwhile() }
  }

  /// Whether an answer that goes on for minutes may go on: whether the session that asked for it does, and what its
  /// member may by now.
  /// - Parameter permission: as in `page`. With nil the member has to have every permission that they had, as what
  ///   they see of cases goes by several.
  func mayStillRead(_ visit: StaffVisit, _ permission: StaffPermission?) async throws -> Bool {
    try await core.database.read { [sessions, staff] tx in
      do { try sessions.requireLive(AccessIdentity(visit.family, scope: ""), in: tx) } catch is Problem { return false }
      guard let member = try staff.find(visit.member.id, in: tx), member.isActive else { return false }
      return permission.map(member.permissions.contains) ?? member.permissions.isSuperset(of: visit.member.permissions)
    }
  }
}
