import Crypto
import Foundation
import Storage

/// The append-only record of what was decided, chained by hash: each line holds the digest of the one before it, so
/// that no line can be changed, removed or put in between without breaking every later digest.
///
/// A line says what happened in codes. Personal data never enters it; whose line it is, and the ids in it, can be cut
/// out later without breaking the chain (`cutSubject`).
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
      previous: last?.digest ?? AuditLine.genesis, salt: world.random(16).hex)
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
  /// Keeps what was cut out from being guessed by its digest. Nil in lines of the first format.
  package var salt: String?

  /// Digest of whose line it is and of its facts; nil in lines of the first format.
  var content: String? { salt.map { Self.digest(of: [$0, chain] + sortedFacts) } }

  /// What the next line repeats. It covers chain and facts by `content` only, so that they can go and it still
  /// verifies; lines of the first format, which have no content digest, cover them directly.
  package var digest: String {
    if let content { return digest(content: content) }
    return Self.digest(of: [previous, chain, "\(sequence)", "\(at.milliseconds)", actor, action] + sortedFacts)
  }

  /// - Parameter content: as it was stored; the line's own may be cut out.
  func digest(content: String) -> String {
    Self.digest(of: ["line 2", previous, "\(sequence)", "\(at.milliseconds)", actor, action, content])
  }

  private var sortedFacts: [String] { facts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } }

  /// SHA-256 over the parts, each with its length in front so that no two lists share an encoding.
  private static func digest(of parts: [String]) -> String {
    var hash = SHA256()
    for part in parts {
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
  /// Of the lines, those whose subject was cut out: their place and action still verify, their facts are gone.
  package var cut = 0
  /// Chain and first bad sequence number, with what is wrong there.
  package var faults: [String] = []
}
