// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// The rows behind `IdempotentAnswers`: the same key and the same body get the stored answer instead of a second effect.
///
/// The record commits in the transaction of the step it belongs to. A step with work between two transactions
/// claims its key first; a claim that its process never answered lapses.
package struct Idempotency: Sendable {
  package static let lifetime = Duration.hours(24)
  /// After this a claim without an answer belongs to a process that died.
  package static let claimLifetime = Duration.minutes(1)

  package enum Outcome: Sendable {
    /// Never seen: go on, then `store`.
    case fresh
    case replay(StoredAnswer)
    /// The same key with another body.
    case conflict
    /// Another request with this key is being worked on.
    case running
  }

  /// Identifies one request by its sender, path, key and body. Of the body a keyed digest is stored: a plain one would
  /// tell a reader of the database which of a million codes was sent.
  package struct Request: Sendable {
    let scope: String
    /// As it was sent. Spellings in upper and in lower case are one key.
    let key: String
    fileprivate let owner: String
    /// SHA-256 of the body. It is stored by no means: see `Idempotency.digest`.
    fileprivate let bodyDigest: String
    let claimant: String

    /// - Parameters:
    ///   - owner: the customer, or for callers without a token the device.
    ///   - path: method and path.
    ///   - claimant: unlike that of any other arrival of this request, so that a late one is told from its repetition.
    package init(owner: String, path: String, key: String, body: Data, claimant: String) {
      scope = "\(owner) \(path)"
      (self.key, self.owner) = (key, owner)
      bodyDigest = SHA256.hash(data: body).hex
      self.claimant = claimant
    }
  }

  let world: World
  let vault: Vault

  package init(world: World, vault: Vault) {
    self.world = world
    self.vault = vault
  }

  /// Looks the request up and, when it is fresh, claims it.
  /// - Throws: `Problem` not found when whom the answer was about was erased since.
  /// - Parameter lifetime: longer than the work may take: the answer of a claim that has lapsed may be lost, and the
  ///   work with it.
  package func begin(
    _ request: Request, claiming lifetime: Duration = claimLifetime, in tx: any SQLTransaction
  ) throws -> Outcome {
    let store = IdempotencyStore(tx)
    let now = world.now()
    guard let known = try store.find(request), known.expiresAt > now else {
      try store.claim(request, digest: digest(request, key: request.key), at: now, until: now + lifetime)
      return .fresh
    }
    // Rows from before digests were keyed hold the plain one, for a day.
    guard [digest(request, key: known.key), request.bodyDigest].contains(known.bodyDigest) else { return .conflict }
    guard let answer = known.sealedAnswer else {
      // Our own claim, when its commit was uncertain and is made again.
      return known.claimant == request.claimant ? .fresh : .running
    }
    do {
      let context = Self.context(request.scope, known.key)
      return .replay(try vault.open(answer, as: StoredAnswer.self, context: context, in: tx))
    } catch VaultError.erased { throw Problem.notFound }
  }

  /// Whether the request's key was used and still counts. Changes nothing.
  package func isKnown(_ request: Request, in tx: any SQLTransaction) throws -> Bool {
    try IdempotencyStore(tx).find(request).map { $0.expiresAt > world.now() } ?? false
  }

  /// Whether the request is claimed and not answered yet. Changes nothing.
  package func isRunning(_ request: Request, in tx: any SQLTransaction) throws -> Bool {
    guard let known = try IdempotencyStore(tx).find(request) else { return false }
    return known.sealedAnswer == nil && known.expiresAt > world.now()
  }

  /// - Parameter subject: whom the answer is about, where that is not the owner.
  package func store(
    _ answer: StoredAnswer, for request: Request, about subject: KeySubject? = nil, in tx: any SQLTransaction
  ) throws {
    let sealed = try vault.seal(
      answer, as: Self.context(request.scope, request.key), of: subject ?? KeySubject(request.owner), in: tx)
    try IdempotencyStore(tx).answer(request, sealed: sealed, until: world.now() + Self.lifetime)
  }

  /// Forgets a claim whose step was refused and changed nothing.
  package func release(_ request: Request, in tx: any SQLTransaction) throws {
    try IdempotencyStore(tx).release(request)
  }

  /// Forgets everything that was answered to an owner, for an erasure.
  /// - Precondition: the owner is a UUID.
  package func forget(owner: String, in tx: any SQLTransaction) throws {
    try IdempotencyStore(tx).deleteAll(of: owner)
  }

  /// Forgets what was answered to an owner on one path, where the answer is about the one to be forgotten.
  package func forget(
    owner: String, path: String, where isAbout: (StoredAnswer) throws -> Bool, in tx: any SQLTransaction
  ) throws {
    let store = IdempotencyStore(tx)
    let scope = "\(owner) \(path)"
    for (key, sealed) in try store.answers(scope) {
      let answer: StoredAnswer
      do {
        answer = try vault.open(sealed, as: StoredAnswer.self, context: Self.context(scope, key), in: tx)
      } catch VaultError.erased {
        continue
      }
      if try isAbout(answer) { try store.delete(scope, key: key) }
    }
  }

  /// HMAC of the request and its body under the vault's key. Equal bodies of two requests have two of them.
  /// - Parameter key: as it was sent the first time.
  private func digest(_ request: Request, key: String) -> String {
    vault.digest("\(request.scope)\u{0}\(key)\u{0}\(request.bodyDigest)", for: "idempotency body")
  }

  private static func context(_ scope: String, _ key: String) -> String { "idempotency:\(scope):\(key)" }
}

