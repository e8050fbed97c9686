// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import Logging
import OneAssistFlow

extension DemoApp {
  /// Starts an installation with a partner who sells a plan, made as an operator makes one, and the partner's own server,
  /// which hears of changes; hands them over, and stops both.
  static func runWithPartner(
    in folder: String, clock: DemoClock, _ body: @escaping @Sendable (App, DemoShop) async throws -> Void
  ) async throws {
    var settings = Settings()
    settings.dataFolder = folder
    settings.logLevel = "error"
    // The shop is on this machine.
    settings.webhooks.allowsPrivate = true
    // The link that is texted has to know the port before there is a server.
    let port = try ReservedPort()
    defer { port.release() }
    settings.port = port.number
    try settings.makeDataFolder()
    let logger = settings.logger("gatehouse")
    let app = try await App.open(settings, world: clock.world, logger: logger, passwordCost: passwordCost)
    let hookPort = try ReservedPort()
    defer { hookPort.release() }
    let tenant = try app.tenants.find("default").id
    let seller = try await app.serviceClients.add(
      "oneassist \(DemoShop.code)", tenant: tenant, scopes: [.sell], by: "operator")
    let reviewer = try await app.serviceClients.add("desk", tenant: tenant, scopes: [.review], by: "operator")
    var draft = Partners.Draft(code: DemoShop.code, units: [DemoShop.unit], name: "Utopia Phones")
    (draft.tenant, draft.webhookURL) = (tenant, "http://127.0.0.1:\(hookPort.number)\(DemoShop.hookPath)")
    let partners = app.oneAssist.partners
    let added = try await partners.add(draft, client: seller.client.id, by: "operator")
    try await partners.add(DemoShop.cover, toPartner: DemoShop.code, tenant: tenant, by: "operator")
    guard let secret = added.webhookSecret.flatMap({ WebhookSecret($0) }),
      let address = URL(string: "http://127.0.0.1:\(settings.port)")
    else { throw NotStarted() }
    let shop = DemoShop(address: address, seller: seller, reviewer: reviewer, secret: secret, clock: clock)
    let receiver = shop.receiver(port: hookPort.number, logger: logger)
    try await LoopbackServer.run(
      { bound in [receiver, app.server { bound.yield($0) }, app.worker] }, logger: logger
    ) { _ in try await body(app, shop) }
  }
}

extension DemoShop {
  private static let hookMax = 64 * 1024

  /// The partner's own server: one address, which takes what is signed and of now.
  func receiver(port: Int, logger: Logger) -> some ApplicationProtocol {
    let router = Router(context: PublicContext.self)
    router.post(RouterPath(Self.hookPath)) { [self] request, _ in
      let content = try await RequestContent(request, limit: Self.hookMax)
      func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
      let isTaken = hear(
        content.bytes, id: field("webhook-id"), timestamp: field("webhook-timestamp"),
        signatures: field("webhook-signature"))
      return Response(status: isTaken ? .noContent : .unauthorized)
    }
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
  }
}
