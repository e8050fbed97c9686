// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Storage
import TestSupport
import Testing

@testable import Kit
@testable import WultraFlow

@Suite("Wultra: an erasure reaches copies that were made before")
struct SubjectKeyErasureTests {
  private static let name = DataSubject("user-1", of: "acme", by: "operator").proofName(in: "wultra")

  /// A verified user.
  private func verified(_ app: WultraTestApp, _ number: String) async throws -> Person {
    let person = try await app.activated(number)
    try await person.documentsAccepted()
    try await person.checkPresence()
    #expect(try await person.verify(app.lastCode()).verified)
    return person
  }

  private func key(of process: String, _ app: WultraTestApp) async throws -> SubjectKey? {
    try await app.database.read { [vault = app.vault] in try vault.subjectKey(of: KeySubject(process), in: $0) }
  }

  private func erase(_ user: String, _ app: WultraTestApp) async throws -> UserErasure.Outcome {
    try await app.erasure.erase(user, tenant: "acme", for: .ended, by: .init("operator"))
  }

  private func proof(_ app: WultraTestApp) async throws -> ErasureProof? {
    try await app.database.read { [vault = app.vault, erasures = app.erasures] tx in
      try erasures.proof(of: Self.name, in: tx).map { try ErasureProof($0, by: vault) }
    }
  }

  private func left(_ proof: ErasureProof, _ app: WultraTestApp) async throws -> ErasureCheck.Report {
    try await ErasureCheck(
      app.database, vault: app.vault, blobs: app.core.blobs, columns: WultraTestApp.sealedColumns
    ).run(proof)
  }

  /// Everything that is sealed of processes is sealed under their own keys.
  private func check(_ keys: [String], sealEverythingOf app: WultraTestApp) async throws {
    try await app.database.read { tx in
      let store = SealedColumnStore(tx)
      for column in WultraModule.sealedColumns {
        #expect(try store.underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        let count = try keys.reduce(0) { try $0 + store.count(column, sealedBy: $1) }
        // No person had to decide here.
        #expect(count > 0 || column.name.hasPrefix("wultra_review."), "\(column.name)")
      }
    }
    for name in app.blobs.keys {
      let object = try #require(try await app.core.blobs.get(name))
      let key = try #require(Vault.subjectKeyID(of: object), "\(name)")
      #expect(keys.contains(key))
    }
  }

  @Test("everything sealed of a process is sealed under its own key", arguments: Engine.available)
  func everything(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let (one, two) = (try await verified(app, "1"), try await verified(app, "2"))
    let keys = [try await key(of: one.process, app), try await key(of: two.process, app)].compactMap { $0?.id }
    #expect(Set(keys).count == 2 && !app.blobs.keys.isEmpty)
    try await check(keys, sealEverythingOf: app)
  }

  @Test(
    "a copy with the keys' rows, the key ring and the epoch key opens nothing of an erased user in the end",
    arguments: Engine.available)
  func copies(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let (done, other) = (try await verified(app, "1"), try await verified(app, "2"))
    let running = try await app.activated("1")
    try await running.begin()
    try await running.submit([(.idCard, .front, FakePicture.good)])
    let (vault, database) = (app.vault, app.database)
    // What a backup holds.
    let (person, readings, keys) = try await database.read { tx in
      (
        try tx.first("SELECT person FROM wultra_process WHERE id = \(done.process)")?.get("person", as: Data.self)
          ?? Data(),
        try tx.query(
          """
          SELECT d.id, d.reading FROM wultra_document d JOIN wultra_verification v ON v.id = d.verification_id
          WHERE v.process_id IN (\(done.process), \(running.process)) AND d.reading IS NOT NULL
          """
        ).map { (try $0.get("id", as: String.self), try $0.get("reading", as: Data.self)) },
        try SubjectKeyStore(tx).all(after: "", limit: 10)
      )
    }
    var pictures: [String: Data] = [:]
    for name in app.blobs.keys { pictures[name] = try await app.core.blobs.get(name) }
    let context = "wultra_process.person:\(done.process)"
    #expect(try await vault.open(person, context: context, in: database).isEmpty == false)
    #expect(readings.count > 3)

    #expect(try await erase("user-1", app).processes == 2)
    let proof = try #require(try await proof(app))
    #expect(Set(proof.keys.map(\.id)).count == 3, "of two processes, and of the user's activations")
    #expect(proof.parts.map(\.tenant) == ["powerauth/acme", "wultra/acme", "wultra/acme"])
    #expect(proof.values["activation.sealed_details"] == 2)
    #expect(proof.values["wultra_process.person"] == 2 && proof.values["wultra_document.reading"] == readings.count)
    #expect(proof.objects > 0)
    try await app.settle()
    #expect(try await left(proof, app) == .init(), "rows and pictures are gone as well")
    #expect(try await erase("user-1", app) == .init())
    #expect(try await self.proof(app) == proof, "the same again changes nothing")

    func opens() async throws -> Int {
      var count = 0
      for (sealed, context) in readings.map({ ($0.1, "wultra_document.reading:\($0.0)") }) + [(person, context)] {
        if (try? await vault.open(sealed, context: context, in: database)) != nil { count += 1 }
      }
      for (name, sealed) in pictures {
        for context in [SubmittedDocument.context(name), CaptureStore.context(name)] {
          if (try? await vault.open(sealed, context: context, in: database)) != nil { count += 1 }
        }
      }
      return count
    }
    let others = app.blobs.keys.count
    #expect(try await opens() == others, "only what is the other one's")
    // The copy's keys open until the epoch of the erasure is destroyed, and never after.
    let epochs = try #require(SubjectKeyEpochs(database, vault: vault, world: app.clock.world))
    for period in [SubjectKeys.epochLength, SubjectKeys.epochKept] {
      app.clock.advance(by: period)
      try await epochs.run()
    }
    try await database.write { tx in for key in keys { try SubjectKeyStore(tx).insert(key) } }
    #expect(try await opens() == others)
    #expect(try await !left(proof, app).isReadable)
    #expect(try await app.process(other.process).person.user == "user-2")
  }

