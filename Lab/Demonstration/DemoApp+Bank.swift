// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation
import GatehouseApp
import Kit
import SaltEdgeFlow
import Storage

extension DemoApp {
  /// Starts an installation with a demonstration bank, made as an operator makes one, hands it over, and stops it.
  /// - Parameter makeKey: draws the RSA keys of the service and the bank.
  static func runWithBank(
    in folder: String, clock: DemoClock, database: (any SQLDatabase)? = nil,
    makeKey: @escaping SaltEdgeService.KeyMaker = { try .generate() },
    _ body: @escaping @Sendable (App, URL, DemoBankSetup.Made) async throws -> Void
  ) async throws {
    var settings = Settings()
    settings.dataFolder = folder
    settings.logLevel = "error"
    // Devices of v1 sign the whole address, so the bank's links have to know the port before there is a server.
    // Held until the server is gone, so that no other process gets it in between.
    let port = try ReservedPort()
    defer { port.release() }
    settings.port = port.number
    let logger = settings.logger("gatehouse")
    let first = try await App.open(
      settings, database: database, world: clock.world, logger: logger, passwordCost: passwordCost,
      makeKey: makeKey)
    let made = try await DemoBankSetup(app: first, cost: passwordCost).make(code: "demobank", by: "demo")
    settings.demoBank.book = made.book
    let app = try await App.open(
      settings, database: database, world: clock.world, logger: logger, passwordCost: passwordCost,
      makeKey: makeKey)
    try await LoopbackServer.run({ bound in [app.server { bound.yield($0) }, app.worker] }, logger: logger) {
      port in
      guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw NotStarted() }
      try await body(app, address, made)
    }
  }
}
