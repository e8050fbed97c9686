// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeCore
import Storage

extension CoreDependencies {
  /// A new id: a number that cannot be guessed, below what every JSON reader holds exactly (§12.2).
  func number<Subject>() -> Identifier<Subject> {
    Identifier(rawValue: String(world.number(below: (1 << 53) - 1) + 1))
  }

  var randomness: Randomness { Randomness(world.random) }

  /// Under which a token is looked up.
  func digest(token: String) -> String { vault.digest(token, for: "saltedge token") }

  /// Under which a customer's connections are looked up.
  func digest(user: String, of provider: SaltEdgeProvider.ID) -> String {
    vault.digest("\(provider)\u{0}\(user)", for: "saltedge user")
  }

  /// Lets a transaction that writes something of a customer and an erasure of theirs meet.
  /// - Parameter user: their digest; nil holds nothing.
  func hold(_ user: String?, of provider: SaltEdgeProvider.ID, in tx: any SQLTransaction) throws {
    if let subject = KeySubject(user: user, of: provider) { try vault.holdSubjectKey(of: subject, in: tx) }
  }

  /// Under which the audit log tells of them.
  func chain(_ connection: SaltEdgeConnection.ID) -> String { "saltedge-\(connection)" }
  func chain(_ operation: Operation.ID) -> String { "saltedge-operation-\(operation)" }

  /// An audit entry of a connection.
  func note(
    _ action: String, _ connection: SaltEdgeConnection.ID, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try audit.append("saltedge.\(action)", to: chain(connection), by: actor, facts: facts, in: tx)
  }

  /// A connection as this transaction finds it: it may have been revoked since its token was looked at.
  /// - Throws: `Problem` ConnectionRevoked or ConnectionNotFound.
  func usable(_ id: SaltEdgeConnection.ID, in tx: any SQLTransaction) throws -> SaltEdgeConnection {
    guard let connection = try ConnectionStore(tx, vault: vault).find(id) else {
      throw Problem.saltEdge(.connectionNotFound)
    }
    guard connection.isUsable(at: world.now()) else {
      let isRevoked = connection.state == .revoked && connection.apiVersion == 2
      throw Problem.saltEdge(isRevoked ? .connectionRevoked : .connectionNotFound)
    }
    return connection
  }

  /// 32 random bytes as base64url: a token, a session, a query.
  func secret() -> String { world.random(32).base64URL }
}
