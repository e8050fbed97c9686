// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Scheduling

/// A member of staff who is signed in, and their browser.
struct StaffVisit: Sendable {
  static let cookieName = "gatehouse_console"

  let member: StaffMember
  let family: SessionFamily
  /// What forms of this session carry, against requests of other sites: a keyed digest of the session's id.
  let csrf: String
  /// Of the member's institution; nil for UTC.
  var clock: LocalTime?

  init(member: StaffMember, family: SessionFamily, vault: Vault) {
    (self.member, self.family) = (member, family)
    csrf = vault.digest(family.id.rawValue, for: "console form")
  }

  /// How audit lines name this member.
  var actor: String { member.actor }

  var mayRedeliver: Bool { member.permissions.contains(.redeliverWebhooks) }
}

/// A browser that is not signed in yet. It has a cookie of 32 random bytes, of which the form carries a keyed
/// digest: a form of another site cannot sign in.
///
/// A cookie of its own: a link from another site brings no session along (SameSite=Strict), and must not end it.
struct StaffVisitor: Sendable {
  static let cookieName = "gatehouse_console_form"

  let cookie: String
  /// Whether the browser did not send it, but is given it.
  let isNew: Bool
  let csrf: String

  /// - Parameter isSecure: whether the pages are reached over HTTPS only.
  init(_ request: Request, isSecure: Bool, vault: Vault, world: World) {
    let sent = request.cookie(Self.cookieName, isSecure: isSecure)
    isNew = sent?.utf8.count != 43
    cookie = isNew ? Data(world.random(32)).base64URL : sent ?? ""
    csrf = vault.digest(cookie, for: "console visitor")
  }
}

/// What stands between a form of ours and one of another site.
enum StaffForm {
  static let csrfField = "csrf"
  private static let bytesMax = 16 * 1024

  /// - Parameter csrf: what the form was given; nil when this browser was given none.
  /// - Throws: `Problem` form-expired.
  static func read(_ request: Request, csrf: String?) async throws -> FormFields {
    let expired = Problem(
      .forbidden, "form-expired", "This form is not of now. Go back, load the page again and retry.")
    guard let csrf else { throw expired }
    let form = try FormFields(try await RequestContent(request, limit: bytesMax))
    guard let given = form[csrfField], Data(given.utf8).isEqualInConstantTime(to: csrf.utf8) else { throw expired }
    return form
  }
}

extension FormFields {
  /// A field in base64url; empty when it is missing or is something else.
  func bytes(_ name: String) -> Data { self[name].flatMap { Data(base64URL: $0) } ?? Data() }
}

extension Response {
  /// - Parameter value: empty takes the cookie away.
  func setting(_ name: String, to value: String, isSecure: Bool) -> Response {
    var response = self
    response.setCookie(
      HostCookie.make(
        name, value, maxAge: value.isEmpty ? 0 : nil, path: StaffRoutes.base, isSecure: isSecure, sameSite: .strict))
    return response
  }
}
