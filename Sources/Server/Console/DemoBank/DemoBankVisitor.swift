// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Kit

/// The browser that asks, and the customer who signed in with it.
///
/// Everybody has a cookie of 32 random bytes. What a form carries against requests of other sites is a keyed digest of
/// it, so that there is one before anybody signed in; signing in makes a new cookie.
struct DemoBankVisitor: Sendable {
  static let cookieName = "gatehouse_demo_bank"
  static let csrfField = "csrf"

  let cookie: String
  /// Whether the browser did not send it, but is given it.
  let isNew: Bool
  var customer: DemoCustomer?
  /// Under which it is looked up.
  let digest: String
  let csrf: String

  init(cookie: String, isNew: Bool, customer: DemoCustomer? = nil, vault: Vault) {
    (self.cookie, self.isNew, self.customer) = (cookie, isNew, customer)
    digest = vault.digest(cookie, for: "demo bank browser")
    csrf = vault.digest(cookie, for: "demo bank form")
  }

  static func fresh(_ bank: DemoBank) -> DemoBankVisitor {
    .init(cookie: Data(bank.world.random(32)).base64URL, isNew: true, vault: bank.vault)
  }

  /// - Parameter isSecure: whether the page is only reached over HTTPS.
  static func of(_ request: Request, _ bank: DemoBank, isSecure: Bool) async throws -> DemoBankVisitor {
    guard let cookie = request.cookie(cookieName, isSecure: isSecure), cookie.utf8.count == 43 else {
      return fresh(bank)
    }
    var visitor = DemoBankVisitor(cookie: cookie, isNew: false, vault: bank.vault)
    visitor.customer = try await bank.customer(session: visitor.digest)
    return visitor
  }

  /// The fields of a form that this very browser was given.
  /// - Throws: `Problem` form-expired.
  func form(_ request: Request) async throws -> FormFields {
    let form = try FormFields(try await RequestContent(request, limit: 16 * 1024))
    guard !isNew, let given = form[Self.csrfField], Data(given.utf8).isEqualInConstantTime(to: csrf.utf8) else {
      throw Problem(.forbidden, "form-expired", "This form is not of now. Go back, load the page again and retry.")
    }
    return form
  }

  /// - Parameter isSecure: whether the page is only reached over HTTPS.
  func marked(_ response: Response, isSecure: Bool) -> Response {
    guard isNew else { return response }
    var response = response
    // Lax: an app may lead back to the page. No other site's form is sent with it.
    response.setCookie(
      HostCookie.make(Self.cookieName, cookie, path: DemoBankRoutes.base, isSecure: isSecure, sameSite: .lax))
    return response
  }
}
