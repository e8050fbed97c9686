// SPDX-License-Identifier: Apache-2.0

import Storage

/// Which conflicts of transactions make a write run again.
package enum WriteConflict: Sendable {
  /// Another transaction changed a row after this one had read it.
  case outdated
  /// Also: another transaction inserted the same row first. The next try finds that row.
  case outdatedOrDuplicate

  /// How often a write is tried.
  static let triesMax = 10

  func isCause(of error: SQLError) -> Bool {
    switch error {
    case .outdated: true
    case .notUnique: self == .outdatedOrDuplicate
    default: false
    }
  }
}

extension SQLDatabase {
  /// A write that is run again while other transactions are faster.
  ///
  /// - Throws: `Problem.unavailable` when every try met a conflict; otherwise what `body` throws.
  package func write<Value: Sendable>(
    retrying conflict: WriteConflict, _ isolation: SQLIsolation = .snapshot,
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    for _ in 0..<WriteConflict.triesMax {
      do { return try await write(isolation, body) } catch let error as SQLError where conflict.isCause(of: error) {}
    }
    throw Problem.unavailable
  }
}
