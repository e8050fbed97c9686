// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation

/// What went wrong on a connection, before it is decided whether to try again.
enum PostgresFailure: Error {
  /// Another transaction won (40001, 40P01): the same work may be done again at once.
  case conflict
  /// The connection is gone or was never made. Nothing was committed.
  case lost(String)
  /// The connection was lost between the request to commit and its answer.
  case uncertain
  /// A row with that key is there already; with what the transaction made of it. It may have been inserted after the
  /// transaction had looked for it.
  case collided(any Error)
  /// A statement was refused.
  case refused(SQLError)
}

extension PostgresFailure {
  /// Reads the SQLSTATE (PostgreSQL 15 manual, appendix A). Messages are dropped, as they may quote values; names of
  /// constraints and, for mistakes in a statement, its objects are kept.
  init(_ result: OpaquePointer?, connection: OpaquePointer) {
    guard PQstatus(connection) == CONNECTION_OK, let result else {
      self = .lost(Self.reason(connection))
      return
    }
    let state = Self.field(result, "C") ?? ""
    switch state {
    case "40001", "40P01": self = .conflict
    // An error without a code is libpq's own: the connection broke while it was read.
    case "": self = .lost(Self.reason(connection))
    case "23505": self = .refused(.notUnique(Self.field(result, "n") ?? ""))
    case _ where state.hasPrefix("23"): self = .refused(.constraint(Self.field(result, "n") ?? Self.column(result)))
    case "55P03": self = .refused(.locked)
    // A statement took too long.
    case "57014": self = .refused(.busy)
    // The connection broke; the server ends it, is starting or stopping; it lacks connections, memory or room; its disk
    // or system failed it. All of that is of the server and may pass, nothing of it is of the statement.
    case "25P03": self = .lost(state)
    case _ where ["08", "53", "57P", "58"].contains(where: state.hasPrefix): self = .lost(state)
    case _ where state.hasPrefix("42"):
      self = .refused(.engine("\(state): \(Self.field(result, "M") ?? "")"))
    default: self = .refused(.engine("PostgreSQL \(state)"))
    }
  }

  /// What libpq says about a connection: it names hosts and users, never a password.
  static func reason(_ connection: OpaquePointer) -> String {
    let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func column(_ result: OpaquePointer) -> String { field(result, "c") ?? "" }

  private static func field(_ result: OpaquePointer, _ code: Character) -> String? {
    guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
    return String(cString: text)
  }
}
