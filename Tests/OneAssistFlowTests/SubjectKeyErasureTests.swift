// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Storage
import TestSupport
import Testing

@testable import Kit
@testable import OneAssistFlow

@Suite("OneAssist: an erasure reaches copies that were made before")
struct SubjectKeyErasureTests {
  private static let otherIMEI = "359000210000011"
  private static let columns = OneAssistModule.sealedColumns + DeliveryModule.sealedColumns

  /// A membership that waits for its review, of which a message was kept.
  private static func pending(
    _ app: OneAssistTestApp, _ application: String = "A-1", _ mobile: String = "9876543210",
    imei: String = OneAssistTestApp.imei
  ) async throws -> String {
    let phone = try await InsuredPhone(app, application: application, mobile: mobile)
    try await phone.pending(imei: imei)
    let id = try await phone.membership()
    var message = Message(.sms, to: "+919123456780", body: "Here", locale: "en")
    (message.about, message.template) = (id, "photo-link")
    try await app.service.devOutbox?.messenger.recorded(in: MessageLog(app.service.core)).send(message)
    return id
  }

  private static func key(of membership: String, _ app: OneAssistTestApp) async throws -> SubjectKey? {
    try await app.database.read { [vault = app.vault] in try vault.subjectKey(of: KeySubject(membership), in: $0) }
  }

  private static func erase(_ membership: String, _ app: OneAssistTestApp) async throws {
    _ = try await app.server(.post, "/partner/v1/memberships/\(membership)/cancel")
    try await app.service.erasure.erase(.init(rawValue: membership), for: .ended, by: "test")
  }

  private static func proof(of membership: String, _ app: OneAssistTestApp) async throws -> ErasureProof? {
    try await app.database.read { [vault = app.vault, erasures = app.service.erasures] tx in
      try erasures.proof(of: membership, in: tx).map { try ErasureProof($0, by: vault) }
    }
  }

  private static func left(_ proof: ErasureProof, _ app: OneAssistTestApp) async throws -> ErasureCheck.Report {
    try await ErasureCheck(app.database, vault: app.vault, blobs: app.blobs.blobs, columns: columns).run(proof)
  }

  /// Everything that is sealed of memberships is sealed under their own keys.
  private static func check(_ keys: [String], sealEverythingOf app: OneAssistTestApp) async throws {
    try await app.database.read { tx in
      let store = SealedColumnStore(tx)
      for column in columns {
        #expect(try store.underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        let count = try keys.reduce(0) { try $0 + store.count(column, sealedBy: $1) }
        // A link's envelope is gone once it was sent.
        let mayBeNone = ["oneassist_link.sealed", "webhook_message.sealed"].contains(column.name)
        #expect(count > 0 || mayBeNone, "\(column.name)")
      }
    }
    for name in app.blobs.keys {
      let object = try #require(try await app.blobs.blobs.get(name))
      let key = try #require(Vault.subjectKeyID(of: object), "\(name)")
      #expect(keys.contains(key))
    }
  }

