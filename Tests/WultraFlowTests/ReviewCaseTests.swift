// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import TestSupport
import Testing
import WultraWire

@testable import WultraFlow

@Suite("Wultra: what waits for reviewers")
struct ReviewCaseTests {
  @Test(
    "a presence check that evidence does not decide waits for a person, whose decision ends that",
    arguments: [false, true])
  func presence(withPortraits: Bool) async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    let work = try #require(app.cases.waiting.first)
    #expect(work.kind == "wultra-presence" && work.subject == review.id.rawValue && work.tenant == "acme")
    #expect(work.reasons == ["face-no-model"])
    let record = try await app.reviews.record(of: review.id, tenant: "acme", by: "agent:clara")
    #expect(record.checks == [.init(.liveness, .pass, score: 0.8, threshold: 0.7)] && record.user == "user-1")
    #expect(record.activation?.id == person.activation && record.chain == person.process)
    // Three documents, a face, and the portrait of each document, which servers of the institution are not shown.
    #expect(record.pictures.map(\.isPortrait) == [false, false, false, false, true, true, true])
    #expect(try await app.reviews.detail(of: review.id, tenant: "acme", by: "test").pictures.count == 4)
    let seen = try await app.reviews.picture(
      5, of: review.id, withPortraits: true, tenant: "acme", by: "agent:clara")
    #expect(seen == Data("img face".utf8))
    // The record, what a server is told of it, and a picture.
    #expect(try await app.actions(person.process).filter { $0 == "wultra.review.seen" }.count == 3)
    // What waits already has its case.
    try await app.reviews.openCases()
    // What the store of pictures cannot give holds up no verdict.
    try await app.core.blobs.delete(record.pictures[0].key)
    try await app.core.blobs.put(record.pictures[0].key, Data("torn".utf8))
    try await app.reviews.decide(
      review.id, .accepted, withPortraits: withPortraits, tenant: "acme", by: "agent:clara")
    #expect(app.cases.lines == ["open wultra-presence", "conclude wultra-presence accepted agent:clara"])
    // Pages still show what was decided on; programs are given what waits.
    let decided = try await app.reviews.record(of: review.id, tenant: "acme", by: "agent:clara")
    #expect(record.isOpen && !decided.isOpen && decided.checks == record.checks)
    #expect(decided.pictures.map(\.key) == record.pictures.map(\.key))
    let again = try await app.reviews.picture(5, of: review.id, withPortraits: true, tenant: "acme", by: "agent:clara")
    #expect(again == seen)
    #expect(
      try await refusal { _ = try await app.reviews.detail(of: review.id, tenant: "acme", by: "test") } == "not-found")
    let basis = try #require(app.cases.bases.last)
    let portraits = Array(repeating: "PORTRAIT", count: withPortraits ? 3 : 0)
    let kinds = ["ID_CARD", "ID_CARD", "DRIVING_LICENSE", "FACE"] + portraits
    #expect(basis.evidence.map(\.kind) == kinds)
    #expect(basis.evidence[0].digest == nil)
    #expect(basis.evidence[3].digest == FakePicture.doubt.sha256Hex && basis.versions["minimum age"] == "18")
  }

  @Test("a reviewer asks for another picture of a document, and the app is told the words until it comes")
  func retake() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    let files = person.submission([
      (.idCard, .front, FakePicture.doubt), (.idCard, .back, FakePicture.good),
      (.drivingLicense, .front, FakePicture.good),
    ])
    try await app.documents.submit(files, by: person.caller)
    // A released app asks all the while, and forgets what was chosen with these (wultra-onboarding.md §6).
    let ends: [Wultra.VerificationStatus] = [.notInitialized, .accepted, .rejected, .failed]
    var chosen: [ReleasedClient.DocumentType] = [.idCard, .drivingLicense]
    repeat {
      let status = try await app.verifications.status(of: app.activations.find(person.activation))
      if ends.contains(status.identityVerificationStatus) { chosen = [] }
    } while try await app.worker.runDue() > 0
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    func ask(_ numbers: [Int], _ words: String?) async throws -> String? {
      try await refusal {
        try await app.reviews.decide(
          review.id, .retake, reason: words, retaking: numbers, tenant: "acme", by: "agent:clara")
      }
    }
    #expect(try await ask([], "Without a reflection.") == "validation-failed")
    #expect(try await ask([9], "Without a reflection.") == "validation-failed")
    #expect(try await ask([1], nil) == "validation-failed")
    let words = String(repeating: "\u{E9}", count: ReviewCommands.reasonMax)
    #expect(try await ask([1], words + "\u{E9}") == "validation-failed")
    #expect(try await ask([1], words) == nil)
    #expect(app.cases.lines.last == "conclude wultra-documents retake agent:clara")
    #expect(try await app.actions(person.process).last == "wultra.verification.retakeRequested")
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    let told = try await person.documents().documents
    let front = try #require(told.first { $0.type == .idCard && $0.side == .front })
    #expect(front.errors == [words] && front.status == .rejected)
    #expect(told.count { $0.errors == nil } == 2)
    guard case .scan(let next?) = try await person.releasedScan(chosen) else {
      Issue.record("no camera")
      return
    }
    #expect(next.type == .idCard && next.sides[.front] == front.id)
    app.clock.advance(by: .minutes(1))
    try await person.submit([(.idCard, .front, FakePicture.good)], replacing: [front.id])
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    #expect(try await app.reviews.queue(tenant: "acme").isEmpty)
    // The review still shows the picture that it was about.
    let decided = try await app.reviews.record(of: review.id, tenant: "acme", by: "agent:clara")
    #expect(decided.pictures.first?.key == front.id && decided.pictures.count { !$0.isPortrait } == 3)
  }

  @Test("what was measured of a face goes with the pictures, and with the person", arguments: [false, true])
  func measured(isPerson: Bool) async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:clara")
    try await app.settle()
    #expect(try await person.verify(app.lastCode()).verified)
    func withoutChecks() async throws -> Int {
      try await app.database.read { tx in
        try tx.first("SELECT COUNT(*) AS n FROM wultra_review WHERE id = \(review.id) AND checks IS NULL")?
          .get("n") ?? 0
      }
    }
    #expect(try await withoutChecks() == 0)
    if isPerson {
      // Before the pictures go, which is an effect.
      _ = try await app.erasure.erase("user-1", tenant: "acme", for: .ended, by: .init("operator"))
    } else {
      try await app.database.write { [core = app.core] tx in
        try core.outbox.enqueue(
          WultraEffects.topic(VerificationEffect.eraseEvidence), subject: review.verification.rawValue, in: tx)
      }
      try await app.settle()
    }
    #expect(try await withoutChecks() == 1)
  }

  @Test("a review that needs no decision any more is no open case")
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
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .allBut(["default"]))
    let other = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("default"))
    let file = try await repository.record(person.process, for: reader)
    let user = try #require(file.facts.first { $0.code == "user" }).value
    for name in [person.process, person.activation.rawValue, user] {
      #expect(try await repository.page(.init(name: name), for: reader).rows == [file.row], "\(name)")
      #expect(try await repository.page(.init(name: name), for: other).rows.isEmpty)
      #expect(try await repository.page(.init(name: name, after: person.process), for: reader).rows.isEmpty)
    }
    #expect(try await repository.page(.init(state: "verifying"), for: reader).rows == [file.row])
    #expect(try await repository.page(.init(state: "failed"), for: reader).rows.isEmpty)
    #expect(try await repository.page(.init(after: person.process), for: reader).rows.isEmpty)
    #expect(file.facts.contains { $0.code == "verification" && $0.value.contains("PRESENCE_CHECK/") })
    #expect(file.subjects == (try await app.reviews.queue(tenant: "acme").map(\.id.rawValue)))
    await #expect(throws: Problem.notFound) { try await repository.record(person.process, for: other) }
    #expect(try await app.actions(person.process).last == "wultra.process.seen")
  }

  @Test("the device of an onboarding is blocked and let in again on its record, with a reason, at its desk only")
  func deviceBlocked() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    func reader(_ scope: TenantScope, email: String = "r@bank.example") -> RecordReader {
      RecordReader(chain: "reader", actor: "agent:1", email: email, scope: scope)
    }
    func acts() async throws -> [String] {
      try await repository.record(person.process, for: reader(.only("acme"))).acts.map(\.code)
    }
    func act(
      _ code: String, _ subject: String? = nil, because reason: String = "FRAUD_SUSPECTED", by who: RecordReader? = nil
    ) async throws -> String? {
      try await refusal {
        _ = try await repository.act(
          RecordAct(code, subject ?? person.activation.rawValue), of: person.process, because: reason,
          for: who ?? reader(.only("acme")))
      }
    }
    let user = try #require(
      try await repository.record(person.process, for: reader(.only("acme"))).facts.first { $0.code == "user" }
    ).value
    #expect(try await acts() == ["block-device"])
    #expect(try await act("block-device", because: "") == "validation-failed")
    #expect(try await act("block-device", because: "WHIM") == "validation-failed")
    #expect(try await act("block-device", by: reader(.only("default"))) == "not-found")
    #expect(try await act("block-device", try await app.activated("2").activation.rawValue) == "not-found")
    #expect(try await act("erase-device") == "not-found")
    #expect(try await act("block-device", by: reader(.only("acme"), email: "\(user)@bank.example")) == "forbidden")
    #expect(try await acts() == ["block-device"])
    // Many at once are one, with one line.
    let (block, process) = (RecordAct("block-device", person.activation.rawValue), person.process)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          _ = try await repository.act(
            block, of: process, because: "FRAUD_SUSPECTED",
            for: RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("acme")))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await act("block-device") == nil)
    #expect(try await app.activations.find(person.activation).state == .blocked)
    #expect(try await acts() == ["unblock-device"])
    for _ in 0..<2 { #expect(try await act("unblock-device", because: "OPERATIONAL_ERROR") == nil) }
    #expect(try await acts() == ["block-device"])
    let lines = try await app.database.read { tx in
      try AuditStore(tx).lines(of: person.process).filter { $0.action.hasPrefix("wultra.device.") }
    }
    #expect(lines.map(\.action) == ["wultra.device.blocked", "wultra.device.unblocked"])
    #expect(lines.map { $0.facts["reason"] } == ["FRAUD_SUSPECTED", "OPERATIONAL_ERROR"])
    #expect(lines.allSatisfy { $0.actor == "agent:1" })
  }

  @Test("a reviewer is told of other onboardings of the institution with the same picture, until those are erased")
  func related() async throws {
    let app = try await WultraTestApp()
    let (other, person) = (try await app.activated("2"), try await app.activated("1"))
    try await other.documentsAccepted()
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    func related() async throws -> [RelatedProcess] {
      try await app.reviews.record(of: review.id, tenant: "acme", by: "agent:clara").related
    }
    let found = try await related()
    #expect(found.map(\.id.rawValue) == [other.process] && found.first?.shared.contains("picture") == true)
    _ = try await app.erasure.erase("user-2", tenant: "acme", for: .ended, by: .init("operator"))
    #expect(try await related().isEmpty)
    await #expect(throws: Problem.self) {
      try await app.reviews.record(of: review.id, tenant: "other", by: "agent:clara")
    }
  }

  @Test("pictures of an earlier attempt take nothing along that a later one shows, and a document is found for longer")
  func relatedLater() async throws {
    let app = try await WultraTestApp()
    let (other, person) = (try await app.activated("2"), try await app.activated("1"))
    try await other.documentsAccepted()
    try await other.checkPresence(FakePicture.doubt)
    try await person.documentsAccepted()
    // Readings of the fake provider hold no number.
    try await app.database.write { [vault = app.vault, now = app.clock.now] tx in
      for id in [other.process, person.process] {
        let process = try #require(try ProcessStore(tx, vault: vault).find(.init(rawValue: id)))
        let verification = try #require(try IdentityVerificationStore(tx).ids(of: process.id).first)
        try ProcessTraitStore(tx, vault: vault).note(
          [ProcessTrait(kind: .document, value: "D\u{0}C01X00T47")], of: process, in: verification, at: now)
      }
    }
    // The first attempt of one of the two is given up, and the same pictures come again.
    try await app.verifications.cleanUp(person.process, by: person.caller)
    try await app.verifications.initiate(person.process, by: person.caller)
    try await person.submitAll()
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    func shared() async throws -> [[String]] {
      try await app.reviews.record(of: review.id, tenant: "acme", by: "agent:clara").related.map(\.shared)
    }
    func erase(_ number: Int) async throws {
      let ids = try await app.database.read { tx in
        try IdentityVerificationStore(tx).ids(of: .init(rawValue: person.process)).map(\.rawValue)
      }
      try await app.database.write { [core = app.core] tx in
        try core.outbox.enqueue(WultraEffects.topic(VerificationEffect.eraseEvidence), subject: ids[number], in: tx)
      }
      try await app.settle()
    }
    #expect(try await shared() == [["document", "picture"]])
    try await erase(0)
    #expect(try await shared() == [["document", "picture"]])
    try await app.verifications.cleanUp(person.process, by: person.caller)
    try await erase(1)
    #expect(try await shared() == [["document"]])
    _ = try await app.erasure.erase("user-1", tenant: "acme", for: .ended, by: .init("operator"))
    #expect(try await shared().isEmpty)
  }
}
