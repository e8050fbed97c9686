// SPDX-License-Identifier: Apache-2.0

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

  @Test("of a multiple action, closing ends the one question on the other devices and leaves the others to be decided")
  func questions() async throws {
    try await SaltEdgeTestApp.run { app in
      let phone = try await DeviceV2.connected(app)
      let tablet = try await DeviceV2.connected(app, key: "tablet")
      let both = [phone.connection, tablet.connection]
      for (method, path) in [(HTTPRequest.Method.post, "actions"), (.put, "actions/a-1")] {
        app.clock.advance(by: .seconds(1))
        let action = try app.bank.action("a-1", user: "u-1", connections: both, multiple: true)
        #expect(try await app.bankCalls(method, path, action).status == 200)
      }
      let waiting = try await phone.authorizations()
      _ = try await phone.decide(try #require(waiting.first).id, code: "code-1")
      try await app.settle()
      #expect(try await phone.authorizations().map(\.status) == [.confirmed, .pending])
      #expect(try await tablet.authorizations().map(\.status) == [.closed, .pending])
      let left = try #require(try await tablet.authorizations().last)
      _ = try await tablet.decide(left.id, confirms: false, code: "code-1")
      try await app.settle()
      #expect(try await phone.authorizations().map(\.status) == [.confirmed, .closed])
      #expect(try await tablet.authorizations().map(\.status) == [.closed, .denied])
      // The action is open for more until the bank closes it.
      let more = try app.bank.action("a-1", user: "u-1", connections: both, multiple: true)
      #expect(try await app.bankCalls(.put, "actions/a-1", more).status == 200)
    }
  }

  @Test("of a multiple action whose bank does not close, the question stays on the other devices")
  func unclosed() async throws {
    try await SaltEdgeTestApp.run { app in
      let phone = try await DeviceV2.connected(app)
      let tablet = try await DeviceV2.connected(app, key: "tablet")
      let action = try app.bank.action(
        "a-1", user: "u-1", connections: [phone.connection, tablet.connection], multiple: true)
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
      let id = try #require(try await phone.authorizations().first).id
      _ = try await phone.decide(id, code: "code-1")
      app.bank.answer(200, #"{"data":{"close_action":false}}"#)
      try await app.settle()
      #expect(try await tablet.authorizations().map(\.status) == [.pending])
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
