// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/sign-in/passkey`: how staff come in by a passkey alone.
package struct PasskeyRoutes: Sendable {
  static let path = "\(StaffRoutes.signInPath)/passkey"

  private let signIn: StaffSignIn

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) { root.post(RouterPath(Self.path), use: prove) }

  @Sendable
  private func prove(_ request: Request, _ context: PublicContext) async throws -> Response {
    let visitor = StaffVisitor(
      request, isSecure: signIn.isSecure, vault: signIn.core.vault, world: signIn.core.world)
    let form = try await StaffForm.read(request, csrf: visitor.isNew ? nil : visitor.csrf)
    let answer = StaffPasskeys.Answer(
      StaffFactors.Assertion(form), user: form.bytes("user_handle"), ticket: form["ticket"] ?? "")
    let former = try await signIn.visit(request)
    func refuse(_ fault: Phrase?, _ status: HTTPResponse.Status, after seconds: Int? = nil) throws -> Response {
      var page = try StaffSignInPage(csrf: visitor.csrf, signIn)
      page.fault = fault
      var response = try page.response(status: status)
      if let seconds { response.headers[.retryAfter] = "\(seconds)" }
      return response
    }
    do {
      switch try await signIn.passkeys.complete(
        answer, browser: visitor.csrf, network: context.clientAddress.map(ClientNetwork.of),
        enter: { [signIn] member, tx in try signIn.enter(member, provedBy: "passkey", in: tx) })
      {
      case .accepted(let entry):
        if let former { try await signIn.signOut(former) }
        let (token, path, member) = try await signIn.cookie(of: entry)
        return try await signIn.greeting(
          member,
          StaffRoutes.redirect(path).setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure))
      case .refused: return try refuse(Phrase("passkey_refused"), .unprocessableContent)
      case .locked(let retryAfter):
        let locked = StaffRoutes.locked(retryAfter)
        return try refuse(locked.fault, locked.status, after: retryAfter.wholeSeconds)
      }
    } catch let problem as Problem where problem.category == .rateLimited {
      return try refuse(StaffRoutes.words(for: problem), problem.status, after: problem.retryAfterSeconds)
    }
  }
}

extension StaffFactors.Assertion {
  /// - Parameter form: what `passkey.js` sends.
  init(_ form: FormFields) {
    self.init(
      credential: form.bytes("credential"), clientData: form.bytes("client_data"),
      authenticatorData: form.bytes("authenticator_data"), signature: form.bytes("signature"))
  }
}
