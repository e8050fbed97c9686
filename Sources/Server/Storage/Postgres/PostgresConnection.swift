// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation

/// One connection of libpq. Made, used and closed by one thread.
final class PostgresConnection {
  /// Statements that one connection keeps prepared; then it forgets them all and begins again.
  private static let preparedMax = 400
  /// PostgreSQL 12 (pg_xact views aside, the oldest whose planner and `ON CONFLICT` rules the stores were tried on).
  private static let versionMin: Int32 = 120_000

  let handle: OpaquePointer
  private var prepared: [Signature: String] = [:]

  /// A statement is prepared once for each combination of parameter types.
  private struct Signature: Hashable {
    let text: String
    let types: [Oid]
  }

  /// - Throws: `PostgresFailure.lost` when no server answers; `refused` when it is one that we cannot work with.
  init(_ settings: PostgresSettings, application: String) throws {
    let parameters: [(name: String, value: String)]
    do { parameters = try settings.parameters(application: application) } catch let error as SQLError {
      throw PostgresFailure.refused(error)
    }
    let made = Self.withCStrings(parameters.map(\.name)) { names in
      Self.withCStrings(parameters.map(\.value)) { values in PQconnectdbParams(names, values, 0) }
    }
    guard let made else { throw PostgresFailure.lost("out of memory") }
    handle = made
    do { try setUp(settings) } catch {
      PQfinish(made)
      throw error
    }
  }

  func close() { PQfinish(handle) }

  var isUsable: Bool { PQstatus(handle) == CONNECTION_OK }

  /// Whether nothing of the last transaction is left.
  var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

  private func setUp(_ settings: PostgresSettings) throws {
    guard isUsable else { throw PostgresFailure.lost(PostgresFailure.reason(handle)) }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    guard PQserverVersion(handle) >= Self.versionMin else {
      throw PostgresFailure.refused(.schema("PostgreSQL 12 or later is needed"))
    }
    guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
      throw PostgresFailure.refused(.schema("the database is not encoded in UTF8"))
    }
    try command(
      """
      SET statement_timeout = \(settings.statementTimeout.milliseconds);
      SET lock_timeout = \(settings.lockTimeout.milliseconds);
      SET idle_in_transaction_session_timeout = \(settings.idleInTransactionTimeout.milliseconds);
      SET bytea_output = hex;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """)
  }

  // MARK: Statements

  /// Runs statements that have no parameters and no answer that matters.
  /// - Returns: the tag of the last one, as in `ROLLBACK`.
  @discardableResult
  func command(_ text: String) throws -> String {
    let result = PQexec(handle, text)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return PQcmdStatus(result).map { String(cString: $0) } ?? ""
    default: throw PostgresFailure(result, connection: handle)
    }
  }

  /// - Returns: the rows of the answer, and how many rows were changed.
  func run(_ statement: SQL) throws -> (rows: [SQLRow], changed: Int) {
    let values = statement.values(in: .postgres)
    for case .text(let text) in values where text.holdsNUL { throw PostgresFailure.refused(.textHoldsNUL) }
    let name = try prepare(statement.text(in: .postgres), types: values.map(PostgresValue.type))
    let result = PostgresValue.withParameters(values) { pointers, lengths, formats in
      PQexecPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: break
    default: throw PostgresFailure(result, connection: handle)
    }
    let changed = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    return (try PostgresValue.rows(result), changed)
  }

  private func prepare(_ text: String, types: [Oid]) throws -> String {
    let signature = Signature(text: text, types: types)
    if let name = prepared[signature] { return name }
    if prepared.count >= Self.preparedMax {
      try command("DEALLOCATE ALL")
      prepared = [:]
    }
    let name = "s\(prepared.count)"
    let result = PQprepare(handle, name, text, Int32(types.count), types)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw PostgresFailure(result, connection: handle) }
    prepared[signature] = name
    return name
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
