import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Moves connections: the one way a connection changes its state.
struct ConnectionBook: Sendable {
  let parts: SaltEdgeParts

  /// A customer who signed in, and what their device shows from now on.
  struct Authentication: Sendable {
    let user: String
    let token: String
    /// The device's.
    let publicKey: RSAPublicKey
  }

  /// Makes a connection valid. The same authentication again changes nothing.
  /// - Throws: `Problem` ConnectionNotFound when nobody waits to be signed in, WrongRequestFormat for a token that
  ///   cannot be one or is another device's.
  @discardableResult
  func authenticate(
    _ connection: SaltEdgeConnection, _ authentication: Authentication, by actor: String, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    let now = parts.world.now()
    guard !authentication.user.isEmpty, authentication.user.utf8.count <= 256,
      SaltEdgePolicy.tokenBytes.contains(authentication.token.utf8.count)
    else { throw Problem.wrongFormat }
    let digest = parts.digest(token: authentication.token)
    let user = parts.digest(user: authentication.user, of: connection.provider)
    let store = ConnectionStore(tx, vault: parts.vault)
    if let other = try store.find(tokenDigest: digest) {
      guard other.id == connection.id, other.userDigest == user, other.state == .valid else {
        throw Problem.wrongFormat
      }
      return other
    }
    guard connectionFlow.allows(.authenticated, from: connection.state), now < connection.enrolmentEndsAt else {
      throw Problem.noSuchConnection
    }
    var signedIn = connection
    signedIn.secrets.user = authentication.user
    signedIn.userDigest = user
    signedIn.publicKey = authentication.publicKey.pem
    signedIn.tokenDigest = digest
    signedIn.tokenExpiresAt = now + parts.policy.accessTokenLifetime
    signedIn.sessionDigest = nil
    return try move(signedIn, on: .authenticated, by: actor, in: tx)
  }

  /// A legal move, a guarded write, its audit line, its effects; what a revoked device still had to decide is withdrawn.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  @discardableResult
  func move(
    _ connection: SaltEdgeConnection, on event: ConnectionEvent, by actor: String, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    let move = try connectionFlow.move(from: connection.state, on: event)
    var moved = connection
    moved.state = move.to
    if move.to == .revoked { moved.secrets.pushToken = nil }
    try ConnectionStore(tx, vault: parts.vault).save(moved, at: parts.world.now())
    moved.version += 1
    parts.moves.note("saltedge.connection", move, in: tx)
    try parts.note("connection.\(event)", connection.id, by: actor, ["to": move.to.rawValue], in: tx)
    if move.to == .revoked {
      let book = ActionBook(parts: parts)
      let waiting = try AuthorizationStore(tx, vault: parts.vault).unfinished(on: connection.id, limit: 1000)
      for authorization in waiting where authorization.state == .pending {
        try book.move(authorization, on: .withdrawn, by: actor, in: tx)
      }
    }
    for effect in move.effects {
      try parts.outbox.enqueue("saltedge.\(effect.rawValue)", subject: connection.id.rawValue, in: tx)
    }
    return moved
  }

  /// Ends connections that nobody signed in for. Run regularly by the caretaker.
  func sweepLapsed() async throws {
    let now = parts.world.now()
    try await OverdueSweep(parts: parts).run({ [parts] tx, place, limit in
      try ConnectionStore(tx, vault: parts.vault).lapsed(before: now, after: place, limit: limit)
    }) { id, tx in
      guard let connection = try ConnectionStore(tx, vault: parts.vault).find(id),
        connection.enrolmentEndsAt <= parts.world.now(), connectionFlow.allows(.lapsed, from: connection.state)
      else { return }
      try move(connection, on: .lapsed, by: "system", in: tx)
    }
  }
}
