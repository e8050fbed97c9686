// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/second-factor/…`: what staff prove after their password, and how they set it up.
package struct SecondFactorRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/second-factor"
  static let authenticatorPath = "\(base)/authenticator"

  private let signIn: StaffSignIn
  private var factors: StaffFactors { signIn.staff.factors }

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: ask)
    group.post("", use: prove)
    group.post("key", use: proveKey)
    group.get("authenticator", use: enrolment)
    group.post("authenticator", use: enrol)
  }

  @Sendable
  private func ask(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let half = try await signIn.half(request) else { return StaffRoutes.redirect(StaffRoutes.base) }
    guard try await factors.state(of: half.member.id).isEnrolled else {
      return StaffRoutes.redirect(Self.authenticatorPath)
    }
    return try await prompt(half).response()
  }

  private func prompt(_ half: StaffVisit, fault: Phrase? = nil) async throws -> SecondFactorPage {
    let state = try await factors.state(of: half.member.id)
    guard !state.keys.isEmpty else { return SecondFactorPage(csrf: half.csrf, key: nil, fault: fault) }
    let challenge = try await factors.challenge(for: .assertion, in: half.family.id)
    return SecondFactorPage(
      csrf: half.csrf, key: KeyPrompt(challenge, half, state, signIn.webAuthn), fault: fault)
  }

  @Sendable
  private func prove(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await proving(request, context) { half, form, network in
      try await factors.prove(form["code"] ?? "", of: half.member, network: network)
    }
  }

  @Sendable
  private func proveKey(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await proving(request, context) { half, form, network in
      try await factors.prove(
        StaffFactors.Assertion(form), of: half.member, in: half.family.id, with: signIn.webAuthn, network: network)
    }
  }

  private func proving(
    _ request: Request, _ context: PublicContext,
    _ check: (StaffVisit, FormFields, _ network: String?) async throws -> StaffFactors.Proof
  ) async throws -> Response {
    guard let half = try await signIn.half(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    let form = try await StaffForm.read(request, csrf: half.csrf)
    switch try await check(half, form, context.clientAddress.map(ClientNetwork.of)) {
    case .accepted(let factor):
      let token = try await signIn.open(half.member, by: factor, after: half)
      return StaffRoutes.redirect(StaffFooter.home(of: half.member))
        .setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure)
    case .refused:
      return try await prompt(half, fault: Phrase("factor_refused")).response(status: .unprocessableContent)
    case .appLocked:
      return try await prompt(half, fault: Phrase("factor_app_locked")).response(status: .unprocessableContent)
    case .locked(let retryAfter):
      let locked = StaffRoutes.locked(retryAfter)
      return try await prompt(half, fault: locked.fault).response(status: locked.status)
    }
  }

  /// Who may set an authenticator up by an enrolment code: a member who is signed in and gives the password again where
  /// they have one, and one who gave a password just now and has no factor at all.
  private func enrolling(_ request: Request) async throws -> (visit: StaffVisit, isHalf: Bool)? {
    if let visit = try await signIn.visit(request) { return (visit, false) }
    guard let half = try await signIn.half(request), try await !factors.state(of: half.member.id).isEnrolled else {
      return nil
    }
    return (half, true)
  }

  @Sendable
  private func enrolment(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let (visit, isHalf) = try await enrolling(request) else {
      return StaffRoutes.redirect(StaffRoutes.signInPath)
    }
    return try await page(visit, isHalf: isHalf, context).response()
  }

  private func page(
    _ visit: StaffVisit, isHalf: Bool, _ context: PublicContext, fault: Phrase? = nil
  ) async throws -> AuthenticatorPage {
    let enrolment = try await factors.enrolment(
      of: visit.member, in: visit.family.id, issuer: "Gatehouse", network: context.clientAddress.map(ClientNetwork.of))
    let asksPassword = try await asksPassword(visit, isHalf: isHalf)
    return AuthenticatorPage(
      enrolment, csrf: visit.csrf, asksPassword: asksPassword, fault: fault, foot: isHalf ? nil : StaffFooter(visit))
  }

  /// A member without a password proves by the enrolment code alone who they are: it was handed to them.
  private func asksPassword(_ visit: StaffVisit, isHalf: Bool) async throws -> Bool {
    if isHalf { return false }
    return try await signIn.staff.hasPassword(visit.member)
  }

  @Sendable
  private func enrol(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let (visit, isHalf) = try await enrolling(request) else {
      return StaffRoutes.redirect(StaffRoutes.signInPath)
    }
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    func refuse(_ fault: Phrase?, _ status: HTTPResponse.Status = .unprocessableContent) async throws -> Response {
      try await page(visit, isHalf: isHalf, context, fault: fault).response(status: status)
    }
    if try await asksPassword(visit, isHalf: isHalf),
      let refusal = try await signIn.refusal(of: form["current"], by: visit, context)
    {
      return try await refuse(refusal.fault, refusal.status)
    }
    switch try await factors.confirm(
      form["code"] ?? "", enrolmentCode: form["enrolment_code"] ?? "", of: visit.member, in: visit.family.id,
      network: context.clientAddress.map(ClientNetwork.of))
    {
    case .confirmed(let codes):
      let response = try RecoveryCodesPage(codes: codes).response()
      guard isHalf else { return try await signIn.renewing(visit, response) }
      let token = try await signIn.open(visit.member, by: "authenticator", after: visit)
      return response.setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure)
    case .wrongCode: return try await refuse(Phrase("app_wrong_code"))
    case .refused:
      return try await refuse(Phrase("enrolment_refused"))
    case .locked(let retryAfter):
      let locked = StaffRoutes.locked(retryAfter)
      return try await refuse(locked.fault, locked.status)
    }
  }
}
