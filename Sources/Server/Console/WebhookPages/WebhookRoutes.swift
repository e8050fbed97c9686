// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/console/webhooks/…`: where banks and partners hear what happened, and what became of each message. Each look is a
/// line of the audit.
package struct WebhookRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/webhooks"
  /// Deliveries of one page.
  static let pageLength = 50

  private let signIn: StaffSignIn
  private let webhooks: Webhooks

  package init(_ signIn: StaffSignIn, _ webhooks: Webhooks) { (self.signIn, self.webhooks) = (signIn, webhooks) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page(endpoints))
    group.get("{endpoint}", use: page(log))
    group.get("{endpoint}/deliveries/{delivery}", use: page(delivery))
    group.post("{endpoint}/deliveries/{delivery}/redeliver", use: page(redeliver))
  }

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .readWebhooks, show)
  }

  @Sendable
  private func endpoints(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    try await signIn.note("webhooks.listed", by: visit, RecordAccess.overview.facts)
    return try WebhookEndpointsPage(try await webhooks.reports(), for: visit).response()
  }

  @Sendable
  private func log(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let id = WebhookEndpoint.ID(rawValue: try parameters.require("endpoint"))
    func query(_ name: String) -> String? { request.uri.queryParameters.get(name).flatMap { $0.isEmpty ? nil : $0 } }
    let state = query("state").flatMap(WebhookDelivery.State.init(rawValue:))
    let cursor = query("before").flatMap { WebhookLogStore.Cursor($0) }
    guard query("state") == nil || state != nil, query("before") == nil || cursor != nil else { throw Problem.notFound }
    let report = try await webhooks.report(of: id)
    try await signIn.note(
      "deliveries.listed", by: visit, ["endpoint": id.rawValue, "why": RecordAccess.list.rawValue])
    // One more than are shown: it says that there are older ones.
    let found = try await webhooks.log(of: id, in: state, before: cursor, limit: Self.pageLength + 1)
    return try WebhookLogPage(report, found, in: state, isFirst: cursor == nil, for: visit).response()
  }

  @Sendable
  private func delivery(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    try await deliveryPage(visit, parameters, note: nil)
  }

  /// The form says which turn its reader saw: clicked twice, or by two people, it is sent again once.
  @Sendable
  private func redeliver(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    try await signIn.require(.redeliverWebhooks, of: visit)
    guard let turn = form["turn"].flatMap({ Int($0) }) else {
      throw Problem(.badRequest, "turn-missing", "The form is not whole. Load the page again and retry.")
    }
    let delivery = try await found(parameters)
    do { try await webhooks.redeliver(delivery.id, at: turn, by: visit.actor) } catch let problem as Problem
      where problem.category == .conflict
    {
      return try await deliveryPage(visit, parameters, note: Phrase(problem), status: problem.status)
    }
    return StaffRoutes.redirect(WebhookDeliveryPage.path(delivery))
  }

  private func found(_ parameters: Parameters) async throws -> WebhookDelivery {
    try await webhooks.delivery(
      .init(rawValue: try parameters.require("delivery")), to: .init(rawValue: try parameters.require("endpoint")))
  }

  private func deliveryPage(
    _ visit: StaffVisit, _ parameters: Parameters, note: Phrase?, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let delivery = try await found(parameters)
    let report = try await webhooks.report(of: delivery.endpoint)
    let why = note == nil ? RecordAccess.list : .act
    try await signIn.note("delivery.seen", by: visit, ["delivery": delivery.id.rawValue, "why": why.rawValue])
    return try WebhookDeliveryPage(delivery, to: report, note: note, for: visit).response(status: status)
  }
}
