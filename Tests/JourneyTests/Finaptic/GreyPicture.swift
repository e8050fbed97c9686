// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A plain grey picture of 856 by 544 as baseline JPEG (ITU-T T.81): every coefficient is zero, so one Huffman code of
/// one bit serves for direct and for alternating current.
enum GreyPicture {
  static let jpeg: Data = {
    let (width, height) = (856, 544)
    var data = Data([0xFF, 0xD8])
    func segment(_ marker: UInt8, _ content: [UInt8]) {
      data += [0xFF, marker] + pair(content.count + 2) + content
    }
    segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    segment(0xC0, [8] + pair(height) + pair(width) + [1, 1, 0x11, 0])
    for table: UInt8 in [0x00, 0x10] { segment(0xC4, [table, 1] + [UInt8](repeating: 0, count: 15) + [0]) }
    segment(0xDA, [1, 1, 0x00, 0, 63, 0])
    return data + [UInt8](repeating: 0, count: width / 8 * height / 8 / 4) + [0xFF, 0xD9]
  }()

  private static func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
}
