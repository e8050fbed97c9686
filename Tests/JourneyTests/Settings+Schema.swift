// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import GatehouseApp

extension Settings {
  /// Puts a database with the product's schema and without rows into the data folder, unless one is there. Who opens
  /// the installation makes its keys and its first audit line, and finds every migration done.
  func putSchema() async throws {
    try makeDataFolder()
    try await TestDatabase.putFile(databasePath, Schema.migrations)
  }
}
