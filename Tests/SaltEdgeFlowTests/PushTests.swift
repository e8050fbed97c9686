// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: devices are notified")
struct PushTests {
  /// A payment that waits on a device of v2 of the bank with a server.
  private static func open(_ app: SaltEdgeTestApp, _ device: DeviceV2) async throws -> SaltEdge.NumberID {
    let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
    #expect(try await app.bankCalls(.post, "actions", action).status == 200)
    return try #require(try await device.authorizations().first).id
  }

  @Test("the notification names bank, connection and authorization, and nothing of what is to be confirmed")
  func told() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let id = try await Self.open(app, device)
      #expect(app.devices.sent.isEmpty)
      try await app.settle()
      let push = try #require(app.devices.sent.first)
      #expect(app.devices.sent.count == 1 && push.platform == .apple && push.token == "push-token-1")
      #expect(push.title == "Confirmation requested" && push.body.contains("Remote Bank") && push.locale == "en")
      #expect(
        push.data == [
          "connection_id": .number(try #require(Int64(device.connection))),
          "authorization_id": .number(try #require(Int64(id.text))),
        ])
      #expect(push.expiresAt == app.clock.now + .minutes(5) && push.name == id.text)
      let said = push.title + push.body
      for secret in ["12.50", "EUR", "Shop", "Payment", "code-1"] { #expect(!said.contains(secret)) }
    }
  }

  @Test("a hosted bank's operation reaches the customer's devices of both versions, each with ids of its kind")
  func hosted() async throws {
    try await SaltEdgeTestApp.run { app in
      let two = try await DeviceV2.hosted(app, key: "one")
      let body = try await Self.connectV1(app, pushToken: "push-token-v1", language: "ar-KW, en;q=0.5")
      let opened: ProviderAPITests.Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment)
        .view()
      #expect(opened.devices == 2)
      try await app.settle()
      let sent = app.devices.sent.sorted { $0.token < $1.token }
      #expect(sent.map(\.token) == ["push-token-1", "push-token-v1"])
      #expect(sent[0].data["connection_id"] == .number(Int64(two.connection) ?? 0))
      #expect(
        sent[1].data == ["connection_id": .text(body.id.text), "authorization_id": .text(opened.authorization.id)])
      #expect(sent[1].locale == "ar" && sent[1].title == "طلب تأكيد" && sent[1].body.contains("Hosted Bank"))
    }
  }

  @Test("a device without a token, or of an unsupported platform, is left alone")
  func silent() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let cleared = try await device.send(
        .patch, "connections/\(device.connection)/update", SaltEdgeV2.PushTokenUpdate(pushToken: ""))
      #expect(cleared.status == 200)
      _ = try await Self.connectV1(app, pushToken: "t", platform: "windows")
      _ = try await Self.open(app, device)
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      try await app.settle()
      #expect(app.devices.sent.isEmpty)
    }
  }

  @Test("the device that picked an action up is not told of what it asked for")
  func instant() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let asked = SaltEdgeV2.ActionSubmission(
        providerID: .init(device.provider), actionID: .init("q-1"), connectionID: .init(device.connection))
      #expect(try await device.send(.post, "authorizations", asked).status == 200)
      #expect(try await device.authorizations().count == 1)
      try await app.settle()
      #expect(app.devices.sent.isEmpty)
    }
  }

  @Test("what was decided, withdrawn or expired before its turn is not announced any more")
  func late() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let id = try await Self.open(app, device)
      _ = try await device.decide(id, code: "code-1")
      try await app.settle()
      #expect(app.devices.sent.isEmpty)

      let opened: ProviderAPITests.Opened = try await {
        _ = try await DeviceV2.hosted(app, key: "one")
        return try await app.api(.post, "authorizations", ProviderAPITests.payment).view()
      }()
      _ = try await app.api(.post, "authorizations/\(opened.authorization.id)/cancel", "{}")
      try await app.settle()
      #expect(app.devices.sent.isEmpty)
    }
  }

  @Test("an attempt in vain is made again after 1, 5 and 25 seconds, then the device is left to ask by itself")
  func retried() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await Self.open(app, device)
      let busy = Result<PushGateway.Outcome, any Error>.failure(MessageUndelivered(.byGateway(status: 503)))
      app.devices.next(busy, busy, busy, busy)
      try await app.settle()
      for (index, pause) in [1, 5, 25].enumerated() {
        #expect(app.devices.sent.count == index + 1)
        app.clock.advance(by: .seconds(pause) - .milliseconds(1))
        try await app.settle()
        #expect(app.devices.sent.count == index + 1)
        app.clock.advance(by: .milliseconds(1))
        try await app.settle()
      }
      #expect(app.devices.sent.count == 4)
      #expect(try await app.owed() == [])
      #expect(try await app.audit(device.connection).last == "saltedge.authorization.notPushed")
      // As it was.
      #expect(try await device.authorizations().map(\.status) == [.pending])
    }
  }

  @Test("what is refused for good is done with: nothing stays behind, and the device asks by itself")
  func refused() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await Self.open(app, device)
      app.devices.next(.failure(MessageRefused(.byGateway(status: 403))))
      try await app.settle()
      let left = try await app.database.read { try $0.query("SELECT id FROM outbox").count }
      #expect(left == 0 && app.devices.sent.count == 1)
      #expect(try await app.audit(device.connection).last == "saltedge.authorization.notPushed")
      #expect(try await device.authorizations().map(\.status) == [.pending])
    }
  }

  @Test("a device whose app is gone is not tried again, unless it told another token in the meantime")
  func gone() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await Self.open(app, device)
      app.devices.next(.success(.tokenGone))
      try await app.settle()
      #expect(try await app.audit(device.connection).last == "saltedge.connection.pushTokenForgotten")
      #expect(
        try await device.get("connections/\(device.connection)").data(SaltEdgeV2.Connection.self).pushToken == nil)
      let second = try app.bank.action("a-2", user: "u-1", connections: [device.connection])
      _ = try await app.bankCalls(.post, "actions", second)
      try await app.settle()
      #expect(app.devices.sent.count == 1)
    }
  }

  @Test("a token that is refused stays, for it may be another environment's, and is in the audit log")
  func refusedToken() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await Self.open(app, device)
      app.devices.next(.success(.tokenRefused))
      try await app.settle()
      #expect(try await app.owed() == [])
      #expect(try await app.audit(device.connection).last == "saltedge.authorization.notPushed")
      #expect(
        try await device.get("connections/\(device.connection)").data(SaltEdgeV2.Connection.self).pushToken
          == "push-token-1")
    }
  }

  /// A device of v1, of customer u-1 of the hosted bank.
  private static func connectV1(
    _ app: SaltEdgeTestApp, pushToken: String, platform: String = "ios", language: String = "en"
  ) async throws -> SaltEdgeV1.Connected {
    let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1","api_version":1}"#)
      .view(DeviceV2.LinkView.self)
    let content = SaltEdgeV1.Connect(
      publicKey: try TestKeys.device().publicKey.pem, returnURL: ReturnRedirect.returnURL, platform: platform,
      pushToken: pushToken, providerCode: "hosted", connectQuery: link.connect_query)
    return try await app.call(
      .post, "\(DeviceV1.base)/api/authenticator/v1/connections", headers: ["Accept-Language": language],
      body: try WireJSON.encode(SaltEdge.Body(data: content))
    ).data()
  }
}
