// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

/// DEFLATE (RFC 1951) by zlib, in memory, with the length known beforehand.
enum Inflate {
  /// - Parameter count: how many bytes must come out.
  /// - Returns: nil unless the whole of `bytes` is one stream of exactly that many bytes. Never holds more than `count`.
  static func inflate(_ bytes: Data, to count: Int) -> Data? {
    var stream = z_stream()
    // Negative: no header, as in ZIP.
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    guard let inputCount = UInt32(exactly: bytes.count), let capacity = UInt32(exactly: count + 1) else { return nil }
    // One byte more than wanted, so that a longer stream shows.
    var output = Data(count: count + 1)
    var input = bytes
    let status = output.withUnsafeMutableBytes { out in
      input.withUnsafeMutableBytes { into in
        stream.next_in = into.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = inputCount
        stream.next_out = out.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = capacity
        return CZlib.inflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END, stream.avail_in == 0, stream.avail_out == 1 else { return nil }
    return output.prefix(count)
  }
}

/// CRC-32 as in ISO 3309, the check of ZIP (APPNOTE 6.3.10 §4.4.7).
package enum CRC32 {
  package static func of(_ bytes: Data) -> UInt32 {
    bytes.withUnsafeBytes { raw in
      UInt32(truncatingIfNeeded: crc32_z(0, raw.bindMemory(to: UInt8.self).baseAddress, raw.count))
    }
  }
}
