// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: keys that change")
struct VaultRotationTests {
  @Test("a new data key seals only once every node had time to read it", arguments: Engine.available)
  func activation(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let old = try app.vault.seal(Data("x".utf8), context: "c")
    try await app.vault.rotate(in: app.database)
    app.clock.advance(by: Vault.activationDelay - .milliseconds(1))
    #expect(try keyID(app.vault.seal(Data(), context: "c")) == keyID(old))
    app.clock.advance(by: .milliseconds(1))
    let new = try app.vault.seal(Data("y".utf8), context: "c")
    #expect(keyID(new) != keyID(old))
    #expect(try app.vault.open(old, context: "c") == Data("x".utf8))
    #expect(try app.vault.open(new, context: "c") == Data("y".utf8))
  }

  @Test("a clock that was set back behind the first key leaves it to that key to seal", arguments: Engine.available)
  func setBack(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let old = try app.vault.seal(Data("x".utf8), context: "c")
    try await app.vault.rotate(in: app.database)
    app.clock.advance(by: .zero - .hours(1))
    let sealed = try app.vault.seal(Data("y".utf8), context: "c")
    #expect(keyID(sealed) == keyID(old))
    let other = try await Vault.open(app.database, keyring: app.keyring, world: app.clock.world)
    #expect(try other.open(sealed, context: "c") == Data("y".utf8))
    #expect(try await other.opensAll(in: app.database))
  }

  @Test("another process opens what the new key sealed, once it has read the keys again", arguments: Engine.available)
  func otherProcess(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let other = try await Vault.open(app.database, keyring: app.keyring, world: app.clock.world)
    try await app.vault.rotate(in: app.database)
    app.clock.advance(by: Vault.activationDelay)
    let sealed = try app.vault.seal(Data("x".utf8), context: "c")
    #expect(throws: VaultError.noKey) { try other.open(sealed, context: "c") }
    try await other.refresh(from: app.database)
    #expect(try other.open(sealed, context: "c") == Data("x".utf8))
  }

  @Test("processes that start at once on an empty database share one pair of keys", arguments: Engine.available)
  func racingStart(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [DataKeyStore.migration])
    let world = TestWorld().world
    let keyring = Keyring(world: world)
    let vaults = try await withThrowingTaskGroup(of: Vault.self) { group in
      for _ in 0..<8 { group.addTask { try await Vault.open(made.database, keyring: keyring, world: world) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let sealed = try vaults[0].seal(Data("x".utf8), context: "c")
    for vault in vaults {
      #expect(try vault.open(sealed, context: "c") == Data("x".utf8))
      #expect(vault.digest("v", for: "p") == vaults[0].digest("v", for: "p"))
    }
  }

  @Test("after a rewrap the ring's older key is needed no more", arguments: Engine.available)
  func rewrap(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = try app.vault.seal(Data("x".utf8), context: "c")
    let digest = app.vault.digest("v", for: "p")
    var ring = app.keyring
    let prepared = ring.prepare(world: app.clock.world)
    #expect(ring.prepare(world: app.clock.world) == prepared)
    #expect(try await Vault.rewrap(app.database, keyring: ring, world: app.clock.world) == 0)
    let turns = [ring.turnOver(), ring.turnOver()]
    #expect(turns == [true, false] && ring.current == prepared)
    let progress = WorkProgress()
    #expect(try await Vault.rewrap(app.database, keyring: ring, world: app.clock.world, progress: progress) == 2)
    #expect(progress.part == WorkProgress.Part(name: "keys", done: 2, all: 2))
    #expect(try await Vault.rewrap(app.database, keyring: ring, world: app.clock.world) == 0)

    let onlyNew = try without(app.keyring.current, ring)
    let vault = try await Vault.open(app.database, keyring: onlyNew, world: app.clock.world)
    #expect(try vault.open(sealed, context: "c") == Data("x".utf8))
    #expect(vault.digest("v", for: "p") == digest)
  }

  @Test("a rotated ring still opens before anything was wrapped anew", arguments: Engine.available)
  func rotatedRing(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = try app.vault.seal(Data("x".utf8), context: "c")
    var ring = app.keyring
    ring.prepare(world: app.clock.world)
    _ = ring.turnOver()
    #expect(ring.current != app.keyring.current)
    let vault = try await Vault.open(app.database, keyring: ring, world: app.clock.world)
    #expect(try vault.open(sealed, context: "c") == Data("x".utf8))
  }

  @Test(
    "a node that runs with the older ring goes on, and starts again once it has the prepared one",
    arguments: Engine.available)
  func otherNode(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let (old, world) = (app.keyring, app.clock.world)
    let sealed = try app.vault.seal(Data("x".utf8), context: "c")
    let node = try await Vault.open(app.database, keyring: old, world: world)
    var ring = old
    ring.prepare(world: world)
    let copied = ring
    _ = ring.turnOver()
    _ = try await Vault.rewrap(app.database, keyring: ring, world: world)
    try await node.refresh(from: app.database)
    #expect(try node.open(sealed, context: "c") == Data("x".utf8))

    // A key that only the new ring unwraps is named, and keeps no other away.
    let first = try await Vault.open(app.database, keyring: ring, world: world)
    try await first.rotate(in: app.database)
    app.clock.advance(by: Vault.activationDelay)
    let later = try first.seal(Data("y".utf8), context: "c")
    await #expect(throws: KeyringError.unknownKey(ring.current)) { try await node.refresh(from: app.database) }
    #expect(try node.open(node.seal(Data("z".utf8), context: "c"), context: "c") == Data("z".utf8))
    // Which is what tells that it is not ready.
    let ready = (try await node.opensAll(in: app.database), try await first.opensAll(in: app.database))
    #expect(ready == (false, true))
    await #expect(throws: KeyringError.unknownKey(ring.current)) {
      try await Vault.open(app.database, keyring: old, world: world)
    }
    let restarted = try await Vault.open(app.database, keyring: copied, world: world)
    #expect(try restarted.open(sealed, context: "c") == Data("x".utf8))
    #expect(try restarted.open(later, context: "c") == Data("y".utf8))
  }

  @Test("a database sealed under a key that the ring lacks is refused by that key's name", arguments: Engine.available)
  func unknownKey(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let foreign = Keyring(world: TestWorld(seed: 99).world)
    await #expect(throws: KeyringError.unknownKey(app.keyring.current)) {
      try await Vault.open(app.database, keyring: foreign, world: app.clock.world)
    }
  }

  @Test("a wrapped key that was moved to another key's row does not unwrap", arguments: Engine.available)
  func movedKey(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    try await app.database.write { tx in
      let keys = try DataKeyStore(tx).all()
      try tx.execute("UPDATE data_key SET wrapped = \(keys[0].wrapped) WHERE id = \(keys[1].id)")
    }
    await #expect(throws: (any Error).self) {
      try await Vault.open(app.database, keyring: app.keyring, world: app.clock.world)
    }
  }

  private func keyID(_ sealed: Data) -> String { String(decoding: sealed[1..<37], as: UTF8.self) }

  private func without(_ id: String, _ ring: Keyring) throws -> Keyring {
    struct Members: Codable {
      let current: String
      var keys: [String: Data]
    }
    var members = try JSONDecoder().decode(Members.self, from: try JSONEncoder().encode(ring))
    members.keys[id] = nil
    return try JSONDecoder().decode(Keyring.self, from: try JSONEncoder().encode(members))
  }
}
