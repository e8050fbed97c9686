import Foundation
import HTTPTypes
import Kit
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge v2: actions whose authorizations are decided independently")
struct MultipleActionTests {
  @Test("authorizations of a multiple action are decided one by one, whatever the bank says of closing")
  func multiple() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action(
        "a-1", user: "u-1", connections: [device.connection, device.connection], multiple: true)
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
      let waiting = try await device.authorizations()
      #expect(waiting.count == 2)
      _ = try await device.decide(waiting[0].id, code: "code-1")
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed, .pending])
      _ = try await device.decide(waiting[1].id, confirms: false, code: "code-1")
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed, .denied])
    }
  }

  @Test("an addition can make an action a multiple one")
  func madeMultiple() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      for (method, path, multiple) in [(HTTPRequest.Method.post, "actions", false), (.put, "actions/a-1", true)] {
        let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection], multiple: multiple)
        #expect(try await app.bankCalls(method, path, action).status == 200)
      }
      let waiting = try await device.authorizations()
      _ = try await device.decide(try #require(waiting.first).id, code: "code-1")
      try await app.settle()
      #expect(try await device.authorizations().map(\.status).filter { $0 == .pending }.count == 1)
    }
  }
}
