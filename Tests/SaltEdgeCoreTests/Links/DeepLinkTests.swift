// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

@Suite("Salt Edge: deep links")
struct DeepLinkTests {
  private func connect(_ query: String) throws -> ConnectLink? {
    guard case .connect(let link)? = try? DeepLink(text: "authenticator://saltedge.com/connect?\(query)") else {
      return nil
    }
    return link
  }

  private func action(_ query: String) throws -> ActionLink? {
    guard case .action(let link)? = try? DeepLink(text: "authenticator://saltedge.com/action?\(query)") else {
      return nil
    }
    return link
  }

  @Test("links are written with everything encoded, and read as they were")
  func written() throws {
    let configuration = try #require(
      URL(string: "https://sca.example.com/api/authenticator/v2/configurations/1?a=b&c=d"))
    let bank = try #require(URL(string: "https://bank.example/base"))
    let back = try #require(URL(string: "bank-app://done?x=1"))
    let links: [(DeepLink, String)] = [
      (.connect(ConnectLink(configuration: bank)), "connect?configuration=https%3A%2F%2Fbank.example%2Fbase"),
      (
        .connect(ConnectLink(configuration: configuration, connectQuery: "a+b c&é=%")),
        "connect?configuration=https%3A%2F%2Fsca.example.com%2Fapi%2Fauthenticator%2Fv2%2Fconfigurations%2F1%3Fa%3Db%26c%3Dd"
          + "&connect_query=a%2Bb%20c%26%C3%A9%3D%25"
      ),
      (
        .action(ActionLink(.v1(actionUUID: "u-1", connectURL: bank), returnTo: back)),
        "action?action_uuid=u-1&connect_url=https%3A%2F%2Fbank.example%2Fbase&return_to=bank-app%3A%2F%2Fdone%3Fx%3D1"
      ),
      (.action(ActionLink(.v2(actionID: "7", providerID: "1"))), "action?api_version=2&action_id=7&provider_id=1"),
    ]
    for (link, text) in links {
      #expect(link.text == "authenticator://saltedge.com/\(text)")
      #expect(try DeepLink(text: link.text, returnSchemes: ["bank-app"]) == link)
    }
  }

  @Test("values are decoded once, and a plus is a plus")
  func decoding() throws {
    let base = "configuration=https://bank.example"
    for (query, value) in [
      ("connect_query=a+b", "a+b"), ("connect_query=a%2Bb%20c", "a+b c"), ("connect_query=%2525", "%25"),
      ("connect_query=a=b", "a=b"), ("connect_query=first&connect_query=second", "first"),
      ("connect_query=%C3%A9", "é"),
    ] {
      #expect(try connect("\(base)&\(query)")?.connectQuery == value)
    }
    for query in [
      "connect_query=", "connect_query", "connect_query=%", "connect_query=%ZZ", "connect_query=%ff", "Connect_query=a",
      "",
    ] {
      let link = try connect("\(base)&\(query)")
      #expect(link != nil && link?.connectQuery == nil, "\(query)")
    }
  }

  @Test("an address within that was not encoded reaches to the next ampersand")
  func unencoded() throws {
    let link = try connect("configuration=https://bank.example/c?a=b&connect_query=q#fragment&connect_query=no")
    #expect(link?.configuration.absoluteString == "https://bank.example/c?a=b" && link?.connectQuery == "q")
  }

  @Test("host and path are not looked at; the scheme is")
  func surroundings() throws {
    let query = "configuration=https://bank.example"
    for text in [
      "authenticator://saltedge.com/action?\(query)", "AUTHENTICATOR://x?\(query)", "authenticator:?\(query)",
    ] {
      #expect(throws: Never.self) { try DeepLink(text: text) }
    }
    for text in [
      "https://saltedge.com/connect?\(query)", "?\(query)", query, "authenticator", "", "x-authenticator://a?\(query)",
    ] {
      #expect(throws: SaltEdgeError.malformed(.deepLink)) { try DeepLink(text: text) }
    }
    #expect(throws: Never.self) { try DeepLink(text: "bank-sca://x?\(query)", schemes: ["bank-sca"]) }
  }

  @Test(
    "a configuration is an address of the web that hides nothing",
    arguments: [
      "configuration=", "configuration=bank.example", "configuration=ftp://bank.example",
      "configuration=javascript:alert(1)",
      "configuration=https://", "configuration=https://good.example@evil.example/",
      "configuration=https://a:b@evil.example/",
      "configuration=https://bank.example/%20a%0Ab", "configuration=file:///etc/passwd",
      "configuration=https%3A%2F%2Fb%C3%A9.example",
    ])
  func configurations(query: String) throws {
    #expect(try connect(query) == nil)
  }

  @Test(
    "the version is in the configuration's path",
    arguments: [
      ("/api/authenticator/v2/configurations/1", 2), ("/api/authenticator/v1/configuration", 1),
      ("/api/authenticator/2/x", 2),
      ("/api/authenticator/v3", 3), ("/api/authenticator", 1), ("/api/authenticator/", 1),
      ("/api/authenticator/vx/1", 1),
      ("/authenticator/v2", 2), ("/api/authenticators/v2", 1), ("", 1), ("/v2/authenticator", 1),
      ("/api/authenticator/v-2", 1),
      ("/authenticator/v99999999999999999999", 1), ("/authenticator/vv2", 1), ("/authenticator/x/authenticator/v2", 1),
    ])
  func versions(path: String, version: Int) throws {
    #expect(try connect("configuration=https://bank.example\(path)")?.apiVersion == version)
  }

  @Test("an action names itself and its bank, as its version asks")
  func actions() throws {
    let v1 = try action("action_uuid=u&connect_url=https://bank.example")
    #expect(v1?.apiVersion == 1 && v1?.returnTo == nil)
    #expect(try action("api_version=1&action_uuid=u&connect_url=https://bank.example") == v1)
    let v2 = try action("api_version=2&action_id=1&provider_id=2")
    #expect(v2?.target == .v2(actionID: "1", providerID: "2"))
    // Both pairs: the version decides. A configuration beside: still an action.
    let both =
      "action_uuid=u&connect_url=https://bank.example&action_id=1&provider_id=2&configuration=https://bank.example"
    #expect(try action(both) == v1 && action("api_version=2&\(both)") == v2)
    for query in [
      "action_uuid=u", "connect_url=https://bank.example", "action_id=1&provider_id=2", "api_version=2&action_id=1",
      "api_version=2&provider_id=1", "api_version=2&action_uuid=u&connect_url=https://bank.example",
      "action_uuid=&connect_url=https://bank.example", "action_uuid=u&connect_url=bank",
    ] {
      #expect(try action(query) == nil, "\(query)")
    }
  }

  @Test(
    "an action returns to pages of the web and to apps whose schemes are named, and to nothing else",
    arguments: [
      ("https://shop.example/done", true), ("bank-app://done", true), ("Bank-App://done", true),
      ("authenticator://done", true), ("other-app://done", false), ("x-new-browser://evil.example", false),
      ("prefs:root=WIFI", false), ("javascript:alert(1)", false),
      ("file:///etc/passwd", false),
      ("http://shop.example/done", true), ("https://a@evil.example", false), ("https:///done", false),
      ("x-safari-https://evil.example", false), ("googlechromes://evil.example", false),
      ("microsoft-edge:https://evil.example", false), ("mailto:a@evil.example", false), ("tel:112", false),
      ("firefox://open-url?url=https://evil.example", false), ("intent://evil.example", false),
      ("data:text/html,x", false), ("JavaScript:alert(1)", false), ("done", false), ("", false),
    ])
  func returning(address: String, isKept: Bool) throws {
    let text = "authenticator://saltedge.com/action?api_version=2&action_id=1&provider_id=2&return_to=\(address)"
    guard case .action(let link) = try DeepLink(text: text, returnSchemes: ["bank-app"]) else {
      Issue.record("no action")
      return
    }
    #expect(link.returnTo?.absoluteString == (isKept ? address : nil))
  }

  @Test("a link is bounded")
  func bounds() throws {
    let long =
      "authenticator://saltedge.com/connect?configuration=https://bank.example/" + String(repeating: "a", count: 8192)
    #expect(throws: SaltEdgeError.malformed(.deepLink)) { try DeepLink(text: long) }
  }
}
