// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation

/// How PostgreSQL is reached, and for how long anything may take.
package struct PostgresSettings: Sendable {
  /// `postgres://user:password@host:port/database?sslmode=verify-full…`: a connection URI of libpq, with all of its
  /// parameters (PostgreSQL 15 manual §34.1.1.2). It may hold a password: never print it.
  package var url: String
  /// Connections, each on a thread of its own.
  package var connectionsMax: Int
  /// Transactions that may wait for a connection.
  package var waitingMax = 2048
  /// The longest that a transaction may wait for a connection.
  package var waitMax = Duration.seconds(10)
  package var connectTimeout = Duration.seconds(5)
  /// The longest that one statement may run; zero means for ever.
  package var statementTimeout = Duration.seconds(30)
  /// The longest that a statement may wait for a row that another transaction holds.
  package var lockTimeout = Duration.seconds(10)
  /// The longest that a step of the schema may wait for a table that is in use: meanwhile every other query of that
  /// table stands in line behind it. Longer than the server's `deadlock_timeout` of a second, after which it makes a
  /// vacuum of its own give way.
  package var schemaLockTimeout = Duration.seconds(2)
  /// For how long a step of the schema is tried again when its tables were in use.
  package var schemaPatience = Duration.seconds(600)
  /// The longest that an open transaction may do nothing, before the server ends it.
  package var idleInTransactionTimeout = Duration.seconds(30)
  /// After this much rest a connection is given back.
  package var idleTimeout = Duration.seconds(300)
  /// For how long a transaction is tried again when the server is away: a restart should be a pause, not an error.
  package var patience = Duration.seconds(8)

  package init(url: String, connectionsMax: Int = 16) {
    precondition(connectionsMax > 0, "A pool needs a connection.")
    self.url = url
    self.connectionsMax = connectionsMax
  }

  /// The parameters for `PQconnectdbParams`, in order: what the URL says comes after our defaults and wins.
  /// - Throws: `SQLError.engine` when libpq does not understand the URL; the message does not quote it.
  func parameters(application: String) throws -> [(name: String, value: String)] {
    let given = try Self.parse(url)
    var parameters = [
      ("application_name", application), ("client_encoding", "UTF8"),
      ("connect_timeout", "\(max(2, connectTimeout.components.seconds))"),
      ("keepalives_idle", "30"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      // Unacknowledged data for this long means that the peer is gone: a dead host is noticed before a user gives up.
      ("tcp_user_timeout", "15000"),
      // After a fail-over only the server that takes writes is of use.
      ("target_session_attrs", "read-write"),
    ]
    // libpq's own default, `prefer`, sends a password in clear to a server that refuses TLS.
    if !Self.isLocal(given) { parameters.append(("sslmode", "verify-full")) }
    return parameters + given
  }

  /// Whether libpq understands a URL. Nothing is asked of any server.
  package static func understands(_ url: String) -> Bool { (try? parse(url)) != nil }

  private static func parse(_ url: String) throws -> [(name: String, value: String)] {
    guard let options = PQconninfoParse(url, nil) else { throw SQLError.engine("the database URL is not understood") }
    defer { PQconninfoFree(options) }
    var parameters: [(String, String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parameters.append((String(cString: keyword), String(cString: value))) }
      option += 1
    }
    return parameters
  }

  /// Whether every server named is on this machine. Where the URL names none, libpq asks the environment, or a file of
  /// services, which are unknown here.
  private static func isLocal(_ parameters: [(name: String, value: String)]) -> Bool {
    var named = parameters.filter { ["host", "hostaddr"].contains($0.name) }.map(\.value)
    if named.isEmpty {
      let environment = ProcessInfo.processInfo.environment
      guard environment["PGSERVICE"] == nil, !parameters.contains(where: { $0.name == "service" }) else { return false }
      named = ["PGHOST", "PGHOSTADDR"].compactMap { environment[$0] }
    }
    return named.flatMap { $0.split(separator: ",") }
      .allSatisfy { $0.hasPrefix("/") || ["localhost", "::1"].contains($0) || $0.hasPrefix("127.") }
  }
}
