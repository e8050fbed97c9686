// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/…`: how staff come in and leave.
package struct StaffRoutes: Sendable {
  package static let base = "/console"
  static let signInPath = "\(base)/sign-in"

  private let signIn: StaffSignIn

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("") { [signIn] request, _ in
      Self.redirect(try await signIn.visit(request).map { StaffFooter.home(of: $0.member) } ?? Self.signInPath)
    }
    group.get("sign-in", use: form)
    group.post("sign-in", use: signIn)
    group.post("sign-out", use: signOut)
    group.post("lock", use: lock)
    // A page that was warned asks for the session to go on; it has no content.
    group.get("session", use: signIn.page(for: nil) { _, _, _ in Response(status: .noContent) })
  }

  static func redirect(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }

  @Sendable
  private func form(_ request: Request, _ context: PublicContext) async throws -> Response {
    if let visit = try await signIn.visit(request) { return Self.redirect(StaffFooter.home(of: visit.member)) }
    let visitor = visitor(request)
    var page = try StaffSignInPage(csrf: visitor.csrf, signIn)
    let query = request.uri.queryParameters
    (page.isLocked, page.fault) = (query["locked"] != nil, OpenIDRoutes.fault(query.get("openid")))
    let left = query.get("left")
    page.leaving = signIn.openID.providers.first { $0.tenant == left }.map(ProviderLink.init(leaving:))
    let response = try page.response()
    guard visitor.isNew else { return response }
    return response.setting(StaffVisitor.cookieName, to: visitor.cookie, isSecure: signIn.isSecure)
  }

  @Sendable
  private func signIn(_ request: Request, _ context: PublicContext) async throws -> Response {
    let visitor = visitor(request)
    let form = try await StaffForm.read(request, csrf: visitor.isNew ? nil : visitor.csrf)
    func text(_ name: String) -> String { (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    let (email, institution) = (text("email"), text("institution"))
    do {
      let (token, path, member) = try await signIn.signIn(
        email: email, password: form["password"] ?? "", institution: institution.isEmpty ? nil : institution,
        from: context.clientAddress, after: try await signIn.visit(request))
      return try await signIn.greeting(
        member, Self.redirect(path).setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure))
    } catch let problem as Problem {
      guard let fault = Self.words(for: problem) else { throw problem }
      var page = try StaffSignInPage(csrf: visitor.csrf, signIn)
      (page.email, page.institution, page.fault) = (email, institution, fault)
      // 401 would ask for a way to sign in that browsers know by themselves (RFC 9110 §15.5.2).
      let isWrong = problem.category == .unauthenticated
      var response = try page.response(status: isWrong ? .unprocessableContent : problem.status)
      if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
      return response
    }
  }

  /// Nil for what is no matter of who signs in.
  static func words(for problem: Problem) -> Phrase? {
    switch problem.category {
    case .unauthenticated: Phrase("sign_in_wrong")
    case .locked, .rateLimited: locked(minutes: minutes(problem.retryAfterSeconds ?? 0))
    case .forbidden: Phrase(problem)
    default: nil
    }
  }

  private static func locked(minutes: Int) -> Phrase {
    minutes == 1 ? Phrase("too_many_minute") : Phrase("too_many_minutes", ["count": "\(minutes)"])
  }

  /// What a page answers after too many tries.
  static func locked(_ retryAfter: Duration) -> (fault: Phrase?, status: HTTPResponse.Status) {
    let problem = Problem(.locked, "login-locked", "").with { $0.retryAfterSeconds = retryAfter.wholeSeconds }
    return (words(for: problem), problem.status)
  }

  /// Rounded up: a member who comes back then may try again.
  private static func minutes(_ seconds: Int) -> Int { max(1, (seconds + 59) / 60) }

  @Sendable
  private func signOut(_ request: Request, _ context: PublicContext) async throws -> Response {
    // Of another site's form the browser sends no cookie along: then nothing is taken away.
    guard let visit = try await signIn.visit(request) else { return Self.redirect(Self.signInPath) }
    _ = try await StaffForm.read(request, csrf: visit.csrf)
    try await signIn.signOut(visit)
    let path = OpenIDRoutes.afterSignOut(request, signIn)
    return Self.redirect(path).setting(StaffVisit.cookieName, to: "", isSecure: signIn.isSecure)
  }

  /// What a page does that nothing was done on for too long: as signing out, and the reader is told why.
  @Sendable
  private func lock(_ request: Request, _ context: PublicContext) async throws -> Response {
    let locked = Self.redirect("\(Self.signInPath)?locked=1")
    guard let visit = try await signIn.visit(request) else { return locked }
    _ = try await StaffForm.read(request, csrf: visit.csrf)
    try await signIn.signOut(visit)
    return locked.setting(StaffVisit.cookieName, to: "", isSecure: signIn.isSecure)
  }

  private func visitor(_ request: Request) -> StaffVisitor {
    StaffVisitor(
      request, isSecure: signIn.isSecure, vault: signIn.core.vault, world: signIn.core.world)
  }
}
