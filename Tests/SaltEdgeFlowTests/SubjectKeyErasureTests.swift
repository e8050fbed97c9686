// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport
import Testing

@testable import Kit
@testable import SaltEdgeFlow

@Suite("Salt Edge: an erasure reaches copies that were made before")
struct SubjectKeyErasureTests {
  private static func key(of user: String, _ app: SaltEdgeTestApp) async throws -> SubjectKey? {
    let (core, bank) = (app.service.core, app.hosted.id)
    let subject = KeySubject(core.digest(user: user, of: bank))
    return try await app.database.read { try core.vault.subjectKey(of: subject, in: $0) }
  }

  /// What the bank repeats a call under.
  private static let callKey = "6e0c1c5a-5b0d-4c67-9e53-0c8e2f1b7a12"

  private static let webhooks = SealedColumn("webhook_message", "sealed", of: "key_subject")
  /// Those that proofs count.
  private static let columns = SaltEdgeModule.sealedColumns.filter(\.isCounted) + [webhooks]

  private static func counts(
    of user: String, sealedBy key: String, _ app: SaltEdgeTestApp
  ) async throws -> [String: (all: Int, sealed: Int)] {
    let digest = app.service.core.digest(user: user, of: app.hosted.id)
    return try await app.database.read { tx in
      let store = SealedColumnStore(tx)
      return try Self.columns.reduce(into: [:]) {
        $0[$1.name] = (try store.count($1, of: digest), try store.count($1, sealedBy: key))
      }
    }
  }

