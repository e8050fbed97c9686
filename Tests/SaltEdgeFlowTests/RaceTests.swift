// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: races")
struct RaceTests {
  @Test("of a confirmation and a denial at once, one counts")
  func decisions() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      _ = try await app.bankCalls(.post, "actions", action)
      let id = try #require(try await device.authorizations().first).id
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<8 {
          group.addTask {
            let answer = try await device.decide(id, confirms: index.isMultiple(of: 2), code: "code-1")
            return answer.status == 200 ? "200" : answer.refusal
          }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(answers.filter { $0 == "200" }.count == 1)
      #expect(answers.filter { $0 == "404 AuthorizationNotFound" }.count == 7)
      #expect(try await app.owedOfDecisions() == ["saltedge.forwardDecision"])
    }
  }

  @Test("of many devices with one link, one is connected")
  func links() async throws {
    try await SaltEdgeTestApp.run { app in
      let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1","api_version":1}"#)
        .view(DeviceV2.LinkView.self)
      let key = try TestKeys.device()
      let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await DeviceV1.ask(app, key: key, query: link.connect_query).data(SaltEdgeV1.Connected.self)
              .accessToken
          }
        }
        return try await group.reduce(into: [String]()) { if let token = $1 { $0.append(token) } }
      }
      #expect(tokens.count == 1)
    }
  }

  @Test("an authorization that is added while its action is closed is not left to be decided", arguments: 0..<4)
  func closing(round: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let first = try app.bank.action("a-1", user: "u-1", connections: [device.connection], multiple: true)
      _ = try await app.bankCalls(.post, "actions", first)
      let more = try app.bank.action("a-1", user: "u-1", connections: [device.connection], multiple: true)
      async let closed = app.bankCalls(.put, "actions/a-1/close", ["action_id": "a-1"])
      async let added = app.bankCalls(.put, "actions/a-1", more)
      #expect(try await closed.status == 200)
      let answer = try await added
      #expect(answer.status == 200 || answer.refusal == "400 ActionClosed")
      #expect(try await device.authorizations().allSatisfy { $0.status == .closed })
    }
  }

  @Test("an operation that is confirmed while its time runs out is either confirmed or expired", arguments: 0..<4)
  func lastInstant(round: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let opened: ProviderAPITests.Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment)
        .view()
      let waiting = try #require(try await device.authorizations().first)
      let code = try device.content(waiting).code
      app.clock.advance(by: .seconds(299))
      async let decided = device.decide(waiting.id, code: code)
      async let swept: Void = {
        app.clock.advance(by: .seconds(1))
        try await app.effects.jobs.runOnce()
      }()
      let wasInTime = try await decided.status == 200
      try await swept
      try await app.settle()
      try await app.effects.jobs.runOnce()
      try await app.settle()
      let state = try await app.api(.get, "authorizations/\(opened.authorization.id)")
        .view(ProviderAPITests.Operation.self).state
      #expect(state == (wasInTime ? "confirmed" : "expired"))
      #expect(app.bank.heard.count == 1)
    }
  }

  @Test("of many devices that pick up one QR code, one has it")
  func pickUps() async throws {
    try await SaltEdgeTestApp.run { app in
      var devices: [DeviceV2] = []
      for (index, key) in ["device", "tablet", "phone", "thief"].enumerated() {
        devices.append(try await DeviceV2.hosted(app, user: "u-\(index)", key: key))
      }
      let offered: ProviderAPITests.Opened = try await app.api(
        .post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#
      ).view()
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for device in devices {
          group.addTask {
            let answer = try await device.send(
              .post, "authorizations",
              SaltEdgeV2.ActionSubmission(
                providerID: .init(device.provider), actionID: .init(offered.authorization.id),
                connectionID: .init(device.connection)))
            return answer.status == 200 ? "200" : answer.refusal
          }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(answers.sorted() == ["200"] + Array(repeating: "400 ActionClosed", count: 3))
    }
  }
}
