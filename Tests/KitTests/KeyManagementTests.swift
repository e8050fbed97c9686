// SPDX-License-Identifier: Apache-2.0

import CPKCS11
import Crypto
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@Suite("Kit: a key ring that a KMS wraps (issue 24)")
struct KeyManagementTests {
  private let folder: TestFolder
  private let path: String
  private let world = TestWorld().world

  init() throws {
    folder = try TestFolder()
    path = folder.file("keyring.json")
  }

  /// One whose key is in this process.
  private static func software(_ byte: UInt8 = 7) -> KeyManagement {
    let key = Data(repeating: byte, count: 32)
    return KeyManagement(
      name: "software",
      wrap: { bytes, context in
        let box = try AES.GCM.seal(bytes, using: SymmetricKey(data: key), authenticating: Data(context.utf8))
        return try #require(box.combined)
      },
      unwrap: { wrapped, context in
        try AES.GCM.open(
          AES.GCM.SealedBox(combined: wrapped), using: SymmetricKey(data: key), authenticating: Data(context.utf8))
      })
  }

  private func values() throws -> [String] {
    struct File: Decodable { let keys: [String: String] }
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path))).keys.values.sorted()
  }

  @Test("the file holds no plain key, is read with its KMS only, and is turned over as any other", .storeless)
  func wrapped() throws {
    let kms = Self.software()
    var ring = try Keyring(path: path, world: world, kms: kms)
    #expect(try !values().contains(where: { Data(base64Encoded: $0)?.count == 32 }))
    #expect(try Keyring(at: path, kms: kms).current == ring.current)
    #expect(throws: KeyringError.wrapped(path: path, by: "software")) { try Keyring(at: path) }
    #expect(throws: (any Error).self) { try Keyring(at: path, kms: Self.software(8)) }
    let prepared = ring.prepare(world: world)
    try ring.save(to: path)
    var again = try Keyring(at: path, kms: kms)
    #expect(again.next == prepared)
    _ = again.turnOver()
    try again.save(to: path)
    #expect(try Keyring(at: path, kms: kms).current == prepared && values().count == 2)
  }

  @Test("a plain ring is not taken for a wrapped one, and is wrapped by command; the data stays readable")
  func migrated() async throws {
    let kms = Self.software()
    let database = try await TestDatabase.make(.current, [DataKeyStore.migration])
    let ring = try Keyring(path: path, world: world)
    let sealed = try await Vault.open(database.database, keyring: ring, world: world)
      .seal(Data("Anna".utf8), context: "person:1")
    let before = try values()
    #expect(throws: KeyringError.plain(path: path)) { try Keyring(at: path, kms: kms) }
    try ring.wrapped(by: kms).save(to: path)
    #expect(try Set(values()).isDisjoint(with: before))
    let vault = try await Vault.open(database.database, keyring: Keyring(at: path, kms: kms), world: world)
    #expect(try vault.open(sealed, context: "person:1") == Data("Anna".utf8))
  }

  /// Flags of `CK_TOKEN_INFO` (PKCS #11 2.40 §3.2): an initialised token with a PIN has 0x40d.
  @Test("a token that one more wrong PIN would lock is not tried, for what is started anew would lock it", .storeless)
  func lastTry() {
    let (initialised, countLow, finalTry, locked) = (UInt(0x40d), UInt(0x10000), UInt(0x20000), UInt(0x40000))
    #expect(cpkcs11_takes_try(initialised) && cpkcs11_takes_try(initialised | countLow))
    // Of the security officer's PIN, which nothing here asks for.
    #expect(cpkcs11_takes_try(initialised | finalTry << 4 | locked << 4))
    #expect(!cpkcs11_takes_try(initialised | countLow | finalTry) && !cpkcs11_takes_try(initialised | locked))
    #expect(KeyManagementError.lastTry.description.contains("none was tried"))
  }

  @Test("a KMS that does not give back what it wrapped destroys no ring", .storeless)
  func forgetful() throws {
    let ring = try Keyring(path: path, world: world)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let forgetful = KeyManagement(name: "forgetful", wrap: { key, _ in key }, unwrap: { _, _ in Data(count: 32) })
    #expect(throws: KeyManagementError.notWrapped) { try ring.wrapped(by: forgetful).save(to: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test(
    "a real PKCS#11 token wraps and unwraps the ring; its key is found again, and no other opens it",
    .enabled(if: SoftToken.module != nil, Comment(rawValue: SoftToken.missing)))
  func token() async throws {
    let module = try #require(SoftToken.module)
    @Sendable func kms(
      _ key: String, token: String = SoftToken.label, pin: String = SoftToken.pin, module path: String? = nil,
      generates: Bool = false
    ) throws -> KeyManagement {
      try .pkcs11(.init(module: path ?? module, token: token, key: key, pin: pin), generates: generates)
    }
    #expect(throws: KeyManagementError.noModule("/nowhere.so")) { try kms("one", module: "/nowhere.so") }
    #expect(throws: KeyManagementError.noToken("other")) { try kms("one", token: "other") }
    #expect(throws: KeyManagementError.login) { try kms("one", pin: "9999") }
    #expect(throws: KeyManagementError.noKey("one")) { try kms("one") }
    let database = try await TestDatabase.make(.current, [DataKeyStore.migration])
    let sealed: Data
    do {
      let made = try kms("one", generates: true)
      let ring = try Keyring(path: path, world: world, kms: made)
      sealed = try await Vault.open(database.database, keyring: ring, world: world)
        .seal(Data("Anna".utf8), context: "person:1")
    }
    let found = try kms("one")
    let vault = try await Vault.open(database.database, keyring: Keyring(at: path, kms: found), world: world)
    #expect(try vault.open(sealed, context: "person:1") == Data("Anna".utf8))
    // The same key is found, not made again.
    #expect(try Keyring(at: path, kms: kms("one", generates: true)).current == Keyring(at: path, kms: found).current)
    // Several that make one of a name at once leave one or none, never two.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try? kms("race", generates: true) } }
    }
    _ = try kms("race", generates: true)
    _ = try kms("race")
    let other = try kms("two", generates: true)
    #expect(throws: KeyManagementError.notWrapped) { try Keyring(at: path, kms: other) }
    let wrapped = try found.wrap(Data(repeating: 1, count: 32), "keyring:a")
    #expect(try found.unwrap(wrapped, "keyring:a") == Data(repeating: 1, count: 32))
    #expect(try found.wrap(Data(repeating: 1, count: 32), "keyring:a") != wrapped)
    for (bytes, context) in [
      (wrapped, "keyring:b"), (wrapped.dropLast() + [wrapped[59] ^ 1], "keyring:a"), (Data(), ""),
    ] {
      #expect(throws: KeyManagementError.notWrapped) { try found.unwrap(bytes, context) }
    }
    #expect(try found.unwrap(wrapped, "keyring:a") == Data(repeating: 1, count: 32))
  }
}
