// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/u/{token}`: the page of the second phone (oneassist §6.1). What is done and what is missing, the server knows; the
/// page can be closed and opened again.
package struct UploadRoutes: Sendable {
  package static let base = "/u"

  private let service: UploadPageService

  package init(_ service: UploadPageService) { self.service = service }

  package func add(to group: RouterGroup<PublicContext>) {
    group.get("u/{token}", use: page)
    group.post("u/{token}/{name}", use: take)
  }

  @Sendable
  private func page(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    return try UploadPage(await service.look(token, context.clientAddress), token: token).response()
  }

  @Sendable
  private func take(_ request: Request, _ context: PublicContext) async throws -> Response {
    let (token, name) = (try context.parameters.require("token"), try context.parameters.require("name"))
    let address = context.clientAddress
    do {
      try await service.admit(token, name, address)
      let content: RequestContent
      do {
        content = try await RequestContent(request, limit: service.photoMax + 64 * 1024, from: token)
      } catch let problem as Problem
        where problem == .payloadTooLarge
      { throw Problem.tooLargeForPage }
      let form = try MultipartForm(content)
      // Without script a form may be sent without a photo.
      guard let photo = form["photo"], !photo.isEmpty else { throw Problem.noPhoto }
      try await service.take(token, name, photo, address)
    } catch let problem as Problem where Self.isShownBesidePhoto(problem) {
      let view = try await service.look(token, address)
      return try UploadPage(view, token: token, problem: (name, Phrase(problem))).response(status: problem.status)
    }
    return Response(status: .seeOther, headers: [.location: "/u/\(token)#\(name)"])
  }

  /// What the person can mend; the rest is the link's.
  private static func isShownBesidePhoto(_ problem: Problem) -> Bool {
    switch problem.category {
    case .unprocessable, .unsupportedMedia, .payloadTooLarge, .requestTimeout, .conflict, .unavailable: true
    default: problem == .noPhoto
    }
  }
}

extension Problem {
  fileprivate static let noPhoto = Problem(.badRequest, "photo-missing", "Choose a photo first.")
  fileprivate static let tooLargeForPage = Problem(
    .payloadTooLarge, "payload-too-large", "The photo is too large. Choose a smaller one.")
}

/// How the page's links say that there is nothing behind them: in words for people.
package struct UploadDialect: Dialect {
  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let (title, text) =
      switch problem.category {
      case .gone: ("link_over", "link_replaced")
      case .notFound, .methodNotAllowed: ("link_none", "link_whole")
      case .rateLimited: ("title_too_many", "link_wait")
      default: ("title_internal", "link_in_a_moment")
      }
    let page = UploadProblemPage(title: Phrase(title), text: Phrase(text))
    guard var response = try? page.response(status: problem.status) else { return Response(status: problem.status) }
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
