// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FinapticFlow

extension CardTestApp {
  /// Plays with a tenant that settles in dollars, and with the clients of its bank of whom one asks and one agrees.
  static func runSettling(
    _ play: @escaping @Sendable (CardTestApp, FourEyesClients) async throws -> Void
  ) async throws {
    try await run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: tenant, by: "operator:a")
      try await play(app, FourEyesClients(app))
    }
  }
}
