// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge: what a customer is shown cannot be forged by who is paid")
struct ShownTests {
  private static let fields = ["payee", "account", "reference", "date"]

  /// What hides, adds or turns round, with what it would do.
  private static let tricks = [
    #"Shop\nAmount: 1.00 EUR"#, #"Shop\rAmount: 1.00 EUR"#, #"Shop\u2028Amount: 1.00 EUR"#, #"Shop\u2029x"#,
    #"Shop\u0085x"#, "Shop<!--", "Shop<div hidden>", "Shop<b", "Shop>", "Shop&#8238;", "Shop&#x202e;", "Shop&lt;b&gt;",
    #"Sh\u200eop"#, #"Sh\u200fop"#, #"Sh\u061cop"#, #"Sh\u200bop"#, #"Sh\u200dop"#, #"Sh\u2060op"#, #"Sh\ufeffop"#,
    #"Sh\u00adop"#, #"Shop\ud840\udfffx\udb40\udc41"#, #"Shop\ue000"#, #"Shop\u0378"#, #"Shop\u3164"#, #"Shop\u202e"#,
    #"Shop\u2066"#,
  ]

  @Test("a text that would show another amount, or hide it, is refused wherever customers read it")
  func forged() async throws {
    try await SaltEdgeTestApp.run { app in
      for text in Self.tricks {
        for (path, body) in Self.wishes(text) {
          let answer = try await app.api(.post, path, body)
          #expect(answer.refusal == "422 validation-failed", "\(body)")
        }
      }
    }
  }

  /// A text in every place where customers read it.
  private static func wishes(_ text: String) -> [(path: String, body: String)] {
    let start = #"{"reference":"r","user_id":"u-1","title":"#
    let payments = fields.map { field in
      let payee = field == "payee" ? "" : #""payee":"Shop","#
      return start + #""Payment","payment":{\#(payee)"amount":"12.50","currency":"EUR","\#(field)":"\#(text)"}}"#
    }
    let origins = ["device", "location", "ip"].map { start + #""Login","origin":{"\#($0)":"\#(text)"}}"# }
    let consents = [(text, "Checking"), ("TPP", text)].map { third, account in
      #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"\#(third)","#
        + #""accounts":[{"name":"\#(account)"}],"expires_at":"2027-01-01T00:00:00Z"}"#
    }
    return (payments + origins + [start + #""\#(text)"}"#]).map { ("authorizations", $0) }
      + consents.map { ("consents", $0) }
  }

  @Test("names as people and shops have them are shown as they are, one line for each")
  func honest() async throws {
    try await SaltEdgeTestApp.run { app in
      let names = ["Marks & Spencer", "Müller & Söhne GmbH", "الراجحي", "株式会社 山田", "O'Neil; Sons", "AT&T, Ltd."]
      let device = try await DeviceV1.connected(app)
      for (index, name) in names.enumerated() {
        let body =
          #"{"reference":"r-\#(index)","user_id":"u-1","title":"Payment","text":"Please confirm\nthis payment","#
          + #""payment":{"payee":"\#(name)","amount":"12.50","currency":"EUR"}}"#
        #expect(try await app.api(.post, "authorizations", body).status == 201, "\(name)")
      }
      let shown = Set(try await device.authorizations().map { try device.read($0).description })
      #expect(shown == Set(names.map { "Please confirm\nthis payment\nPayee: \($0)\nAmount: 12.50 EUR" }))
    }
  }

  @Test("a confirmation is found by its names and its user at its desk only, with what was shown and what was signed")
  func lookedUp() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await RightsTests.customer(app, "u-1", key: "one")
      let repository = OperationRepository(app.service.core)
      let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("default"))
      let other = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("other"))
      let rows = try await repository.page(.init(name: "u-1"), for: reader).rows
      #expect(Set(rows.map(\.name)) == ["u-1-1", "u-1-2"])
      let newest = try #require(rows.first)
      let after = "\(newest.at.milliseconds).\(newest.id)"
      #expect(try await repository.page(.init(name: "u-1", after: after), for: reader).rows == Array(rows.dropFirst()))
      let confirmed = try await repository.page(.init(state: "confirmed"), for: reader).rows
      #expect(confirmed.map(\.name) == ["u-1-1"] && confirmed.map(\.tenant) == ["default"])
      let id = try #require(confirmed.first).id
      #expect(try await repository.page(.init(name: id), for: reader).rows == confirmed)
      #expect(try await repository.page(.init(name: "u-1-1"), for: reader).rows == confirmed)
      for name in ["u-1", "u-1-1", id] {
        #expect(try await repository.page(.init(name: name), for: other).rows.isEmpty)
      }
      let file = try await repository.record(id, for: reader)
      func text(_ code: String) -> String { file.texts.first { $0.code == code }?.text ?? "" }
      #expect(text("shown").contains("Shop") && text("shown").contains("12.50 EUR"))
      #expect(!text("signed").isEmpty && !text("signature").isEmpty && text("public_key").contains("PUBLIC KEY"))
      #expect(file.facts.contains { $0 == ("device", device.connection) })
      await #expect(throws: Problem.notFound) { try await repository.record(id, for: other) }
      #expect(try await app.audit("operation-\(id)").last == "saltedge.operation.seen")
    }
  }
}
