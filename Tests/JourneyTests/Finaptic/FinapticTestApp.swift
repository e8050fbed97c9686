// SPDX-License-Identifier: Apache-2.0

import Identity
import Finaptic
import FinapticFlow
import Foundation
import GatehouseTransport
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import RubixFlow
import Synchronization
import TestSupport
import Testing

@testable import GatehouseApp

/// An installation with a sandbox tenant of Finaptic, without a socket: the product's own router and store, and phones
/// with the SDK in them.
final class FinapticTestApp: Sendable {
  let app: App
  let clock: TestWorld
  let sdkKey: String
  private let client: any TestClientProtocol
  private let worker: OutboxWorker

  private init(app: App, clock: TestWorld, sdkKey: String, client: any TestClientProtocol) {
    (self.app, self.clock, self.sdkKey, self.client) = (app, clock, sdkKey, client)
    worker = app.worker
  }

  static func run(_ play: @escaping @Sendable (FinapticTestApp) async throws -> Void) async throws {
    let (clock, folder) = (TestWorld(), try TestFolder())
    let store = try await TestDatabase.make(.current, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings[RubixSettings.self].limitFactor = 100
    settings[FinapticSettings.self].limitFactor = 100
    settings.webhooks.allowsPrivate = true
    settings[FinapticSettings.self].sandboxProfiles = FinapticProfile.files.map(\.path)
    let log = LogRecorder()
    let app = try await App.open(
      settings, database: store.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(7, name: "Journey", kind: .sandbox, by: "test")
    let key = try await tenants.issueKey("app", tenant: 7, by: "test").sdkKey.text
    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      try await play(FinapticTestApp(app: app, clock: clock, sdkKey: key, client: client))
    }
    let secrets = ["Doe", "Password1234", "Quartz7", "350 Bay", "Bearer", "@example.ca"]
    #expect(log.records.filter { record in secrets.contains { "\(record)".contains($0) } }.isEmpty)
  }

  /// A phone with the app: its SDK, not signed in.
  func phone(store: any DirectSecureStore = MemorySecureStore()) async throws -> FinapticSDK {
    try await FinapticSDK.make(sdkKey: sdkKey, options: options(store: store))
  }

  func options(store: any DirectSecureStore = MemorySecureStore()) -> FinapticOptions {
    let clock = clock
    return FinapticOptions(
      store: store, transport: transport,
      clock: ClientClock(
        wallTime: { Double(clock.now.milliseconds) / 1000 },
        pause: { (_) async throws(CancellationError) in }), log: { _ in },
      timeZone: { TimeZone(identifier: "America/Toronto") ?? .gmt })
  }

  /// The router as a network.
  var transport: HTTPTransport {
    HTTPTransport { [client] (request, _) async throws(TransportError) in
      do {
        var fields = HTTPFields()
        for (name, value) in request.headers.all {
          if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        let answer = try await client.execute(
          uri: request.url.path + (parts?.percentEncodedQuery.map { "?\($0)" } ?? ""),
          method: HTTPRequest.Method(rawValue: request.method) ?? .get, headers: fields,
          body: request.body.map { ByteBuffer(bytes: $0) })
        var headers = TransportHeaders()
        for field in answer.headers { headers[field.name.rawName] = field.value }
        return TransportResponse(
          status: answer.status.code, headers: headers, body: Data(answer.body.readableBytesView))
      } catch { throw TransportError(.other) }
    }
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  var now: Date { Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1000) }
}
