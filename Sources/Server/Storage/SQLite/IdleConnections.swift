// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// Connections that only read, each used by one thread at a time, so that no thread waits for another's.
final class IdleConnections: Sendable {
  /// More than there are threads that compute.
  private static let openMax = 16

  private struct State {
    var idle: [DatabaseQueue] = []
    var open = 0
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// - Returns: nil when all are in use, none can be opened, or the database was closed.
  func with<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value? {
    guard let connection = take() else { return nil }
    defer { giveBack(connection) }
    return try body(connection)
  }

  private func take() -> DatabaseQueue? {
    let (idle, opens) = state.withLock { state -> (DatabaseQueue?, Bool) in
      guard !state.isClosed else { return (nil, false) }
      if let connection = state.idle.popLast() { return (connection, false) }
      guard state.open < Self.openMax else { return (nil, false) }
      state.open += 1
      return (nil, true)
    }
    guard opens else { return idle }
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      // Out of file handles, say: the connections that are open serve this one as well.
      state.withLock { $0.open -= 1 }
      return nil
    }
  }

  private func giveBack(_ connection: DatabaseQueue) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.idle.append(connection) }
      return state.isClosed
    }
    if isClosed { try? connection.close() }
  }

  func close() {
    let idle = state.withLock { state in
      defer { (state.idle, state.isClosed) = ([], true) }
      return state.idle
    }
    for connection in idle { try? connection.close() }
  }
}
