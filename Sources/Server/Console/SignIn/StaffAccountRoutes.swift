// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/account`: what staff change about their own account.
package struct StaffAccountRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/account"

  private let signIn: StaffSignIn

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: show)
    group.post("password", use: changePassword)
    group.post("keys", use: addKey)
    group.post("keys/remove", use: removeKey)
    group.post("display", use: signIn.page(for: nil, setDisplay))
  }

  /// The language of the pages. It is kept with the member, and in this browser from now on.
  @Sendable
  private func setDisplay(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    let code = form["language"].flatMap(Language.init(rawValue:))?.rawValue
    try await signIn.staff.setDisplayLanguage(code, of: visit.member.id)
    var response = StaffRoutes.redirect(Self.base)
    let display = Display.current.choosing(language: code ?? "", theme: nil)
    response.setCookie(display.cookie(isSecure: signIn.isSecure))
    return response
  }

  @Sendable
  private func show(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    return try await page(visit)
  }

  @Sendable
  private func changePassword(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await change(request, context) { visit, form in
      guard try await signIn.staff.hasPassword(visit.member) else { throw Problem.notFound }
      try await signIn.staff.setPassword(
        form["new"] ?? "", of: visit.member.id, by: visit.actor, keeping: visit.family.id)
      return Phrase("password_changed")
    }
  }

  @Sendable
  private func addKey(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await change(request, context) { visit, form in
      try await signIn.staff.factors.register(
        clientData: form.bytes("client_data"), attestation: form.bytes("attestation"), of: visit.member,
        in: visit.family.id, with: signIn.webAuthn)
      return Phrase("key_was_added")
    }
  }

  @Sendable
  private func removeKey(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await change(request, context) { visit, form in
      try await signIn.staff.factors.removeKey(form.bytes("credential"), of: visit.member, in: visit.family.id)
      return Phrase("key_was_removed")
    }
  }

  /// Changes something for a member who gives the current password, or a code where they have no password.
  /// - Parameter change: returns what the page says then.
  private func change(
    _ request: Request, _ context: PublicContext, _ change: (StaffVisit, FormFields) async throws -> Phrase
  ) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    // As `StaffSignIn.page` does: a form may come slowly.
    guard try await signIn.mayStillRead(visit, nil) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    if let refusal = try await signIn.refusal(of: form["current"], by: visit, context) {
      return try await page(visit, fault: refusal.fault, status: refusal.status)
    }
    do {
      return try await page(visit, note: change(visit, form))
    } catch let problem as Problem where [.unprocessable, .conflict].contains(problem.category) {
      return try await page(visit, fault: Phrase(firstOf: problem), status: problem.status)
    } catch let problem as Problem where problem.category == .unauthenticated {
      // The session was ended while the password was compared.
      return StaffRoutes.redirect(StaffRoutes.signInPath)
    }
  }

  private func page(
    _ visit: StaffVisit, note: Phrase? = nil, fault: Phrase? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let state = try await signIn.staff.factors.state(of: visit.member.id)
    var key: KeyPrompt?
    if state.isEnrolled, state.keys.count < StaffFactors.keysMax {
      let challenge = try await signIn.staff.factors.challenge(for: .registration, in: visit.family.id)
      key = KeyPrompt(challenge, visit, state, signIn.webAuthn)
    }
    let language = try await signIn.staff.displayLanguage(of: visit.member.id).flatMap(Language.init(rawValue:))
    return try await signIn.renewing(
      visit,
      try StaffAccountPage(
        visit, state, language: language, key: key, hasPassword: try await signIn.staff.hasPassword(visit.member),
        note: note, fault: fault
      ).response(status: status))
  }
}
