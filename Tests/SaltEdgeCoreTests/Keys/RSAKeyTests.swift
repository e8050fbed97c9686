// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: RSA keys")
struct RSAKeyTests {
  /// A value of DER, written for these tests alone.
  private func der(_ tag: UInt8, _ parts: Data...) -> Data {
    let contents = parts.reduce(Data(), +)
    let length: [UInt8] =
      switch contents.count {
      case ..<0x80: [UInt8(contents.count)]
      case ..<0x100: [0x81, UInt8(contents.count)]
      default: [0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xff)]
      }
    return Data([tag] + length) + contents
  }

  private func modulus(bits: Int) -> Data { Data([0, 0x80]) + Data(repeating: 1, count: bits / 8 - 1) }

  private func publicKey(modulus: Data, exponent: [UInt8]) -> Data {
    der(0x30, der(2, modulus), der(2, Data(exponent)))
  }

  private static let rsa = Data([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])

  @Test(
    "sizes from 2048 to 4096 bits are taken",
    arguments: [
      (1024, false), (2040, false), (2048, true), (3072, true), (4096, true), (4104, false), (16_384, false),
    ])
  func sizes(bits: Int, isTaken: Bool) throws {
    let der = publicKey(modulus: modulus(bits: bits), exponent: [1, 0, 1])
    #expect(((try? RSAPublicKey(pkcs1: der)) != nil) == isTaken)
  }

  @Test(
    "exponents are odd, more than one and of four bytes at most",
    arguments: [
      ([3], true), ([1, 0, 1], true), ([0x7f, 0xff, 0xff, 0xff], true), ([1], false), ([2], false), ([0], false),
      ([0xff], false), ([0, 3], false), ([0, 0x80, 0, 0, 0, 1], false), ([1, 0, 0, 0, 1], false), ([], false),
    ] as [([UInt8], Bool)])
  func exponents(exponent: [UInt8], isTaken: Bool) throws {
    let der = publicKey(modulus: modulus(bits: 2048), exponent: exponent)
    #expect(((try? RSAPublicKey(pkcs1: der)) != nil) == isTaken)
  }

  @Test("moduli are odd, positive and have whole bytes")
  func moduli() throws {
    let odd = modulus(bits: 2048)
    var even = odd
    even[even.count - 1] = 2
    let seven = Data([0x40]) + Data(repeating: 1, count: 255)
    for modulus in [even, odd.dropFirst(), seven, Data([0]) + odd, Data(), Data([0])] {
      #expect(throws: SaltEdgeError.invalidKey) {
        try RSAPublicKey(pkcs1: publicKey(modulus: modulus, exponent: [1, 0, 1]))
      }
    }
  }

  @Test("SubjectPublicKeyInfo of anything else is refused")
  func wrapping() throws {
    let key = try TestKeys.device().publicKey
    let (pkcs1, null) = (key.pkcs1DER, Data([5, 0]))
    func spki(_ algorithm: Data, _ bits: Data, after: Data = Data()) -> Data {
      der(0x30, der(0x30, algorithm), der(3, bits), after)
    }
    #expect(try RSAPublicKey(spki: spki(Self.rsa + null, Data([0]) + pkcs1)) == key)
    var pss = Self.rsa
    pss[pss.count - 1] = 10
    let refused = [
      spki(Self.rsa, Data([0]) + pkcs1), spki(pss + null, Data([0]) + pkcs1), spki(Self.rsa + null, Data([1]) + pkcs1),
      spki(Self.rsa + null, pkcs1), spki(Self.rsa + null, Data()),
      spki(Self.rsa + null, Data([0]) + pkcs1, after: null),
      spki(Self.rsa + null, Data([0]) + pkcs1 + null), spki(Self.rsa + null, Data([0]) + pkcs1) + null, Data(), pkcs1,
    ]
    for der in refused { #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(spki: der) } }
  }

  @Test("lengths have one spelling and an end")
  func lengths() throws {
    let spki = try TestKeys.device().publicKey.spkiDER
    let contents = spki.dropFirst(4)
    for beginning: [UInt8] in [
      [0x30, 0x80], [0x30, 0x83, 0, 1, 0x22], [0x30, 0x82, 1, 0x23], [0x31, 0x82, 1, 0x22], [0x30],
    ] {
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(spki: Data(beginning) + contents) }
    }
    // The same key with the length of its algorithm, 13 bytes, spelled in one byte, in two and in three.
    let (algorithm, bits) = (Self.rsa + Data([5, 0]), spki.dropFirst(4 + 15))
    for (spelling, isTaken) in [([13], true), ([0x81, 13], false), ([0x82, 0, 13], false)] as [([UInt8], Bool)] {
      let spelled = der(0x30, Data([0x30] + spelling) + algorithm, Data(bits))
      #expect(((try? RSAPublicKey(spki: spelled)) != nil) == isTaken)
    }
  }

  @Test("PKCS #8 may have attributes and must be RSA; more than two primes are refused")
  func privateWrapping() throws {
    let key = try TestKeys.device()
    let pkcs1 = try #require(Data(base64Encoded: key.pkcs1PEM.split(separator: "\n").dropFirst().dropLast().joined()))
    let algorithm = der(0x30, Self.rsa + Data([5, 0]))
    let attributes = der(0xa0, der(0x30, Data([6, 1, 1])))
    let zero = der(2, Data([0]))
    #expect(try RSAPrivateKey(pkcs8: der(0x30, zero, algorithm, der(4, pkcs1))).publicKey == key.publicKey)
    #expect(try RSAPrivateKey(pkcs8: der(0x30, zero, algorithm, der(4, pkcs1), attributes)).publicKey == key.publicKey)
    var threePrimes = pkcs1
    threePrimes[6] = 1
    let refused = [
      der(0x30, zero, algorithm, der(4, pkcs1), attributes, attributes),
      der(0x30, der(2, Data([1])), algorithm, der(4, pkcs1)), der(0x30, zero, der(0x30, Self.rsa), der(4, pkcs1)),
      der(0x30, zero, algorithm, der(4, threePrimes)), der(0x30, zero, algorithm, der(4, pkcs1 + Data([0]))), Data(),
    ]
    for der in refused { #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey(pkcs8: der) } }
  }

  @Test("numbers that do not belong together are no private key")
  func inconsistent() throws {
    let key = try TestKeys.device()
    let pkcs1 = try #require(Data(base64Encoded: key.pkcs1PEM.split(separator: "\n").dropFirst().dropLast().joined()))
    // Within the private exponent, the primes and what belongs to them.
    for place in stride(from: 320, to: pkcs1.count - 8, by: 97) {
      var changed = pkcs1
      changed[place] ^= 0x10
      #expect(throws: SaltEdgeError.invalidKey, "\(place)") { try RSAPrivateKey(pkcs1: changed) }
    }
    for count in stride(from: 0, to: pkcs1.count, by: 31) {
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey(pkcs1: pkcs1.prefix(count)) }
    }
  }

  @Test("a key is generated in the sizes that are taken")
  func generated() throws {
    for bits in [0, 512, 1024, 2049, 4104] {
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey.generate(bits: bits) }
    }
    let key = try TestKeys.device()
    #expect(try key.publicKey != TestKeys.bank().publicKey)
    #expect(try RSAPrivateKey(pem: key.pkcs8PEM).pkcs1PEM == key.pkcs1PEM)
    #expect(try RSAPrivateKey(pkcs8: key.pkcs8DER).pkcs8PEM == key.pkcs8PEM)
  }

  @Test("a signature is this key's, over these bytes, in every bit")
  func signatures() throws {
    let key = try TestKeys.device()
    let bytes = Data("some bytes".utf8)
    let signature = try key.signature(for: bytes)
    #expect(key.publicKey.isValidSignature(signature, for: bytes))
    #expect(try !TestKeys.bank().publicKey.isValidSignature(signature, for: bytes))
    #expect(!key.publicKey.isValidSignature(signature, for: bytes + Data([0])))
    for place in signature.indices {
      var changed = signature
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(!key.publicKey.isValidSignature(changed, for: bytes))
    }
    for other in [
      Data(), signature.dropLast(), Data([0]) + signature, signature + Data([0]), Data(repeating: 0xff, count: 256),
    ] {
      #expect(!key.publicKey.isValidSignature(other, for: bytes))
    }
  }

  @Test("what was not encrypted for a key decrypts to bytes that are always the same, and says nothing")
  func implicitRejection() throws {
    let key = try TestKeys.device()
    let again = try RSAPrivateKey(pem: key.pkcs8PEM)
    var generator = SeededGenerator(seed: 1)
    var answers: Set<Data> = []
    for _ in 0..<20 {
      let ciphertext = Data([0]) + Data(generator.bytes(255))
      let answer = try key.decrypt(ciphertext, count: 32)
      #expect(try answer.count == 32 && key.decrypt(ciphertext, count: 32) == answer)
      #expect(try again.decrypt(ciphertext, count: 32) == answer)
      #expect(try key.decrypt(ciphertext, count: 16) != answer.prefix(16))
      #expect(throws: SaltEdgeError.undecryptable) { try key.decrypt(ciphertext) }
      answers.insert(answer)
    }
    #expect(answers.count == 20)
    for ciphertext in [Data(), Data(count: 255), Data(count: 257), Data(repeating: 0xff, count: 256)] {
      #expect(throws: SaltEdgeError.undecryptable) { try key.decrypt(ciphertext, count: 32) }
      #expect(throws: SaltEdgeError.undecryptable) { try key.decrypt(ciphertext) }
    }
  }
}