/// An answer as it left: what a repetition gets again.
package struct StoredAnswer: Sendable, Codable, Equatable {
  package let status: Int
  package let contentType: String
  package let body: Data

  package init(status: Int, contentType: String, body: Data) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// Rows of `idempotency`.
package struct IdempotencyStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 idempotency",
    """
    CREATE TABLE idempotency (
      scope TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      body_digest TEXT NOT NULL,
      claimant TEXT NOT NULL,
      answer BLOB,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (scope, idempotency_key)
    );
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);
    """)

  /// A key is one key in upper and in lower case. Where a client had used both within a day, the record that lasts
  /// longer stays: a repetition of the other is refused as another body, or gets its answer, and is done by neither.
  package static let caseMigration = Migration(
    "2026-12-11 idempotency case",
    """
    DELETE FROM idempotency WHERE (scope, idempotency_key) IN (
      SELECT scope, idempotency_key FROM (
        SELECT scope, idempotency_key, ROW_NUMBER() OVER (
          PARTITION BY scope, LOWER(idempotency_key) ORDER BY expires_at DESC, idempotency_key DESC) AS place
        FROM idempotency) AS spellings
      WHERE place > 1);
    CREATE UNIQUE INDEX idempotency_case ON idempotency (scope, LOWER(idempotency_key));
    """)

  struct Record {
    let key: String
    let bodyDigest: String
    let claimant: String
    /// Nil while the request is being worked on.
    let sealedAnswer: Data?
    let expiresAt: Instant
  }

  func find(_ request: Idempotency.Request) throws -> Record? {
    try tx.first(
      """
      SELECT idempotency_key, body_digest, claimant, answer, expires_at FROM idempotency
      WHERE scope = \(request.scope) AND LOWER(idempotency_key) = \(request.key.lowercased())
      """
    ).map {
      Record(
        key: try $0.get("idempotency_key"), bodyDigest: try $0.get("body_digest"), claimant: try $0.get("claimant"),
        sealedAnswer: try $0.get("answer"), expiresAt: try $0.get("expires_at"))
    }
  }

  /// Takes the key, also over a lapsed record. Of two racing claims one violates the unique index and rolls back: a
  /// record that counts is never deleted, for where each statement sees what is committed it may be a moment old.
  func claim(_ request: Idempotency.Request, digest: String, at now: Instant, until: Instant) throws {
    try tx.execute(
      """
      DELETE FROM idempotency
      WHERE scope = \(request.scope) AND LOWER(idempotency_key) = \(request.key.lowercased())
        AND expires_at <= \(now)
      """)
    try tx.execute(
      """
      INSERT INTO idempotency (scope, idempotency_key, body_digest, claimant, answer, expires_at)
      VALUES (\(request.scope), \(request.key), \(digest), \(request.claimant), NULL, \(until))
      """)
  }

  /// - Throws: `Problem` idempotency-conflict when the claim had lapsed and another request took the key: the late
  ///   step rolls back.
  func answer(_ request: Idempotency.Request, sealed: Data, until: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE idempotency SET answer = \(sealed), expires_at = \(until)
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key)
        AND claimant = \(request.claimant) AND answer IS NULL
      """)
    guard changed == 1 else {
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was taken over by another request.")
    }
  }

  func release(_ request: Idempotency.Request) throws {
    try tx.execute(
      """
      DELETE FROM idempotency
      WHERE scope = \(request.scope) AND idempotency_key = \(request.key)
        AND claimant = \(request.claimant) AND answer IS NULL
      """)
  }

  /// Answers that are remembered for one scope, whatever the key.
  func answers(_ scope: String) throws -> [(key: String, sealed: Data)] {
    try tx.query(
      """
      SELECT idempotency_key, answer FROM idempotency WHERE scope = \(scope) AND answer IS NOT NULL
      ORDER BY idempotency_key
      """
    ).map { (try $0.get("idempotency_key"), try $0.get("answer")) }
  }

  func delete(_ scope: String, key: String) throws {
    try tx.execute("DELETE FROM idempotency WHERE scope = \(scope) AND idempotency_key = \(key)")
  }

  /// Every record of an owner. Reads the whole table, which holds a day.
  /// - Precondition: an owner is a UUID, so that nothing in it is a wildcard.
  func deleteAll(of owner: String) throws {
    try tx.execute("DELETE FROM idempotency WHERE scope LIKE \(owner + " %")")
  }

  /// Deletes up to `limit` lapsed records.
  package func sweep(before now: Instant, limit: Int = 1000) throws -> Int {
    try tx.execute(
      """
      DELETE FROM idempotency WHERE (scope, idempotency_key) IN
        (SELECT scope, idempotency_key FROM idempotency WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
