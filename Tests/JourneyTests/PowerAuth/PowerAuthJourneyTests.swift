// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import PowerAuthHTTP
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Journey: PowerAuth in a whole installation")
struct PowerAuthJourneyTests {
  @Test("a bank's server invites a device, which joins and proves itself; the log is told nothing of either")
  func whole() async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    let store = try await TestDatabase.make(.current, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    let app = try await App.open(settings, database: store.database, world: clock.world, logger: log.logger)
    let release = try await app.activations.applications.add("Bank", tenant: "default", by: .init("operator"))
    let issued = try await app.serviceClients.add("core", tenant: "default", scopes: [.manage], by: "operator")
    let (configuration, user) = (release.configuration, "ada.lovelace-7")
    let before = [issued.secret, configuration.text, configuration.applicationSecret.text, user]
    let application = Hummingbird.Application(router: app.router(), logger: log.logger)
    let after: [String] = try await application.test(.router) { client in
      func post(_ path: String, _ body: Data, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
      }
      let basic = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
      let invited = try await post(
        "/api/v1/powerauth/activations",
        Data(#"{"application_id":"\#(release.application.id)","user_id":"\#(user)","auto_commit":true}"#.utf8),
        [.authorization: "Basic \(basic)"])
      #expect(invited.status == .created)
      let code = try #require(
        try JSONDecoder().decode(JSONValue.self, from: Data(invited.body.readableBytesView))["activation_code"]?
          .stringValue)

      var device = TestDevice(configuration: configuration, version: .v32, random: clock.world.random)
      let now = UInt64(clock.now.milliseconds)
      let (request, opener) = try device.join(.code, ["code": code], now: now)
      let header = EncryptionHeader(version: .v32, applicationKey: device.configuration.applicationKey)
      let joined = try await post(
        "/enrollment-server/pa/v3/activation/create", JSONEncoder().encode(request),
        [HTTPField.Name(EncryptionHeader.name)!: header.value])
      #expect(joined.headers[.cacheControl] == "no-store")
      try device.complete(
        opener.open(JSONDecoder().decode(ECIESResponse.self, from: Data(joined.body.readableBytesView))).device)

      let body = Data(#"{"requestObject":{"reason":"VALIDATE_PASSWORD"}}"#.utf8)
      let signature = try device.sign(.possessionKnowledge, uriID: "/pa/signature/validate", body: body)
      let field: HTTPFields = [HTTPField.Name(SignatureHeader.name)!: signature.value]
      #expect(try await post("/pa/v3/signature/validate", body, field).status == .ok)
      #expect(try await post("/pa/v3/signature/validate", body, field).status == .unauthorized)
      return [code, signature.signature, try device.joined().identifier.text]
    }
    let written = log.records.map { "\($0)" }.joined(separator: "\n")
    for secret in before + after { #expect(!written.contains(secret)) }
  }

  @Test("for an unknown path, each part of the URL space answers in its own dialect", .onOneEngine)
  func dialects() async throws {
    try await JourneyTestApp.run { journey in
      try await Hummingbird.Application(router: journey.app.router()).test(.router) { client in
        for path in [
          "/pa/v3/nothing", "/enrollment-server/pa/v3/nothing", "/enrollment-onboarding-server/api/nothing",
          "/enrollment-onboarding-server/api/v2/identity/document/submit",
          "/enrollment-onboarding-server/api/identity/nothing",
        ] {
          let answer = try await client.execute(uri: path, method: .post)
          #expect(answer.status == .notFound)
          #expect(
            String(buffer: answer.body)
              == #"{"responseObject":{"code":"ERROR_NOT_FOUND","message":"NOT_FOUND"},"status":"ERROR"}"#)
        }
        for path in ["/api/v1/powerauth/nothing", "/api/v1/onboarding/nothing", "/nothing", "/enrollment-server"] {
          let answer = try await client.execute(uri: path, method: .post)
          #expect(answer.headers[.contentType] == ProblemDetails.mediaType, "\(path)")
        }
        let method = try await client.execute(uri: "/pa/v3/status", method: .get)
        #expect(method.status == .methodNotAllowed)
        let stranger = try await client.execute(uri: "/api/v1/powerauth/applications", method: .get)
        #expect(stranger.status == .unauthorized)
        #expect(stranger.headers[.wwwAuthenticate] == #"Basic realm="powerauth""#)
      }
    }
  }

  @Test(
    "an address that takes long to compare is refused by each part of the URL space in its own dialect", .onOneEngine)
  func marks() async throws {
    try await JourneyTestApp.run { journey in
      try await Hummingbird.Application(router: journey.app.router()).test(.router) { client in
        let query = "?q=" + String(repeating: "%CC%81", count: 31)
        for (path, word) in [
          ("/pa/v3/status", #""code":"INVALID_REQUEST""#), ("/api/v1/onboarding/status", #""code":"invalid-json""#),
          ("/api/authenticator/v2/authorizations", "WrongRequestFormat"),
          ("/apigateway/subscription-service/order/info", "INVALID_JSON"),
        ] {
          let answer = try await client.execute(uri: path + query, method: .post)
          #expect(answer.status == .badRequest, "\(path)")
          #expect(String(buffer: answer.body).contains(word), "\(path)")
        }
      }
    }
  }

  @Test("the base is a path, or nothing; anything else is refused at the start", .storeless)
  func bases() async throws {
    func base(_ text: String) async throws -> [String] {
      try await Settings.load(flags: ["powerauth.base": .init(.string(text), isSecret: false)])[
        PowerAuthSettings.self
      ].bases
    }
    #expect(try await base("/enrollment-server") == ["/enrollment-server", ""])
    #expect(try await base("/") == [""])
    #expect(try await base("") == [""])
    for wrong in ["enrollment", "/a/", "/{x}", "/a b", "//"] {
      await #expect(throws: SettingsError.self) { try await base(wrong) }
    }
  }
}
