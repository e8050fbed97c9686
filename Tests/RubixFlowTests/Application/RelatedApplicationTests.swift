// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: applications that share a phone, a device, a document or a picture")
struct RelatedApplicationTests {
  /// Swift Testing has a type of that name too.
  private typealias Trait = RubixFlow.Trait

  private static let passport = Trait.document(
    .init(id: "d", type: .passport, number: "c01 x00-t47", issuingState: "D", expiryDate: nil))

  /// An application with what it shows; its phone is the same as everyone's unless another is given.
  private func application(
    _ app: AgentTestApp, _ traits: [Trait?], phone: String = "+96550001234", tenant: String = "default"
  ) async throws -> RubixFlow.Application {
    var made = app.application(at: .awaitingReviewCall, tenant: tenant)
    made.applicant.contactNo = phone
    let (written, now) = (made, app.clock.now)
    app.clock.advance(by: .seconds(1))
    try await app.core.database.write { [core = app.core] tx in
      try ApplicationStore(tx, vault: core.vault).insert(written)
      try TraitStore(tx, vault: core.vault).note(traits.compactMap(\.self), of: written, at: now)
    }
    return made
  }

  private func related(_ app: AgentTestApp, _ of: RubixFlow.Application) async throws -> [RelatedApplication] {
    try await app.core.database.read { [core = app.core] tx in
      try RelatedApplications(tx: tx, vault: core.vault).all(of: of)
    }
  }

  @Test("what two share is told with the most first, of the same institution only", arguments: Engine.available)
  func shared(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let one = try await application(app, [.device("a"), Self.passport, .picture(sha256: "77")])
    let twin = try await application(
      app, [.device("a"), Self.passport, .picture(sha256: "77"), .picture(sha256: "78")], phone: "+96550009999")
    let caller = try await application(app, [.device("b")])
    _ = try await application(app, [.device("c"), .picture(sha256: "79")], phone: "+96550008888")
    _ = try await application(app, [.device("a"), Self.passport], tenant: "other")
    let found = try await related(app, one)
    #expect(found.map(\.id) == [twin.id, caller.id])
    #expect(found.map(\.shared) == [[.device, .document, .picture], [.phone]])
    #expect(found.allSatisfy { $0.status == .inReview })
    #expect(try await related(app, caller).map(\.id) == [one.id])
  }

  @Test(
    "a picture is found again by five of its eight parts, once, and each picture by itself",
    arguments: Engine.available)
  func alike(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let (one, twin) = (try await application(app, []), try await application(app, [], phone: "+96550009999"))
    let others = [
      try await application(app, [], phone: "+96550008888"), try await application(app, [], tenant: "other"),
    ]
    /// Of the first so many parts as the first picture, and of its own ones.
    @Sendable func hash(_ count: Int, own: UInt32) -> PictureHash {
      PictureHash(parts: (0..<8).map { $0 < count ? 7 : own + UInt32($0) })
    }
    try await app.core.database.write { [core = app.core] tx in
      let store = TraitStore(tx, vault: core.vault)
      func note(_ hash: PictureHash, _ picture: String, _ of: RubixFlow.Application) throws {
        try store.note(hash, of: .init(rawValue: picture), in: of)
      }
      try note(hash(8, own: 0), "first", one)
      for _ in 0..<2 { try note(hash(5, own: 100), "second", twin) }
      // Two pictures of one application are compared each by itself.
      try note(hash(3, own: 200), "third", others[0])
      try note(PictureHash(parts: [301, 302, 303, 7, 7, 7, 304, 305]), "fourth", others[0])
      try note(hash(8, own: 0), "fifth", others[1])
    }
    #expect(try await related(app, one).first { $0.id == twin.id }?.shared == [.picture])
    #expect(try await related(app, one).map(\.id) == [twin.id])
    #expect(try await related(app, twin).map(\.id) == [one.id])
    try await app.core.database.write { [core = app.core] tx in
      try TraitStore(tx, vault: core.vault).deleteAll(of: twin.id)
    }
    #expect(try await related(app, one).isEmpty)
  }

