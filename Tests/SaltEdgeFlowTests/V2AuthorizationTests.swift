// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge v2: deciding")
struct V2AuthorizationTests {
  @Test("what a bank wants confirmed reaches the device, and the signed answer reaches the bank byte for byte")
  func confirm() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.post, "actions", action).json == #"{"data":{}}"#)
      let listed = try await device.authorizations()
      let waiting = try #require(listed.first)
      #expect(listed.count == 1 && waiting.status == .pending && waiting.connectionID.text == device.connection)
      #expect(try device.content(waiting).code == "code-1")
      // The very bytes that the bank encrypted.
      #expect(waiting.payload == action.authorizations.first?.payload)
      #expect(try await device.get("authorizations/\(waiting.id)").data(SaltEdgeV2.Authorization.self) == waiting)
      app.bank.forget()
      var sent = Data()
      let decided = try await device.decide(waiting.id, code: "code-1") { sent = $1 }
      #expect(decided.json == #"{"data":{"id":\#(waiting.id),"status":"confirm_processing"}}"#)
      #expect(try await device.authorizations().map(\.status) == [.confirmProcessing])
      try await app.settle()
      #expect(app.bank.paths == ["PUT actions/a-1/confirm"])
      let heard = try #require(app.bank.heard.first)
      let forwarded = try WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.Decision>.self, from: heard.body).data
      #expect(Data(forwarded.originalRequest.utf8) == sent)
      let final = try await device.authorizations()
      #expect(final.map(\.status) == [.confirmed] && final.first?.payload == SaltEdge.Ciphertext.none)
      #expect(final.first?.finishedAt == "2026-11-21T06:00:00Z")
      app.clock.advance(by: .seconds(60))
      #expect(try await device.authorizations().isEmpty)
      #expect(try await device.get("authorizations/\(waiting.id)").refusal == "404 AuthorizationNotFound")
    }
  }

  @Test("a denial is as good as a confirmation, and there is one decision")
  func deny() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      var (headers, body) = ([String: String](), Data())
      let decided = try await device.decide(waiting.id, confirms: false, code: "code-1") { (headers, body) = ($0, $1) }
      #expect(try decided.data(SaltEdgeV2.Decided.self).status == .denyProcessing)
      // The same request again, and another one.
      let path = "/api/authenticator/v2/authorizations/\(waiting.id)/deny"
      let replay = try await app.call(.put, path, headers: headers, body: body)
      #expect(replay.refusal == "404 AuthorizationNotFound")
      #expect(try await device.decide(waiting.id, code: "code-1").refusal == "404 AuthorizationNotFound")
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.denied])
      #expect(app.bank.paths.filter { $0.hasPrefix("PUT actions") } == ["PUT actions/a-1/deny"])
    }
  }

  @Test("two devices of a customer decide once: the bank closes the action, the other one is closed")
  func siblings() async throws {
    try await SaltEdgeTestApp.run { app in
      let one = try await DeviceV2.connected(app)
      let other = try await DeviceV2.connected(app, key: "tablet")
      let action = try app.bank.action("a-1", user: "u-1", connections: [one.connection, other.connection])
      _ = try await app.bankCalls(.post, "actions", action)
      let mine = try #require(try await one.authorizations().first)
      let theirs = try #require(try await other.authorizations().first)
      #expect(mine.id != theirs.id)
      #expect(try await one.get("authorizations/\(theirs.id)").refusal == "404 AuthorizationNotFound")
      #expect(try await one.decide(theirs.id, code: "code-1").refusal == "404 AuthorizationNotFound")
      #expect(try await one.decide(mine.id, code: "code-1").status == 200)
      try await app.settle()
      #expect(try await one.authorizations().map(\.status) == [.confirmed])
      #expect(try await other.authorizations().map(\.status) == [.closed])
      #expect(try await other.decide(theirs.id, code: "code-1").refusal == "404 AuthorizationNotFound")
    }
  }

  @Test("an undecided authorization times out, whether or not anything swept it")
  func expiry() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      app.clock.advance(by: .minutes(5))
      #expect(try await device.decide(waiting.id, code: "code-1").refusal == "404 AuthorizationNotFound")
      let before = try await device.authorizations()
      #expect(before.map(\.status) == [.timeOut] && before.first?.finishedAt == "2026-11-21T06:05:00Z")
      try await app.effects.jobs.runOnce()
      #expect(try await device.authorizations() == before)
      #expect(try await app.audit(device.connection).last == "saltedge.authorization.expired")
      app.clock.advance(by: .seconds(60))
      #expect(try await device.authorizations().isEmpty)
      #expect(try await app.owedOfDecisions().isEmpty)
    }
  }

  @Test("a bank that is away is asked again after 1, 5 and 25 seconds; then the authorization has failed")
  func retries() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      _ = try await device.decide(waiting.id, code: "code-1")
      app.bank.forget()
      app.bank.answer(503, times: 2)
      for (pause, calls) in [(Duration.zero, 1), (.milliseconds(900), 1), (.milliseconds(100), 2), (.seconds(4), 2)] {
        app.clock.advance(by: pause)
        try await app.settle()
        #expect(app.bank.heard.count == calls)
        #expect(try await device.authorizations().map(\.status) == [.confirmProcessing])
      }
      app.bank.fail(.timedOut)
      app.clock.advance(by: .seconds(1))
      try await app.settle()
      app.clock.advance(by: .seconds(25))
      try await app.settle()
      #expect(app.bank.heard.count == 4)
      #expect(try await device.authorizations().map(\.status) == [.error])
      let requests = try app.bank.heard.map {
        try WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.Decision>.self, from: $0.body).data
      }
      #expect(Set(requests.map(\.originalRequest)).count == 1 && Set(requests.map(\.originalSignature)).count == 1)
      #expect(try await app.owedOfDecisions().isEmpty)
    }
  }

  @Test("a bank that comes back in time gets the decision")
  func recovery() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      _ = try await device.decide(waiting.id, code: "code-1")
      app.bank.fail(.unreachable)
      try await app.settle()
      app.bank.fail(nil)
      app.clock.advance(by: .seconds(1))
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed])
    }
  }

  @Test("a bank that refuses is not asked again", arguments: [400, 404])
  func refusal(status: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      _ = try await device.decide(waiting.id, code: "wrong")
      app.bank.forget()
      app.bank.answer(status, #"{"error_class":"ActionNotFound","error_message":"no"}"#)
      try await app.settle()
      #expect(app.bank.heard.count == 1)
      #expect(try await device.authorizations().map(\.status) == [.error])
    }
  }

  @Test("an action that was started elsewhere is picked up once and leads to one authorization")
  func instant() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let submission = device.submission("77")
      var (headers, body) = ([String: String](), Data())
      let first = try await device.send(.post, "authorizations", submission) { (headers, body) = ($0, $1) }
      #expect(first.json.firstMatch(of: #/"authorization_id":[0-9]+,"connection_id":[0-9]+/#) != nil)
      let submitted = try first.data(SaltEdgeV2.ActionSubmitted.self)
      let replay = try await app.call(.post, "/api/authenticator/v2/authorizations", headers: headers, body: body)
      #expect(replay.refusal == "400 InvalidSignature")
      app.clock.advance(by: .seconds(1))
      let again = try await device.send(.post, "authorizations", submission).data(SaltEdgeV2.ActionSubmitted.self)
      #expect(again == submitted)
      let listed = try await device.authorizations("?action_id=77")
      #expect(listed.map(\.id) == [try #require(submitted.authorizationID)])
      #expect(try await device.authorizations("?action_id=78").isEmpty)
      let foreign = SaltEdgeV2.ActionSubmission(
        providerID: .init(device.provider), actionID: .init("78"), connectionID: .init("1"))
      #expect(try await device.send(.post, "authorizations", foreign).refusal == "400 WrongRequestFormat")
    }
  }

  @Test("an action that the bank does not know, or closed, is refused with the bank's own class")
  func instantRefused() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let submission = device.submission("77")
      app.bank.answer(400, #"{"error_class":"ActionNotFound","error_message":"no"}"#)
      #expect(try await device.send(.post, "authorizations", submission).refusal == "404 ActionNotFound")
      app.bank.answer(400, #"{"error_class":"ActionClosed","error_message":"no"}"#)
      #expect(try await device.send(.post, "authorizations", submission).refusal == "400 ActionClosed")
      app.bank.fail(.timedOut)
      #expect(try await device.send(.post, "authorizations", submission).refusal == "504 ProviderUnavailable")
      app.bank.fail(nil)
      // What came to nothing may be sent again as it is.
      #expect(try await device.send(.post, "authorizations", submission).status == 200)
    }
  }

  @Test(
    "what a bank says of the connection or of the service's signature is not said to the device",
    arguments: ["ConnectionNotFound", "ConnectionRevoked", "InvalidSignature", "SignatureExpired", "UserNotFound"])
  func banksOwnTrouble(errorClass: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let submission = device.submission("77")
      app.bank.answer(401, #"{"error_class":"\#(errorClass)","error_message":"no"}"#)
      #expect(try await device.send(.post, "authorizations", submission).refusal == "502 ProviderUnavailable")
      #expect(try await device.get("authorizations").status == 200)
    }
  }

  @Test("an action that failed, or whose time ran out, and is picked up again can be decided")
  func instantAgain() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let submission = device.submission("77")
      func submit() async throws -> SaltEdge.NumberID {
        app.clock.advance(by: .seconds(1))
        return try #require(
          try await device.send(.post, "authorizations", submission).data(SaltEdgeV2.ActionSubmitted.self)
            .authorizationID)
      }
      let first = try await submit()
      _ = try await device.decide(first, code: "instant")
      // While the bank has not answered it is the one.
      #expect(try await submit() == first)
      app.bank.answer(400, #"{"error_class":"WrongRequestFormat","error_message":"no"}"#)
      try await app.settle()
      let second = try await submit()
      #expect(second != first)
      app.clock.advance(by: .minutes(5))
      let third = try await submit()
      #expect(third != second)
      _ = try await device.decide(third, code: "instant")
      try await app.settle()
      #expect(
        try await device.get("authorizations/\(third)").data(SaltEdgeV2.Authorization.self).status == .confirmed)
      // Done is done.
      #expect(try await device.send(.post, "authorizations", submission, exp: 200).refusal == "400 ActionClosed")
    }
  }
}