  @Test(
    "no value of an erased user can be read in any table of a copy, with all keys of the installation at hand",
    arguments: Engine.available)
  func nothingReadable(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await verified(app, "1")
    try await app.database.write { [activations = app.dossiers.activations] tx in
      _ = try activations.setFlags(["GOOD"], of: person.activation, by: .init("operator"), in: tx)
    }
    let texts = ["user-1", "VZOR", "Jana Vzorová"]
    let copy = try await CopiedData.taken(of: app.database, engine)
    #expect(copy.places(of: texts) == [])
    #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets) == [])
    #expect(try await erase("user-1", app).activations == 1)
    let left = try await app.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
    #expect(!copy.subjectKeys.isEmpty && copy.subjectKeys.isDisjoint(with: left))
    try await app.settle()
    let live = try await CopiedData.taken(of: app.database, engine)
    #expect(live.places(of: texts) == [] && live.subjectKeys.isDisjoint(with: left))
  }

  @Test("an activation of a user whose key is gone is found no more, and is erased", arguments: Engine.available)
  func restoredActivation(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await verified(app, "1")
    let activations = app.dossiers.activations
    let subject = activations.keySubject(of: "user-1", tenant: "acme")
    #expect(try await activations.list(user: "user-1", tenant: "acme").count == 1)
    let key = try await app.database.write { [vault = app.vault] in
      try vault.destroySubjectKey(of: subject.id, in: $0)
    }
    #expect(key?.tenant == "powerauth/acme")
    #expect(try await activations.list(user: "user-1", tenant: "acme").isEmpty)
    await #expect(throws: Problem.self) { try await activations.find(person.activation) }
    #expect(try await erase("user-1", app) == .init(processes: 1, activations: 1))
    #expect(try await erase("user-1", app) == .init())
  }

  @Test("activations that data keys sealed before are sealed again", arguments: Engine.available)
  func activationsBefore(engine: Engine) async throws {
    let app = try await WultraTestApp(engine, begun: false)
    let person = try await verified(app, "1")
    app.clock.advance(by: .milliseconds(1))
    try await app.vault.subjectKeys?.begin(in: app.database, at: app.clock.now)
    let reseal = SubjectReseal(app.core, columns: Activations.sealedColumns, objects: [])
    #expect(try await reseal.run().values > 0)
    #expect(try await reseal.run() == .init())
    #expect(try await app.dossiers.activations.find(person.activation).user == "user-1")
    let key = try await app.database.read { [vault = app.vault, activations = app.dossiers.activations] tx in
      try vault.subjectKey(of: activations.keySubject(of: "user-1", tenant: "acme"), in: tx)
    }
    let sealed = try await app.database.read { tx in
      try #require(try tx.first("SELECT sealed_details FROM activation")).get("sealed_details", as: Data.self)
    }
    #expect(key != nil && Vault.subjectKeyID(of: sealed) == key?.id)
  }

