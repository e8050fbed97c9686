// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import RubixWire

/// Calls that need no token: `/auth/register`, `/auth/refresh-token`.
package struct RegistrationRoutes: Sendable {
  let commands: RegistrationCommands
  let tenants: Tenants

  package func add(to group: RouterGroup<PublicContext>) {
    group.post("auth/register", use: register)
    group.post("auth/refresh-token", use: refresh)
  }

  @Sendable
  func register(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try tenants.find(request.headers[.tenantID])
    let body = try await RequestContent(request, limit: BodyBudget.smallMax)
    let (answer, tokens) = try await commands.register(
      body, tenant: tenant, address: context.clientAddress,
      idempotencyKey: request.headers[.idempotencyKey])
    return Response(answer).with(tokens)
  }

  @Sendable
  func refresh(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try tenants.find(request.headers[.tenantID])
    let body = try await RequestContent(request, limit: BodyBudget.smallMax)
    let (view, tokens) = try await commands.refresh(request.headers[.refreshToken], body: body, tenant: tenant)
    return try Response.json(view).with(tokens)
  }
}

/// Calls of a customer on their own application, up to the confirmed contacts.
package struct CustomerRoutes: Sendable {
  let registration: RegistrationCommands
  let views: CustomerViews
  let capture: CaptureCommands
  let documents: DocumentCommands
  let verification: VerificationCommands
  let contacts: ContactCommands

  package func add(to group: RouterGroup<CustomerContext>) {
    group.get("auth/me") { try await Response.json(encoded: views.me($1.customer)) }
    group.put("auth/me", use: updateMe)
    group.delete("auth/logout", use: logout)
    group.get("steps", use: steps)
    group.post("sessions") { try await Response(capture.createSession(StepRequest($0, $1))) }
    group.post("faces/selfie/upload") { request, context in
      try await Response(capture.uploadSelfie(StepRequest(request, context, bodyMax: StepRequest.imageBodyMax)))
    }
    group.post("faces/liveness/upload") { request, context in
      try await Response(capture.uploadLiveness(StepRequest(request, context, bodyMax: StepRequest.imageBodyMax)))
    }
    group.get("faces/liveness/challenge") { try await Response.json(capture.challenge($1.customer)) }
    group.get("documents") { try await Response.json(documents.list($1.customer)) }
    group.post("documents/verification") { try await Response(verification.verify(StepRequest($0, $1))) }
    group.get("documents/{id}", use: document)
    group.get("documents/{id}/preview", use: preview)
    for kind in DocumentKind.allCases {
      for name in kind.pathComponents {
        group.post("documents/\(name)/upload") { request, context in
          try await Response(documents.upload(kind, StepRequest(request, context, bodyMax: StepRequest.imageBodyMax)))
        }
        group.post("documents/\(name)/process") { try await Response(documents.process(kind, StepRequest($0, $1))) }
      }
    }
    for channel in OTPChannel.allCases {
      group.post("otp/\(channel.rawValue)/send") { try await Response(contacts.send(channel, StepRequest($0, $1))) }
      group.post("otp/\(channel.rawValue)/verify") { try await Response(contacts.verify(channel, StepRequest($0, $1))) }
    }
  }

  @Sendable
  func updateMe(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let body = try await RequestContent(request, limit: BodyBudget.smallMax)
    return try Response.json(try await registration.updateMe(body, by: context.customer))
  }

  @Sendable
  func logout(_ request: Request, _ context: CustomerContext) async throws -> HTTPResponse.Status {
    try await registration.logout(context.customer)
    return .noContent
  }

  @Sendable
  func steps(_ request: Request, _ context: CustomerContext) async throws -> Response {
    try Response.json(try await registration.steps(context.customer))
  }

  @Sendable
  func document(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let id = try context.parameters.require("id")
    return try Response.json(try await documents.find(id, by: context.customer))
  }

  @Sendable
  func preview(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let extracted = try QueryValues(request).boolean("extracted-image") ?? false
    return Response.image(try await documents.preview(id, extracted: extracted, by: context.customer))
  }
}

extension DocumentKind {
  /// How a path may spell it: as the seed does, or by the alias that is not advertised (rubix-onboarding §2).
  var pathComponents: [String] {
    switch self {
    case .nationalIDFront: [rawValue, "national-id-front"]
    case .nationalIDBack: [rawValue, "national-id-back"]
    case .passport, .drivingLicense: [rawValue]
    }
  }
}

extension StepRequest {
  /// Images travel as base64 in JSON, twice 10 MiB at the most (rubix-onboarding §6.7, §8.3).
  static let imageBodyMax = 29 * 1024 * 1024
  static let formBodyMax = 256 * 1024

  /// - Throws: `Problem` payload-too-large for a body that says itself that it is.
  init(_ request: Request, _ context: CustomerContext, bodyMax: Int = formBodyMax) throws {
    try RequestContent.requireLength(of: request, atMost: bodyMax)
    self.init(
      customer: context.customer, idempotencyKey: request.headers[.idempotencyKey],
      correlationID: context.correlationID,
      isLarge: bodyMax > Self.formBodyMax || RequestContent.mayBeLarge(request, isStream: context.isStream)
    ) { try await RequestContent(request, limit: bodyMax, from: context.customer.identity.subject) }
  }
}

extension Response {
  /// A step's answer, first or repeated.
  init(_ answer: StepAnswer) {
    self.init(IdempotentAnswers.Answer(answer.answer, isReplay: answer.isReplay))
    if let seconds = answer.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
  }

  /// Adds the two tokens, which travel in headers and never in a body.
  func with(_ tokens: IssuedTokens) -> Response {
    var response = self
    response.headers[.accessToken] = tokens.access
    response.headers[.refreshToken] = tokens.refresh
    return response
  }
}

extension Instant {
  var wire: WireInstant { WireInstant(millisecondsSince1970: milliseconds) }

  init(_ wire: WireInstant) { self.init(milliseconds: wire.millisecondsSince1970) }
}
