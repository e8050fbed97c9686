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

  @Test("an onboarding is found by its ids and its user at its desk only, with its verification and what it waits for")
  func lookedUp() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let shelf = ProcessShelf(app.core)
    let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .allBut(["default"]))
    let other = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("default"))
    let file = try await shelf.record(person.process, for: reader)
    let user = try #require(file.facts.first { $0.code == "user" }).value
    for name in [person.process, person.activation.rawValue, user] {
      #expect(try await shelf.page(.init(name: name), for: reader).rows == [file.row], "\(name)")
      #expect(try await shelf.page(.init(name: name), for: other).rows.isEmpty)
    }
    #expect(try await shelf.page(.init(state: "verifying"), for: reader).rows == [file.row])
    #expect(try await shelf.page(.init(state: "failed"), for: reader).rows.isEmpty)
    #expect(try await shelf.page(.init(after: person.process), for: reader).rows.isEmpty)
    #expect(file.facts.contains { $0.code == "verification" && $0.value.contains("PRESENCE_CHECK/") })
    #expect(file.subjects == (try await app.reviews.queue(tenant: "acme").map(\.id.rawValue)))
    await #expect(throws: Problem.notFound) { try await shelf.record(person.process, for: other) }
    #expect(try await app.actions(person.process).last == "wultra.process.seen")
  }
}
