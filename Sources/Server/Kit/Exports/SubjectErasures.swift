// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Destroys the keys of persons, and keeps the proofs.
///
/// Every erasure of a flow does the same within each of its transactions: `part` for each key before the rows go, then
/// the rows, then `destroy`.
package struct SubjectErasures: Sendable {
  let vault: Vault
  let world: World
  let columns: [SealedColumn]

  /// - Parameter columns: those that the proofs count, of all modules in which something of the person may be.
  package init(_ core: CoreDependencies, columns: [SealedColumn]) {
    (vault, world, self.columns) = (core.vault, core.world, columns)
  }

  /// What is about to be erased with one key.
  package struct Part: Sendable {
    package let subject: KeySubject
    package let values: [String: Int]
    package let objects: Int
  }

  /// Counts what is sealed for a subject, before it is deleted.
  /// - Parameter objects: how many of its objects are deleted.
  package func part(of subject: KeySubject, objects: Int, in tx: any SQLTransaction) throws -> Part {
    let store = SealedColumnStore(tx)
    let values = try columns.filter(\.isCounted).reduce(into: [String: Int]()) { counts, column in
      let count = try store.count(column, of: subject.id)
      if count > 0 { counts[column.name] = count }
    }
    return Part(subject: subject, values: values, objects: objects)
  }

  /// Destroys the keys and keeps the signed proof of it, in the transaction of the erasure. A person of whom something
  /// was erased before gets one proof of both; what was restored meanwhile and is erased once more counts once. An earlier
  /// proof that cannot be verified is set aside, and the new one names it: an erasure does not fail for it.
  /// - Parameters:
  ///   - person: the name under which `proof(of:)` finds it, unique in the installation.
  ///   - chains: the audit chains about the person, which were cut.
  package func destroy(
    _ parts: [Part], of person: String, for reason: ErasureReason, chains: [String], in tx: any SQLTransaction
  ) throws {
    let now = world.now()
    let (audit, store) = (AuditStore(tx), ErasureProofStore(tx))
    let heads = try (chains + [Audit.ownChain]).compactMap { try audit.checkpointHead(of: $0) }
    let (digest, signing) = (vault.subjectDigest(person), try vault.erasureProofKey())
    let (before, unverified) = try earlier(of: digest, in: store, at: now)
    let chained = Set(heads.map(\.chain))
    var (proven, ends) = (before?.parts ?? [], false)
    for part in parts {
      let key = try vault.destroySubjectKey(of: part.subject.id, in: tx)
      let subject = vault.subjectDigest(part.subject.id)
      if key != nil { ends = true }
      // Of the same key again, or restored without it. Another key is of one who came back.
      let earlier = proven.firstIndex {
        $0.subject == subject && (key == nil || $0.key == nil || $0.key?.id == key?.id)
      }
      let former = earlier.map { proven.remove(at: $0) }
      // What was restored and erased once more counts once, and what was not restored stays counted.
      proven.append(
        ErasureProof.Part(
          subject: subject, tenant: part.subject.tenant?.description ?? "", key: key ?? former?.key,
          values: part.values.merging(former?.values ?? [:], uniquingKeysWith: max),
          objects: max(part.objects, former?.objects ?? 0)))
    }
    let proof = ErasureProof(
      format: ErasureProof.format, reason: reason.rawValue, erasedAt: now.rfc3339,
      unreadableFrom: ends
        ? (now + SubjectKeys.epochLength + SubjectKeys.epochKept).rfc3339 : before?.unreadableFrom,
      parts: proven,
      heads: (before?.heads ?? []).filter { !chained.contains($0.chain) } + heads, unverified: unverified,
      keyVersion: signing.version, publicKey: signing.key.publicKey.rawRepresentation)
    try store.insert(SignedLines.document(of: proof, by: signing.key), of: digest, at: now)
  }

  /// The proof that is there, or the digests of those that could not be verified.
  private func earlier(
    of person: String, in store: ErasureProofStore, at now: Instant
  ) throws -> (proof: ErasureProof?, unverified: [String]?) {
    guard let document = try store.find(person) else { return (nil, nil) }
    do {
      let proof = try ErasureProof(document, by: vault)
      return (proof, proof.unverified)
    } catch is Problem {
      let digest = document.sha256Hex
      try store.setAside(document, digest: digest, of: person, at: now)
      return (nil, [digest])
    }
  }

  /// The signed proof of a person's erasure; nil when there was none.
  package func proof(of person: String, in tx: any SQLTransaction) throws -> Data? {
    try ErasureProofStore(tx).find(vault.subjectDigest(person))
  }
}
