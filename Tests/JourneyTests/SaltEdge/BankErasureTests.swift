// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import Kit
import SaltEdgeFlow
import TestSupport
import Testing

@testable import RubixFlow
@testable import GatehouseApp

@Suite("Operations: a customer's erasure reaches the bank's authorizations", .ownFile)
struct BankErasureTests {
  @Test("what a bank had its customer confirm goes with the customer, and others' stays")
  func erased() async throws {
    let source = try await BackupTestApp()
    let (app, gone, stays) = (source.app, try await source.customer(1), try await source.customer(2))
    let (bank, client) = try await app.saltEdge.providers.add(
      .init(code: "bank", name: "Bank", kind: .hosted, supportEmail: "a@bank.example"), clients: app.serviceClients,
      by: "test")
    let basic = Data("\(client.client.id):\(client.secret)".utf8).base64EncodedString()
    let base = "/api/v1/saltedge/providers/\(bank.provider.id)/authorizations"
    try await Application(router: app.router()).test(.router) { http in
      func call(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> (Int, Data) {
        let answer = try await http.execute(
          uri: path, method: method, headers: [.authorization: "Basic \(basic)", .contentType: "application/json"],
          body: body.map { ByteBuffer(string: $0) })
        return (answer.status.code, Data(answer.body.readableBytesView))
      }
      func open(_ user: RubixFlow.Application.ID) async throws -> String {
        let (status, body) = try await call(
          .post, base, #"{"reference":"\#(user)","user_id":"\#(user)","title":"Sign in"}"#)
        try #require(status == 201)
        let view = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        return try #require((view["authorization"] as? [String: Any])?["id"] as? String)
      }
      let (lost, kept) = (try await open(gone), try await open(stays))
      let asked = try #require(ErasureReason(rawValue: "art-17-request"))
      _ = try await source.erasure.erase(gone, of: .default, for: asked, by: "operator")
      #expect(try await call(.get, "\(base)/\(lost)").0 == 404)
      #expect(try await call(.get, "\(base)/\(kept)").0 == 200)
      // An old file goes by its age; what was confirmed goes by its own.
      _ = try await source.erasure.erase(stays, of: .default, for: .retention, by: "system")
      #expect(try await call(.get, "\(base)/\(kept)").0 == 200)
    }
  }
}
