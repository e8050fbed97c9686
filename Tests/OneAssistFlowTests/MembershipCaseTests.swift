// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistFlow
import TestSupport
import Testing

@Suite("OneAssist: what waits for reviewers")
struct MembershipCaseTests {
  @Test("a membership whose photos are in waits for a reviewer, and the verdict ends that")
  func verdict() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      #expect(app.outside.cases.lines.isEmpty)
      try await phone.pending()
      let id = try await phone.membership()
      let work = try #require(app.outside.cases.waiting.first)
      #expect(work.kind == "oneassist-membership" && work.subject == id && work.tenant == "default")
      // Pictures of a case page are numbered in the order in which the page shows the photos.
      let (reviews, membership) = (app.service.reviews, Membership.ID(rawValue: id))
      let shown = try await reviews.open(membership, tenant: "default", by: "agent:1").photos.map(\.name)
      #expect(try await reviews.photoNames(of: membership, tenant: "default") == shown && shown.count > 1)
      await #expect(throws: Problem.notFound) { try await reviews.photoNames(of: membership, tenant: "other") }
      let rejected = try await app.review(
        .post, "memberships/\(id)/verdict", #"{"verdict":"reject","reason":"Another phone."}"#)
      #expect(try rejected.view()["status"] as? String == "REJECTED")
      #expect(app.outside.cases.waiting.isEmpty)
      let last = try #require(app.outside.cases.lines.last)
      #expect(last.hasPrefix("conclude oneassist-membership refused client:"))
    }
  }

  @Test("a membership is found by exact identifiers at its desk only, page by page, and each look is a line")
  func lookedUp() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let (id, repository) = (try await phone.membership(), MembershipRepository(app.service.core))
      app.clock.advance(by: .milliseconds(1))
      _ = try await InsuredPhone(app, application: "A-2", mobile: "9876543211")
      func reader(_ scope: TenantScope = .only("default"), email: String = "reader@bank.example") -> RecordReader {
        RecordReader(chain: "reader", actor: "agent:1", email: email, scope: scope)
      }
      let later = try #require(try await repository.page(.init(name: "A-2"), for: reader()).rows.first).id
      let elsewhere = reader(.allBut(["default"]))
      for name in [id, phone.order, phone.code, phone.activity, "A-1", "+919876543210", OneAssistTestApp.imei] {
        #expect(try await repository.page(.init(name: name), for: reader()).rows.map(\.id) == [id], "\(name)")
        #expect(try await repository.page(.init(name: name), for: elsewhere).rows.isEmpty)
      }
      for name in ["", "98765432", "x' OR '1'='1", "A-3"] {
        #expect(try await repository.page(.init(name: name), for: reader()).rows.isEmpty)
      }
      #expect(try await repository.page(.init(), for: reader(.allBut([]))).rows.map(\.id) == [later, id])
      #expect(try await repository.page(.init(after: later), for: reader()).rows.map(\.id) == [id])
      #expect(try await repository.page(.init(name: id, after: id), for: reader()).rows.isEmpty)
      #expect(try await repository.page(.init(state: "PENDING"), for: reader()).rows.map(\.id) == [id])
      let file = try await repository.record(id, for: reader())
      #expect(file.facts.contains { $0 == ("phone", "+919876543210") } && file.subjects == [id])
      await #expect(throws: Problem.notFound) { try await repository.record(id, for: elsewhere) }
      await #expect(throws: Problem.self) { try await repository.record(id, for: reader(email: "ASHA@mail.example")) }
      let looks = try await app.database.read { try AuditStore($0).lines(of: file.chain).map(\.action) }
      #expect(looks.filter { $0 == "oneassist.membership.seen" }.count == 1)
      // Another phone of the same number, which the reviewer is told.
      _ = try await InsuredPhone(app, application: "A-4")
      let reviews = app.service.reviews
      let related = try await reviews.related(to: .init(rawValue: id), tenant: "default")
      #expect(related.count == 1 && related.first?.shared == [.phone])
      await #expect(throws: Problem.self) { try await reviews.related(to: .init(rawValue: id), tenant: "other") }
    }
  }
}
