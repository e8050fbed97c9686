import Delivery
import Foundation
import Kit
import OneAssistCore
import Storage

/// What every command of this room needs.
package struct OneAssistDependencies: Sendable {
  package let database: any SQLDatabase
  package let world: World
  let vault: Vault
  let blobs: Blobs
  let audit: Audit
  let outbox: Outbox
  let idempotency: Idempotency
  let messenger: Messenger
  let devOutbox: DevOutbox?
  let mover: Mover
  package let policy: OneAssistPolicy
  let ports: OneAssistPorts

  /// - Parameter devOutbox: where messages are kept for developers; an erasure empties it too.
  package init(
    database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, messenger: Messenger, devOutbox: DevOutbox?,
    policy: OneAssistPolicy, ports: OneAssistPorts, moves: FlowMoves = .uncounted
  ) {
    (self.database, self.world, self.vault, self.blobs) = (database, world, vault, blobs)
    (audit, outbox) = (Audit(world: world), Outbox(world: world))
    idempotency = Idempotency(world: world, vault: vault)
    (self.messenger, self.devOutbox, self.policy, self.ports) = (messenger, devOutbox, policy, ports)
    mover = Mover(world: world, moves: moves)
  }

  /// 256 bits that nobody guesses, base64url.
  func secret() -> String { world.random(32).base64URL }

  func digest(token: String) -> String { vault.digest(token, for: "oneassist token") }
  func digest(link: String) -> String { vault.digest(link, for: "oneassist link") }
  func digest(number: SecondMobileNumber) -> String { vault.digest(number.e164, for: "oneassist number") }
  func digest(imei: IMEI) -> String { vault.digest(imei.digits, for: "oneassist imei") }
  func digest(file: Data, of membership: Membership.ID) -> String {
    vault.digest("\(membership) \(file.sha256Hex)", for: "oneassist file")
  }

  /// Under which the audit log tells of it.
  func chain(_ membership: Membership.ID) -> String { "oneassist-\(membership)" }

  /// One line of a membership's story.
  func note(
    _ action: String, _ membership: Membership.ID, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try audit.append("oneassist.\(action)", to: chain(membership), by: actor, facts: facts, in: tx)
  }
}
