// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeWire
import SaltEdgeCore
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: connecting to banks")
struct ConnectTests {
  private static let returnURL = ReturnRedirect.returnURL

  @Test("v1 by a token at once: all ten fields of the record are kept, sealed, and the key pair under its alias")
  func instantV1() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    _ = try await authenticator.updatePushToken("push-1")
    let connection = try await authenticator.connect(FakeService.v1Link)
    #expect(connection.id == "333" && connection.name == "Demobank" && connection.code == "demo")
    #expect(connection.connectURL.absoluteString == FakeService.v1Base && connection.apiVersion == 1)
    #expect(
      connection.logoURL?.absoluteString == "https://bank.example/l.png" && connection.accessToken == "v1-token-333")
    #expect(connection.status == .active && connection.createdAt == phone.now && connection.updatedAt == phone.now)
    #expect(UUID(uuidString: connection.guid) != nil && connection.guid == connection.guid.uppercased())
    #expect(try await authenticator.connections() == [connection])
    let asked = try WireJSON.decode(
      SaltEdge.Body<SaltEdgeV1.Connect>.self, from: try #require(phone.service.heard.last?.body)
    ).data
    #expect(asked.platform == "ios" && asked.returnURL == Self.returnURL && asked.pushToken == "push-1")
    #expect(asked.connectQuery == "query-1" && asked.providerCode == "demo")
    #expect(
      Set(phone.store.contents.keys)
        == [
          "saltedge.connections", "saltedge.keys", "saltedge.lock",
          "com.saltedge.authenticator.\(connection.guid).private",
        ])
    #expect(phone.pages.isEmpty)
    // The names of the seed.
    let record = try JSONSerialization.jsonObject(with: JSONEncoder().encode(connection)) as? [String: Any]
    let ten = [
      "id", "guid", "name", "code", "connect_url", "logo_url", "access_token", "status", "created_at", "updated_at",
    ]
    #expect(Set(ten).isSubset(of: Set((record ?? [:]).keys)))
    #expect("\(connection)" == "Connection(redacted)")
  }

  @Test("v1 by an address that is the end already needs no page")
  func redirectAtOnce() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.answerV1(#""connect_url":"\#(Self.returnURL)?id=999\u0026access_token=v1-token-%""#)
    let connection = try await authenticator.connect(FakeService.v1Link)
    #expect(connection.id == "999" && connection.accessToken == "v1-token-333" && phone.pages.isEmpty)
  }

  @Test("v1 by the bank's page: it is shown until it leads to the return address")
  func page() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.showPage("https://bank.example/login?session=1")
    phone.signIn(ends: "\(Self.returnURL)?id=333&access_token=v1-token-333")
    let connection = try await authenticator.connect(FakeService.v1Link)
    #expect(connection.accessToken == "v1-token-333")
    let page = try #require(phone.pages.first)
    #expect(page.url.absoluteString == "https://bank.example/login?session=1" && phone.pages.count == 1)
    #expect(page.decision(on: "https://bank.example/next") == .load)
    #expect(page.decision(on: "\(Self.returnURL)?x=1") == .end)
    #expect(page.decision(on: "authenticator://oauth/redirects.evil.example") == .load)
    #expect(SignInRequest.isHarmless(errorDomain: "WebKitErrorDomain", code: 102))
    #expect(!SignInRequest.isHarmless(errorDomain: "WebKitErrorDomain", code: 101))
  }

  @Test("v2 by the bank's page: the token that only this device can read is kept, read, with the bank's key")
  func v2() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v2Link)
    #expect(connection.apiVersion == 2 && connection.providerID == "7" && connection.code == "7")
    #expect(connection.accessToken == "v2-token-333" && connection.id == "333")
    let keys = ConnectionKeys(phone.store)
    #expect(try keys.publicKey(KeyTag.provider(connection.guid)) == TestKeys.named("bank").publicKey)
    #expect(try keys.publicKey(KeyTag.pair(connection.guid)) == TestKeys.named("device 1").publicKey)
  }

  @Test(
    "what is no yes keeps nothing, and says why",
    arguments: [
      ("?error_class=AUTHENTICATION_FAILED&error_message=No%20such%20user", "AUTHENTICATION_FAILED", "No such user"),
      ("?error_class=WRONG_CREDENTIALS", "WRONG_CREDENTIALS", "WRONG_CREDENTIALS"),
      ("", "AuthenticationError", "AuthenticationError"),
      ("?access_token=", "AuthenticationError", "AuthenticationError"),
      ("?access_token=a%0D%0Ab", "InvalidAccessToken", "InvalidAccessToken"),
      ("s.evil.example?access_token=t", "AuthenticationError", "AuthenticationError"),
    ])
  func refused(end: String, errorClass: String, message: String) async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.showPage("https://bank.example/login")
    phone.signIn(ends: Self.returnURL + end)
    let error = await thrown {
      try await authenticator.connect(FakeService.v1Link)
    }
    #expect(error == AuthenticatorError(.authentication, .init(rawValue: errorClass), message: message))
    #expect(try await authenticator.connections().isEmpty && phone.store.contents.keys.sorted() == ["saltedge.lock"])
  }

  @Test("a token that is encrypted for another device is refused, and no connection kept")
  func foreignToken() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.showPage("https://bank.example/login")
    let token = try EncryptedAccessToken.encrypt("t", for: TestKeys.named("bank").publicKey)
    phone.signIn(
      ends: ReturnRedirect.authenticated(accessToken: token, connectionID: nil).url(returnURL: Self.returnURL))
    let error = await thrown {
      try await authenticator.connect(FakeService.v2Link)
    }
    #expect(error == AuthenticatorError(.authentication, .invalidAccessToken))
    #expect(phone.store.contents.keys.sorted() == ["saltedge.lock"])
  }

  @Test("a user who leaves the page has no connection")
  func abandoned() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.showPage("https://bank.example/login")
    let error = await thrown {
      try await authenticator.connect(FakeService.v1Link)
    }
    #expect(error?.kind == .abandoned)
  }

  @Test(
    "a configuration without what is needed connects to nothing",
    arguments: [
      #"{"connect_url":"","code":"c","name":"n","support_email":"","version":"1"}"#,
      #"{"connect_url":"file:///x","code":"c","name":"n","support_email":"","version":"1"}"#,
      #"{"connect_url":"https://a.example","code":"","name":"n","support_email":"","version":"1"}"#,
      #"{"connect_url":"https://a.example","code":"c","name":"\u0007","support_email":"","version":"1"}"#,
      #"{"connect_url":"https://a.example","code":"c","name":"n","support_email":"","version":"2"}"#,
    ])
  func configuration(json: String) async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    phone.service.instead("configuration", .success(.init(status: 200, body: Data(#"{"data":\#(json)}"#.utf8))))
    let error = await thrown {
      try await authenticator.connect(FakeService.v1Link)
    }
    #expect(error?.errorClass == .apiResponse && phone.service.heard.count == 1)
  }

  @Test("banks of one name are told apart; a user's name is unlike all others")
  func names() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let first = try await authenticator.connect(FakeService.v1Link)
    let second = try await authenticator.connect(FakeService.v2Link)
    let third = try await authenticator.connect(FakeService.v1Link)
    #expect([first.name, second.name, third.name] == ["Demobank", "Demobank (2)", "Demobank (3)"])
    for name in ["", "\u{7}", "Demobank"] {
      let error = await thrown {
        try await authenticator.rename(second.guid, to: name)
      }
      #expect(error?.errorClass == .nameTaken)
    }
    try await authenticator.rename(second.guid, to: "Mine")
    #expect(try await authenticator.connections().map(\.name) == ["Demobank", "Mine", "Demobank (3)"])
  }

  @Test("a service that is reached by another address than it knows of is called there, and found by the one it says")
  func baseURL() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    // What the configuration says is nowhere.
    let said = #"{"connect_url":"https://nowhere.example","code":"demo","name":"n","support_email":"","version":"1"}"#
    phone.service.instead("configuration", .success(.init(status: 200, body: Data(#"{"data":\#(said)}"#.utf8))))
    let base = try #require(URL(string: FakeService.v1Base))
    let connection = try await authenticator.connect(FakeService.v1Link, baseURL: base)
    #expect(try await authenticator.authorizations().failures.isEmpty)
    let nowhere = try #require(URL(string: "https://nowhere.example"))
    let link = ActionLink(.v1(actionUUID: "1", connectURL: nowhere))
    #expect(try await authenticator.connections(for: link).map(\.guid) == [connection.guid])
    #expect(try await authenticator.submit(link, on: connection.guid) == .done(returnTo: nil))
  }

  @Test("a connection that its service does not know any more is lost, and can be made again with a new key")
  func reconnect() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v1Link)
    phone.service.refuse("GET", 401, "ConnectionNotFound")
    let snapshot = try await authenticator.authorizations()
    #expect(snapshot.failures[connection.guid]?.errorClass == .connectionNotFound)
    #expect(try await authenticator.connections().map(\.status) == [.inactive])
    // It is not asked again.
    phone.service.forget()
    _ = try await authenticator.authorizations()
    #expect(phone.service.heard.isEmpty)
    let again = try await authenticator.reconnect(connection.guid)
    #expect(again.guid == connection.guid && again.createdAt == connection.createdAt && again.status == .active)
    #expect(again.id == "334" && again.name == "Demobank")
    let key = try ConnectionKeys(phone.store).publicKey(KeyTag.pair(connection.guid))
    #expect(try key == TestKeys.named("device 2").publicKey)
    #expect(try await authenticator.authorizations().failures.isEmpty)
  }

  @Test("for a minute after connecting, a service of v2 may not know the connection yet; one that is revoked is")
  func grace() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready { $0.policy.idleMax = .seconds(600) }
    let connection = try await authenticator.connect(FakeService.v2Link)
    for (seconds, status) in [(0, Connection.Status.active), (59, .active), (1, .inactive)] {
      phone.advance(.seconds(seconds))
      phone.service.refuse("GET", 401, "ConnectionNotFound")
      _ = try await authenticator.authorizations()
      #expect(try await authenticator.connections().map(\.status) == [status], "after \(seconds)")
    }
    try await authenticator.reconnect(connection.guid)
    phone.service.refuse("GET", 401, "ConnectionRevoked")
    _ = try await authenticator.authorizations()
    #expect(try await authenticator.connections().map(\.status) == [.inactive])
  }

  @Test(
    "other failures leave a connection as it is", arguments: ["InvalidSignature", "UserNotFound", "TooManyRequests"])
  func otherFailures(errorClass: String) async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    try await authenticator.connect(FakeService.v1Link)
    phone.service.refuse("GET", 400, errorClass)
    _ = try await authenticator.authorizations()
    #expect(try await authenticator.connections().map(\.status) == [.active])
  }

  @Test("a connection that is removed is gone with its keys at once, whether or not its service can be reached")
  func remove() async throws {
    for isReachable in [true, false] {
      let phone = Phone()
      let authenticator = try await phone.ready()
      let (v1, v2) = (
        try await authenticator.connect(FakeService.v1Link), try await authenticator.connect(FakeService.v2Link)
      )
      if !isReachable { for _ in 0..<2 { phone.service.instead("connections", .failure(TransportError(.offline))) } }
      #expect(try await authenticator.remove(v1.guid) == isReachable)
      #expect(try await authenticator.remove(v2.guid) == isReachable)
      #expect(phone.store.contents.keys.sorted() == ["saltedge.connections", "saltedge.lock"])
      #expect(try await authenticator.connections().isEmpty)
      #expect(phone.service.revoked == (isReachable ? ["v1-token-333", "v2-token-334"] : []))
      #expect(phone.service.heard.suffix(2).allSatisfy { $0.deadline == .seconds(5) })
    }
  }

  @Test("without its private key a connection sends nothing and has to be made again")
  func keyMissing() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v1Link)
    phone.store.remove("com.saltedge.authenticator.\(connection.guid).private")
    phone.service.forget()
    let snapshot = try await authenticator.authorizations()
    #expect(snapshot.failures[connection.guid]?.kind == .keyMissing && phone.service.heard.isEmpty)
    #expect(try await authenticator.connections().map(\.status) == [.inactive])
  }

  @Test("records of released apps are read, with their status in either case")
  func status() throws {
    for (word, status) in [
      ("ACTIVE", Connection.Status.active), ("active", .active), ("INACTIVE", .inactive), ("x", .inactive),
    ] {
      #expect(try JSONDecoder().decode([Connection.Status].self, from: Data(#"["\#(word)"]"#.utf8)) == [status])
    }
  }

  @Test("no redirect, however strange, does more than say yes or no")
  func redirectFuzz() {
    var randomness = SeededGenerator(seed: 11)
    let pieces = [
      Self.returnURL, "authenticator://oauth", "?", "&", "=", "#", "/", "access_token", "id", "error_class", "%", "%00",
      "%ff", "+", "\u{0}", "\r\n", "é", "https://", "javascript:", "a", String(repeating: "x", count: 5000),
    ]
    for _ in 0..<4000 {
      let text = (0..<Int(randomness.next() % 12)).map { _ in pieces[Int(randomness.next() % UInt64(pieces.count))] }
        .joined()
      let step = EnrolmentStep(end: text, returnURL: Self.returnURL)
      #expect(step == nil || text.hasPrefix(Self.returnURL))
      if case .page = EnrolmentStep(
        SaltEdgeV2.Connected(connectionID: .init("1"), authenticationURL: text), returnURL: Self.returnURL)
      {
        #expect(text.hasPrefix("https://"))
      }
    }
  }
}
