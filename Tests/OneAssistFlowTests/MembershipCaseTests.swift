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
}
