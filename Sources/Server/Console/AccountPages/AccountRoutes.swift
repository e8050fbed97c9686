// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/finaptic/pages/…`: what the links in mail to users open (finaptic §8.1).
package struct AccountRoutes: Sendable {
  package static let base = "/finaptic/pages"
  private static let formMax = 8 * 1024

  private let service: AccountPageService

  package init(_ service: AccountPageService) { self.service = service }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("reset-password/{token}", use: form)
    group.post("reset-password/{token}", use: setPassword)
    group.get("verify-email/{token}", use: askForEmail)
    group.post("verify-email/{token}", use: verifyEmail)
    group.get("email-verified") { _, _ in try Self.private(AccountPage.emailVerified) }
    group.get("password-set") { _, _ in try Self.private(AccountPage.passwordSet) }
    group.get("confirm-autodeposit/{token}", use: askForAlias)
    group.post("confirm-autodeposit/{token}", use: confirmAlias)
    group.get("autodeposit-confirmed") { _, _ in try Self.private(AccountPage.aliasConfirmed) }
    group.get("documents/{name}/{version}", use: document)
  }

  @Sendable
  private func form(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    return try Self.private(AccountPage.reset(await service.look(token, context.clientAddress), token: token))
  }

  @Sendable
  private func setPassword(_ request: Request, _ context: PublicContext) async throws -> Response {
    let (token, address) = (try context.parameters.require("token"), context.clientAddress)
    // An invalid link is reported before the form is read.
    let holder = try await service.look(token, address)
    let fields = try FormFields(try await RequestContent(request, limit: Self.formMax))
    let password = fields["password"] ?? ""
    do {
      guard password == fields["repeated"] ?? "" else { throw Problem.unequal }
      try await service.setPassword(password, token, address)
    } catch let problem as Problem where problem.category == .badRequest {
      return try Self.private(
        AccountPage.reset(holder, token: token, problem: Phrase(problem)), status: .badRequest)
    }
    return Response(status: .seeOther, headers: [.location: "\(Self.base)/password-set"])
  }

  /// Asks first: mail programs open links by themselves.
  @Sendable
  private func askForEmail(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    return try Self.private(
      AccountPage.verifyEmail(await service.lookAtEmail(token, context.clientAddress), token: token))
  }

  @Sendable
  private func verifyEmail(_ request: Request, _ context: PublicContext) async throws -> Response {
    try await service.verifyEmail(try context.parameters.require("token"), context.clientAddress)
    return Response(status: .seeOther, headers: [.location: "\(Self.base)/email-verified"])
  }

  /// Asks first, too.
  @Sendable
  private func askForAlias(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    return try Self.private(
      AccountPage.confirmAlias(await service.lookAtAlias(token, context.clientAddress), token: token))
  }

  @Sendable
  private func confirmAlias(_ request: Request, _ context: PublicContext) async throws -> Response {
    _ = try await service.confirmAlias(try context.parameters.require("token"), context.clientAddress)
    return Response(status: .seeOther, headers: [.location: "\(Self.base)/autodeposit-confirmed"])
  }

  /// Stands where a tenant's documents are until its operator says where the real ones are. Of other names there is no
  /// page: the name is the heading, and a stranger's words would stand under the institution's address.
  @Sendable
  private func document(_ request: Request, _ context: PublicContext) async throws -> Response {
    let name = try context.parameters.require("name")
    guard service.documents.contains(name), try context.parameters.require("version") == "1.0" else {
      throw Problem.notFound
    }
    let title = name.split(separator: "-").joined(separator: " ")
    return try AccountPage(
      title: Phrase("placeholder_\(name)", otherwise: title.prefix(1).uppercased() + title.dropFirst()),
      text: Phrase("placeholder_text")
    ).response()
  }

  /// The address of the page is a secret: it is not stored and goes to no other site.
  private static func `private`(_ page: AccountPage, status: HTTPResponse.Status = .ok) throws -> Response {
    var response = try page.response(status: status)
    response.headers[.cacheControl] = "no-store"
    response.headers[HTTPField.Name("Referrer-Policy")!] = "no-referrer"
    return response
  }
}

extension Problem {
  fileprivate static let unequal = Problem(
    .badRequest, "passwords-differ", "The two passwords are not the same.")
}

/// How these pages' links say that there is nothing behind them: in words for people.
package struct AccountDialect: Dialect {
  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let (title, text) =
      switch problem.category {
      case .gone: ("link_over", "link_used")
      case .notFound, .methodNotAllowed: ("link_none", "link_whole")
      case .rateLimited: ("title_too_many", "link_wait")
      case .badRequest, .unprocessable, .unsupportedMedia, .payloadTooLarge: ("link_unreadable", "link_once_more")
      default: ("title_internal", "link_in_a_moment")
      }
    let page = AccountPage(title: Phrase(title), text: Phrase(text))
    guard var response = try? page.response(status: problem.status) else {
      return Response(status: problem.status)
    }
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
