// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import Synchronization
import TestSupport
import Testing
import WultraWire

@testable import WultraFlow

@Suite("Wultra: a tenant's own vendors")
struct VendorTests {
  /// A vendor over HTTP, who checks the signature of what comes.
  final class Vendor: Sendable {
    struct Asked: Sendable {
      let path: String
      let body: JSONValue
    }

    let secret: WebhookSecret
    let clock: TestWorld
    let asked = Mutex<[Asked]>([])
    let results = Mutex<[String]>([])

    init(_ clock: TestWorld) { (secret, self.clock) = (WebhookSecret(clock.world), clock) }

    func router() -> Router<BasicRequestContext> {
      let router = Router()
      let answers: [(String, @Sendable (Vendor) -> String)] = [
        ("document/init-sdk", { _ in #"{"attributes":{"license":"for the library","level":2}}"# }),
        ("presence-check/init", { _ in #"{"sessionAttributes":{"session":"s-1","deep":{"x":1}}}"# }),
        (
          "presence-check/result",
          { vendor in vendor.results.withLock { $0.isEmpty ? #"{"result":"ACCEPTED"}"# : $0.removeFirst() } }
        ),
      ]
      for (path, answer) in answers {
        router.post(RouterPath("vendor/\(path)")) { [self] request, _ in
          let body = Data(try await request.body.collect(upTo: 1024 * 1024).readableBytesView)
          func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
          #expect(
            secret.accepts(
              body, id: field("webhook-id") ?? "", timestamp: field("webhook-timestamp"),
              signatures: field("webhook-signature"), at: clock.now))
          asked.withLock {
            $0.append(Asked(path: path, body: (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null))
          }
          return answer(self)
        }
      }
      return router
    }

    /// The bodies of one call.
    func bodies(_ path: String) -> [JSONValue] { asked.withLock { $0.filter { $0.path == path }.map(\.body) } }
  }

  /// An app whose tenant has the vendor for both, or another tenant has.
  private func run(
    tenant: String = "acme", _ play: @escaping @Sendable (WultraTestApp, Vendor) async throws -> Void
  ) async throws {
    let app = try await WultraTestApp()
    let vendor = Vendor(app.clock)
    try await Application(router: vendor.router()).serve { client in
      let service = #"{"url":"http://127.0.0.1:\#(client.port ?? 0)/vendor","secret":"\#(vendor.secret.text)"}"#
      let file = #"{"\#(tenant)":{"scanning":\#(service),"presence":\#(service)}}"#
      try await play(app.using(try Vendors(Data(file.utf8), world: app.clock.world)), vendor)
    }
  }

  @Test("what the scanning library asks goes to the tenant's vendor, and the answer to the library")
  func scanning() async throws {
    try await run { app, vendor in
      let person = try await app.activated()
      let answer = try await app.documents.initSDK(
        .init(processId: person.process, attributes: ["sdk-init-token": .string("abc")]), by: person.caller)
      #expect(answer.attributes == ["license": .string("for the library"), "level": .integer(2)])
      let body = try #require(vendor.bodies("document/init-sdk").first)
      #expect(body["tenant"] == .string("acme") && body["userId"] == .string("user-1"))
      #expect(body["processId"] == .string(person.process))
      #expect(body["attributes"]?["sdk-init-token"] == .string("abc"))
    }
  }

  @Test("the vendor's library gets its attributes and no session of ours; the vendor's result is the verdict")
  func presence() async throws {
    try await run { app, vendor in
      let person = try await app.activated()
      try await person.documentsAccepted()
      let session = try await app.presence.initiate(person.process, by: person.caller)
      #expect(session.sessionAttributes == ["session": .string("s-1"), "deep": .object(["x": .integer(1)])])
      let started = try #require(vendor.bodies("presence-check/init").first)
      // Of both sides of the card and of the licence.
      #expect(started["portraits"]?.arrayValue?.count == 3 && started["lifetimeSeconds"] == .integer(600))
      vendor.results.withLock {
        $0 = [#"{"result":"IN_PROGRESS"}"#, #"{"result":"REJECTED","codes":["face-no-match"]}"#]
      }
      try await app.presence.submit(person.process, by: person.caller)
      try await app.settle()
      #expect(try await person.state() == "PRESENCE_CHECK/VERIFICATION_PENDING")
      app.clock.advance(by: .minutes(1))
      try await app.settle()
      #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
      #expect(try await !person.verify(app.lastCode()).verified)
      // The second check is another one, and passes.
      _ = try await app.presence.initiate(person.process, by: person.caller)
      try await app.presence.submit(person.process, by: person.caller)
      try await app.settle()
      #expect(try await person.verify(app.lastCode()).verified)
      let checks = vendor.bodies("presence-check/result").compactMap { $0["checkId"]?.stringValue }
      #expect(checks.count == 3 && checks[0] == checks[1] && checks[1] != checks[2])
    }
  }

  @Test("other tenants have what is ours")
  func others() async throws {
    try await run(tenant: "other") { app, vendor in
      let person = try await app.activated()
      let answer = try await app.documents.initSDK(
        .init(processId: person.process, attributes: [:]), by: person.caller)
      #expect(answer.attributes == ["token": .string("for -")])
      try await person.documentsAccepted()
      try await person.checkPresence()
      #expect(try await person.verify(app.lastCode()).verified)
      #expect(vendor.asked.withLock { $0.isEmpty })
    }
  }

  @Test("a vendor that does not answer is told to the app as such; a service without TLS elsewhere is not taken")
  func refused() async throws {
    let app = try await WultraTestApp()
    let secret = WebhookSecret(app.clock.world).text
    let gone = try Vendors(
      Data(#"{"acme":{"scanning":{"url":"http://127.0.0.1:9","secret":"\#(secret)"}}}"#.utf8), world: app.clock.world)
    let person = try await app.using(gone).activated()
    let code = try await refusal {
      _ = try await person.app.documents.initSDK(.init(processId: person.process, attributes: [:]), by: person.caller)
    }
    #expect(code == "REMOTE_COMMUNICATION_ERROR")
    #expect(throws: SignedWebhookError.insecureURL) {
      _ = try Vendors(
        Data(#"{"acme":{"scanning":{"url":"http://scan.example","secret":"\#(secret)"}}}"#.utf8),
        world: app.clock.world)
    }
  }
}
