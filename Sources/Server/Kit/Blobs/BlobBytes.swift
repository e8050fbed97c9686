// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Bytes in pieces, in order, to be read once.
package struct BlobBytes: AsyncSequence, Sendable {
  package typealias Element = Data
  package typealias Failure = any Error

  private let make: @Sendable () -> AsyncIterator

  package init(_ make: @escaping @Sendable () -> AsyncIterator) { self.make = make }

  package init<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == Data {
    self.init {
      var iterator = source.makeAsyncIterator()
      return AsyncIterator { try await iterator.next() }
    }
  }

  /// Bytes that are in memory already, as slices of at most `sliceMax`.
  package init(_ bytes: Data, sliceMax: Int = 256 * 1024) {
    self.init {
      var rest = bytes[...]
      return AsyncIterator {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(sliceMax) }
        return Data(rest.prefix(sliceMax))
      }
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { make() }

  package struct AsyncIterator: AsyncIteratorProtocol {
    private let step: () async throws -> Data?

    /// - Parameter step: the next piece; nil after the last one.
    package init(_ step: @escaping () async throws -> Data?) { self.step = step }

    package mutating func next() async throws -> Data? { try await step() }
  }

  /// All of it.
  /// - Throws: `BlobError.tooLarge` as soon as there are more bytes than `bytesMax`.
  package func collect(upTo bytesMax: Int) async throws -> Data {
    var all = Data()
    for try await piece in self {
      guard all.count + piece.count <= bytesMax else { throw BlobError.tooLarge(bytesMax: bytesMax) }
      all.append(piece)
    }
    return all
  }
}
