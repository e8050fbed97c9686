// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: an old copy opens with the keys of persons of a newer one")
struct SubjectKeyTransferTests {
  private static let (ann, bob) = (SubjectKeyTests.ann, SubjectKeyTests.bob)

  /// A copy of the installation's keys, as a backup holds them.
  private struct Copy {
    let made: TestDatabase
    let vault: Vault

    init(of app: SubjectKeyTestApp, _ engine: Engine) async throws {
      made = try await TestDatabase.make(engine, [DataKeyStore.migration, SubjectKeyStore.migration])
      let (data, epochs, keys) = try await app.database.read { tx in
        (
          try DataKeyStore(tx).all(), try SubjectKeyStore(tx).epochs(),
          try SubjectKeyStore(tx).all(after: "", limit: 99)
        )
      }
      try await made.database.write { tx in
        for key in data { try DataKeyStore(tx).insert(key) }
        for epoch in epochs { try SubjectKeyStore(tx).begin(epoch) }
        for key in keys { try SubjectKeyStore(tx).insert(key) }
      }
      vault = try await Vault.open(made.database, keyring: app.keyring, world: app.clock.world)
    }
  }

  @Test(
    "also when its epochs are destroyed and data keys were made since; a person who was erased since stays closed",
    arguments: Engine.available)
  func transfer(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let (ann, bob) = try await (app.seal(Data("a".utf8), Self.ann), app.seal(Data("b".utf8), Self.bob))
    let old = try await Copy(of: app, engine)

    _ = try await app.erase("ann")
    try await app.vault.rotate(in: app.database)
    for _ in 1...6 {
      app.clock.advance(by: SubjectKeys.epochLength)
      try await app.epochs.run()
    }
    let newer = try await Copy(of: app, engine)
    let opened = try await SubjectKeys.open(old.made.database, file: app.file, world: app.clock.world)
    let restored = try await Vault.open(
      old.made.database, keyring: app.keyring, subjectKeys: opened, world: app.clock.world)
    for value in [ann, bob] {
      await #expect(throws: VaultError.erased) {
        try await restored.open(value, context: "t.c:1", in: old.made.database)
      }
    }
    let transfer = SubjectKeyTransfer(
      from: newer.made.database, by: newer.vault, to: old.made.database, by: old.vault)
    #expect(try await transfer.run() == .init(taken: 1, erased: 1))
    #expect(try await transfer.run() == .init(taken: 1, erased: 0))
    #expect(try await restored.open(bob, context: "t.c:1", in: old.made.database) == Data("b".utf8))
    await #expect(throws: VaultError.erased) {
      try await restored.open(ann, context: "t.c:1", in: old.made.database)
    }
    // And it goes on from there as any installation does.
    let epochs = try #require(SubjectKeyEpochs(old.made.database, vault: restored, world: app.clock.world))
    app.clock.advance(by: SubjectKeys.epochLength)
    #expect(try await epochs.run().rewrapped == 1)
    #expect(try await restored.open(bob, context: "t.c:1", in: old.made.database) == Data("b".utf8))
  }

  @Test("not with those of another installation", arguments: Engine.available)
  func foreign(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let bob = try await app.seal(Data("b".utf8), Self.bob)
    let stranger = try await TestDatabase.make(engine, [DataKeyStore.migration, SubjectKeyStore.migration])
    let vault = try await Vault.open(
      stranger.database, keyring: Keyring(world: TestWorld(seed: 9).world), world: TestWorld(seed: 9).world)
    let transfer = SubjectKeyTransfer(from: stranger.database, by: vault, to: app.database, by: app.vault)
    #expect(try await transfer.run() == nil)
    #expect(try await app.open(bob) == Data("b".utf8))
  }
}