  @Test(
    "everything sealed of a customer is sealed under the customer's own key, and nothing under another's",
    arguments: Engine.available)
  func everything(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      for (user, key) in [("u-1", "one"), ("u-2", "two")] {
        _ = try await RightsTests.customer(app, user, key: key)
        _ = try await app.api(.post, "connect-links", #"{"user_id":"\#(user)"}"#)
      }
      let payment = ProviderAPITests.payment.replacing("order-1", with: "repeated")
      let opened = try await app.api(.post, "authorizations", payment, key: Self.callKey)
      #expect(opened.status == 201)
      let key = try #require(try await Self.key(of: "u-1", app))
      for (column, count) in try await Self.counts(of: "u-1", sealedBy: key.id, app) {
        #expect(count.all > 0 && count.sealed == count.all, "\(column)")
      }
      try await app.database.read { tx in
        for column in Self.columns {
          #expect(try SealedColumnStore(tx).underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        }
        let links = try tx.query("SELECT user_id FROM saltedge_link").map { try $0.get("user_id", as: Data.self) }
        #expect(links.count { Vault.subjectKeyID(of: $0) == key.id } == 1)
        #expect(links.allSatisfy { Vault.subjectKeyID(of: $0) != nil })
        let answers = try tx.query("SELECT answer FROM idempotency WHERE answer IS NOT NULL").map {
          try $0.get("answer", as: Data.self)
        }
        #expect(answers.map { Vault.subjectKeyID(of: $0) } == [key.id])
      }
      // The bank's repetition is answered while the customer is there, and not any more afterwards.
      let again = try await app.api(.post, "authorizations", payment, key: Self.callKey)
      #expect(again.status == 201 && again.body == opened.body)
      _ = try await UserErasure(app.service.core).forget(
        "u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      #expect(try await app.api(.post, "authorizations", payment, key: Self.callKey).refusal == "404 not-found")
    }
  }

  @Test(
    "a copy with the key's row, the key ring and the epoch key opens nothing of an erased customer in the end",
    arguments: Engine.available)
  func copies(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      _ = try await RightsTests.customer(app, "u-1", key: "one")
      let stays = try await RightsTests.customer(app, "u-2", key: "two")
      let (core, database) = (app.service.core, app.database)
      let gone = core.digest(user: "u-1", of: app.hosted.id)
      // What a backup holds.
      let (id, content, keys) = try await database.read { tx in
        let row = try #require(
          try tx.first("SELECT id, content FROM saltedge_operation WHERE user_digest = \(gone) ORDER BY id"))
        return (
          try row.get("id", as: String.self), try row.get("content", as: Data.self),
          try SubjectKeyStore(tx).wrapped(in: 0..<10, limit: 10)
        )
      }
      let context = "saltedge_operation.content:\(id)"
      #expect(try await !core.vault.open(content, context: context, in: database).isEmpty)

      let erasure = UserErasure(core)
      _ = try await erasure.forget("u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      await #expect(throws: VaultError.erased) {
        try await core.vault.open(content, context: context, in: database)
      }

      let epochs = try #require(SubjectKeyEpochs(database, vault: core.vault, world: app.clock.world))
      app.clock.advance(by: SubjectKeys.epochLength)
      try await epochs.run()
      app.clock.advance(by: SubjectKeys.epochKept)
      try await epochs.run()
      try await database.write { tx in for key in keys { try SubjectKeyStore(tx).insert(key) } }
      await #expect(throws: VaultError.erased) {
        try await core.vault.open(content, context: context, in: database)
      }
      #expect(try await stays.get("consents").status == 200, "the other one's device is opened still")
    }
  }

  @Test("the signed proof names the key and counts what it sealed; a repetition keeps it", arguments: Engine.available)
  func proof(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      _ = try await RightsTests.customer(app, "u-1", key: "one")
      let (core, erasure) = (app.service.core, UserErasure(app.service.core))
      let key = try #require(try await Self.key(of: "u-1", app))
      let counts = try await Self.counts(of: "u-1", sealedBy: key.id, app)
      let name = erasure.proofName(of: DataSubject("u-1", of: "hosted", by: "operator"))
      _ = try await erasure.forget("u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      let document = try #require(try await app.database.read { try erasure.erasures.proof(of: name, in: $0) })
      let proof = try ErasureProof(document, by: core.vault)
      #expect(proof.keys.map(\.id) == [key.id])
      #expect(proof.values == counts.mapValues(\.all))
      let check = ErasureCheck(app.database, vault: core.vault, blobs: nil, columns: Self.columns)
      #expect(try await check.run(proof) == .init())

      _ = try await erasure.forget("u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      #expect(try await app.database.read { try erasure.erasures.proof(of: name, in: $0) } == document)
      let other = erasure.proofName(of: DataSubject("u-1", of: "remote", by: "operator"))
      #expect(try await app.database.read { try erasure.erasures.proof(of: other, in: $0) } == nil)
    }
  }

  @Test(
    "rows of a customer whose key is gone read as emptied, prove nothing, and are erased once more",
    arguments: Engine.available)
  func restored(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      let device = try await RightsTests.customer(app, "u-1", key: "one")
      let (core, database, vault) = (app.service.core, app.database, app.service.core.vault)
      let digest = core.digest(user: "u-1", of: app.hosted.id)
      _ = try await database.write { try vault.destroySubjectKey(of: digest, in: $0) }
      let id = SaltEdgeConnection.ID(rawValue: device.connection)
      let (connection, operations, consents) = try await database.read { tx in
        (
          try ConnectionStore(tx, vault: vault).find(id),
          try OperationStore(tx, vault: vault).all(user: digest, limit: 10),
          try ConsentStore(tx, vault: vault).all(on: id, limit: 10)
        )
      }
      #expect(connection?.secrets == .erased && connection?.state == .revoked)
      #expect(operations.count == 2 && operations.allSatisfy { $0.content == .erased && $0.evidence == nil })
      #expect(consents.count == 1 && consents.allSatisfy { $0.payload == .erased })
      #expect(try await device.get("consents").status != 200, "a device of an erased customer proves nothing")
      // Written again, they make no new key.
      try await database.write { tx in
        try ConnectionStore(tx, vault: vault).save(#require(connection), at: core.world.now())
        for operation in operations { try OperationStore(tx, vault: vault).save(operation) }
        #expect(try !vault.hasSubjectKey(of: digest, in: tx))
      }
      let erased = try await UserErasure(core).forget("u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      #expect(erased == .init(connections: 1, operations: 2))
    }
  }

  @Test(
    "no value of an erased customer can be read in any table of a copy, with all keys of the installation at hand",
    arguments: Engine.available)
  func nothingReadable(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      _ = try await RightsTests.customer(app, "customer-77", key: "one")
      let copy = try await CopiedData.taken(of: app.database, engine)
      #expect(copy.places(of: ["customer-77"]).subtracting(Self.references) == [])
      #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets) == [])
      _ = try await UserErasure(app.service.core).forget(
        "customer-77", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      let left = try await app.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
      #expect(!copy.subjectKeys.isEmpty && copy.subjectKeys.isDisjoint(with: left))
      let live = try await CopiedData.taken(of: app.database, engine)
      #expect(live.places(of: ["customer-77"]) == [] && live.subjectKeys.isDisjoint(with: left))
    }
  }

  /// The bank's own names of what it asked for: this story puts the customer's name into them.
  private static let references: Set<String> = [
    "saltedge_action.reference", "saltedge_authorization.reference", "saltedge_consent.reference",
    "saltedge_operation.reference",
  ]

  @Test("a customer who comes back gets another key", arguments: Engine.available)
  func back(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder()) { app in
      _ = try await RightsTests.customer(app, "u-1", key: "one")
      let first = try await Self.key(of: "u-1", app)?.id
      _ = try await UserErasure(app.service.core).forget(
        "u-1", ofBank: "hosted", for: RightsTests.reason, by: "operator")
      #expect(try await Self.key(of: "u-1", app) == nil)
      let device = try await DeviceV2.hosted(app, user: "u-1", key: "two")
      #expect(try await device.get("consents").status == 200)
      let second = try #require(try await Self.key(of: "u-1", app)?.id)
      #expect(second != first)
    }
  }

  @Test("what data keys sealed before is sealed again under the customers' keys", arguments: Engine.available)
  func before(engine: Engine) async throws {
    try await SaltEdgeTestApp.run(engine, keysOfPersons: TestFolder(), begun: false) { app in
      let device = try await RightsTests.customer(app, "u-1", key: "one")
      let (core, database, vault) = (app.service.core, app.database, app.service.core.vault)
      let reseal = SubjectReseal(core, columns: SaltEdgeModule.sealedColumns, objects: [])
      #expect(try await reseal.run() == .init())
      // As the release before wrote them: by the chain of the operation.
      try await database.write { _ = try $0.execute("UPDATE webhook_message SET key_subject = subject_id") }
      #expect(try await vault.subjectKeys?.begin(in: database, at: app.clock.now) == true)
      #expect(try await device.get("consents").status == 200)
      let report = try await reseal.run()
      let digest = core.digest(user: "u-1", of: app.hosted.id)
      let counts = try await database.read { tx in
        let store = SealedColumnStore(tx)
        let key = try #require(try vault.subjectKey(of: KeySubject(digest), in: tx))
        #expect(try store.count(Self.webhooks, sealedBy: key.id) == 1)
        return try SaltEdgeModule.sealedColumns.filter(\.isCounted).map {
          (try store.count($0, of: digest), try store.count($0, sealedBy: key.id))
        }
      }
      #expect(counts.allSatisfy { $0.0 > 0 && $0.0 == $0.1 })
      #expect(report.values == counts.reduce(1) { $0 + $1.0 })
      let connection = try await database.read {
        try ConnectionStore($0, vault: vault).find(.init(rawValue: device.connection))
      }
      #expect(connection?.secrets.user == "u-1")
    }
  }
}
