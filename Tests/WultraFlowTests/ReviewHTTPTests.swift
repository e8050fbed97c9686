// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import PowerAuthHTTP
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra reviews over HTTP: the institution's servers decide")
struct ReviewHTTPTests {
  @Test("the queue, a review and its pictures with a line of the audit for each look, and one decision")
  func decided() async throws {
    let (app, person) = try await waiting()
    try await ReviewClient.run(app) { client in
      // Programs read the list every few seconds: that is one line a day.
      for _ in 0..<2 { #expect(try await client.get("reviews").status == 200) }
      let list = try await client.get("reviews").json
      let id = try #require(list["reviews"]?.arrayValue?.first?["review_id"]?.stringValue)
      let review = try await client.get("reviews/\(id)").json
      #expect(review["subject"] == .string("presence") && review["codes"] == .array([.string("face-no-model")]))
      let kinds = review["pictures"]?.arrayValue?.compactMap { $0["kind"]?.stringValue }
      #expect(kinds == ["ID_CARD", "ID_CARD", "DRIVING_LICENSE", "FACE"])
      #expect(try await client.get("reviews/\(id)/pictures/4").body == FakePicture.doubt)
      #expect(try await client.get("reviews/\(id.uppercased())/pictures/1").body == FakePicture.good)
      for number in ["0", "5", "-1", "x", "99999999999999999999", "\(Int.min)"] {
        #expect(try await client.get("reviews/\(id)/pictures/\(number)").status == 404)
      }
      let looks = try await app.database.read { tx in
        try (AuditStore(tx).lines(of: "wultra-reviews-acme"), AuditStore(tx).lines(of: person.process))
      }
      #expect(looks.0.map(\.action) == ["wultra.reviews.listed"] && looks.0.first?.facts["why"] == "list")
      let seen = looks.1.filter { $0.action == "wultra.review.seen" }
      #expect(seen.map { $0.facts["picture"] } == [nil, "4", "1"])
      #expect(seen.allSatisfy { $0.actor.hasPrefix("client:") && $0.facts["review"] == id && $0.facts["why"] != nil })

      for body in ["", "{}", #"{"verdict":"perhaps"}"#, #"{"verdict":"accepted","more":1}"#] {
        #expect([400, 422].contains(try await client.post("reviews/\(id)/decision", body).status))
      }
      #expect(try await client.get("reviews/\(id)").status == 200)
      for _ in 0..<2 {
        let decided = try await client.post("reviews/\(id)/decision", #"{"verdict":"accepted"}"#)
        #expect(decided.status == 200 && decided.json["verdict"] == .string("accepted"))
      }
      #expect(try await client.post("reviews/\(id)/decision", #"{"verdict":"rejected"}"#).code == "review-decided")
      #expect(try await client.get("reviews").json["reviews"] == .array([]))
      #expect(try await client.get("reviews/\(id)").status == 404)
      try await app.settle()
      #expect(try await person.state() == "OTP_VERIFICATION/VERIFICATION_PENDING")
      #expect(try await app.auditFaults().isEmpty)
    }
  }

  @Test("a picture that is asked for again comes with the words that the app shows, however often it is asked")
  func retake() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    try await person.submitAll(FakePicture.doubt)
    try await ReviewClient.run(app) { client in
      let list = try await client.get("reviews").json
      let id = try #require(list["reviews"]?.arrayValue?.first?["review_id"]?.stringValue)
      for body in [#""retake":[1]"#, #""words":"Flat, please.""#, #""words":"Flat, please.","retake":[1,1]"#] {
        let refused = try await client.post("reviews/\(id)/decision", #"{"verdict":"retake",\#(body)}"#)
        #expect(refused.status == 422 && refused.code == "validation-failed")
      }
      for _ in 0..<2 {
        let decided = try await client.post(
          "reviews/\(id)/decision", #"{"verdict":"retake","words":"Flat, please.","retake":[1]}"#)
        #expect(decided.status == 200 && decided.json["verdict"] == .string("retake"))
      }
    }
    #expect(try await person.documents().documents.compactMap(\.errors) == [["Flat, please."]])
  }

  @Test("of another tenant there is nothing; without credentials or the scope there is no answer")
  func foreign() async throws {
    let (app, _) = try await waiting()
    let id = try #require(try await app.reviews.queue(tenant: "acme").first?.id)
    try await ReviewClient.run(app, tenant: "other") { (client) async throws in
      #expect(try await client.get("reviews").json["reviews"] == .array([]))
      for path in ["reviews/\(id)", "reviews/\(id)/pictures/1", "reviews/x"] {
        #expect(try await client.get(path).status == 404)
      }
      #expect(try await client.post("reviews/\(id)/decision", #"{"verdict":"accepted"}"#).status == 404)
    }
    try await ReviewClient.run(app, scopes: [.manage, .verify]) { (client) async throws in
      #expect(try await client.get("reviews").status == 403)
      #expect(try await client.post("reviews/\(id)/decision", #"{"verdict":"accepted"}"#).status == 403)
      var nobody = client
      nobody.credentials = "Basic bm9ib2R5OngK"
      #expect(try await nobody.get("reviews/\(id)/pictures/1").status == 401)
    }
    #expect(try await app.reviews.queue(tenant: "acme").count == 1)
  }

  @Test("what a server asked a second one for it takes back, once; another institution's server cannot")
  func withdrawal() async throws {
    let app = try await WultraTestApp { $0.reviewsNeedTwo = true }
    let person = try await app.activated()
    try await person.begin()
    try await person.submitAll(FakePicture.doubt)
    try await ReviewClient.run(app) { client in
      let id = try #require(try await app.reviews.queue(tenant: "acme").first?.id)
      func ask() async throws -> String {
        let asked = try await client.post("reviews/\(id)/decision", #"{"verdict":"accepted"}"#)
        #expect(asked.status == 202 && asked.json["status"] == .string("AWAITING_APPROVAL"))
        return try #require(asked.json["approval_id"]?.stringValue)
      }
      let approval = try await ask()
      let path = "reviews/\(id)/approvals/\(approval)/withdrawal"
      try await ReviewClient.run(app, tenant: "other") { (stranger) async throws in
        #expect(try await stranger.post(path, "{}").status == 404)
      }
      let unknown = app.core.world.uuid()
      for wrong in [
        "reviews/\(unknown)/approvals/\(approval)/withdrawal", "reviews/\(id)/approvals/\(unknown)/withdrawal",
        "reviews/\(id)/approvals/x/withdrawal", "reviews/x/approvals/\(approval)/withdrawal",
      ] { #expect(try await client.post(wrong, "{}").status == 404, "\(wrong)") }
      let taken = try await client.post("reviews/\(id)/approvals/\(approval.uppercased())/withdrawal", "{}")
      #expect(taken.status == 204 && taken.body.isEmpty)
      let again = try await client.post(path, "{}")
      #expect(again.status == 409 && again.code == "approval-decided")
      #expect(try await client.get("reviews/\(id)").status == 200)
      #expect(try await ask() != approval)
    }
  }

  private func waiting() async throws -> (WultraTestApp, Person) {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    return (app, person)
  }
}

/// A server of the institution.
private struct ReviewClient: Sendable {
  struct Answer: Sendable {
    let status: Int
    let body: Data
    var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null }
    var code: String? { json["code"]?.stringValue }
  }

  let client: any TestClientProtocol
  var credentials: String

  static func run(
    _ app: WultraTestApp, tenant: String = "acme", scopes: Set<ServiceClient.Scope> = [.review],
    _ play: @escaping @Sendable (ReviewClient) async throws -> Void
  ) async throws {
    let world = app.clock.world
    let clients = ServiceClients(
      database: app.database, vault: app.vault, audit: Audit(world: world, vault: app.vault), world: world)
    let issued = try await clients.add("core", tenant: tenant, scopes: scopes, by: "test")
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: world))
    router.add(middleware: ProblemMiddleware(dialect: BackEndDialect()))
    ReviewRoutes(commands: app.reviews).add(
      to: router.group("").clients(at: "w", world: world) { try await clients.authenticate($0, secret: $1) })
    let pair = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    try await Application(router: router).test(.router) {
      try await play(ReviewClient(client: $0, credentials: "Basic \(pair)"))
    }
  }

  func get(_ path: String) async throws -> Answer { try await send(.get, path, nil) }
  func post(_ path: String, _ body: String) async throws -> Answer { try await send(.post, path, body) }

  private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String?) async throws -> Answer {
    var headers: HTTPFields = [.authorization: credentials]
    if body != nil { headers[.contentType] = "application/json" }
    let response = try await client.execute(
      uri: "/w/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    return Answer(status: response.status.code, body: Data(response.body.readableBytesView))
  }
}
