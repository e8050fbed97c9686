// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Signs customers in and moves their connections.
struct ConnectionService: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy

  /// A customer who signed in, and what their device shows from now on.
  struct Authentication: Sendable {
    let user: String
    let token: String
    /// The device's.
    let publicKey: RSAPublicKey
  }

  /// Makes a connection valid. The same authentication again changes nothing.
  /// - Throws: `Problem` ConnectionNotFound when the connection does not wait for a sign-in, or when its connect query
  ///   has led to another connection; WrongRequestFormat for a token that cannot be one or is another device's.
  @discardableResult
  func authenticate(
    _ connection: SaltEdgeConnection, _ authentication: Authentication, by actor: String, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    let now = core.world.now()
    guard !authentication.user.isEmpty, authentication.user.utf8.count <= 256,
      SaltEdgePolicy.tokenBytes.contains(authentication.token.utf8.count)
    else { throw Problem.wrongFormat }
    let digest = core.digest(token: authentication.token)
    let user = core.digest(user: authentication.user, of: connection.provider)
    let store = ConnectionStore(tx, vault: core.vault)
    if let other = try store.find(tokenDigest: digest) {
      guard other.id == connection.id, other.userDigest == user, other.state == .valid else {
        throw Problem.wrongFormat
      }
      return other
    }
    guard connectionFlow.allows(.authenticated, from: connection.state), now < connection.enrolmentEndsAt else {
      throw Problem.noSuchConnection
    }
    // Another device was faster.
    if let query = connection.secrets.connectQuery {
      guard try SpentStore(tx).spend(query, until: now + policy.connectQueryMemory) else {
        throw Problem.noSuchConnection
      }
    }
    var signedIn = connection
    signedIn.secrets.user = authentication.user
    signedIn.userDigest = user
    signedIn.publicKey = authentication.publicKey.pem
    signedIn.tokenDigest = digest
    signedIn.tokenExpiresAt = now + policy.accessTokenLifetime
    signedIn.sessionDigest = nil
    // An erasure of that customer does not see the connection, which was no customer's before.
    try core.hold(user, of: connection.provider, in: tx)
    return try move(signedIn, on: .authenticated, by: actor, in: tx)
  }

  /// Moves a connection on an event.
  /// - Returns: the connection as it is now.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  @discardableResult
  func move(
    _ connection: SaltEdgeConnection, on event: ConnectionEvent, by actor: String, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    var moved = connection
    try core.mover.move(&moved, on: event, of: ConnectionMachine(core: core), by: actor, in: tx)
    return moved
  }

  /// Ends connections that were never signed in for. A scheduled job.
  func sweepLapsed() async throws {
    let now = core.world.now()
    try await core.database.writeEachDue(
      paging: .behindLast, retrying: .outdated,
      { [core] page, tx in
        try ConnectionStore(tx, vault: core.vault)
          .lapsed(before: now, after: page.last ?? .start, limit: page.limit)
      }
    ) { [self] place, tx in
      guard let connection = try ConnectionStore(tx, vault: core.vault).find(place.id),
        connection.enrolmentEndsAt <= core.world.now(), connectionFlow.allows(.lapsed, from: connection.state)
      else { return }
      try move(connection, on: .lapsed, by: "system", in: tx)
    }
  }

  /// Ends connections whose token ran out of time, and lets their banks know. A scheduled job.
  func sweepExpired() async throws {
    let now = core.world.now()
    try await core.database.writeEachDue(
      paging: .behindLast, retrying: .outdated,
      { [core] page, tx in
        try ConnectionStore(tx, vault: core.vault)
          .expired(before: now, after: page.last ?? .start, limit: page.limit)
      }
    ) { [self] place, tx in
      guard let connection = try ConnectionStore(tx, vault: core.vault).find(place.id),
        let end = connection.tokenExpiresAt, end <= core.world.now(),
        connectionFlow.allows(.expired, from: connection.state)
      else { return }
      try move(connection, on: .expired, by: "system", in: tx)
    }
  }
}
