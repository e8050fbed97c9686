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
      Self.redirect(try await signIn.visit(request).map { Self.home(of: $0.member) } ?? Self.signInPath)
    }
    group.get("sign-in", use: form)
    group.post("sign-in", use: signIn)
    group.post("sign-out", use: signOut)
  }

  /// Where a member begins.
  static func home(of member: StaffMember) -> String {
    member.permissions.contains(.readWebhooks) ? WebhookRoutes.base : StaffAccountRoutes.base
  }

  static func redirect(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }

  @Sendable
  private func form(_ request: Request, _ context: PublicContext) async throws -> Response {
    if let visit = try await signIn.visit(request) { return Self.redirect(Self.home(of: visit.member)) }
    let visitor = visitor(request)
    let response = try StaffSignInPage(csrf: visitor.csrf, asksInstitution: signIn.asksInstitution).response()
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
      let (token, path) = try await signIn.signIn(
        email: email, password: form["password"] ?? "", institution: institution.isEmpty ? nil : institution,
        from: context.clientAddress, after: try await signIn.visit(request))
      return Self.redirect(path).setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure)
    } catch let problem as Problem {
      guard let fault = Self.words(for: problem) else { throw problem }
      var page = StaffSignInPage(csrf: visitor.csrf, asksInstitution: signIn.asksInstitution)
      (page.email, page.institution, page.fault) = (email, institution, fault)
      // 401 would ask for a way to sign in that browsers know by themselves (RFC 9110 §15.5.2).
      let isWrong = problem.category == .unauthenticated
      var response = try page.response(status: isWrong ? .unprocessableContent : problem.status)
      if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
      return response
    }
  }

  /// Nil for what is no matter of who signs in.
  static func words(for problem: Problem) -> String? {
    switch problem.category {
    case .unauthenticated: "The e-mail address or the password is wrong."
    case .locked, .rateLimited: "Too many tries. Try again in \(minutes(problem.retryAfterSeconds ?? 0))."
    case .forbidden: problem.detail
    default: nil
    }
  }

  /// What a page answers after too many tries.
  static func locked(_ retryAfter: Duration) -> (fault: String?, status: HTTPResponse.Status) {
    let problem = Problem(.locked, "login-locked", "").with { $0.retryAfterSeconds = retryAfter.wholeSeconds }
    return (words(for: problem), problem.status)
  }

  /// Rounded up: whoever comes back then is let try.
  private static func minutes(_ seconds: Int) -> String {
    let minutes = max(1, (seconds + 59) / 60)
    return minutes == 1 ? "a minute" : "\(minutes) minutes"
  }

  @Sendable
  private func signOut(_ request: Request, _ context: PublicContext) async throws -> Response {
    // Of another site's form the browser sends no cookie along: then nothing is taken away.
    guard let visit = try await signIn.visit(request) else { return Self.redirect(Self.signInPath) }
    _ = try await StaffForm.read(request, csrf: visit.csrf)
    try await signIn.signOut(visit)
    return Self.redirect(Self.signInPath).setting(StaffVisit.cookieName, to: "", isSecure: signIn.isSecure)
  }

  private func visitor(_ request: Request) -> StaffVisitor {
    StaffVisitor(request, vault: signIn.core.vault, world: signIn.core.world)
  }
}
