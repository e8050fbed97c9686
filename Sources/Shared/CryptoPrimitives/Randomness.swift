// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Unpredictable bytes, handed in: the server gives its world's, an app the system's, a test fixed ones.
public struct Randomness: Sendable {
  private let source: @Sendable (Int) -> [UInt8]

  /// - Parameter source: answers with exactly as many bytes as it is asked for.
  public init(_ source: @escaping @Sendable (Int) -> [UInt8]) {
    self.source = source
  }

  /// - Precondition: the source keeps its promise.
  public func bytes(_ count: Int) -> Data {
    let bytes = source(count)
    precondition(bytes.count == count, "the source of randomness must give as many bytes as it is asked for")
    return Data(bytes)
  }
}
