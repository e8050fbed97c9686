// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

/// The public banks show every customer the same connect query, and judge it themselves.
@Suite("Salt Edge v2: connect queries, and refusals that released apps can read")
struct ConnectQueryTests {
  /// As the published SDK for iOS reads the answer, whatever its status (SECreateConnectionResponseV2).
  private struct PublishedResponse: Decodable {
    struct Content: Decodable {
      let connection_id: Int
      let authentication_url: String
    }
    let data: Content
  }

  private func ask(
    _ app: SaltEdgeTestApp, _ name: String = "device", query: String? = "query-123"
  ) async throws -> SaltEdgeTestApp.Answer {
    try await DeviceV2.ask(app, to: app.remote, key: TestKeys.named(name), query: query)
  }

  /// The bank signs the customer in.
  private func signIn(_ app: SaltEdgeTestApp, _ answer: SaltEdgeTestApp.Answer, _ name: String) async throws -> String {
    let id = try answer.data(SaltEdgeV2.Connected.self).connectionID
    let told = try await app.bankCalls(
      .put, "connections/\(id)/success_authentication",
      SaltEdgeBank.Authenticated(
        userID: .init("u-1"), accessToken: "token-of-\(id)", publicKey: try TestKeys.named(name).publicKey.pem))
    return told.status == 200 ? "200" : told.refusal
  }

  private func isRefused(_ answer: SaltEdgeTestApp.Answer) throws -> Bool {
    let read = try JSONDecoder().decode(PublishedResponse.self, from: answer.body)
    guard case .failed(let errorClass?, let message?) = try ReturnRedirect(url: read.data.authentication_url) else {
      return false
    }
    return answer.status == 200 && errorClass == "AUTHENTICATION_FAILED" && !message.isEmpty
  }

  @Test("a user who leaves the sign-in page scans again, also after the bank called the sign-in failed; so do others")
  func repeated() async throws {
    try await SaltEdgeTestApp.run { app in
      let left = try await ask(app)
      #expect(left.status == 200)
      let failed = try await ask(app).data(SaltEdgeV2.Connected.self)
      _ = try await app.bankCalls(
        .put, "connections/\(failed.connectionID)/fail_authentication", SaltEdgeBank.AuthenticationFailed(message: "no")
      )
      #expect(try await signIn(app, ask(app), "device") == "200")
      app.clock.advance(by: .seconds(1))
      // Another device of the same bank, by the same picture.
      #expect(try await signIn(app, ask(app, "tablet"), "tablet") == "200")
      #expect(app.bank.heard.filter { $0.method == "POST" }.count == 4)
    }
  }

  @Test("where an operator wants it, a query leads to one connection, and to attempts without end before that")
  func once() async throws {
    try await SaltEdgeTestApp.run(policy: { $0.usesConnectQueriesOnce = true }) { app in
      _ = try await ask(app)
      let (first, second) = (try await ask(app), try await ask(app, "tablet"))
      #expect(try await signIn(app, first, "device") == "200")
      // The second had its page already: the bank is told that it does not count.
      app.bank.forget()
      #expect(try await signIn(app, second, "tablet") == "404 ConnectionNotFound")
      try await app.settle()
      let id = try second.data(SaltEdgeV2.Connected.self).connectionID
      #expect(app.bank.paths == ["PUT connections/\(id)/revoke"])
      app.bank.forget()
      #expect(try isRefused(try await ask(app, "thief")))
      #expect(app.bank.heard.isEmpty)
      #expect(try await ask(app, query: "another").status == 200)
    }
  }

  @Test("what the bank refuses ends as a sign-in that failed, which every released app can show")
  func refused() async throws {
    try await SaltEdgeTestApp.run { app in
      app.bank.answer(400, #"{"error_class":"WrongRequestFormat","error_message":"no"}"#)
      let answer = try await ask(app)
      #expect(try isRefused(answer))
      let id = try answer.data(SaltEdgeV2.Connected.self).connectionID
      #expect(try await app.audit(id.text).last == "saltedge.connection.authenticationFailed")
      // What may go through later stays an error: apps try again.
      app.bank.fail(.unreachable)
      #expect(try await ask(app).refusal == "504 ProviderUnavailable")
    }
  }
}
