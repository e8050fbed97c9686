// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import PowerAuthHTTP
import TestSupport
import WultraStories

@testable import WultraFlow

/// The stage of our SDK's stories: the network is the server's router, pictures are words, time stands still.
struct AppPhone: Sendable {
  let app: WultraTestApp
  let stage: StoryStage

  /// Plays on a router with both base URLs.
  static func run(_ app: WultraTestApp, _ play: @escaping @Sendable (AppPhone) async throws -> Void) async throws {
    try await Application(router: router(app)).test(.router) { client in
      try await play(AppPhone(app: app, stage: stage(app, "https://bank.example", transport(client))))
    }
  }

  /// Plays on a server with a socket of its own, by the SDK's own network; waits are real.
  static func serve(
    _ app: WultraTestApp, through network: HTTPTransport = .live(),
    _ play: @escaping @Sendable (AppPhone) async throws -> Void
  ) async throws {
    try await Application(router: router(app)).serve { client in
      let address = "http://127.0.0.1:\(client.port ?? 0)"
      try await play(AppPhone(app: app, stage: stage(app, address, network, ClientClock.live.pause)))
    }
  }

  static func router(_ app: WultraTestApp) -> Router<PublicContext> {
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: app.clock.world))
    router.add(middleware: ProblemMiddleware(dialect: DeviceDialect(own: Problem.wultraNames)))
    app.routes
      .add(to: router.group(RouterPath(WultraPhone.onboarding)))
    PowerAuthRoutes(
      activations: app.activations, world: app.clock.world,
      limits: PowerAuthLimits(database: app.database, vault: app.vault, world: app.clock.world, factor: 100),
      server: .init(name: "gatehouse")
    ).add(to: router.group(RouterPath(WultraPhone.powerAuth)))
    return router
  }

  func phone(_ clientNumber: String = "1") -> StoryPhone { StoryPhone(stage, clientNumber: clientNumber) }

  static func stage(
    _ app: WultraTestApp, _ address: String, _ transport: HTTPTransport,
    _ pause: @escaping @Sendable (Duration) async throws(CancellationError) -> Void = {
      (_) async throws(CancellationError) in
    }
  ) -> StoryStage {
    let clock = app.clock
    return StoryStage(
      configuration: app.release.configuration.text,
      onboarding: "\(address)\(WultraPhone.onboarding)", powerAuth: "\(address)\(WultraPhone.powerAuth)",
      transport: transport,
      clock: ClientClock(
        wallTime: { Double(clock.now.milliseconds) / 1000 }, uptime: { .milliseconds(clock.now.milliseconds) },
        pause: pause),
      wait: { try await app.settle() },
      codes: { number in app.bank.messages.filter { $0.userId == "user-\(number)" }.map(\.otpCode) },
      picture: picture,
      staff: StoryStaff(
        decide: { accepts in
          guard let review = try await app.reviews.queue(tenant: "acme").first else { return false }
          try await app.reviews.decide(review.id, accepts ? .accepted : .rejected, tenant: "acme", by: "agent:a")
          return true
        },
        block: { _ = try await app.activations.block(.init(rawValue: $0), by: .system) }))
  }

  @Sendable
  private static func picture(_ picture: StoryPicture) -> Data {
    switch picture {
    case .cardFront, .cardBack, .licence: FakePicture.good
    case .blurredCardFront: FakePicture.unreadable
    case .foreignLicence: FakePicture.mismatch
    case .doubtfulLicence: FakePicture.doubt
    case .face: FakePicture.doubt
    }
  }

  private static func transport(_ client: any TestClientProtocol) -> HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      var fields = HTTPFields()
      for (name, value) in request.headers.all {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      let size = Int64(request.body?.count ?? 0)
      for part in 1...4 { progress?(UploadProgress(bytesSent: size * Int64(part) / 4, bytesTotal: size)) }
      do {
        let response = try await client.execute(
          uri: request.url.path, method: .post, headers: fields, body: ByteBuffer(bytes: request.body ?? Data()))
        return TransportResponse(status: response.status.code, body: Data(response.body.readableBytesView))
      } catch {
        throw TransportError(.other)
      }
    }
  }
}
