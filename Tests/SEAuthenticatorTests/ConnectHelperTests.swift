// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticatorCore
import Testing

/// All that is published: the suites share the one platform, so they run one after the other.
@Suite("Published surface", .serialized)
enum Published {}

extension Published {
  @Suite("Published surface: deep links")
  struct ConnectHelperTests {
    struct Vector: Decodable {
      let link: String
      let ios_valid: Bool
      let kind, configuration, api_version, connect_query: String?
      let action_uuid, connect_url, action_id, provider_id, return_to: String?
    }

    @Test("every link of the table is read as iOS reads it", Samples.test("deeplinks.json"))
    func table() throws {
      let vectors = try JSONDecoder().decode([Vector].self, from: try #require(Samples.data("deeplinks.json")))
      #expect(!vectors.isEmpty)
      for vector in vectors {
        let url = try #require(URL(string: vector.link))
        #expect(SEConnectHelper.isValid(deepLinkUrl: url) == vector.ios_valid, "\(vector.link)")
        guard let kind = vector.kind else { continue }
        #expect(SEConnectHelper.isValidAction(deepLinkUrl: url) == (kind == "action"), "\(vector.link)")
        #expect(SEConnectHelper.shouldStartInstantActionFlow(url: url) == (kind == "action"), "\(vector.link)")
        #expect(SEConnectHelper.apiVersion(from: url) == vector.api_version, "\(vector.link)")
        #expect(SEConnectHelper.configuration(from: url)?.absoluteString == vector.configuration)
        #expect(SEConnectHelper.сonfiguration(from: url)?.absoluteString == vector.configuration)
        #expect(SEConnectHelper.connectQuery(from: url) == vector.connect_query)
        #expect(SEConnectHelper.actionGuid(from: url) == vector.action_uuid)
        #expect(SEConnectHelper.connectUrl(from: url)?.absoluteString == vector.connect_url)
        #expect(SEConnectHelper.actionId(from: url) == vector.action_id)
        #expect(SEConnectHelper.providerId(from: url) == vector.provider_id)
        #expect(SEConnectHelper.returnToUrl(from: url)?.absoluteString == vector.return_to)
      }
    }

    @Test("the version is behind the segment `authenticator`, else 1; a path that ends there does not crash")
    func versions() {
      for (address, version) in [
        ("https://a.example/api/authenticator/v2/configurations/1", "2"),
        ("https://a.example/api/authenticator/3", "3"), ("https://a.example/api/authenticator", "1"),
        ("https://a.example/api/authenticator/", "1"), ("https://a.example/authenticator/vX/a", "1"),
        ("https://a.example/configuration", "1"), ("", "1"), ("::", "1"),
      ] { #expect(address.apiVerion == version, "\(address)") }
    }

    @Test("a plus stays a plus, an empty value counts as missing, and a script is no return address")
    func values() throws {
      let url = try #require(
        URL(
          string:
            "bank://x?connect_query=a+b%2Bc&configuration=&action_uuid=1&connect_url=https://c.example&return_to=javascript:alert(1)"
        ))
      #expect(SEConnectHelper.connectQuery(from: url) == "a+b+c")
      #expect(url.queryItem(for: "configuration") == nil && url.queryItem(for: "none") == nil)
      #expect(SEConnectHelper.configuration(from: url) == nil)
      #expect(SEConnectHelper.isValid(deepLinkUrl: url), "a scheme of the app's own")
      #expect(SEConnectHelper.returnToUrl(from: url) == nil)
    }

    @Test("an action returns to pages of the web and to apps whose schemes are named, and to nothing else")
    func returning() throws {
      _ = Device()
      func returnTo(_ address: String) throws -> String? {
        let link = "authenticator://saltedge.com/action?api_version=2&action_id=1&provider_id=1&return_to=\(address)"
        return SEConnectHelper.returnToUrl(from: try #require(URL(string: link)))?.absoluteString
      }
      for address in ["https://shop.example/done", "http://shop.example", "authenticator://done"] {
        #expect(try returnTo(address) == address)
      }
      for address in ["shop-app://done", "x-safari-https://evil.example", "https://a@evil.example", "prefs:root"] {
        #expect(try returnTo(address) == nil, "\(address)")
      }
      SEAuthenticatorPlatform.current.returnSchemes = ["shop-app"]
      #expect(try returnTo("shop-app://done") == "shop-app://done" && returnTo("other-app://done") == nil)
    }

    @Test("an unknown address has neither version nor parts")
    func nothing() throws {
      let url = try #require(URL(string: "https://a.example/?a=b"))
      #expect(SEConnectHelper.apiVersion(from: url) == nil)
      #expect(!SEConnectHelper.isValid(deepLinkUrl: url))
      #expect(!SEConnectHelper.shouldStartInstantActionFlow(url: url))
    }

    @Test("signing in ends where the app said, and nowhere that begins alike")
    func redirects() throws {
      let handler = SERedirectHandler()
      func decision(_ text: String) throws -> SERedirectHandler.Decision {
        handler.decision(for: try #require(URL(string: text)))
      }
      #expect(try decision("https://bank.example/auth") == .proceed)
      #expect(try decision("authenticator://oauth/redirected?access_token=a") == .proceed)
      #expect(try decision("authenticator://oauth/redirect?id=1&access_token=a%2Bb") == .succeeded(accessToken: "a+b"))
      #expect(
        try decision("authenticator://oauth/redirect?error_message=No%20way&error_class=A")
          == .failed(message: "No way"))
      #expect(try decision("authenticator://oauth/redirect?error_class=A") == .failed(message: "A"))
      #expect(
        try decision("authenticator://oauth/redirect?access_token=")
          == .failed(message: SERedirectHandler.unknownFailure))
      #expect(try decision("authenticator://oauth/redirect") == .failed(message: SERedirectHandler.unknownFailure))
      let long = "authenticator://oauth/redirect?access_token=\(String(repeating: "a", count: 10_000))"
      #expect(try decision(long) == .failed(message: SERedirectHandler.unknownFailure))
      #expect(SENetConstants.oauthRedirectUrl == "authenticator://oauth/redirect")
      #expect(SENetConstants.hasRedirectUrl("authenticator://oauth/redirect?a=b"))
      #expect(!SENetConstants.hasRedirectUrl("https://authenticator://oauth/redirect"))
      #expect(SERedirectHandler.isCancelledRedirect(NSError(domain: "WebKitErrorDomain", code: 102)))
      #expect(!SERedirectHandler.isCancelledRedirect(NSError(domain: "WebKitErrorDomain", code: 101)))
    }
  }
}
