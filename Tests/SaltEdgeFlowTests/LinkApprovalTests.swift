// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: the page before the token of a link that needs approval")
struct LinkApprovalTests {
  private struct Link: Decodable {
    struct Connection: Decodable { let id, platform, state: String }
    let state: String
    let connection: Connection?
    let return_url: String?
  }

  private func link(_ app: SaltEdgeTestApp, version: Int) async throws -> String {
    try await app.api(
      .post, "connect-links", #"{"user_id":"u-1","api_version":\#(version),"needs_approval":true}"#
    ).view(DeviceV2.LinkView.self).connect_query
  }

  private func bank(_ app: SaltEdgeTestApp, _ act: String, _ query: String) async throws -> Link {
    try await app.api(.post, "connect-links/\(act)", #"{"connect_query":"\#(query)"}"#).view()
  }

  /// A device that came with the link: its connection, and the page that it shows.
  private func ask(
    _ app: SaltEdgeTestApp, version: Int, query: String, key: RSAPrivateKey
  ) async throws -> (id: String, path: String) {
    let (id, page): (String, String)
    if version == 1 {
      let asked = try await DeviceV1.ask(app, key: key, query: query).data(SaltEdgeV1.Connected.self)
      #expect(asked.accessToken == nil)
      (id, page) = (asked.id.text, try #require(asked.connectURL))
    } else {
      let asked = try await DeviceV2.ask(app, to: app.hosted, key: key, query: query).data(SaltEdgeV2.Connected.self)
      (id, page) = (asked.connectionID.text, asked.authenticationURL)
    }
    #expect(page.hasPrefix("\(SaltEdgeTestApp.address)/api/authenticator/approval?session="))
    return (id, String(page.dropFirst(SaltEdgeTestApp.address.count)))
  }

  @Test("the device waits until the customer allowed it where the link was shown", arguments: [1, 2])
  func approved(version: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let (query, key) = (try await link(app, version: version), try TestKeys.device())
      #expect(try await bank(app, "describe", query).state == "offered")
      let (id, path) = try await ask(app, version: version, query: query, key: key)
      let waiting = try await app.call(.get, path)
      #expect(waiting.status == 200 && waiting.headers[.contentType]?.hasPrefix("text/html") == true)
      #expect(try await app.call(.get, "\(path)&look=1").status == 200)

      let asked = try await bank(app, "describe", query)
      #expect(asked.state == "asked" && asked.connection?.id == id && asked.connection?.platform == "ios")
      #expect(asked.return_url == ReturnRedirect.returnURL)
      for _ in 0..<2 { #expect(try await bank(app, "approve", query).state == "approved") }
      // A look takes nothing.
      #expect(try await app.call(.get, "\(path)&look=1").status == 204)
      let done = try await app.call(.get, path)
      #expect(done.status == 303)
      guard case .authenticated(let sent, _) = try ReturnRedirect(url: try #require(done.headers[.location])) else {
        Issue.record("no token")
        return
      }
      let token = version == 1 ? sent : try EncryptedAccessToken.decrypt(sent, with: key)
      #expect(!token.isEmpty)
      #expect(try await bank(app, "describe", query).connection?.state == "valid")
      #expect(
        try await app.audit(id).suffix(2) == ["saltedge.connection.approved", "saltedge.connection.authenticated"])
      // The token is given once.
      #expect(try await app.call(.get, path).status == 404)
    }
  }

  @Test(
    "a device that the customer does not allow, or not in time, ends with a failed sign-in", arguments: [true, false])
  func refused(isRefused: Bool) async throws {
    try await SaltEdgeTestApp.run { app in
      let query = try await link(app, version: 2)
      let (_, path) = try await ask(app, version: 2, query: query, key: TestKeys.device())
      if isRefused {
        #expect(try await bank(app, "refuse", query).state == "refused")
        #expect(try await app.api(.post, "connect-links/approve", #"{"connect_query":"\#(query)"}"#).status == 404)
      } else {
        app.clock.advance(by: .minutes(15))
        #expect(try await app.api(.post, "connect-links/approve", #"{"connect_query":"\#(query)"}"#).status == 404)
      }
      let end = try await app.call(.get, path)
      guard case .failed = try ReturnRedirect(url: try #require(end.headers[.location]))
      else {
        Issue.record("not refused")
        return
      }
    }
  }

  @Test("of two devices with one link the second gets nothing, and a link without approval is not described")
  func once() async throws {
    try await SaltEdgeTestApp.run { app in
      let query = try await link(app, version: 2)
      _ = try await ask(app, version: 2, query: query, key: TestKeys.device())
      let second = try await DeviceV2.ask(app, to: app.hosted, key: TestKeys.named("thief"), query: query)
        .data(SaltEdgeV2.Connected.self)
      guard case .failed = try ReturnRedirect(url: second.authenticationURL) else {
        Issue.record("not refused")
        return
      }
      let plain = try await app.api(.post, "connect-links", #"{"user_id":"u-1"}"#).view(DeviceV2.LinkView.self)
      let body = #"{"connect_query":"\#(plain.connect_query)"}"#
      #expect(try await app.api(.post, "connect-links/describe", body).refusal == "404 not-found")
      #expect(try await app.call(.get, "/api/authenticator/approval?session=guess").status == 404)
      // Another bank does not see it.
      let other = try await app.anotherBank("other")
      let foreign = try await app.api(
        .post, "connect-links/describe", #"{"connect_query":"\#(query)"}"#, provider: other.provider.id,
        as: other.credentials)
      #expect(foreign.refusal == "404 not-found")
    }
  }
}
