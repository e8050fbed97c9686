// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

@Suite("Salt Edge: redirects back to the app")
struct ReturnRedirectTests {
  @Test(
    "is written encoded, behind a query that is there already, and read as it was",
    arguments: [
      "authenticator://oauth/redirect", "https://app.example/done?state=1", "bank-app:",
    ])
  func roundTrip(returnURL: String) throws {
    let redirects: [ReturnRedirect] = [
      .authenticated(accessToken: "a+b/c==", connectionID: "333"), .authenticated(accessToken: "t", connectionID: nil),
      .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request & more"),
      .failed(errorClass: "X", message: nil), .failed(errorClass: nil, message: "é"),
    ]
    for redirect in redirects {
      let url = redirect.url(returnURL: returnURL)
      #expect(url.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !url.contains("+"))
      #expect(try ReturnRedirect(url: url, returnURL: returnURL) == redirect)
    }
    let token = ReturnRedirect.authenticated(accessToken: "t+", connectionID: "1")
    #expect(token.url(returnURL: ReturnRedirect.returnURL) == "authenticator://oauth/redirect?id=1&access_token=t%2B")
  }

  @Test(
    "only the address that was given is an end",
    arguments: [
      ("authenticator://oauth/redirect", true), ("authenticator://oauth/redirect?access_token=t", true),
      ("authenticator://oauth/redirect/?access_token=t", true), ("authenticator://oauth/redirect#x", true),
      ("authenticator://oauth/redirect&access_token=t", true),
      ("authenticator://oauth/redirected?access_token=t", false),
      ("authenticator://oauth/redirec", false), ("https://bank.example/?u=authenticator://oauth/redirect", false),
      ("", false),
    ])
  func ends(url: String, isEnd: Bool) throws {
    #expect(ReturnRedirect.isEnd(url, returnURL: ReturnRedirect.returnURL) == isEnd)
    #expect(((try? ReturnRedirect(url: url)) != nil) == isEnd)
    #expect(!ReturnRedirect.isEnd(url, returnURL: ""))
  }

  @Test("another host that begins alike is no end")
  func hosts() {
    #expect(
      !ReturnRedirect.isEnd("https://bank.example.evil.example/?access_token=t", returnURL: "https://bank.example"))
    #expect(!ReturnRedirect.isEnd("https://bank.example@evil.example/", returnURL: "https://bank.example"))
  }

  @Test("without a token it has failed, whatever else it says")
  func failures() throws {
    for query in ["", "?", "?access_token=", "?access_token", "?id=1", "?Access_token=t"] {
      #expect(try ReturnRedirect(url: ReturnRedirect.returnURL + query) == .failed(errorClass: nil, message: nil))
    }
    let both = "?error_class=X&access_token=t"
    #expect(
      try ReturnRedirect(url: ReturnRedirect.returnURL + both) == .authenticated(accessToken: "t", connectionID: nil))
  }

  @Test("is bounded")
  func bounds() {
    let url = ReturnRedirect.returnURL + "?access_token=" + String(repeating: "t", count: 8192)
    #expect(throws: SaltEdgeError.tooLong(.redirect)) { try ReturnRedirect(url: url) }
  }
}
