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
}
