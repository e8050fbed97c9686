// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit
import Logging
import Storage

/// Turns whatever a request threw into an answer of its system. The only place where errors are caught.
package struct ProblemMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  let dialect: any Dialect
  let methods: RouteMethods?

  /// - Parameter methods: tells a path without the method that was asked for from none; nil does not.
  package init(dialect: any Dialect, methods: RouteMethods? = nil) {
    self.dialect = dialect
    self.methods = methods
  }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      var problem = Self.problem(error, logger: context.logger)
      if error as? SQLError == .textHoldsNUL, request.head.path?.contains("%00") == true { problem = .notFound }
      // The router's own error, as modules throw problems: it has no route for the path, or none by this method.
      if (error as? HTTPError)?.status == .notFound, let allowed = methods?.allowed(request.uri.path), !allowed.isEmpty,
        !allowed.contains(request.method.rawValue)
      {
        problem = .methodNotAllowed.with { $0.allowedMethods = allowed }
      }
      if let usage = problem.usage { RateUsage.current?.note(usage) }
      var response = dialect.response(for: problem, path: request.uri.path, correlationID: context.correlationID)
      if !problem.allowedMethods.isEmpty { response.headers[.allow] = problem.allowedMethods.joined(separator: ", ") }
      return response
    }
  }

  /// The text of an unexpected error is not shown: it may quote a value.
  package static func problem(_ error: any Error, logger: Logger) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let error as HTTPError:
      switch error.status {
      case .notFound: return .notFound
      case .methodNotAllowed: return .methodNotAllowed
      case .contentTooLarge: return .payloadTooLarge
      default: return Problem(.badRequest, "invalid-json", "The request could not be read.")
      }
    case is IllegalMove: return Problem(.conflict, "step-out-of-order", "This step is not the next one.")
    case is CancellationError: return .unavailable
    // Bodies that are read leniently, as published apps need, may hold one. In an id of the address it is an id that is
    // not there.
    case let error as SQLError where error == .textHoldsNUL:
      return Problem(.badRequest, "invalid-json", "A text of the request holds a NUL.")
    // The same request, sent again under its key, finds out what became of the first.
    case SQLError.busy, SQLError.locked, SQLError.outdated, SQLError.uncertain, SQLError.unreachable:
      logger.warning("store unavailable", metadata: .error(error))
      return .unavailable.with { $0.retryAfterSeconds = 1 }
    // Nothing was committed: objects are stored before the row that names them.
    case BlobError.damaged, BlobError.replaced, BlobError.unavailable, BlobError.refused:
      logger.error("objects unavailable", metadata: .error(error))
      return .unavailable.with { $0.retryAfterSeconds = 1 }
    default:
      logger.error(
        error is SQLError ? "unexpected error of the store" : "unexpected error", metadata: .error(error))
      return .unexpected
    }
  }
}

extension Problem {
  static let methodNotAllowed = Problem(.methodNotAllowed, "method-not-allowed", "This path has no such method.")
}
