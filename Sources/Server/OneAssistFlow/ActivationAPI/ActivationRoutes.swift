// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import OneAssistCore
import OneAssistWire

/// `/apigateway/…`: what the SDK calls (oneassist §8).
package struct ActivationRoutes: Sendable {
  private let tokens: SDKTokens, rates: NodeRateLimits, policy: OneAssistPolicy
  private let orders: OrderReader, leads: LeadCommands, uploads: PhotoCommands
  private let links: LinkCommands, screens: ScreenCommands
  private let recogniseText: (@Sendable (Data) async throws -> String)?

  package init(_ service: OneAssistService) {
    (tokens, rates, policy) = (service.tokens, service.rates, service.policy)
    (orders, leads, uploads) = (service.orders, service.leads, service.uploads)
    (links, screens, recogniseText) = (service.links, service.screens, service.recogniseText)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let apps = root.group("apigateway").group(context: UnverifiedAppContext.self)
      .add(middleware: AppMiddleware(tokens: tokens, rates: rates))
      .group(context: AppContext.self)
    let group = apps.group("subscription-service")
    group.get("order/info", use: orderInfo)
    group.get("lead/activation/documents", use: documents)
    group.post("lead", use: lead)
    group.post("lead/activation/asset/document", use: upload)
    group.post("lead/asset/document/link", use: sendLink)
    group.get("order/hash-key/{activityReference}", use: screenKey)
    group.post("order/hash-key/{activityReference}/events", use: screenEvent)
    apps.post("pandora-ws/api/v1/image-data", use: recognise)
  }

  @Sendable
  private func orderInfo(_ request: Request, _ context: AppContext) async throws -> Response {
    try .oneAssist(await orders.order(request.uri.queryParameters.get("orderUUID"), of: context.caller))
  }

  @Sendable
  private func documents(_ request: Request, _ context: AppContext) async throws -> Response {
    try .oneAssist(await orders.documents(request.uri.queryParameters.get("orderUUID"), of: context.caller))
  }

  @Sendable
  private func lead(_ request: Request, _ context: AppContext) async throws -> Response {
    let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
    return try .oneAssist(
      await leads.submit(content.oneAssist(OneAssist.LeadRequest.self), by: context.caller))
  }

  @Sendable
  private func upload(_ request: Request, _ context: AppContext) async throws -> Response {
    let form = try MultipartForm(
      try await RequestContent(request, limit: OneAssistPolicy.formMax, from: context.caller.customer))
    guard let file = form["file"] else { throw Problem.member("/file", "required", "A file is required.") }
    let outcome = try await uploads.upload(
      form.text("name"), file, from: .app(context.caller, activity: form.text("activityReferenceId")))
    if let problem = outcome.problem { throw problem }
    return try .oneAssist(
      OneAssist.DocumentAnswer(docId: outcome.photo.id.rawValue, taskInfo: .init(status: outcome.status.rawValue)))
  }

  @Sendable
  private func sendLink(_ request: Request, _ context: AppContext) async throws -> Response {
    let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
    let asked = try content.oneAssist(OneAssist.LinkRequest.self)
    let write = try links.answers.write(
      request, client: context.caller.customer, body: content.bytes, correlationID: context.correlationID)
    return Response(try await links.send(asked, write, by: context.caller))
  }

  @Sendable
  private func screenKey(_ request: Request, _ context: AppContext) async throws -> Response {
    try .oneAssist(
      await screens.open(context.parameters.get("activityReference"), by: context.caller))
  }

  @Sendable
  private func screenEvent(_ request: Request, _ context: AppContext) async throws -> Response {
    let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
    let asked = try content.oneAssist(OneAssist.ScreenEvent.self)
    return try .oneAssist(
      await screens.happened(
        asked.event, on: context.parameters.get("activityReference"), by: context.caller))
  }

  /// The text of a picture. Nothing of it is kept.
  @Sendable
  private func recognise(_ request: Request, _ context: AppContext) async throws -> Response {
    try rates.spend(policy.recognitions, by: context.caller.customer)
    let form = try MultipartForm(
      try await RequestContent(request, limit: OneAssistPolicy.formMax, from: context.caller.customer))
    guard let file = form["imageFile"], file.count <= OneAssistPolicy.photoMax else {
      throw Problem.member("/imageFile", "required", "A picture of at most 5 MB is required.")
    }
    guard let recognise = recogniseText else {
      throw Problem.oneAssist(.unavailable, "RECOGNITION_UNAVAILABLE", "No text can be read here.")
    }
    return try .oneAssist(OneAssist.TextAnswer(text: await recognise(file)))
  }
}

extension RequestContent {
  /// The body as one of the wire's requests; unknown members are ignored.
  func oneAssist<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do { return try WireJSON.decode(type, from: bytes) } catch {
      throw Problem.invalidJSON(error as? JSONText.Fault)
    }
  }
}

extension Response {
  /// A success, in the envelope of §8.
  static func oneAssist(_ content: some Codable & Sendable & Equatable) throws -> Response {
    try Response.json(OneAssist.Envelope(content))
  }
}
