// SPDX-License-Identifier: Apache-2.0

/// What a storage engine refused, reduced to what a caller can act on. Never carries a bound value.
package enum SQLError: Error, Sendable, Equatable {
  /// A UNIQUE or PRIMARY KEY constraint; the text names columns or the constraint.
  case notUnique(String)
  /// A CHECK, NOT NULL or FOREIGN KEY constraint.
  case constraint(String)
  /// Others held the database, or a row of it, for longer than the engine waits or retries.
  case busy
  /// Another transaction held one row for longer than the engine waits; a query for other rows need not wait.
  case locked
  /// A row changed since the decision was made on it; the same work may be done again on the new row.
  case outdated
  /// The connection was lost while the commit was on its way: it may or may not have happened. Callers repeat under
  /// the same idempotency key.
  case uncertain
  /// The engine does not answer; the text says why, for operators.
  case unreachable(String)
  /// A row does not hold what the code expects of it.
  case unreadable(String)
  /// A released migration was edited, or the schema is newer than this program.
  case schema(String)
  case engine(String)
}

extension SQLError {
  /// The name of the case.
  package var name: String { logged.name }

  /// What the engine says: names of columns, constraints and objects. Nil for a case that explains itself.
  package var reason: String? { logged.reason }

  private var logged: (name: String, reason: String?) {
    switch self {
    case .notUnique(let reason): ("notUnique", reason)
    case .constraint(let reason): ("constraint", reason)
    case .busy: ("busy", nil)
    case .locked: ("locked", nil)
    case .outdated: ("outdated", nil)
    case .uncertain: ("uncertain", nil)
    case .unreachable(let reason): ("unreachable", reason)
    case .unreadable(let reason): ("unreadable", reason)
    case .schema(let reason): ("schema", reason)
    case .engine(let reason): ("engine", reason)
    }
  }

  /// A text that no engine keeps: SQLite cuts it at a NUL and PostgreSQL refuses it, and two keys must never become
  /// one. Only what comes from outside has one.
  package static let textHoldsNUL = SQLError.constraint("a text holds a NUL")

  static let notSelect = SQLError.engine("only a SELECT is read by itself")
}
