// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: secrets stay out of logs")
struct RedactionTests {
  /// Everything that a log could make of a value.
  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped]
  }

  @Test("no secret is printed, alone or within something")
  func redaction() throws {
    let device = try TestKeys.device()
    let link = "authenticator://saltedge.com/connect?configuration=https://bank.example&connect_query=SECRET"
    let values: [Any] = [
      device, try AuthorizationCode(text: "SECRET"), try DeepLink(text: link),
      ReturnRedirect.authenticated(accessToken: "SECRET", connectionID: "1"),
      SignedRequest(method: "PUT", url: "https://bank.example/SECRET", expiresAt: "1", body: Data("SECRET".utf8)),
    ]
    let secrets = ["SECRET", "83,", "- 83", String(device.pkcs1PEM.dropFirst(40).prefix(20))]
    for value in values {
      for text in texts(of: value) {
        for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
      }
    }
  }
}
