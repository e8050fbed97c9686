// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: rows that are not needed any more")
struct SweepTests {
  @Test("one pass deletes all of it, batch by batch, and nothing that still counts")
  func batches() async throws {
    let app = try await ActivationsTestApp()
    let now = app.clock.now
    try await app.database.write { tx in
      for number in 0..<25 { _ = try SeenStore(tx).insert("old \(number)", until: now) }
      _ = try SeenStore(tx).insert("new", until: now + .milliseconds(1))
    }
    #expect(try await app.activations.sweep(batch: 10) == 25)
    #expect(try await app.activations.sweep(batch: 10) == 0)
    #expect(try await app.database.write { try SeenStore($0).insert("new", until: now) } == false)
  }
}
