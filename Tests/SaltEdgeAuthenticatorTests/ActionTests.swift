// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import SaltEdgeCore
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: instant actions")
struct ActionTests {
  private func v1(_ action: String, _ base: String = FakeService.v1Base) throws -> ActionLink {
    ActionLink(
      .v1(actionUUID: action, connectURL: try #require(URL(string: base))),
      returnTo: URL(string: "https://shop.example"))
  }

  @Test("an action finds the active connections of its bank, and of its version")
  func matching() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let first = try await authenticator.connect(FakeService.v1Link)
    let second = try await authenticator.connect(FakeService.v2Link)
    let third = try await authenticator.connect(FakeService.v1Link)
    #expect(try await authenticator.connections(for: v1("1")).map(\.guid) == [first.guid, third.guid])
    // As the public apps do, to the letter.
    #expect(try await authenticator.connections(for: v1("1", FakeService.v1Base + "/")).isEmpty)
    let link = ActionLink(.v2(actionID: "77", providerID: "7"))
    #expect(try await authenticator.connections(for: link).map(\.guid) == [second.guid])
    #expect(try await authenticator.connections(for: ActionLink(.v2(actionID: "77", providerID: "8"))).isEmpty)
    phone.service.refuse("GET \(FakeService.v1Base)", 401, "ConnectionNotFound")
    _ = try await authenticator.authorizations()
    #expect(try await authenticator.connections(for: v1("1")).count == 1)
    let error = await thrown {
      try await authenticator.submit(link, on: first.guid)
    }
    #expect(error?.errorClass == .connectionUnknown)
  }

  @Test("an action is done at once, waits for a confirmation, or is refused, in v1 and in v2")
  func outcomes() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let first = try await authenticator.connect(FakeService.v1Link)
    let second = try await authenticator.connect(FakeService.v2Link)
    let shop = URL(string: "https://shop.example")
    #expect(try await authenticator.submit(v1("done"), on: first.guid) == .done(returnTo: shop))
    #expect(phone.service.heard.last?.body == nil && phone.service.heard.last?.method == "PUT")
    #expect(try await authenticator.submit(v1("refused"), on: first.guid) == .refused)
    #expect(
      try await authenticator.submit(v1("needs-confirmation"), on: first.guid)
        == .confirm(.init(connection: first.guid, id: "444"), returnTo: shop))
    #expect(
      try await authenticator.submit(ActionLink(.v2(actionID: "77", providerID: "7")), on: second.guid)
        == .confirm(.init(connection: second.guid, id: "100"), returnTo: nil))
    #expect(
      try await authenticator.submit(ActionLink(.v2(actionID: "78", providerID: "7")), on: second.guid)
        == .done(returnTo: nil))
    let body = try WireJSON.decode(
      SaltEdge.SignedBody<SaltEdgeV2.ActionSubmission>.self, from: try #require(phone.service.heard.last?.body)
    ).data
    #expect(body == .init(providerID: .init("7"), actionID: .init("78"), connectionID: .init(second.id)))
  }

  @Test("an action returns to pages by https and to the apps that the setup names, however its link was made")
  func returning() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready { ($0.schemes, $0.returnSchemes) = (["mybank"], ["shop-app"]) }
    let connection = try await authenticator.connect(FakeService.v1Link)
    let base = try #require(URL(string: FakeService.v1Base))
    for (address, isOpened) in [
      ("https://shop.example/done", true), ("shop-app://done", true), ("mybank://done", true),
      ("other-app://done", false), ("authenticator://done", false), ("http://shop.example/done", false),
      ("x-safari-https://evil.example", false), ("javascript:alert(1)", false), ("https://a@evil.example", false),
    ] {
      let address = try #require(URL(string: address))
      let link = ActionLink(.v1(actionUUID: "done", connectURL: base), returnTo: address)
      #expect(
        try await authenticator.submit(link, on: connection.guid) == .done(returnTo: isOpened ? address : nil),
        "\(address)")
    }
  }

  @Test("a scanned code is one of ours, or none")
  func links() {
    let authenticator = Phone().start { $0.schemes = ["authenticator", "mybank"] }
    guard case .action = authenticator.link("mybank://x/action?api_version=2&action_id=1&provider_id=1") else {
      Issue.record("the app's own scheme was not read")
      return
    }
    #expect(authenticator.link("https://saltedge.com/connect?configuration=https://a.example") == nil)
    #expect(authenticator.link("") == nil)
  }

  @Test("no code, however strange, is read as more than a link to the web")
  func fuzz() {
    let authenticator = Phone().start()
    var randomness = SeededGenerator(seed: 3)
    let pieces = [
      "authenticator://saltedge.com/connect?", "configuration=", "https://a.example", "https%3A%2F%2Fa.example", "&",
      "api_version=2", "action_id=1", "provider_id=1", "action_uuid=1", "connect_url=", "return_to=", "javascript:x",
      "file:///etc", "%", "%zz", "#", "\u{0}", "é", "authenticator", "/v9", "/v99999999999999999999", "+",
      "connect_query=",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int(randomness.next() % 14)).map { _ in pieces[Int(randomness.next() % UInt64(pieces.count))] }
        .joined()
      switch authenticator.link(text) {
      case .connect(let link): #expect(["http", "https"].contains(link.configuration.scheme ?? ""), "\(text)")
      case .action(let link):
        if case .v1(_, let url) = link.target { #expect(["http", "https"].contains(url.scheme ?? ""), "\(text)") }
        #expect(!["javascript", "file"].contains(link.returnTo?.scheme ?? ""), "\(text)")
      case nil: break
      }
    }
  }
}

