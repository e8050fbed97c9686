// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the vault")
struct VaultTests {
  @Test("what was sealed opens, of every length, and no two seals are alike", arguments: Engine.available)
  func roundTrip(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    for length in [0, 1, 15, 16, 17, 1000, 100_000] {
      let plain = Data(repeating: 7, count: length)
      let one = try app.vault.seal(plain, context: "t.c:1")
      let two = try app.vault.seal(plain, context: "t.c:1")
      #expect(one != two)
      #expect(try app.vault.open(one, context: "t.c:1") == plain)
      #expect(try app.vault.open(two, context: "t.c:1") == plain)
    }
  }

  @Test("a sealed value opens also as a slice of something longer", arguments: Engine.available)
  func slice(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = Data([9, 9, 9]) + (try app.vault.seal(Data("x".utf8), context: "c"))
    #expect(try app.vault.open(sealed.dropFirst(3), context: "c") == Data("x".utf8))
  }

  @Test("the sealed form is version, key id, nonce, ciphertext, tag", arguments: Engine.available)
  func form(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = try app.vault.seal(Data("four".utf8), context: "c")
    #expect(sealed.count == 69)  // 1 + 36 + 12 + 4 + 16
    #expect(sealed.first == 1)
    #expect(UUID(uuidString: String(decoding: sealed[1..<37], as: UTF8.self)) != nil)
  }

  @Test("a value moved to another column or person does not open", arguments: Engine.available)
  func context(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = try app.vault.seal(Data("x".utf8), context: "person.name:1")
    for context in ["person.name:2", "person.email:1", "person.name:1 ", ""] {
      #expect(throws: VaultError.changed) { try app.vault.open(sealed, context: context) }
    }
  }

  @Test("a change of any byte, or a cut at any place, is noticed", arguments: Engine.available)
  func tampered(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let sealed = try app.vault.seal(Data("secret".utf8), context: "c")
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: (any Error).self) { try app.vault.open(changed, context: "c") }
      #expect(throws: (any Error).self) { try app.vault.open(sealed.prefix(index), context: "c") }
    }
    #expect(throws: (any Error).self) { try app.vault.open(sealed + [0], context: "c") }
  }

  @Test("foreign bytes are refused as not sealed")
  func foreign() async throws {
    let app = try await VaultTestApp(.sqlite)
    #expect(throws: VaultError.notSealed) { try app.vault.open(Data(), context: "c") }
    #expect(throws: VaultError.notSealed) { try app.vault.open(Data("plain".utf8), context: "c") }
    #expect(throws: VaultError.notSealed) { try app.vault.open(Data(repeating: 2, count: 100), context: "c") }
    #expect(throws: VaultError.noKey) { try app.vault.open(Data(repeating: 1, count: 100), context: "c") }
  }

  private struct Person: Codable, Equatable {
    let name: String
    let born: Int
  }

  @Test("a value is sealed as a whole and comes back as itself", arguments: Engine.available)
  func value(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let person = Person(name: "Zoë", born: 1990)
    let sealed = try app.vault.seal(person, as: "person:1")
    #expect(try app.vault.open(sealed, as: Person.self, context: "person:1") == person)
  }

  @Test("neither the plain text nor a key is found on disk", arguments: Engine.available)
  func onDisk(engine: Engine) async throws {
    let app = try await VaultTestApp(engine)
    let plain = Data("Ludmila Nováková, born 1990".utf8)
    let sealed = try app.vault.seal(plain, context: "c")
    try await app.database.migrate([
      DataKeyStore.migration, SubjectKeyStore.migration, Migration("2027-01-01 note", "CREATE TABLE note (v BLOB)"),
    ])
    try await app.database.write { _ = try $0.execute("INSERT INTO note (v) VALUES (\(sealed))") }
    let keys = try await app.database.read { try DataKeyStore($0).all() }
    let bytes = try await app.made.bytesOnDisk()
    #expect(bytes.range(of: sealed) != nil)
    #expect(bytes.range(of: plain) == nil)
    for key in keys {
      let clear = try key.unwrapped(by: app.keyring).withUnsafeBytes { Data($0) }
      #expect(bytes.range(of: clear) == nil)
    }
  }

  @Test(
    "a digest is the same each time, and another for each value, purpose and installation", arguments: Engine.available)
  func digest(engine: Engine) async throws {
    let (one, two) = (try await VaultTestApp(engine, seed: 1), try await VaultTestApp(engine, seed: 2))
    let digest = one.vault.digest("ann@example.org", for: "email")
    #expect(digest == one.vault.digest("ann@example.org", for: "email"))
    #expect(digest.utf8.count == 64 && digest == one.vault.digest(Data("ann@example.org".utf8), for: "email"))
    let others = [
      one.vault.digest("bob@example.org", for: "email"), one.vault.digest("ann@example.org", for: "phone"),
      one.vault.digest("", for: "ann@example.org"), two.vault.digest("ann@example.org", for: "email"),
    ]
    #expect(Set(others + [digest]).count == 5)
    let again = try await Vault.open(one.database, keyring: one.keyring, world: one.clock.world)
    #expect(again.digest("ann@example.org", for: "email") == digest)
  }
}

/// A vault over a real store.
struct VaultTestApp {
  let made: TestDatabase
  let clock: TestWorld
  let keyring: Keyring
  let vault: Vault
  var database: any SQLDatabase { made.database }

  init(_ engine: Engine, seed: UInt64 = 1) async throws {
    clock = TestWorld(seed: seed)
    made = try await TestDatabase.make(engine, [DataKeyStore.migration, SubjectKeyStore.migration])
    keyring = Keyring(world: clock.world)
    vault = try await Vault.open(made.database, keyring: keyring, world: clock.world)
  }
}