  @Test("the digest of a user outlives the key in a row that is written again", arguments: Engine.available)
  func digestStays(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await app.activated("1")
    _ = try await app.database.write { [vault = app.vault] in try vault.destroySubjectKey(of: person.process, in: $0) }
    try await app.database.write { [core = app.dossiers.core] tx in
      let store = ProcessStore(tx, vault: core.vault)
      let process = try #require(try store.find(.init(rawValue: person.process)))
      #expect(process.person == .unknown)
      _ = try store.update(process, at: core.world.now())
      #expect(try store.ids(ofUser: "user-1", tenant: "acme", limit: 10) == [process.id])
    }
  }

  @Test("a reading whose key is gone is left out of what is exported", arguments: Engine.available)
  func exportedWithoutKey(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await verified(app, "1")
    _ = try await app.database.write { [vault = app.vault] in try vault.destroySubjectKey(of: person.process, in: $0) }
    let exporter = UserExporter(dossiers: app.dossiers)
    var export = try await exporter.export("user-1", tenant: "acme", by: .init("operator"))
    #expect(!export.documents.isEmpty)
    #expect(export.documents.allSatisfy { $0.reading == nil && $0.providerReading == nil && $0.filename == nil })
    try await exporter.addPictures(to: &export) { _, _ in Issue.record("No picture opens without its key.") }
    #expect(export.documents.flatMap(\.files).isEmpty)
  }

  @Test("whose copy was restored without the key is erased once more", arguments: Engine.available)
  func restored(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await verified(app, "1")
    _ = try await app.database.write { [vault = app.vault] in try vault.destroySubjectKey(of: person.process, in: $0) }
    #expect(try await app.process(person.process).person == .unknown)
    #expect(try await erase("user-1", app).processes == 1)
    try await app.settle()
    #expect(app.blobs.keys.isEmpty)
    #expect(try await erase("user-1", app) == .init())
    let proof = try #require(try await proof(app))
    #expect(proof.keys.map(\.tenant) == ["powerauth/acme"] && proof.objects > 0)
    #expect(try await left(proof, app) == .init())
  }

  @Test("with the time for which a person is remembered the key ends too", arguments: Engine.available)
  func retention(engine: Engine) async throws {
    let app = try await WultraTestApp(engine)
    let person = try await verified(app, "1")
    #expect(try await key(of: person.process, app) != nil)
    app.clock.advance(by: .days(31))
    try await app.settle()
    try await app.erasure.sweepEnded()
    #expect(try await key(of: person.process, app) == nil)
    #expect(try await app.process(person.process).person == .unknown)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    // Nothing that is written of it later makes a new one.
    try await app.database.write { [dossiers = app.dossiers] tx in
      let process = try ProcessStore(tx, vault: dossiers.core.vault).find(.init(rawValue: person.process))
      var dossier = try dossiers.dossier(#require(process), in: tx)
      try dossiers.hold(&dossier, in: tx)
    }
    #expect(try await key(of: person.process, app) == nil)
  }

  @Test("what was there before keys of persons is sealed again, and an erasure reaches it", arguments: Engine.available)
  func migration(engine: Engine) async throws {
    let app = try await WultraTestApp(engine, begun: false)
    let person = try await verified(app, "1")
    #expect(try await key(of: person.process, app) == nil)
    app.clock.advance(by: .milliseconds(1))
    let keys = try #require(app.vault.subjectKeys)
    try await keys.begin(in: app.database, at: app.clock.now)
    let reseal = SubjectReseal(
      app.core, columns: WultraModule.sealedColumns, objects: [try #require(WultraModule.blobReferences)])
    #expect(try await reseal.run().values > 0)
    app.clock.advance(by: SubjectReseal.grace)
    let objects = app.blobs.keys.count
    #expect(try await reseal.run() == .init(objects: objects))
    let key = try #require(try await key(of: person.process, app))
    try await check([key.id], sealEverythingOf: app)
    #expect(try await app.process(person.process).person.user == "user-1")
    let (vault, database) = (app.vault, app.database)
    for name in app.blobs.keys {
      let object = try #require(try await app.core.blobs.get(name))
      let document = try? await vault.open(object, context: SubmittedDocument.context(name), in: database)
      let capture = try? await vault.open(object, context: CaptureStore.context(name), in: database)
      #expect((document == nil) != (capture == nil))
    }
    #expect(try await erase("user-1", app).processes == 1)
    let proof = try #require(try await proof(app))
    #expect(proof.keys.map(\.id) == [key.id])
  }
}
