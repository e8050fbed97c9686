// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: where tokens go, and what customers are told before")
struct ReturnAddressTests {
  private static let thieves = [
    "x-safari-https://thief.example/", "googlechromes://thief.example/", "googlechrome://thief.example",
    "microsoft-edge:https://thief.example", "mailto:thief@thief.example", "javascript:alert(1)", "data:text/html,x",
    "firefox://open-url?url=https://thief.example", "thief://token", "https://thief.example/",
    "http://bank.example/done", "https://bank.example.thief.example/", "https://bank.example@thief.example/",
    "https://thief.example/bank.example", "https://bank.example:8443/done", "intent://thief.example", "tel:1",
    "authenticators://oauth/redirect", "authenticator-x://oauth/redirect", "authenticator+http://oauth/redirect",
    "authenticator%3A//oauth/redirect", "%61uthenticator://oauth/redirect", "javascript:authenticator://oauth",
    "\u{430}uthenticator://oauth/redirect", " authenticator://oauth/redirect", "authenticator ://oauth/redirect",
    "intent:authenticator://oauth", "INTENT://oauth#Intent;scheme=authenticator;end",
    "https://bank.example\\@thief.example/", "https://bank.example\\.thief.example/", "https://@bank.example/done",
    "https:/bank.example/done", "https:///bank.example/done", "https://bank%2Eexample/done", "https://bank.example./",
    "https://bank.example%2F.thief.example/", "https://bank.example;thief.example/",
    // Foundation reads a bare host out of these, and other readers do not.
    "https://[bank.example]/done", "https://bank.example:18446744073709560059/done", "https://bank.example:/done",
  ]

