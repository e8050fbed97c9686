// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
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

  /// A body may take ten seconds.
  @Test("a call of a bank that is suspended while the body comes is refused", arguments: [true, false])
  func meanwhile(isHosted: Bool) async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let (service, clients, world) = (app.service, app.clients, app.clock.world)
      let router = Router(context: PublicContext.self)
      router.add(middleware: CorrelationMiddleware(world: world))
      router.add(
        middleware: ProblemMiddleware(
          dialect: PathDialects(
            SaltEdgeDialect.bases.map { ($0, SaltEdgeDialect()) }, otherwise: ProviderDialect())))
      router.add(
        middleware: EachBodyPiece<PublicContext> {
          try await service.providers.suspend(isHosted ? "hosted" : "remote", by: "operator")
        })
      let root = router.group("")
      BankRoutes(service).add(to: root.group("api/sca/v1"))
      ProviderRoutes(service, idempotency: Idempotency(world: world, vault: service.core.vault)).add(
        to: root.clients(at: ProviderDialect.base, world: world) { try await clients.authenticate($0, secret: $1) })
      let providers = "\(ProviderDialect.base)/providers/\(app.hosted.id)"
      let basic = Data("\(app.credentials.client.id):\(app.credentials.secret)".utf8).base64EncodedString()
      var calls = [
        ("authorizations", Data(ProviderAPITests.payment.utf8)),
        ("connections/search", Data(#"{"user_id":"u-1"}"#.utf8)),
      ].map { (path: "\(providers)/\($0)", headers: ["Authorization": "Basic \(basic)"], body: $1) }
      if !isHosted {
        let (headers, body) = try app.bank.signed(
          app.bank.action("a-1", user: "u-1", connections: [device.connection]))
        calls = [(path: "/api/sca/v1/actions", headers: headers, body: body)]
      }
      let statuses = try await Application(router: router).test(.router) { [calls] client in
        var statuses: [HTTPResponse.Status] = []
        for call in calls {
          var headers = HTTPFields()
          for (name, value) in call.headers { headers[HTTPField.Name(name)!] = value }
          let answer = try await client.execute(
            uri: call.path, method: .post, headers: headers, body: ByteBuffer(bytes: call.body))
          statuses.append(answer.status)
          try await service.providers.resume(isHosted ? "hosted" : "remote", by: "operator")
        }
        return statuses
      }
      #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == .forbidden }, "\(statuses)")
      #expect(try await device.authorizations().isEmpty)
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
