// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Identity
import Kit
import WultraFlow

/// A whole installation for the length of a demonstration: server and worker on the loopback, data in one folder.
package enum DemoApp {
  static let agentEmail = "agent@bank.example"
  static let officerEmail = "officer@bank.example"
  package static let password = "utopia lies westward 9"
  /// The two people of the demonstration guard nothing; the product's own cost would be most of its running time.
  package static let passwordCost = PasswordCost(memory: 1024, passes: 1)

  package struct NotStarted: Error, CustomStringConvertible {
    package let description = "the demonstration's server did not start"

    package init() {}
  }

  /// Starts the installation, hands its address over, and stops it in good order.
  static func run(
    in folder: String, clock: DemoClock, _ body: @escaping @Sendable (App, URL) async throws -> Void
  ) async throws {
    var settings = Settings()
    settings.dataFolder = folder
    settings.port = 0
    settings.logLevel = "error"
    try settings.makeDataFolder()
    settings[WultraSettings.self].sandboxFile = try DemoInstitution.write(in: folder)
    let logger = settings.logger("gatehouse")
    let app = try await App.open(settings, world: clock.world, logger: logger, passwordCost: passwordCost)
    try await addStaff(app.staff)
    try await LoopbackServer.run({ bound in [app.server { bound.yield($0) }, app.worker] }, logger: logger) { port in
      guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw NotStarted() }
      try await body(app, address)
    }
  }

  /// An agent who takes calls, and an officer who decides on hits.
  static func addStaff(_ staff: Staff) async throws {
    try await staff.add(
      NewStaffMember(
        tenant: "default", email: agentEmail, name: "Ada Anyder", gender: .female, languages: ["en", "ar"],
        permissions: [.attendVideo, .readCustomers], password: password), by: "operator")
    try await staff.add(
      NewStaffMember(
        tenant: "default", email: officerEmail, name: "Raphael Hythloday", gender: .male, languages: ["en"],
        permissions: [.readCustomers, .decideAML], password: password), by: "operator")
  }
}
