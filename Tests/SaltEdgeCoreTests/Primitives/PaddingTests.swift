// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: padding")
struct PaddingTests {
  /// The rule of PKCS #1 v1.5, written to be read.
  private func message(_ encoded: Data) -> Data? {
    let bytes = Array(encoded)
    guard bytes.count >= 11, bytes[0] == 0, bytes[1] == 2, let end = bytes[2...].firstIndex(of: 0), end >= 10 else {
      return nil
    }
    return Data(bytes[(end + 1)...])
  }

  @Test("PKCS #1: blocks right and nearly right are read by the rule", arguments: 0..<8)
  func encryptionPadding(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let madeUp = Data(generator.bytes(16))
    for _ in 0..<400 {
      let count = Int.random(in: 0...53, using: &generator)
      var block =
        Data([0, 2]) + Data(generator.bytes(61 - count).map { $0 | 1 }) + Data([0]) + Data(generator.bytes(count))
      // A third stays right, a third has a zero somewhere, a third has another byte somewhere near the beginning.
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: break
      case 1: block[Int.random(in: 0..<block.count, using: &generator)] = 0
      default: block[Int.random(in: 0..<12, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      #expect(EncryptionPadding.message(in: block) == message(block))
      let ofLength = message(block).flatMap { $0.count == 16 ? $0 : nil }
      #expect(EncryptionPadding.message(in: block, count: 16, otherwise: madeUp) == ofLength ?? madeUp)
    }
  }

  @Test("PKCS #1: the length asked for is the only one taken", arguments: 0...32)
  func lengths(count: Int) {
    let message = Data(repeating: 0, count: count)
    let block = Data([0, 2]) + Data(repeating: 7, count: 61 - count) + Data([0]) + message
    for asked in 0...32 {
      let madeUp = Data(repeating: 9, count: asked)
      let expected = asked == count ? message : madeUp
      #expect(EncryptionPadding.message(in: block, count: asked, otherwise: madeUp) == expected)
    }
  }

  @Test("PKCS #1: the first two bytes and eight of padding are needed")
  func beginning() {
    let right = Data([0, 2]) + Data(repeating: 1, count: 8) + Data([0, 5])
    #expect(EncryptionPadding.message(in: right) == Data([5]))
    for value in UInt8.min...UInt8.max {
      var (first, second) = (right, right)
      first[0] = value
      second[1] = value
      #expect((EncryptionPadding.message(in: first) != nil) == (value == 0))
      #expect((EncryptionPadding.message(in: second) != nil) == (value == 2))
      #expect(
        EncryptionPadding.message(in: first, count: 1, otherwise: Data([9])) == Data([value == 0 ? 5 : 9]))
      #expect(
        EncryptionPadding.message(in: second, count: 1, otherwise: Data([9])) == Data([value == 2 ? 5 : 9]))
    }
    for place in 2..<10 {
      var short = right
      short[place] = 0
      #expect(EncryptionPadding.message(in: short) == nil)
      #expect(EncryptionPadding.message(in: short, count: 1, otherwise: Data([9])) == Data([9]))
    }
    #expect(EncryptionPadding.message(in: Data([0, 2]) + Data(repeating: 1, count: 20)) == nil)
    #expect(EncryptionPadding.message(in: Data([0, 2, 0])) == nil && EncryptionPadding.message(in: Data()) == nil)
  }
}
