// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// Answers calls of a sandbox tenant by the faults that were armed for them, before anything is done for a call.
struct FaultGate: RouterMiddleware {
  typealias Context = UnverifiedFinapticContext

  /// Ends the connection without an answer.
  struct Dropped: Error {}

  let calls: FinapticCalls
  let controls: SandboxControls
  let applications: OnboardingCommands

  func handle(
    _ request: Request, context: UnverifiedFinapticContext,
    next: (Request, UnverifiedFinapticContext) async throws -> Response
  ) async throws -> Response {
    guard let tenant = context.tenant, tenant.isSandbox else {
      return try await next(request, context)
    }
    let method = String(request.uri.path.dropFirst(FinapticDialect.base.count + 1))
    guard let fault = try await controls.meet(method, of: tenant) else {
      return try await next(request, context)
    }
    switch fault.kind {
    case .error:
      throw Problem.finaptic(
        FinapticCode(rawValue: fault.code ?? FinapticCode.unknown.rawValue), "Armed by the sandbox's test controls.")
    case .failed: return try await failed(request, context)
    case .drop: return Self.dropped
    }
  }

  /// The status of the application, and that the call could not be processed.
  private func failed(_ request: Request, _ context: UnverifiedFinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(try FinapticContext(context: context))
    let asked = try await calls.body(request, FinapticAPI.ApplicationRequest.self)
    var view = try await calls.core.database.read {
      try applications.status(of: asked.onboardingApplicationId, for: caller, in: $0)
    }
    view.basicDetails.requestStatus = FinapticAPI.requestFailed
    view.basicDetails.requestStatusReason = "Armed by the sandbox's test controls."
    view.basicDetails.requestReasonCodes = ["SANDBOX"]
    return try Response.json(view)
  }

  /// An answer that breaks off: the client sees its connection end.
  private static var dropped: Response {
    Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(contentLength: 2) { _ in throw Dropped() })
  }
}
