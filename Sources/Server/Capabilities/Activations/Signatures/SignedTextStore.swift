// SPDX-License-Identifier: Apache-2.0
import Foundation
import Kit
import PowerAuthCore
import Storage

/// Rows of `activation_signed_text`: what a person signed by two factors, where the server that asked for the check
/// wanted it kept as evidence. What is sealed under the person's key are the bytes that the digest of the audit line is
/// of: a text that is not in them is not shown.
struct SignedTextStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// `id` is the activation and the `data` of the audit line: SHA-256 of everything that the device signed.
  static let migration = Migration(
    "2026-12-06 activation signed text",
    """
    CREATE TABLE activation_signed_text (
      id TEXT PRIMARY KEY,
      activation_id TEXT NOT NULL,
      user_digest TEXT NOT NULL,
      tenant TEXT NOT NULL,
      sealed_text BLOB NOT NULL,
      signed_at BIGINT NOT NULL
    );
    CREATE INDEX activation_signed_text_activation ON activation_signed_text (activation_id, signed_at);
    CREATE INDEX activation_signed_text_user ON activation_signed_text (user_digest);
    CREATE INDEX activation_signed_text_age ON activation_signed_text (signed_at);
    """)

  func insert(_ data: NormalizedData, by activation: Activation, _ user: KeySubject, at now: Instant) throws {
    let id = Self.id(activation.id, data.bytes.sha256Hex)
    let sealed = try vault.seal(data.bytes, context: Self.context(id), of: user, in: tx)
    try tx.execute(
      """
      INSERT INTO activation_signed_text (id, activation_id, user_digest, tenant, sealed_text, signed_at)
      VALUES (\(id), \(activation.id), \(user.id), \(activation.tenant), \(sealed), \(now))
      ON CONFLICT (id) DO UPDATE SET sealed_text = excluded.sealed_text, signed_at = excluded.signed_at
      """)
  }

  /// - Returns: nil also for one whose person was erased.
  func find(_ digest: String, of activation: Activation.ID) throws -> String? {
    let id = Self.id(activation, digest)
    return try tx.first("SELECT id, sealed_text FROM activation_signed_text WHERE id = \(id)").flatMap(text)
  }

  /// The oldest first.
  func all(of activation: Activation.ID, limit: Int) throws -> [(at: Instant, text: String)] {
    try tx.query(
      """
      SELECT id, sealed_text, signed_at FROM activation_signed_text
      WHERE activation_id = \(activation) ORDER BY signed_at, id LIMIT \(limit)
      """
    ).compactMap { row -> (at: Instant, text: String)? in
      guard let text = try text(row) else { return nil }
      return (try row.get("signed_at"), text)
    }
  }

  func deleteAll(userDigest: String) throws {
    try tx.execute("DELETE FROM activation_signed_text WHERE user_digest = \(userDigest)")
  }

  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM activation_signed_text WHERE id IN
        (SELECT id FROM activation_signed_text WHERE signed_at < \(instant) ORDER BY signed_at LIMIT \(limit))
      """)
  }

  private func text(_ row: SQLRow) throws -> String? {
    let id: String = try row.get("id")
    guard let signed = try vault.kept(row.get("sealed_text"), context: Self.context(id), in: tx),
      id.hasSuffix(":" + signed.sha256Hex)
    else { return nil }
    return NormalizedData(signed).body.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func id(_ activation: Activation.ID, _ digest: String) -> String { "\(activation):\(digest)" }
  private static func context(_ id: String) -> String { "activation_signed_text.sealed_text:\(id)" }
}

extension Activations {
  /// Bytes of a text that is kept, without what else was signed.
  package static let signedTextMax = 4096
  /// How long it is kept: payments can be disputed for thirteen months (PSD2, article 71).
  static let signedTextRetention = Duration.days(400)

  /// What a person signed, by the digest in the audit line; nil where it was not to be kept, and after its time.
  func signedText(_ digest: String, of id: Activation.ID, in tx: any SQLTransaction) throws -> String? {
    try SignedTextStore(tx, vault: vault).find(digest, of: id)
  }
}

extension NormalizedData {
  /// Of the parts, the one before the last (powerauth.md §5.2): no part after the method can hold a separator.
  var body: Data? {
    bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropLast().last
      .flatMap { Data(base64Encoded: Data($0)) }
  }
}

extension PresentedSignature {
  /// Has what the device signed kept, when the signature is valid, by two factors or more.
  /// - Parameter flags: those that the caller accepts of an activation whose user is not verified.
  package func keeping(accepting flags: [String]?) -> PresentedSignature {
    guard case .claimed(var claim, let id, let application, let facts) = self else { return self }
    (claim.isKept, claim.acceptedFlags) = (true, flags)
    return .claimed(claim, of: id, application: application, facts: facts)
  }
}
