// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation
import Testing

@Suite("PKCS #7: padding")
struct PaddingTests {
  /// The same rule, written to be read and not to be quick or silent about where it fails.
  private func isPadded(_ bytes: Data) -> Bool {
    guard let last = bytes.last, bytes.count.isMultiple(of: 16), (1...16).contains(last) else { return false }
    return bytes.suffix(Int(last)).allSatisfy { $0 == last }
  }

  @Test("every length is padded to whole blocks and comes back")
  func roundTrip() {
    for count in 0...64 {
      let bytes = Data(repeating: 16, count: count)
      let padded = PKCS7.padded(bytes)
      #expect(padded.count == count / 16 * 16 + 16 && isPadded(padded))
      #expect(PKCS7.unpadded(padded) == bytes)
    }
  }

  @Test("every last byte, with and without its padding before it")
  func lastBytes() {
    for last in UInt8.min...UInt8.max {
      for right in 0...16 {
        let block = Data(repeating: last ^ 0x40, count: 32 - right) + Data(repeating: last, count: right)
        let ending = right == 0 ? block.dropLast() + [last] : block
        #expect((PKCS7.unpadded(Data(ending)) != nil) == isPadded(Data(ending)), "\(last) \(right)")
      }
    }
  }

  @Test("what is not whole blocks has no padding")
  func parts() {
    for count in [0, 1, 15, 17, 31] { #expect(PKCS7.unpadded(Data(repeating: 1, count: count)) == nil) }
  }
}
