// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Mutations of whole parts of a file: segments and chunks twice, in another order, left out, or of another kind.
extension FileMutator {
  mutating func rearrange(_ bytes: inout [UInt8]) {
    var parts = isPNG ? Self.chunkParts(bytes) : Self.segmentParts(bytes)
    guard parts.count > 2 else { return }
    let one = 1 + below(parts.count - 1), other = 1 + below(parts.count - 1)
    switch below(7) {
    case 0: parts.swapAt(one, other)
    case 1: parts.insert(parts[one], at: other)
    case 2: parts.remove(at: one)
    case 3: parts.insert(Self.cut(parts[one], at: below(parts[one].count + 1)), at: other)
    case 4: parts[one] = retyped(parts[one])
    case 5: parts.insert(contentsOf: special(), at: one)
    default: parts[one] = refilled(parts[one])
    }
    bytes = Array(parts.joined())
  }

  /// The signature, then each chunk; what is left at the end is the last part.
  private static func chunkParts(_ bytes: [UInt8]) -> [[UInt8]] {
    let starts = chunks(bytes)
    let ends = starts.dropFirst() + [bytes.count]
    return [Array(bytes.prefix(8))] + zip(starts, ends).map { Array(bytes[$0..<min($1, bytes.count)]) }
  }

  /// The start of the image, then each segment with what follows it up to the next marker.
  private static func segmentParts(_ bytes: [UInt8]) -> [[UInt8]] {
    var starts = [0]
    var at = 2
    while at + 4 <= bytes.count {
      guard bytes[at] == 0xFF, bytes[at + 1] != 0xFF, bytes[at + 1] != 0 else {
        at += 1
        continue
      }
      starts.append(at)
      let isBare = bytes[at + 1] == 0x01 || (0xD0...0xD9).contains(bytes[at + 1])
      at += 2 + (isBare ? 0 : Int(bytes[at + 2]) << 8 + Int(bytes[at + 3]))
    }
    return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
  }

  private static func cut(_ part: [UInt8], at place: Int) -> [UInt8] { Array(part.prefix(place)) }

  /// The same content under another name.
  private mutating func retyped(_ part: [UInt8]) -> [UInt8] {
    var part = part
    if isPNG {
      let names = ["IHDR", "IDAT", "IEND", "PLTE", "tRNS", "eXIf", "iDAT", "IDAt", "idat", "bKGD", "hIST", "sPLT"]
      guard part.count >= 8 else { return part }
      part.replaceSubrange(4..<8, with: Array(names[below(names.count)].utf8))
    } else {
      let markers: [UInt8] = [
        0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC9, 0xCC, 0xD0, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xE0,
        0xE1, 0xEE,
      ]
      guard part.count >= 2 else { return part }
      part[1] = markers[below(markers.count)]
    }
    return part
  }

  /// What files seldom have: lines that are counted behind the scan (T.81 §B.2.5), intervals of restarts, fill bytes,
  /// restarts outside of a scan, EXIF of either order of bytes; chunks without content, and lengths of two gigabytes.
  private mutating func special() -> [[UInt8]] {
    let byte = UInt8(below(256))
    if isPNG {
      let lengths: [[UInt8]] = [[0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xF4]]
      let names = ["IDAT", "IEND", "eXIf", "tEXt", "PLTE", "abCd"]
      return [lengths[below(4)] + Array(names[below(names.count)].utf8) + [0, 0, 0, 0]]
    }
    let exif = Array("Exif\0\0".utf8)
    let choices: [[UInt8]] = [
      [0xFF, 0xDC, 0, 4, 0, byte], [0xFF, 0xDD, 0, 4, 0, byte], [UInt8](repeating: 0xFF, count: 1 + below(9)),
      [0xFF, 0xD0 + byte % 8], [0xFF, 0xD9], [0xFF, 0xD8], [0xFF, 0xE1, 0, byte % 40] + exif,
      [0xFF, 0xE1, 0, 34] + exif + Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, byte % 10, 0]
        + [0, 0, 0, 0, 0, 0],
    ]
    return [choices[below(choices.count)]]
  }

  /// The same marker and length, of other content: what is said of components, tables and scans.
  private mutating func refilled(_ part: [UInt8]) -> [UInt8] {
    var part = part
    guard part.count > 12 else { return part }
    for _ in 0...below(4) { part[4 + below(min(part.count - 4, 24))] = UInt8(below(2) == 0 ? below(5) : below(256)) }
    return part
  }
}
