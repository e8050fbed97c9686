// SPDX-License-Identifier: Apache-2.0

import CZlib
import TestSupport

/// Damages files of pictures: byte by byte, and by the marks of their structure.
struct FileMutator {
  var random: SeededGenerator
  let isPNG: Bool
  /// Files from which pieces are taken.
  let others: [[UInt8]]

  mutating func mutated(_ file: [UInt8]) -> [UInt8] {
    var bytes = file
    for _ in 0...below(2) { mutate(&bytes) }
    // Without a right check sum libpng stops at once.
    if isPNG, below(4) > 0 { Self.correctChecks(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    guard bytes.count > 40 else { return }
    switch below(15) {
    case 0: bytes[below(bytes.count)] = UInt8(below(256))
    case 1: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
    case 2: bytes.removeSubrange(range(in: bytes.count, atMost: 40))
    case 3: bytes.insert(contentsOf: bytes[range(in: bytes.count, atMost: 60)], at: below(bytes.count))
    case 4: bytes.removeLast(below(bytes.count))
    case 5: bytes.insert(contentsOf: random.bytes(1 + below(6)), at: place(in: bytes))
    case 6:
      let other = others[below(others.count)]
      bytes.insert(contentsOf: other[range(in: other.count, atMost: 200)], at: place(in: bytes))
    case 7:
      let at = place(in: bytes)
      bytes[at] = [0, 1, 2, 0x7F, 0x80, 0xFF][below(6)]
    case 8: bytes.insert(contentsOf: isPNG ? chunk() : segment(), at: place(in: bytes))
    case 9:
      // The beginning of another file, inside of what may be skipped.
      let inner = Array(others[below(others.count)].dropFirst(isPNG ? 8 : 2).prefix(700))
      let (high, low) = (UInt8((inner.count + 2) >> 8), UInt8((inner.count + 2) & 255))
      let skipped: [UInt8] = [0x00, 0x01, 0xD0, 0xE1, 0xFE, 0xFF]
      let outer: [UInt8] =
        isPNG ? [0, 0, high, low] + Array("abCd".utf8) + [0, 0] : [0xFF, skipped[below(skipped.count)], high, low]
      let check: [UInt8] = isPNG ? [0, 0, 0, 0] : []
      bytes.insert(contentsOf: outer + inner + check, at: below(2) == 0 ? place(in: bytes) : isPNG ? 33 : 2)
    case 10:
      // A length, or a dimension.
      let at = min(place(in: bytes) + (isPNG ? 0 : 2), bytes.count - 2)
      (bytes[at], bytes[at + 1]) = (UInt8(below(3)), UInt8(below(256)))
    case 11, 12, 13: rearrange(&bytes)
    default: bytes[below(min(bytes.count, 64))] = UInt8(below(256))
    }
  }

  /// Where a segment or chunk begins, or what seems to be one; sometimes any place.
  private mutating func place(in bytes: [UInt8]) -> Int {
    guard below(4) > 0 else { return below(bytes.count) }
    if isPNG { return Self.chunks(bytes).randomElement(using: &random) ?? below(bytes.count) }
    let marks = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] != 0 }
    return marks.randomElement(using: &random) ?? below(bytes.count)
  }

  private mutating func segment() -> [UInt8] {
    let marker = [
      0x00, 0x01, 0xC0, 0xC1, 0xC2, 0xC4, 0xC8, 0xC9, 0xCC, 0xD0, 0xD8, 0xD9, 0xDA, 0xDB, 0xE1, 0xEE, 0xFE, 0xFF,
    ]
    let body: [UInt8] =
      switch below(4) {
      case 0: []
      case 1: [0, UInt8(below(8))] + random.bytes(below(12))
      case 2: [0, 17, 8] + random.bytes(4) + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
      default: [0, 11, 8] + random.bytes(4) + [1, 1, 0x11, 0]
      }
    return [0xFF, UInt8(marker[below(marker.count)])] + body
  }

  private mutating func chunk() -> [UInt8] {
    let names = [
      "IHDR", "IDAT", "IEND", "PLTE", "tRNS", "tEXt", "zTXt", "eXIf", "gAMA", "abCd", "ABCD", "iCCP", "iTXt", "acTL",
      "fcTL", "fdAT",
    ]
    let body = below(2) == 0 ? random.bytes(below(20)) : [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0]
    return [0, 0, 0, UInt8(body.count)] + Array(names[below(names.count)].utf8) + body + [0, 0, 0, 0]
  }

  /// Where chunks begin whose lengths lead from one to the next.
  static func chunks(_ bytes: [UInt8]) -> [Int] {
    var (at, places) = (8, [Int]())
    while at + 12 <= bytes.count {
      places.append(at)
      at += 12 + bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    return places
  }

  private static func correctChecks(_ bytes: inout [UInt8]) {
    for at in chunks(bytes) {
      let end = at + 8 + bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard end + 4 <= bytes.count else { return }
      let check =
        bytes[(at + 4)..<end].withContiguousStorageIfAvailable { crc32(0, $0.baseAddress, uInt($0.count)) } ?? 0
      for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: check >> UInt(24 - 8 * index)) }
    }
  }

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private mutating func range(in count: Int, atMost most: Int) -> Range<Int> {
    let start = below(count)
    return start..<min(count, start + 1 + below(most))
  }
}
