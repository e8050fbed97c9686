// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Synchronization
import TestSupport
import Testing

@Suite("PowerAuth: keys")
struct KeyTests {
  private static let key = ECPrivateKey(.seeded(1)).publicKey
  /// The order of the curve (FIPS 186-4 §D.1.2.3): the least number that is no scalar.
  private static let order = Data([
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
  ])

  @Test("a public key is read in both forms, and is the same key")
  func forms() throws {
    #expect(Self.key.compressed.count == 33)
    #expect(Self.key.uncompressed.count == 65)
    #expect(try ECPublicKey(Self.key.compressed) == Self.key)
    #expect(try ECPublicKey(Self.key.uncompressed) == Self.key)
    #expect(try ECPublicKey(base64: Self.key.compressed.base64EncodedString()).hashValue == Self.key.hashValue)
  }

  private static let noPoints: [[UInt8]] = {
    let (compressed, uncompressed) = (Array(key.compressed), Array(key.uncompressed))
    let zeros: [[UInt8]] = [[], [0], Array(repeating: 0, count: 33), Array(repeating: 0, count: 65)]
    let cut: [[UInt8]] = [compressed.dropLast(), uncompressed + [0], Array(key.x) + uncompressed.suffix(32)]
    let mislabelled: [[UInt8]] = [
      [4] + compressed.dropFirst(), [2] + uncompressed.dropFirst(), [6] + uncompressed.dropFirst(),
    ]
    let off: [[UInt8]] = [
      uncompressed.dropLast() + [uncompressed[64] ^ 1], [2] + Array(repeating: 0xff, count: 32),
      [4] + Array(repeating: 0, count: 64),
    ]
    return zeros + cut + mislabelled + off
  }()

  @Test("what is no point of the curve is no key", arguments: noPoints)
  func noPoint(bytes: [UInt8]) {
    #expect(throws: PowerAuthError.invalidKey) { try ECPublicKey(Data(bytes)) }
  }

  @Test("a scalar is read with a leading zero, without zeros, and in full")
  func scalars() throws {
    let small = Data(count: 20) + Data(counting: 1..<13)
    let key = try ECPrivateKey(small)
    #expect(try ECPrivateKey(Data(counting: 1..<13)).publicKey == key.publicKey)
    #expect(try ECPrivateKey([0] + small).publicKey == key.publicKey)
    #expect(key.scalar == small)
  }

  @Test(
    "what is no scalar of the curve is no key",
    arguments: [
      Data(), Data(count: 32), Data(count: 33), order, [0] + order, Data(repeating: 0xff, count: 32),
      [1] + Data(count: 32), Data(count: 33) + [1],
    ])
  func noScalar(bytes: Data) {
    #expect(throws: PowerAuthError.invalidKey) { try ECPrivateKey(bytes) }
  }

  @Test("a fresh key is drawn again until it is in range")
  func draws() {
    let draws = Draws([Self.order, Data(count: 32), Data(count: 31) + [1]])
    #expect(ECPrivateKey(Randomness(draws.next)).scalar == Data(count: 31) + [1])
  }

  @Test("a signature is its key's, and nothing changed in it or in the data passes")
  func signatures() throws {
    let key = ECPrivateKey(.seeded(2))
    let data = Data("ABCDE".utf8)
    let signature = try key.signature(for: data)
    #expect(key.publicKey.isValidSignature(signature, for: data))
    #expect(!Self.key.isValidSignature(signature, for: data))
    for changed in signature.withEachByteChanged { #expect(!key.publicKey.isValidSignature(changed, for: data)) }
    for changed in data.withEachByteChanged { #expect(!key.publicKey.isValidSignature(signature, for: changed)) }
  }

  @Test("a symmetric key has 16 bytes")
  func lengths() throws {
    for count in [0, 15, 17, 32] {
      #expect(throws: PowerAuthError.invalidKey) { try SecretKey(Data(count: count)) }
    }
    #expect(try SecretKey(Data(count: 16)).isZero)
    #expect(try !SecretKey(Data(count: 15) + [1]).isZero)
  }

  @Test("device and server have the same keys from each other's halves")
  func agreement() throws {
    let (device, server) = (ECPrivateKey(.seeded(3)), ECPrivateKey(.seeded(4)))
    let keys = try ActivationKeys(privateKey: device, publicKey: server.publicKey)
    #expect(try ActivationKeys(privateKey: server, publicKey: device.publicKey) == keys)
    #expect(try ActivationKeys(privateKey: server, publicKey: Self.key) != keys)
  }
}

/// Chance that was written down before.
private final class Draws: Sendable {
  private let rest: Mutex<[Data]>

  init(_ draws: [Data]) {
    rest = Mutex(draws)
  }

  @Sendable
  func next(_ count: Int) -> [UInt8] { Array(rest.withLock { $0.removeFirst() }) }
}