  @Test(
    "of many retakes the newest pictures and those in force are compared, and no others are kept",
    arguments: Engine.available)
  func retakes(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let (one, twin) = (try await application(app, []), try await application(app, [], phone: "+96550009999"))
    try await app.core.database.write { [core = app.core] tx in
      let store = TraitStore(tx, vault: core.vault)
      func hash(_ number: Int) -> PictureHash { PictureHash(parts: (0..<8).map { UInt32(number * 8 + $0) }) }
      // The front, of which there was no retake.
      let images = ImageStore(tx, vault: core.vault)
      let session = CaptureSession(id: .init(core.world), application: one.id, createdAt: core.world.now())
      try images.insert(session)
      try images.insert(
        CapturedImage(
          id: .init(rawValue: "picture-050"), application: one.id, session: session.id, type: .passport, subType: nil,
          state: .processing, width: 1000, height: 700, sha256: "00",
          quality: ImageQuality(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: false, hasPortrait: true,
          createdAt: core.world.now()), clientHints: nil)
      try store.note(hash(50), of: .init(rawValue: "picture-050"), in: one)
      for number in 0...TraitStore.picturesMax {
        try store.note(hash(number), of: .init(rawValue: "picture-\(100 + number)"), in: one)
      }
      try store.note(hash(0), of: .init(rawValue: "twin-1"), in: twin)
    }
    let kept = try await app.count("SELECT COUNT(DISTINCT picture) AS n FROM rubix_likeness WHERE picture LIKE 'p%'")
    #expect(kept == TraitStore.picturesMax + 1)
    #expect(try await related(app, twin).isEmpty)
    for number in [TraitStore.picturesMax, 50] {
      try await app.core.database.write { [core = app.core] tx in
        let (store, same) = (TraitStore(tx, vault: core.vault), (0..<8).map { UInt32(number * 8 + $0) })
        try store.deleteAll(of: twin.id)
        try store.note(PictureHash(parts: same), of: .init(rawValue: "twin-2"), in: twin)
      }
      #expect(try await related(app, twin).map(\.id) == [one.id])
    }
  }

  @Test("the same document stands before any number of newer applications of the same phone and device")
  func rank() async throws {
    let app = try await AgentTestApp()
    let one = try await application(app, [.device("a"), Self.passport])
    let twin = try await application(app, [Self.passport], phone: "+96550009999")
    for _ in 0..<RelatedApplications.applicationsMax { _ = try await application(app, [.device("a")]) }
    let found = try await related(app, one)
    #expect(found.count == RelatedApplications.applicationsMax && found.first?.id == twin.id)
    #expect(found.dropFirst().allSatisfy { $0.shared == [.phone, .device] })
  }

  @Test("a document is its number and its State, however the number was written")
  func document() {
    func trait(_ number: String?, _ state: String?) -> Trait? {
      .document(.init(id: "d", type: .passport, number: number, issuingState: state, expiryDate: nil))
    }
    #expect(trait("C01X00T47", "D") == Self.passport)
    #expect(trait("C01X00T47", "UTO") != Self.passport)
    #expect(trait(nil, "D") == nil && trait(" - ", "D") == nil)
  }

  @Test("the row tells no value, and what is noted twice stands once", arguments: Engine.available)
  func sealed(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let one = try await application(app, [.device("device-of-erika")])
    try await app.core.database.write { [core = app.core] tx in
      try TraitStore(tx, vault: core.vault).note([.device("device-of-erika")], of: one, at: Instant(milliseconds: 5))
    }
    let rows = try await app.count("SELECT COUNT(*) AS n FROM rubix_trait")
    let plain = try await app.count("SELECT COUNT(*) AS n FROM rubix_trait WHERE digest LIKE '%erika%'")
    #expect(rows == 1 && plain == 0)
  }

  @Test(
    "digests of pictures go with the pictures, and the document's unless the file holds its number",
    arguments: [false, true])
  func erasedPictures(isVerified: Bool) async throws {
    let app = try await AgentTestApp()
    let customer = try await app.filled(agent: app.agent(), at: .rejected)
    let verified = app.application(at: .rejected, verified: isVerified).applicant.verified
    let item = try await app.core.database.write { [core = app.core, tenant = app.tenant] tx in
      let store = ApplicationStore(tx, vault: core.vault)
      var changed = try store.find(customer.id, tenant: tenant.id)
      changed.applicant.verified = verified
      let written = try store.update(changed, at: core.world.now())
      try TraitStore(tx, vault: core.vault).note(
        [Self.passport, .picture(sha256: "77")].compactMap(\.self), of: written, at: core.world.now())
      try core.outbox.enqueue("rubix.scheduleErasure", subject: customer.id.rawValue, payload: tenant.id, in: tx)
      return try OutboxStore(tx).pending().first { $0.topic == "rubix.scheduleErasure" }
    }
    let effects = app.rubix.effects(
      evidence: EvidenceReader(), messenger: app.devOutbox.messenger, texts: .standardTexts)
    let erase = try #require(effects.handlers["rubix.scheduleErasure"])
    try await erase(try #require(item))
    let kinds = try await app.core.database.query("SELECT kind FROM rubix_trait ORDER BY kind").map {
      try $0.get("kind", as: String.self)
    }
    let likenesses = try await app.count("SELECT COUNT(*) AS n FROM rubix_likeness")
    #expect(likenesses == 0)
    #expect(kinds == (isVerified ? ["device", "document"] : ["device"]))
  }

  @Test("an agent who looks at a case is told of them, and a customer's registration notes the device")
  func review() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.filled(agent: agent)
    let other = try await application(app, [.device(AgentTestApp.Person().device)])
    let record = try await app.customerReader.review(customer.id, by: agent)
    #expect(record.related.map(\.id) == [other.id] && record.related.map(\.shared) == [[.device]])
    #expect(record.customer.id == customer.id.rawValue && record.images.count == 1 && record.call == nil)
    #expect(try await app.actions(of: customer).last == "customer.viewed")
    let caller = try await app.agent("caller@bank.example", may: [.attendVideo])
    #expect(
      try await problem { try await app.customerReader.review(customer.id, by: caller) }?.code == "forbidden")
  }
}
