// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeWire

/// Which of the connections that a bank names can be shown something now, and why the others cannot. Both public banks
/// name every connection that they hold, so that one that is gone must not keep the others from being reached.
struct ReachableConnections: Sendable {
  let living: [SaltEdgeConnection.ID: SaltEdgeConnection]
  /// In the order in which the bank named them.
  let unreached: [SaltEdgeBank.Unreached]

  /// When the bank named none that can be reached: there is nothing to show.
  /// - Throws: `Problem` ConnectionNotFound, which names them.
  func requireAny() throws {
    guard living.isEmpty, !unreached.isEmpty else { return }
    let names = unreached.map { "\($0.connectionID.text.prefix(scalars: 64)) (\($0.errorClass.rawValue))" }.joined(
      separator: ", ")
    let none = Problem.noSuchConnection
    throw Problem(none.category, none.code, "None of the connections can be reached: \(names).")
  }
}

extension ConnectionStore {
  /// - Parameter ids: as a bank names them; each counts once.
  func reach(
    _ ids: [SaltEdgeConnection.ID], of provider: SaltEdgeProvider.ID, at now: Instant
  ) throws -> ReachableConnections {
    var living: [SaltEdgeConnection.ID: SaltEdgeConnection] = [:]
    var unreached: [SaltEdgeBank.Unreached] = []
    var seen: Set<SaltEdgeConnection.ID> = []
    for id in ids where seen.insert(id).inserted {
      // A connection of another bank is not there for this one.
      let connection = try find(id).flatMap { $0.provider == provider ? $0 : nil }
      if let connection, connection.isUsable(at: now) {
        living[id] = connection
        continue
      }
      let (errorClass, message): (SaltEdge.ErrorClass, String) =
        switch connection?.state {
        case nil: (.connectionNotFound, "There is no such connection.")
        case .authenticating: (.connectionNotFound, "Its customer has not signed in yet.")
        case .failed: (.connectionNotFound, "Its customer did not sign in, or not in time.")
        case .revoked: (.connectionRevoked, "The connection was revoked, or its access has expired.")
        case .valid: (.connectionRevoked, "The access of the connection has expired.")
        }
      unreached.append(.init(connectionID: .init(id.rawValue), errorClass: errorClass, message: message))
    }
    return ReachableConnections(living: living, unreached: unreached)
  }
}
