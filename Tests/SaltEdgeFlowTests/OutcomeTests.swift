// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge v2: how a forwarded decision ends")
struct OutcomeTests {
  /// A device that has confirmed; the bank has not heard of it.
  private func confirmed(_ app: SaltEdgeTestApp) async throws -> DeviceV2 {
    let device = try await DeviceV2.connected(app)
    let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
    _ = try await app.bankCalls(.post, "actions", action)
    let waiting = try #require(try await device.authorizations().first)
    _ = try await device.decide(waiting.id, code: "code-1")
    return device
  }

  @Test(
    "a bank that answers with success took the decision, whatever else it says",
    arguments: [#"{"data":{}}"#, #"{"data":{"close_action":null}}"#, "{}", "", "OK", "<html></html>"])
  func success(body: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await confirmed(app)
      app.bank.answer(200, body)
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed])
      #expect(try await app.owed().isEmpty)
    }
  }

  private static let gone = ["ActionClosed", "ActionNotFound"].map { #"{"error_class":"\#($0)","error_message":"no"}"# }

  @Test(
    "a bank that may have acted before it failed, and then finds nothing to decide, did not refuse", arguments: gone)
  func ambiguous(gone: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await confirmed(app)
      app.bank.answer(503)
      app.bank.answer(400, gone)
      try await app.settle()
      app.clock.advance(by: .seconds(1))
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.unavailable])
      #expect(try await app.audit(device.connection).last == "saltedge.authorization.outcomeLost")
    }
  }

  @Test(
    "a server that dies between the bank's answer and its own commit does not make a refusal of it", arguments: gone)
  func crash(gone: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await confirmed(app)
      app.bank.killCallers(with: Killed())
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmProcessing])
      app.bank.killCallers(with: nil)
      app.bank.answer(400, gone)
      app.clock.advance(by: .minutes(1))
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.unavailable])
      #expect(try await app.owed().isEmpty)
    }
  }

  @Test("a bank that finds nothing to decide the first time it is asked refused", arguments: gone)
  func refused(gone: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await confirmed(app)
      app.bank.answer(400, gone)
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.error])
    }
  }

  /// The bank heard, and this process is no more.
  private struct Killed: Error {}
}
