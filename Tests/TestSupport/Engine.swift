// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// A SQL engine that the store suites and the journeys run on.
package enum Engine: String, Sendable, CaseIterable {
  case sqlite = "SQLite"
  case postgres = "PostgreSQL"

  /// Where a PostgreSQL is that tests may fill: `scripts/with-postgres` starts one and sets this.
  package static let postgresURL = ProcessInfo.processInfo.environment["GATEHOUSE_TEST_POSTGRES"].flatMap {
    $0.isEmpty ? nil : $0
  }

  /// The engine of this run: every suite that stores anything runs on it, so `make test` runs them twice.
  package static var current: Engine { postgresURL == nil ? .sqlite : .postgres }

  /// For the arguments of a test, so that its cases name their engine.
  package static var available: [Engine] { [current] }
}
