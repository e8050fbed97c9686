import Crypto
import Foundation
import Storage

/// The append-only record of what was decided, chained by hash: each line holds the digest of the one before it, so
/// that no line can be changed, removed or put in between without breaking every later digest.
///
/// A line says what happened in codes. Personal data never enters it.
package struct Audit: Sendable {
  let world: World

  package init(world: World) { self.world = world }

  /// - Parameters:
  ///   - chain: whose story this is: an application, an agent, the installation.
  ///   - actor: `customer`, `agent:<id>`, `system`.
  ///   - action: `topic.verb`.
  ///   - facts: codes and ids.
  package func append(
    _ action: String, to chain: String, by actor: String, facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    let store = AuditStore(tx)
    let last = try store.head(of: chain)
    let line = AuditLine(
      chain: chain, sequence: (last?.sequence ?? 0) + 1, at: world.now(), actor: actor, action: action, facts: facts,
      previous: last?.digest ?? AuditLine.genesis)
    // The head first: writers of one chain meet there, and PostgreSQL lets the later one run again.
    try store.setHead(line, previous: last)
    try store.insert(line)
  }
}

/// One line of a chain.
package struct AuditLine: Sendable, Equatable {
  package static let genesis = String(repeating: "0", count: 64)

  package let chain: String
  /// Counted from 1, without gaps.
  package let sequence: Int
  package let at: Instant
  package let actor: String
  package let action: String
  package let facts: [String: String]
  /// Digest of the line before, `genesis` for the first.
  package let previous: String

  /// SHA-256 over every member, each with its length in front so that no two lines share an encoding.
  package var digest: String {
    var hash = SHA256()
    let facts = facts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    for part in [previous, chain, "\(sequence)", "\(at.milliseconds)", actor, action] + facts {
      hash.update(data: Data("\(part.utf8.count):".utf8))
      hash.update(data: Data(part.utf8))
    }
    return hash.finalize().hex
  }
}

/// What `gatehouse audit verify` found.
package struct AuditReport: Sendable, Equatable, Codable {
  package var chains = 0
  package var lines = 0
  /// Chain and first bad sequence number, with what is wrong there.
  package var faults: [String] = []
}
