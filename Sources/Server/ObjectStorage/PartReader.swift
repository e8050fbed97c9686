// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Cuts a stream into parts of one size; only the last may be smaller. Holds one part and what the source gave over it.
struct PartReader {
  private var source: BlobBytes.AsyncIterator
  private let partBytes: Int
  private let bytesMax: Int
  private var buffer = Data()
  private var byteCount = 0
  private var hasEnded = false

  init(_ bytes: BlobBytes, partBytes: Int, bytesMax: Int) {
    source = bytes.makeAsyncIterator()
    self.partBytes = partBytes
    self.bytesMax = bytesMax
  }

  /// The first part may be empty, no other is.
  /// - Throws: `BlobError.tooLarge`, or what the source throws.
  mutating func next() async throws -> (bytes: Data, isLast: Bool) {
    // One byte more than a part tells that there is another one.
    while !hasEnded, buffer.count <= partBytes {
      guard let piece = try await source.next() else {
        hasEnded = true
        break
      }
      byteCount += piece.count
      guard byteCount <= bytesMax else { throw BlobError.tooLarge(bytesMax: bytesMax) }
      buffer.append(piece)
    }
    let part = Data(buffer.prefix(partBytes))
    buffer = Data(buffer.dropFirst(partBytes))
    return (part, hasEnded && buffer.isEmpty)
  }
}
