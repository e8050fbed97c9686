// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Operations: the server of a demonstration", .ownFile, .timeLimit(.minutes(5)))
struct LoopbackServerTests {
  @Test("one whose demonstration is cancelled answers the request that is being sent, whole")
  func cancelled() async throws {
    let folder = try TestFolder()
    let (ports, bound) = AsyncStream.makeStream(of: (App, UInt16).self)
    let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
      try await DemoApp.run(in: folder.path, clock: DemoClock()) { app, address in
        bound.yield((app, UInt16(address.port ?? 0)))
        // Ends with the cancellation.
        for await _ in cancelled {}
      }
    }
    defer { cancel.finish() }
    let (app, port) = try #require(await ports.first { _ in true })

    try await SplitRegistration.expectAnswer(of: app, at: port) { running.cancel() }
    _ = await running.result
  }
}
