// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/openid/…`: how staff come in by the identity provider of their institution.
///
/// The way there is a link and not a form, because a page's `form-action` holds for what a form is redirected to, too.
/// What the browser keeps meanwhile is a cookie of its own that is sent when the provider sends the browser back
/// (SameSite=Lax); the session's cookie is not.
package struct OpenIDRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/openid"
  static let ticketCookie = "gatehouse_console_openid"
  /// By which institution's provider the browser came in last: so that leaving can be offered there, too.
  static let providerCookie = "gatehouse_console_provider"

  private let signIn: StaffSignIn
  private var openID: StaffOpenID { signIn.openID }

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("{tenant}", use: begin)
    group.get("{tenant}/callback", use: callback)
    group.get("{tenant}/sign-out", use: signOut)
    group.post("{tenant}/logout", use: logOut)
  }

  static func path(of tenant: String) -> String { "\(base)/\(tenant)" }

  private func redirect(of tenant: String) -> String { "\(signIn.address)\(Self.path(of: tenant))/callback" }

  @Sendable
  private func begin(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try context.parameters.require("tenant")
    if let visit = try await signIn.visit(request) { return StaffRoutes.redirect(StaffFooter.home(of: visit.member)) }
    let (address, ticket): (String, String)
    do {
      (address, ticket) = try await openID.begin(
        tenant: tenant, redirect: redirect(of: tenant), network: context.clientAddress.map(ClientNetwork.of))
    } catch let problem as Problem where problem.category == .unavailable {
      return Self.refused(.provider)
    }
    return setting(ticket, on: StaffRoutes.redirect(address))
  }

  /// Where the provider sends the browser back. What it brought leaves the address line by the next page.
  @Sendable
  private func callback(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try context.parameters.require("tenant")
    let query = request.uri.queryParameters
    func value(_ name: String) -> String? { query.get(name).flatMap { $0.utf8.count <= 4096 ? $0 : nil } }
    let answer = StaffOpenID.Answer(
      state: value("state") ?? "", code: value("error") == nil ? value("code") : nil, issuer: value("iss"),
      network: context.clientAddress.map(ClientNetwork.of))
    let outcome = try await openID.complete(
      answer, ticket: request.cookie(Self.ticketCookie, isSecure: signIn.isSecure), tenant: tenant,
      redirect: redirect(of: tenant)
    ) { [signIn] member, factor, tx in try signIn.enter(member, provedBy: factor, in: tx) }
    switch outcome {
    case .failure(let refusal): return setting("", on: Self.refused(refusal))
    case .success(let entry):
      let (token, path, id) = try await signIn.cookie(of: entry)
      // A redirect would still count as coming from the provider, and bring no cookie of the session along.
      let page = try OpenIDArrivalPage(path: path).response()
        .setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure)
        .setting(Self.providerCookie, to: tenant, isSecure: signIn.isSecure)
      return setting("", on: try await signIn.greeting(id, page))
    }
  }

  /// Ends the browser's session at the provider, for a member who was signed out here.
  @Sendable
  private func signOut(_ request: Request, _ context: PublicContext) async throws -> Response {
    let client = try openID.client(of: try context.parameters.require("tenant"))
    let address = await client.endSessionAddress(back: signIn.address + StaffRoutes.signInPath)
    return StaffRoutes.redirect(address ?? StaffRoutes.signInPath)
      .setting(Self.providerCookie, to: "", isSecure: signIn.isSecure)
  }

  /// Where the provider tells that a session there ended (OpenID Connect Back-Channel Logout 1.0 §2.5). No browser calls
  /// it: the token is the proof, and no cookie counts.
  @Sendable
  private func logOut(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try context.parameters.require("tenant")
    let content = try await RequestContent(request, limit: 64 * 1024)
    guard content.mediaType == "application/x-www-form-urlencoded" else { throw Problem.unsupportedMedia }
    let token = (try? FormFields(bytes: content.bytes))?["logout_token"]
    let refusal = try await openID.logOut(
      token ?? "", tenant: tenant, network: context.clientAddress.map(ClientNetwork.of))
    if let refusal {
      // Sessions go on that the provider ended. The reason is a word of ours, and no part of what was sent.
      context.logger.warning(
        "logout token refused", metadata: ["source": "\(tenant)", "error": "\(refusal.rawValue)"])
    }
    return Response(status: refusal == nil ? .ok : .badRequest, headers: [.cacheControl: "no-store"])
  }

  private func setting(_ ticket: String, on response: Response) -> Response {
    var response = response
    response.setCookie(
      HostCookie.make(
        Self.ticketCookie, ticket, maxAge: ticket.isEmpty ? 0 : StaffOpenID.lifetime.wholeSeconds, path: Self.base,
        isSecure: signIn.isSecure, sameSite: .lax))
    return response
  }

  // MARK: On the page where staff sign in

  private static func refused(_ refusal: OpenIDRefusal) -> Response {
    let word =
      switch refusal {
      case .state, .expired: "again"
      case .provider: "provider"
      case .known: "known"
      default: "refused"
      }
    return StaffRoutes.redirect("\(StaffRoutes.signInPath)?openid=\(word)")
  }

  /// What the page says of a refusal that its address names.
  static func fault(_ word: String?) -> Phrase? {
    word.flatMap { ["again", "provider", "known", "refused"].contains($0) ? Phrase("openid_\($0)") : nil }
  }

  /// Where a member goes after signing out; the page offers to leave the provider, too.
  static func afterSignOut(_ request: Request, _ signIn: StaffSignIn) -> String {
    guard let tenant = request.cookie(providerCookie, isSecure: signIn.isSecure),
      signIn.openID.providers.contains(where: { $0.tenant == tenant })
    else { return StaffRoutes.signInPath }
    return "\(StaffRoutes.signInPath)?left=\(tenant)"
  }
}

/// A provider on the page where staff sign in.
struct ProviderLink {
  let href: String
  let label: Phrase

  init(to provider: OpenIDProvider) {
    (href, label) = (OpenIDRoutes.path(of: provider.tenant), Phrase("openid_sign_in", ["name": provider.name]))
  }

  init(leaving provider: OpenIDProvider) {
    href = "\(OpenIDRoutes.path(of: provider.tenant))/sign-out"
    label = Phrase("openid_sign_out", ["name": provider.name])
  }
}

/// What the browser sees for a moment when it comes from the provider.
struct OpenIDArrivalPage: StaffPage {
  static var template: [UInt8] { PackageResources.OpenIDArrivalPage_mustache }
  static var scripts: [Asset] { [] }

  /// Of ours.
  let path: String
}
