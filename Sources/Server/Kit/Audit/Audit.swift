// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// The append-only record of what was decided, chained by keyed digests (HMAC-SHA-256 under a key of the vault): each
/// line holds the digest of the one before it, so that no line can be changed, removed or put in between without
/// breaking every later digest, and without the key ring no other digest can be made.
///
/// A line says what happened in codes. Personal data never enters it; whose line it is, and the ids in it, can be cut
/// out later without breaking the chain (`cutSubject`).
package struct Audit: Sendable {
  /// The chain of the log itself: that it was sealed, and which chains were deleted.
  package static let ownChain = "audit"

  let world: World
  let vault: Vault

  package init(world: World, vault: Vault) { (self.world, self.vault) = (world, vault) }

  /// - Parameters:
  ///   - chain: the subject whose lines are linked: an application, an agent, the installation.
  ///   - actor: `customer`, `agent:<id>`, `system`.
  ///   - action: `topic.verb`.
  ///   - facts: codes and ids.
  package func append(
    _ action: String, to chain: String, by actor: String, facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    let last = try AuditStore(tx).head(of: chain)
    let line = AuditLine(
      chain: chain, sequence: (last?.sequence ?? 0) + 1, at: world.now(), actor: actor, action: action, facts: facts,
      previous: last?.digest ?? AuditLine.genesis, salt: world.random(16).hex)
    try append(line, content: line.content, after: last, in: tx)
  }

  /// The same, for what a page or a program reads again and again.
  /// - Parameter onceADay: appends nothing where the actor did the same within a day; false appends each time.
  package func append(
    _ action: String, to chain: String, by actor: String, facts: [String: String], onceADay: Bool,
    in tx: any SQLTransaction
  ) throws {
    if onceADay, let last = try AuditStore(tx).last(action, by: actor, of: chain), last + .days(1) > world.now() {
      return
    }
    try append(action, to: chain, by: actor, facts: facts, in: tx)
  }

  /// Appends the look at a list: each time for a person, and once a day for a program of an institution
  /// (`client:<id>`), which reads it every few seconds.
  package func appendList(
    _ action: String, to chain: String, by actor: String, facts: [String: String], in tx: any SQLTransaction
  ) throws {
    try append(action, to: chain, by: actor, facts: facts, onceADay: actor.hasPrefix("client:"), in: tx)
  }

  /// Writes a line under the key that is used now.
  func append(
    _ line: AuditLine, content: String?, after last: AuditStore.Head?, in tx: any SQLTransaction
  ) throws {
    var line = line
    let key = try vault.auditKey()
    line.keyVersion = key.version
    let digest = line.digest(content: content, key: key.key)
    let store = AuditStore(tx)
    // The head first: writers of one chain meet there, and PostgreSQL lets the later one run again.
    try store.setHead(of: line.chain, sequence: line.sequence, digest: digest, previous: last)
    try store.insert(line, content: content, digest: digest)
  }
}

extension Vault {
  /// - Parameter version: as a line names it; nil is the one that new lines get.
  func auditKey(_ version: String? = nil) throws -> (version: String, key: SymmetricKey) {
    try derivedKey(for: "audit line", version: version)
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
  /// Version of the key of the line's digest; nil in lines from before the log was keyed.
  package var keyVersion: String?

  /// Digest of whose line it is and of its facts; nil in lines of the first format.
  var content: String? { salt.map { Self.digest(of: [$0, chain] + sortedFacts) } }

  /// What the next line repeats, of a line from before the log was keyed. It covers chain and facts by `content` only,
  /// so that they can go and it still verifies; lines of the first format, which have no content digest, cover them
  /// directly.
  var digest: String { digest(content: content, key: nil) }

  /// What the next line repeats.
  /// - Parameters:
  ///   - content: as it was stored; the line's own may be cut out.
  ///   - key: of the line's version.
  func digest(content: String?, key: SymmetricKey?) -> String {
    guard let content else {
      return Self.digest(of: [previous, chain, "\(sequence)", "\(at.milliseconds)", actor, action] + sortedFacts)
    }
    let members = [previous, "\(sequence)", "\(at.milliseconds)", actor, action, content]
    guard let keyVersion, let key else { return Self.digest(of: ["line 2"] + members) }
    var code = HMAC<SHA256>(key: key)
    Self.encode(["line 3", keyVersion] + members) { code.update(data: $0) }
    return code.finalize().hex
  }

  private var sortedFacts: [String] { facts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } }

  static func digest(of parts: [String]) -> String {
    var hash = SHA256()
    encode(parts) { hash.update(data: $0) }
    return hash.finalize().hex
  }

  /// The parts, each with its length in front so that no two lists share an encoding.
  private static func encode(_ parts: [String], _ update: (Data) -> Void) {
    for part in parts { update(Data("\(part.utf8.count):\(part)".utf8)) }
  }
}

/// What `gatehouse audit verify` found.
package struct AuditReport: Sendable, Equatable, Codable {
  package var chains = 0
  package var lines = 0
  /// Of the lines, those whose subject was cut out: their place and action still verify, their facts are gone.
  package var cut = 0
  /// Of the chains, those with lines from before the log was keyed that no seal covers yet.
  package var unsealed = 0
  /// Signed checkpoints that were read; nil when none were asked for.
  package var checkpoints: Int?
  /// When the last of them was made, RFC 3339.
  package var anchoredAt: String?
  /// Of the checkpoints, those with a time stamp that fits; nil when no folder of stamps was named.
  package var stamps: Int?
  /// When the first and the last of these stamps were made by the authority's clock, RFC 3339.
  package var firstStampAt, lastStampAt: String?
  /// Chain and first bad sequence number, with what is wrong there.
  package var faults: [String] = []

  package var isSound: Bool { faults.isEmpty && unsealed == 0 }
}
