import Kit
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: what waits for reviewers")
struct ReviewCaseTests {
  @Test("a presence check that evidence does not decide waits for a person, whose decision ends that")
  func presence() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    let work = try #require(app.cases.waiting.first)
    #expect(work.kind == "wultra-presence" && work.subject == review.id.rawValue && work.tenant == "acme")
    #expect(work.reasons == ["face-no-model"])
    // What waits already has its case.
    try await app.reviews.openCases()
    try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara")
    #expect(app.cases.lines == ["open wultra-presence", "conclude wultra-presence accepted agent:clara"])
  }

  @Test("a review that needs no decision any more waits for nobody")
  func dropped() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    #expect(app.cases.waiting.count == 1)
    app.clock.advance(by: .days(30))
    try await app.effects.sweepLapsed()
    #expect(app.cases.waiting.isEmpty)
    #expect(try await app.reviews.queue(tenant: "acme").isEmpty)
  }
}
