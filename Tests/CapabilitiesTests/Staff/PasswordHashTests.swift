// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import Identity

@Suite("Passwords: as they are stored", .storeless)
struct PasswordHashTests {
  private let world = MovableClock().world

  /// By `argon2id_hash_encoded` of the reference implementation, phc-winner-argon2 (Debian's libargon2-dev), and by
  /// `hashlib.scrypt` of Python.
  @Test(
    "hashes that other programs made are matched by their passwords",
    arguments: [
      (
        "$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBieXRlcyBvaw$RJ1sY/uLSiHi0TP1oW8rw19AvL2Hwpt7ELvhU4n7eXg",
        "correct horse battery"
      ),
      ("$argon2id$v=19$m=8,t=3,p=1$c2l4dGVlbiBieXRlcyBvaw$FQKHSufb7IZUFLEs7C6vPszXW1lwzem5YBUNdXjGsQ8", ""),
      ("$argon2id$v=19$m=64,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$iaK79/x1UiJtLhThDtp03g", "Zebrafish7Lantern"),
      (
        "$scrypt$ln=4,r=8,p=1$c2l4dGVlbiBieXRlcyBvaw$2dhDbBPf0G7HVf/IU/ZWpmd90amrlaRDod4QxlBVJFg",
        "correct horse battery"
      ),
    ])
  func others(_ text: String, _ password: String) throws {
    let hash = try #require(PasswordHash(text))
    #expect(hash.text == text)
    #expect(try hash.matches(password))
    #expect(try !hash.matches(password + " "))
  }

  @Test("what is hashed is matched by the same characters however they are composed, and by nothing else")
  func own() throws {
    let cost = PasswordCost(memory: 8, passes: 1)
    let hash = try PasswordHash("Z\u{fc}rich 2026", cost: cost, world: world)
    #expect(hash.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    #expect(PasswordHash(hash.text) == hash)
    #expect(try hash.matches("Zu\u{308}rich 2026"))
    #expect(try !hash.matches("Zurich 2026"))
    #expect(try !PasswordHash(decoy: cost, world: world).matches("Z\u{fc}rich 2026"))
    #expect(try PasswordHash("Z\u{fc}rich 2026", cost: cost, world: world) != hash)
  }

  @Test("one of scrypt, or that is cheaper than wanted, is outdated; a decoy of it is of its kind")
  func outdated() throws {
    let wanted = PasswordCost(memory: 64, passes: 2)
    func hash(_ start: String) throws -> PasswordHash {
      try #require(PasswordHash("\(start)$c2l4dGVlbiBieXRlcyBvaw$iaK79/x1UiJtLhThDtp03g"))
    }
    for (start, isOutdated) in [
      ("$argon2id$v=19$m=64,t=2,p=1", false), ("$argon2id$v=19$m=128,t=1,p=1", false),
      ("$argon2id$v=19$m=64,t=1,p=1", true), ("$argon2id$v=19$m=32,t=3,p=1", true),
      ("$argon2id$v=19$m=32,t=4,p=1", false), ("$argon2id$v=19$m=16,t=16,p=1", true), ("$scrypt$ln=15,r=8,p=3", true),
    ] {
      #expect(try hash(start).isOutdated(for: wanted) == isOutdated, "\(start)")
      #expect(try PasswordHash(decoyOf: hash(start), world: world).text.hasPrefix(start + "$"))
    }
  }

  @Test(
    "what is no hash, or asks for more than is reasonable, is refused",
    arguments: [
      "", "$", "openid", "$argon2id$v=19$m=8,t=1,p=1", "argon2id$v=19$m=8,t=1,p=1$SALT$HASH",
      "$argon2i$v=19$m=8,t=1,p=1$SALT$HASH", "$argon2id$v=16$m=8,t=1,p=1$SALT$HASH", "$argon2id$m=8,t=1,p=1$SALT$HASH",
      "$argon2id$v=19$m=8,t=1,p=2$SALT$HASH", "$argon2id$v=19$m=8,t=1$SALT$HASH",
      "$argon2id$v=19$t=1,m=8,p=1$SALT$HASH",
      "$argon2id$v=19$m=8,t=1,p=1,$SALT$HASH", "$argon2id$v=19$m=8,t=1,p=1$$HASH", "$argon2id$v=19$m=8,t=1,p=1$SALT$",
      "$argon2id$v=19$m=7,t=1,p=1$SALT$HASH", "$argon2id$v=19$m=65537,t=1,p=1$SALT$HASH",
      "$argon2id$v=19$m=8,t=0,p=1$SALT$HASH", "$argon2id$v=19$m=8,t=17,p=1$SALT$HASH",
      "$argon2id$v=19$m=-8,t=1,p=1$SALT$HASH", "$argon2id$v=19$m=99999999999999999999,t=1,p=1$SALT$HASH",
      "$argon2id$v=19$m=8,t=1,p=1$c2hvcnQ$HASH", "$argon2id$v=19$m=8,t=1,p=1$SALT$c2hvcnQ",
      "$argon2id$v=19$m=8,t=1,p=1$SALT$HASH$", "$argon2id$v=19$m=8,t=1,p=1$SA*T$HASH",
      "$scrypt$ln=21,r=8,p=1$SALT$HASH", "$scrypt$ln=15,r=33,p=1$SALT$HASH", "$scrypt$ln=4,r=8,p=17$SALT$HASH",
      "$scrypt$ln=20,r=32,p=1$SALT$HASH", "$scrypt$ln=4,r=8$SALT$HASH", "$scrypt$v=19$ln=4,r=8,p=1$SALT$HASH",
      "$argon2id$v=19$m=+8,t=1,p=1$SALT$HASH", "$argon2id$v=19$m=8,t=01,p=1$SALT$HASH",
      "$argon2id$v=19$m=8,t=1,p=1$SALT==$HASH", "$argon2id$v=19$m=8,t=1,p=1$SALT$iaK79/x1UiJtLhThDtp03h",
    ])
  func refused(_ form: String) {
    let text = form.replacing("SALT", with: "c2l4dGVlbiBieXRlcyBvaw").replacing("HASH", with: "iaK79/x1UiJtLhThDtp03g")
    #expect(PasswordHash(text) == nil)
  }

  @Test("what is read of a hash with bytes changed by chance is written as it is read")
  func mutations() throws {
    var chance = SeededGenerator(seed: 62)
    let start = "$argon2id$v=19$m=8,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$iaK79/x1UiJtLhThDtp03g"
    for _ in 0..<20_000 {
      var bytes = Array(start.utf8)
      for _ in 0...Int.random(in: 0..<3, using: &chance) {
        let place = Int.random(in: bytes.indices, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8.random(in: 32..<127, using: &chance)
        default: bytes.insert(UInt8.random(in: 32..<127, using: &chance), at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let hash = PasswordHash(text) { #expect(hash.text == text) }
    }
  }
}
