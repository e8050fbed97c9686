// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A plain grey picture as baseline JPEG (ITU-T T.81): every coefficient is zero, so one Huffman code of one bit serves
/// for direct and for alternating current.
struct TestPicture {
  let width: Int
  let height: Int

  var jpeg: Data {
    var data = Data([0xFF, 0xD8])
    func segment(_ marker: UInt8, _ content: [UInt8]) {
      data += [0xFF, marker]
      data += Self.pair(content.count + 2)
      data += content
    }
    segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    segment(0xC0, [8] + Self.pair(height) + Self.pair(width) + [1, 1, 0x11, 0])
    // One code of one bit, for the symbol 0: no difference, and the end of the block.
    for table: UInt8 in [0x00, 0x10] { segment(0xC4, [table, 1] + [UInt8](repeating: 0, count: 15) + [0]) }
    segment(0xDA, [1, 1, 0x00, 0, 63, 0])
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    data += [UInt8](repeating: 0, count: blocks / 4)
    // Two bits for each block; ones fill the last byte.
    if blocks % 4 > 0 { data.append(0xFF >> UInt8(blocks % 4 * 2)) }
    return data + [0xFF, 0xD9]
  }

  private static func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
}
