// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/policies`: the rules that count for an institution, for its administrators and for auditors. They are
/// changed in files, by commands and over the API, and not here.
package struct PolicyRoutes: Sendable {
  /// What a member may see, the institution first.
  package typealias Source = @Sendable (StaffMember) async throws -> [EffectivePolicy]

  static let base = "\(StaffRoutes.base)/policies"

  private let signIn: StaffSignIn
  private let source: Source

  package init(_ signIn: StaffSignIn, _ source: @escaping Source) { (self.signIn, self.source) = (signIn, source) }

  package func add(to root: RouterGroup<PublicContext>) {
    root.group(RouterPath(Self.base)).get(
      "",
      use: signIn.page(for: nil) { [signIn, source] visit, request, _ in
        if !visit.member.permissions.contains(.manageStaff) { try await signIn.require(.readAudit, of: visit) }
        let sheets = try await source(visit.member)
        let chosen = request.uri.queryParameters.get("of").flatMap { code in sheets.first { $0.code == code } }
        try await signIn.note("policies.listed", by: visit, RecordAccess.overview.facts)
        return try PolicyPage(chosen ?? sheets.first, of: sheets, for: visit).response()
      })
  }
}
