// SPDX-License-Identifier: Apache-2.0

/// One open transaction on a connection.
final class PostgresTransaction: SQLTransaction {
  private let connection: PostgresConnection
  /// The first refusal. PostgreSQL refuses everything after it until the transaction ends.
  private(set) var failure: PostgresFailure?
  private(set) var signals: Set<String> = []
  private(set) var committedActions: [@Sendable () -> Void] = []
  let origin: String?

  init(_ connection: PostgresConnection, origin: String?) {
    self.connection = connection
    self.origin = origin
  }

  func query(_ statement: SQL) throws -> [SQLRow] { try run(statement).rows }

  func execute(_ statement: SQL) throws -> Int { try run(statement).changed }

  func signal(_ name: String) { signals.insert(name) }

  func afterCommit(_ action: @escaping @Sendable () -> Void) { committedActions.append(action) }

  private func run(_ statement: SQL) throws -> (rows: [SQLRow], changed: Int) {
    if let failure { throw Self.visible(failure) }
    do { return try connection.run(statement) } catch let failure as PostgresFailure {
      self.failure = failure
      throw Self.visible(failure)
    }
  }

  /// What a body sees, and may catch, is the engine-neutral error.
  static func visible(_ failure: PostgresFailure) -> SQLError {
    switch failure {
    case .refused(let error): error
    case .conflict: .busy
    case .lost(let reason): .unreachable(reason)
    case .uncertain: .uncertain
    case .collided: .busy
    }
  }
}
