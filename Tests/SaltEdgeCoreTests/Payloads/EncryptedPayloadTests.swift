// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: encrypted payloads")
struct EncryptedPayloadTests {
  private static let text = #"{"title":"Zahlung über 12,00 € 🏦","description":"long enough not to be met by chance"}"#

  private func encrypted(_ text: String = text) throws -> EncryptedPayload {
    try EncryptedPayload(
      encrypting: Data(text.utf8), for: TestKeys.device().publicKey, randomness: .seeded(UInt64(text.count)))
  }

  @Test("every length is read by the recipient alone", arguments: [0, 1, 15, 16, 17, 31, 32, 33, 4096])
  func roundTrip(count: Int) throws {
    let text = String(repeating: "x", count: count)
    let payload = try encrypted(text)
    #expect(try payload.decrypted(with: TestKeys.device()) == text)
    #expect(!(payload.key + payload.iv + payload.data).contains { $0.isWhitespace })
    if count > 64 {
      #expect(throws: SaltEdgeError.undecryptable) { try payload.decrypted(with: TestKeys.bank()) }
    }
  }

  @Test("key and IV are new for every payload, and so is their padding")
  func fresh() throws {
    let (one, again) = (try encrypted(), try encrypted())
    #expect(one.data == again.data && one.key != again.key && one.iv != again.iv)
    let other = try EncryptedPayload(
      encrypting: Data(Self.text.utf8), for: TestKeys.device().publicKey, randomness: .seeded(99))
    #expect(other.data != one.data)
  }

  @Test("line ends of peers are tolerated", arguments: [60, 64, 76])
  func wrapped(width: Int) throws {
    func wrapped(_ text: String) -> String {
      stride(from: 0, to: text.count, by: width).map { text.dropFirst($0).prefix(width) + "\n" }.joined()
    }
    let payload = try encrypted()
    let other = EncryptedPayload(key: wrapped(payload.key), iv: wrapped(payload.iv), data: wrapped(payload.data))
    #expect(try other.decrypted(with: TestKeys.device()) == Self.text)
  }

  @Test("every failure is the same failure")
  func failures() throws {
    let payload = try encrypted()
    let (key, iv, data) = (payload.key, payload.iv, payload.data)
    func changed(_ text: String) throws -> String {
      var bytes = try #require(Data(base64Encoded: text))
      bytes[bytes.count / 2] ^= 1
      return bytes.base64EncodedString()
    }
    let block = Data([0]) + Data(repeating: 7, count: 255)
    let wrong: [(String, String, String)] = try [
      (iv, key, data), (key, key, data), (changed(key), iv, data), ("", iv, data), (key, "", data), (key, iv, ""),
      ("!", iv, data), (key, "12345679adskfjk", data), (key, iv, "!"), (key, iv, "AAAA"), (key, iv, key),
      (block.base64EncodedString(), iv, data), (key, iv, String(data.dropLast(24)) + "AAAAAAAAAAAAAAAAAAAAAA=="),
      (Data(repeating: 0xff, count: 256).base64EncodedString(), iv, data),
    ]
    for (key, iv, data) in wrong {
      #expect(throws: SaltEdgeError.undecryptable) {
        try EncryptedPayload(key: key, iv: iv, data: data).decrypted(with: TestKeys.device())
      }
    }
  }

  @Test("what is not UTF-8 is refused")
  func notText() throws {
    for bytes in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] as [[UInt8]] {
      let payload = try EncryptedPayload(
        encrypting: Data(bytes), for: TestKeys.device().publicKey, randomness: .seeded(1))
      #expect(throws: SaltEdgeError.undecryptable) { try payload.decrypted(with: TestKeys.device()) }
    }
  }

  @Test("is bounded both ways")
  func bounds() throws {
    let device = try TestKeys.device()
    let long = String(repeating: "A", count: EncryptedPayload.charactersMax + 1)
    for payload in [
      EncryptedPayload(key: "", iv: "", data: long), EncryptedPayload(key: String(long.prefix(4097)), iv: "", data: ""),
      EncryptedPayload(key: "", iv: String(long.prefix(4097)), data: ""),
    ] {
      #expect(throws: SaltEdgeError.tooLong(.payload)) { try payload.decrypted(with: device) }
    }
    let most = EncryptedPayload.charactersMax / 4 * 3 - 16
    let largest = try EncryptedPayload(encrypting: Data(count: most), for: device.publicKey, randomness: .seeded(1))
    #expect(try largest.decrypted(with: device).utf8.count == most)
    #expect(throws: SaltEdgeError.tooLong(.payload)) {
      try EncryptedPayload(encrypting: Data(count: most + 1), for: device.publicKey, randomness: .seeded(1))
    }
  }

  @Test(
    "entities of either wire are read",
    arguments: [
      (#"{"id":"1","connection_id":"2","algorithm":"AES-256-CBC","key":"k","iv":"i","data":"d"}"#, true),
      (#"{"id":1,"connection_id":2,"status":"pending","key":"k","iv":"i","data":"d"}"#, true),
      (#"{"algorithm":null,"key":"k","iv":"i","data":"d"}"#, true),
      (#"{"algorithm":"AES-256-GCM","key":"k","iv":"i","data":"d"}"#, false),
      (#"{"algorithm":"","key":"k","iv":"i","data":"d"}"#, false),
      (#"{"iv":"i","data":"d"}"#, false), (#"{"key":"k","data":"d"}"#, false), (#"{"key":"k","iv":"i"}"#, false),
      (#"{"key":1,"iv":"i","data":"d"}"#, false), ("[]", false),
    ])
  func entities(json: String, isRead: Bool) throws {
    let payload = try? JSONDecoder().decode(EncryptedPayload.self, from: Data(json.utf8))
    #expect(payload == (isRead ? EncryptedPayload(key: "k", iv: "i", data: "d") : nil))
  }

  @Test("is written as v2 has it")
  func written() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(EncryptedPayload(key: "k", iv: "i", data: "d"))
    #expect(String(decoding: json, as: UTF8.self) == #"{"data":"d","iv":"i","key":"k"}"#)
    #expect(EncryptedPayload.none.isNone && EncryptedPayload.algorithm == "AES-256-CBC")
  }
}