  @Test("everything sealed of a membership is sealed under its own key", arguments: Engine.available)
  func everything(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let one = try await Self.pending(app)
      let two = try await Self.pending(app, "A-2", "9876500000", imei: Self.otherIMEI)
      let keys = [try await Self.key(of: one, app), try await Self.key(of: two, app)].compactMap { $0?.id }
      #expect(Set(keys).count == 2 && !app.blobs.keys.isEmpty)
      try await Self.check(keys, sealEverythingOf: app)
      // At the desk they are found by their ids, of their own institution alone.
      let eraser = MembershipEraser(
        memberships: app.service.memberships, reviews: app.service.reviews, erasure: app.service.erasure)
      let found = try await app.database.read { tx in
        try [(one, "default"), (one, "other"), ("1", "default")].map { try eraser.person($0.0, of: $0.1, in: tx)?.id }
      }
      #expect(found == [one, nil, nil])
    }
  }

  @Test(
    "a link that waits for its message is sealed under its membership's key, and so is the answer that is repeated",
    arguments: Engine.available)
  func link(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      let id = Membership.ID(rawValue: try await phone.membership())
      let key = try #require(try await Self.key(of: id.rawValue, app))
      let write = app.clock.world.uuid()
      let first = try await phone.link(key: write)
      #expect(first.status == 200)
      let sealed = try await app.database.read { tx in
        [
          try tx.first("SELECT sealed FROM oneassist_link WHERE membership_id = \(id)")?.get("sealed", as: Data?.self),
          try tx.first("SELECT answer FROM idempotency WHERE answer IS NOT NULL")?.get("answer", as: Data?.self),
        ].map { ($0 ?? nil).flatMap { Vault.subjectKeyID(of: $0) } }
      }
      #expect(sealed == [key.id, key.id])
      try await app.settle()
      #expect(try await phone.link(key: write).json == first.json)
      #expect(try await app.database.read { try LinkStore($0).records(of: id) }.count == 1)
    }
  }

  @Test(
    "a copy with the key's row, the key ring and the epoch key opens nothing of an erased membership in the end",
    arguments: Engine.available)
  func copies(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let gone = try await Self.pending(app)
      let stays = try await Self.pending(app, "A-2", "9876500000", imei: Self.otherIMEI)
      let (vault, database) = (app.vault, app.database)
      // What a backup holds.
      let (content, screens, keys) = try await database.read { tx in
        (
          try tx.first("SELECT content FROM oneassist_membership WHERE id = \(gone)")?.get("content", as: Data.self)
            ?? Data(),
          try tx.query("SELECT id, sealed FROM oneassist_screen WHERE membership_id = \(gone)").map {
            (try $0.get("id", as: String.self), try $0.get("sealed", as: Data.self))
          },
          try SubjectKeyStore(tx).all(after: "", limit: 10)
        )
      }
      var photos: [String: Data] = [:]
      for name in app.blobs.keys { photos[name] = try await app.blobs.blobs.get(name) }
      let context = "oneassist_membership.content:\(gone)"
      #expect(try await vault.open(content, context: context, in: database).isEmpty == false)
      #expect(!screens.isEmpty)

      try await Self.erase(gone, app)
      let proof = try #require(try await Self.proof(of: gone, app))
      #expect(proof.keys.count == 1 && proof.objects == 2 && proof.reason == "ended")
      #expect(proof.values["oneassist_membership.content"] == 1 && proof.values["dev_message.sealed"] == 1)
      #expect(proof.values["oneassist_screen.sealed"] == screens.count)
      #expect(try await Self.left(proof, app) == .init())
      #expect(try await Self.proof(of: stays, app) == nil)

      func opens() async throws -> Int {
        var count = 0
        for (sealed, context) in screens.map({ ($0.1, "oneassist_screen.sealed:\($0.0)") }) + [(content, context)] {
          if (try? await vault.open(sealed, context: context, in: database)) != nil { count += 1 }
        }
        for (name, sealed) in photos {
          let context = Photo.context(.init(rawValue: name))
          if (try? await vault.open(sealed, context: context, in: database)) != nil { count += 1 }
        }
        return count
      }
      #expect(try await opens() == 2, "the photos of the other one")
      let epochs = try #require(SubjectKeyEpochs(database, vault: vault, world: app.clock.world))
      for period in [SubjectKeys.epochLength, SubjectKeys.epochKept] {
        app.clock.advance(by: period)
        try await epochs.run()
      }
      try await database.write { tx in for key in keys { try SubjectKeyStore(tx).insert(key) } }
      #expect(try await opens() == 2)
      #expect(try await !Self.left(proof, app).isReadable)
      let other = try await database.read { try MembershipStore($0, vault: vault).find(.init(rawValue: stays)) }
      #expect(other?.isErased == false)
    }
  }

  @Test("a membership whose copy was restored without the key is erased once more", arguments: Engine.available)
  func restored(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let id = try await Self.pending(app)
      _ = try await app.server(.post, "/partner/v1/memberships/\(id)/cancel")
      _ = try await app.database.write { [vault = app.vault] in try vault.destroySubjectKey(of: id, in: $0) }
      let eraser = MembershipEraser(
        memberships: app.service.memberships, reviews: app.service.reviews, erasure: app.service.erasure)
      let subject = DataSubject(id, of: "default", by: "test")
      #expect(try await app.review(.get, "memberships/\(id)").refusal == "404 not-found")
      #expect(try await eraser.erase(subject, for: .ended, despiteDuty: false) == ["Erased."])
      #expect(app.blobs.keys.isEmpty)
      let proof = try #require(try await Self.proof(of: id, app))
      #expect(proof.keys.isEmpty && proof.objects == 2)
      #expect(try await Self.left(proof, app) == .init())
      #expect(try await eraser.erase(subject, for: .ended, despiteDuty: false) == ["Erased before."])
      await #expect(throws: Problem.notFound) {
        _ = try await eraser.erase(DataSubject(id, of: "other", by: "test"), for: .ended, despiteDuty: false)
      }
      #expect(eraser.proofName(of: subject) == id)
    }
  }

  @Test("what was there before keys of persons is sealed again, and an erasure reaches it", arguments: Engine.available)
  func migration(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine, begun: false) { app in
      let id = try await Self.pending(app)
      #expect(try await Self.key(of: id, app) == nil)
      app.clock.advance(by: .milliseconds(1))
      let keys = try #require(app.vault.subjectKeys)
      try await keys.begin(in: app.database, at: app.clock.now)
      let reseal = SubjectReseal(
        app.service.core, columns: Self.columns, objects: [try #require(OneAssistModule.blobReferences)])
      #expect(try await reseal.run().values > 2)
      app.clock.advance(by: SubjectReseal.grace)
      #expect(try await reseal.run() == .init(objects: 2))
      let key = try #require(try await Self.key(of: id, app))
      try await Self.check([key.id], sealEverythingOf: app)
      try await Self.erase(id, app)
      #expect(try await Self.proof(of: id, app)?.keys.map(\.id) == [key.id])
    }
  }

  @Test("nothing that is written of an erased membership makes a new key", arguments: Engine.available)
  func late(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let id = try await Self.pending(app)
      try await Self.erase(id, app)
      try await app.database.write { [vault = app.vault, now = app.clock.now] tx in
        let store = MembershipStore(tx, vault: vault)
        let membership = try #require(try store.find(.init(rawValue: id)))
        #expect(membership.isErased)
        try store.save(membership, at: now)
      }
      #expect(try await Self.key(of: id, app) == nil)
    }
  }

  @Test(
    "no value of an erased member can be read in any table of a copy, with all keys of the installation at hand",
    arguments: Engine.available)
  func nothingReadable(engine: Engine) async throws {
    try await OneAssistTestApp.run(on: engine) { app in
      let gone = try await Self.pending(app)
      let texts = ["9876543210", "919123456780", OneAssistTestApp.imei]
      let copy = try await CopiedData.taken(of: app.database, engine)
      #expect(copy.places(of: texts) == [])
      #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets.union(CopiedData.answersOfOthers)) == [])
      try await Self.erase(gone, app)
      let left = try await app.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
      #expect(!copy.subjectKeys.isEmpty && copy.subjectKeys.isDisjoint(with: left))
      try await app.settle()
      let live = try await CopiedData.taken(of: app.database, engine)
      #expect(live.places(of: texts) == [] && live.subjectKeys.isDisjoint(with: left))
    }
  }
}
