// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: a bank that does not answer holds up itself alone")
struct CrowdTests {
  @Test("a bank has so many calls of customers in hand; the next one is refused at once, and later taken")
  func share() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      app.bank.hang()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try await DeviceV2.ask(app, to: app.remote, key: key).status }
        }
        await app.bank.waitForHanging(4)
        let next = try await DeviceV2.ask(app, to: app.remote, key: key)
        #expect(next.refusal == "503 ServiceUnavailable")
        #expect(app.bank.heard.count == 4)
        // A bank of this installation needs no connection.
        #expect(try await DeviceV2.ask(app, to: app.hosted, key: key).status == 200)
        app.bank.release()
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses == [200, 200, 200, 200])
      #expect(try await DeviceV2.ask(app, to: app.remote, key: key).status == 200)
    }
  }

  @Test("a decision that finds the lines taken waits, and none of its attempts is used up")
  func crowded() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      _ = try await device.decide(waiting.id, code: "code-1")
      app.bank.fail(.crowded)
      for _ in 0..<10 {
        try await app.settle()
        app.clock.advance(by: .seconds(1))
      }
      #expect(try await device.authorizations().map(\.status) == [.confirmProcessing])
      // All four attempts are left.
      app.bank.fail(.timedOut)
      for pause in [Duration.zero, .seconds(1), .seconds(5)] {
        app.clock.advance(by: pause)
        try await app.settle()
      }
      #expect(try await device.authorizations().map(\.status) == [.confirmProcessing])
      app.bank.fail(nil)
      app.clock.advance(by: .seconds(25))
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed])
    }
  }
}
