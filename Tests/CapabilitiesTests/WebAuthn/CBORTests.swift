// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import Identity

@Suite("CBOR", .storeless)
struct CBORTests {
  @Test(
    "examples of RFC 8949, appendix A",
    arguments: [
      ("00", CBOR.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
      ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", CBOR(-1)),
      ("3863", CBOR(-100)), ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)),
      ("f6", .null), ("40", .bytes(Data())), ("4401020304", .bytes(Data([1, 2, 3, 4]))), ("60", .text("")),
      ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("80", .array([])),
      ("83010203", .array([CBOR(1), CBOR(2), CBOR(3)])), ("a0", .map([])),
      ("a201020304", .map([(CBOR(1), CBOR(2)), (CBOR(3), CBOR(4))])),
      ("826161a161626163", .array([.text("a"), .map([(.text("b"), .text("c"))])])),
    ])
  func examples(hex: String, item: CBOR) throws {
    #expect(try CBOR.decode(try #require(Data(hex: hex))) == item)
  }

  @Test(
    "what is cut off, goes on, is not in its shortest form, repeats a key, or has no end in sight is refused",
    arguments: [
      "", "18", "1817", "190018", "1a0000ffff", "1b00000000ffffffff", "41", "6261", "61ff", "0000", "8101ff", "81",
      "9bffffffffffffffff", "5bffffffffffffffff", "bbffffffffffffffff", "a2010201 03".replacing(" ", with: ""), "a101",
      "9f0102ff", "5f41014102ff", "bf0102ff", "c100", "f7", "f818", "f93c00", "fb3ff8000000000000", "fc", "ff",
      String(repeating: "81", count: 20) + "00",
    ])
  func refused(hex: String) throws {
    let bytes = try #require(Data(hex: hex))
    #expect(throws: CBOR.Malformed.self) { try CBOR.decode(bytes) }
  }

  @Test("of an item with something behind it the length is told")
  func first() throws {
    let (item, length) = try CBOR.decodeFirst(Data([0xa1, 0x01, 0x02, 0xff, 0xff]))
    #expect(item[1] == CBOR(2) && length == 3)
  }

  @Test("changed attestation objects are decoded or refused, and decoded ones decode alike")
  func fuzz() throws {
    var randomness = SeededGenerator(seed: 24)
    let sound = [UInt8](SoftwareAuthenticator().registration(Data(repeating: 1, count: 32)).attestation)
    for _ in 0..<20_000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &randomness) {
        bytes[Int.random(in: 0..<bytes.count, using: &randomness)] = UInt8.random(in: 0...255, using: &randomness)
      }
      if Bool.random(using: &randomness) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &randomness)) }
      guard let item = try? CBOR.decode(Data(bytes)) else { continue }
      #expect(try CBOR.decode(Data(bytes)) == item)
      // Behind another item it is found where that ends.
      #expect(try CBOR.decodeFirst(Data(bytes) + [0]).length == bytes.count)
    }
  }

  @Test("random bytes neither crash nor allocate what they claim")
  func noise() {
    var randomness = SeededGenerator(seed: 42)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &randomness)).map { _ in
        UInt8.random(in: 0...255, using: &randomness)
      }
      _ = try? CBOR.decode(Data(bytes))
      _ = try? AuthenticatorData(Data(repeating: 0, count: 32) + bytes)
    }
  }
}