  @Test(
    "a device gives an address of an allowed scheme or of the bank's own hosts; every other one is refused",
    arguments: thieves)
  func refused(address: String) async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let v2 = try await DeviceV2.ask(app, to: app.remote, key: key, returnURL: address)
      #expect(v2.refusal == "400 WrongRequestFormat")
      let v1 = try await app.call(
        .post, "/saltedge/hosted/api/authenticator/v1/connections",
        body: WireJSON.encode(
          SaltEdge.Body(
            data: SaltEdgeV1.Connect(publicKey: key.publicKey.pem, returnURL: address, platform: "ios"))))
      #expect(v1.refusal == "400 WrongRequestFormat")
      #expect(app.bank.heard.isEmpty)
      let rows = try await app.database.read { try $0.query("SELECT id FROM saltedge_connection").count }
      #expect(rows == 0)
    }
  }

  @Test("the published app's address, the bank's own pages and the schemes that its operator names are taken")
  func taken() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      for address in [
        "authenticator://oauth/redirect", "Authenticator://oauth", "https://bank.example/done?x=1",
        "HTTPS://Bank.Example", "https://bank.example?done",
      ] {
        #expect(try await DeviceV2.ask(app, to: app.remote, key: key, returnURL: address).status == 200, "\(address)")
      }
      var change = Providers.Change()
      change.returnSchemes = ["mybank-app"]
      let providers = app.service.providers
      _ = try await providers.change("remote", change, clients: app.clients, by: "test")
      #expect(try await DeviceV2.ask(app, to: app.remote, key: key, returnURL: "mybank-app://x").status == 200)
      let other = try await DeviceV2.ask(app, to: app.remote, key: key)
      #expect(other.refusal == "400 WrongRequestFormat")
      // Other changes leave them alone.
      var move = Providers.Change()
      move.webhookURL = "https://hosted.example/moved"
      #expect(
        try await providers.change("remote", move, clients: app.clients, by: "test").provider.returnSchemes
          == ["mybank-app"])
    }
  }

  @Test("a scheme that was allowed before it was refused keeps no other change from being made, and is told each time")
  func keptScheme() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      func change(_ body: (inout Providers.Change) -> Void) async throws -> Providers.Changed {
        var change = Providers.Change()
        body(&change)
        return try await providers.change("remote", change, clients: app.clients, by: "test")
      }
      try await app.database.write {
        _ = try $0.execute("UPDATE saltedge_provider SET return_schemes = 'mybank-app sip' WHERE code = 'remote'")
      }
      let moved = try await change { $0.loginURL = "https://bank.example/moved" }
      #expect(moved.provider.loginURL == "https://bank.example/moved")
      #expect(moved.provider.returnSchemes == ["mybank-app", "sip"] && moved.refusedSchemes == ["sip"])
      // Naming it again is refused, as for any other bank, and so are other faults.
      await #expect(throws: Problem.self) { try await change { $0.returnSchemes = ["mybank-app", "sip"] } }
      await #expect(throws: Problem.self) { try await change { $0.loginURL = "ftp://bank.example" } }
      let ended = try await change { $0.returnSchemes = ["mybank-app"] }
      #expect(ended.provider.returnSchemes == ["mybank-app"] && ended.refusedSchemes == [])
    }
  }

  @Test("an operator allows no scheme of the system or a browser, and no address without TLS or of an unusual host")
  func settings() throws {
    func faults(_ change: (inout Providers.Draft) -> Void) -> [String] {
      var draft = Providers.Draft(code: "bank", name: "Bank", kind: .hosted, supportEmail: "a@bank.example")
      change(&draft)
      do {
        try Providers.check(draft)
        return []
      } catch { return (error as? Problem)?.fields.map(\.pointer) ?? ["\(error)"] }
    }
    for scheme in [
      "https", "http", "javascript", "mailto", "data", "x-safari-https", "googlechromes", "microsoft-edge", "firefox",
      "A", "My-App", "", "a b", "x:", "market", "intent", "x-web-search", "ms-settings", "itms-apps", "blob", "prefs",
      "telprompt", "facetime-audio", "sip", "callto", "mms", "webcal", "feed", "smb", "ssh", "jar", "rtsp", "geo",
      "x-man-page", "android.resource", "moz-extension", "kiwi", "dolphin", "puffin", "ucbrowser", "mibrowser", "arc",
      "edge", "samsungbrowser", "org.mozilla.firefox", "org.mozilla.ios.firefox",
    ] {
      #expect(faults { $0.returnSchemes = ["authenticator", scheme] } == ["/returnSchemes"], "\(scheme)")
    }
    for scheme in ["com.bank.app", "kiwibank", "dolphinbank", "helpful", "geobank", "arcbank", "edgebank"] {
      #expect(faults { $0.returnSchemes = ["authenticator", scheme] } == [], "\(scheme)")
    }
    for address in [
      "http://bank.example/login", "ftp://bank.example", "https://", "http://127.0.0.1.bank.example",
      "https://bank.example:65536/", "https://bank.example:0", "https://bank.example:18446744073709560059/",
      "https://[bank.example]/", "https://bank%2eexample/", "https://%6cocalhost/", "https://@bank.example/",
      "https://bank.example\\@thief.example/", "https://bank.example:/", "https:bank.example",
      "https://a:b@bank.example/",
    ] {
      #expect(faults { $0.loginURL = address } == ["/loginURL"], "\(address)")
      #expect(faults { $0.logoURL = address } == ["/logoURL"])
      #expect(faults { $0.webhookURL = address } == ["/webhookURL"])
    }
    for address in [
      "https://bank.example", "HTTPS://Bank.Example:8443/login?x=1", "https://bank.example?x",
      "http://127.0.0.1:8080/hook",
      "https://[2001:db8::7]:443/", "http://[::1]/", "http://localhost:8080", "https://sca_1.bank.example/a/b;c='d'",
    ] {
      #expect(faults { ($0.loginURL, $0.webhookURL) = (address, address) } == [], "\(address)")
    }
  }

  @Test("the bank's page names what is connected before its customer signs in, and no one else's")
  func described() async throws {
    struct Session: Decodable {
      struct Connection: Decodable { let id, platform, created_at: String }
      let connection: Connection
      let return_url, expires_at: String
    }
    try await SaltEdgeTestApp.run { app in
      let asked = try await DeviceV2.ask(app, to: app.hosted, key: TestKeys.device())
        .data(SaltEdgeV2.Connected.self)
      let session = try #require(asked.authenticationURL.split(separator: "=").last)
      let body = #"{"session":"\#(session)"}"#
      let shown: Session = try await app.api(.post, "sessions/describe", body).view()
      #expect(shown.connection.id == asked.connectionID.text && shown.connection.platform == "ios")
      #expect(shown.return_url == ReturnRedirect.returnURL && shown.expires_at > shown.connection.created_at)
      let (other, credentials) = try await app.anotherBank("other")
      let foreign = try await app.api(.post, "sessions/describe", body, provider: other.id, as: credentials)
      #expect(foreign.refusal == "404 not-found")
      _ = try await app.api(
        .post, "sessions/authenticate", #"{"session":"\#(session)","user_id":"u-1"}"#)
      #expect(try await app.api(.post, "sessions/describe", body).refusal == "404 not-found")
    }
  }

  @Test("a denial needs no code, one with a wrong code is refused, and so is a confirmation without the code")
  func denials() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let number = Counter()
      func decide(confirms: Bool, _ code: (String) -> String?) async throws -> SaltEdgeV2.AuthorizationStatus? {
        let reference = number.next()
        _ = try await app.api(
          .post, "authorizations", #"{"reference":"r-\#(reference)","user_id":"u-1","title":"Pay"}"#)
        let waiting = try #require(try await device.authorizations().first { $0.status == .pending })
        let shown = try #require(try device.content(waiting).code)
        _ = try await device.decide(waiting.id, confirms: confirms, code: code(shown))
        try await app.settle()
        return try await device.get("authorizations/\(waiting.id)").data(SaltEdgeV2.Authorization.self).status
      }
      #expect(try await decide(confirms: false) { _ in nil } == .denied)
      #expect(try await decide(confirms: false) { $0 } == .denied)
      #expect(try await decide(confirms: false) { $0 + "x" } != .denied)
      #expect(try await decide(confirms: true) { _ in nil } != .confirmed)
      #expect(try await decide(confirms: true) { $0 } == .confirmed)
    }
  }

  @Test("a scan alone signs in at a bank that was allowed it; elsewhere the device shows what is signed into")
  func scans() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      var change = Providers.Change()
      change.allowsUnconfirmed = false
      _ = try await app.service.providers.change("hosted", change, clients: app.clients, by: "test")
      let refused = try await app.api(
        .post, "authorizations", #"{"reference":"login","title":"Sign in","needs_confirmation":false}"#)
      #expect(refused.refusal == "422 validation-failed" || refused.refusal == "400 validation-failed")
      struct Opened: Decodable {
        struct Authorization: Decodable { let id: String }
        let authorization: Authorization
      }
      let opened: Opened = try await app.api(
        .post, "authorizations", #"{"reference":"login","title":"Sign in to Hosted Bank"}"#
      ).view()
      let submitted = try await device.send(
        .post, "authorizations",
        SaltEdgeV2.ActionSubmission(
          providerID: .init(device.provider), actionID: .init(opened.authorization.id),
          connectionID: .init(device.connection))
      ).data(SaltEdgeV2.ActionSubmitted.self)
      let id = try #require(submitted.authorizationID)
      let waiting = try await device.get("authorizations/\(id)").data(SaltEdgeV2.Authorization.self)
      #expect(try device.content(waiting).title == "Sign in to Hosted Bank")
    }
  }
}