@Suite("Authenticator: consents")
struct ConsentTests {
  static let consent = """
    {"user_id":"u","consent_type":"aisp","tpp_name":"Example\\u202e TPP","accounts":[{"name":"Checking","iban":"NL02"},
     {"iban":"without a name"},7],"shared_data":{"balance":true,"transactions":false},
     "created_at":"2026-11-01T08:00:00Z","expires_at":"2026-11-23T06:00:00Z"}
    """

  @Test("consents are listed and read tolerantly, the next to expire first; a bank without them is an answer too")
  func list() async throws {
    for version in [1, 2] {
      let phone = Phone()
      let authenticator = try await phone.ready()
      let connection = try await authenticator.connect(version == 1 ? FakeService.v1Link : FakeService.v2Link)
      let odd = Self.consent.replacing(#""transactions":false"#, with: #""transactions":"no""#)
        .replacing("11-23", with: "11-22")
      phone.service.put(consents: [Self.consent, odd, "{}", "x"], version: version)
      let consents = try await authenticator.consents(of: connection.guid)
      #expect(consents.map(\.id) == ["556", "555"])
      let consent = try #require(consents.last)
      #expect(consent.kind == "aisp" && consent.thirdParty == "Example TPP")
      #expect(consent.accounts == [.init(name: "Checking", iban: "NL02")])
      #expect(consent.shared == .init(balance: true, transactions: false) && consents.first?.shared == nil)
      #expect(consent.daysLeft(at: phone.now) == 2 && consents.first?.daysLeft(at: phone.now) == 1)
      #expect(try await authenticator.revoke(consent))
      phone.service.instead("GET", .success(.init(status: 404, body: Data("<h1>Not Found</h1>".utf8))))
      let error = await thrown {
        try await authenticator.consents(of: connection.guid)
      }
      #expect(error == AuthenticatorError(.unreadable(status: 404), .apiResponse, message: "Request Error (404)"))
    }
  }
}

extension Consent {
  /// Of no bank.
  static func sample(connection: String) throws -> Consent? {
    let key = try TestKeys.named("device 1")
    let payload = try SaltEdge.Ciphertext(
      encrypting: Data(ConsentTests.consent.utf8), for: key.publicKey, randomness: .live)
    return Consent(.init(id: .init("1"), connectionID: nil, payload: payload), connection: connection, key: key)
  }
}
