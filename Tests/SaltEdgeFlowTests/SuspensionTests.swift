// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge: a bank is kept out for a while")
struct SuspensionTests {
  @Test("a bank with a server that is suspended may ask for nothing, and its devices come back when it resumes")
  func remote() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      let device = try await DeviceV2.connected(app)
      let first = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.post, "actions", first).status == 200)
      let waiting = try #require(try await device.authorizations().first)
      #expect(try await providers.suspend("remote", by: "operator"))
      #expect(try await !providers.suspend("remote", by: "operator"))

      let second = try app.bank.action("a-2", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.post, "actions", second).refusal == "403 ProviderSuspended")
      // Who does not prove to be the bank hears nothing of it.
      let stranger = try await app.bankCalls(.post, "actions", second) { _, body in body.append(0x20) }
      #expect(stranger.refusal == "400 InvalidSignature")
      let listed = try await device.get("authorizations")
      #expect(listed.refusal == "503 ServiceUnavailable" && listed.headers[.retryAfter] != nil)
      #expect(try await device.decide(waiting.id, code: "code-1").refusal == "503 ServiceUnavailable")
      #expect(try await device.get("authorizations", token: "guess").refusal == "401 ConnectionNotFound")
      let configuration = "/api/authenticator/v2/configurations/\(app.remote.id)"
      #expect(try await app.call(.get, configuration).status == 503)
      try await app.settle()
      #expect(app.devices.sent.isEmpty)

      #expect(try await providers.resume("remote", by: "operator"))
      #expect(try await !providers.resume("remote", by: "operator"))
      #expect(try await device.authorizations().map(\.id) == [waiting.id])
      #expect(try await app.bankCalls(.post, "actions", second).status == 200)
      #expect(try await app.call(.get, configuration).status == 200)
    }
  }

  @Test(
    "a bank without a server that is suspended may ask for nothing, its devices of v1 neither; others notice nothing")
  func hosted() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      let (device, other) = (try await DeviceV1.connected(app), try await DeviceV2.connected(app))
      let opened: ProviderAPITests.Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment)
        .view()
      try await providers.suspend("hosted", by: "operator")
      for (method, path, body) in [
        (HTTPRequest.Method.get, "", ""), (.post, "authorizations", ProviderAPITests.payment),
        (.get, "authorizations/\(opened.authorization.id)", ""), (.post, "connect-links", #"{"user_id":"u-1"}"#),
      ] { #expect(try await app.api(method, path, body).refusal == "403 forbidden") }
      #expect(try await device.send(.get, "authorizations").refusal == "503 ServiceUnavailable")
      #expect(try await app.call(.get, "/saltedge/hosted/api/authenticator/v1/configuration").status == 503)
      #expect(try await other.authorizations().isEmpty)
      try await providers.resume("hosted", by: "operator")
      #expect(try await device.authorizations().count == 1)
      #expect(try await app.api(.get, "authorizations/\(opened.authorization.id)").status == 200)
      let lines = try await app.audit("provider-\(app.hosted.id)")
      #expect(lines.suffix(2) == ["saltedge.provider.suspended", "saltedge.provider.resumed"])
      await #expect(throws: Problem.self) { try await providers.suspend("nobody", by: "operator") }
    }
  }

  @Test("what a customer decided before reaches the bank all the same")
  func decided() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
      let waiting = try #require(try await device.authorizations().first)
      #expect(try await device.decide(waiting.id, code: "code-1").status == 200)
      try await app.service.providers.suspend("remote", by: "operator")
      try await app.settle()
      #expect(app.bank.paths.last == "PUT actions/a-1/confirm")
      try await app.service.providers.resume("remote", by: "operator")
      #expect(try await device.authorizations().map(\.status) == [.confirmed])
    }
  }
}
