// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/templates`: the words of messages to customers as they are sent, with invented values. They are replaced
/// by files, which the command checks.
package struct TemplateRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/templates"
  /// See what tenants decide, of every institution of the installation.
  static let permission = StaffPermission.manageTenants

  private let signIn: StaffSignIn
  private let texts: MessageTexts

  package init(_ signIn: StaffSignIn, _ texts: MessageTexts) { (self.signIn, self.texts) = (signIn, texts) }

  package func add(to root: RouterGroup<PublicContext>) {
    root.group(RouterPath(Self.base)).get(
      "",
      use: signIn.page(for: Self.permission) { [signIn, texts] visit, request, _ in
        let query = request.uri.queryParameters
        let tenant = texts.tenants.first { "\($0)" == query.get("tenant") }
        let language = MessageTexts.languages.first { $0 == query.get("language") } ?? PageTexts.current.rawValue
        try await signIn.note(
          "templates.listed", by: visit, ["language": language, "why": RecordAccess.overview.rawValue])
        return try TemplatesPage(texts, of: tenant, in: language, for: visit).response()
      })
  }
}
