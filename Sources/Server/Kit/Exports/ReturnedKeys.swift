// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Storage

/// Destroys keys of persons once more that the proof of an erasure names and that are in the database again: rows were
/// copied back out of a backup. What they sealed is unreadable then, as after the erasure.
///
/// The proofs are rows of the same database: one that was restored whole has neither them nor a line of the audit about
/// the erasure. That is repeated by hand.
package struct ReturnedKeys: Sendable {
  /// Proofs that one transaction reads.
  static let pageMax = 50
  /// Ids of keys that one statement asks for: a person may have had many, and engines bind 32,766 values at most.
  static let keysMax = 1_000

  let core: CoreDependencies
  let logger: Logger

  /// Looks through all proofs. It can end at any instant, and several nodes may do it at once.
  /// - Returns: how many keys it destroyed, each with a line of the audit.
  @discardableResult
  package func destroy() async throws -> Int {
    var (count, after) = (0, "")
    // Also where it ends with a fault: the next run finds none of these.
    defer {
      if count > 0 {
        logger.error(
          "keys of persons who were erased had come back, as out of a backup, and are destroyed once more",
          metadata: ["count": "\(count)"])
      }
    }
    while true {
      try Task.checkCancellation()
      let place = after
      let page = try await core.database.read { tx in
        let proofs = try ErasureProofStore(tx).all(after: place, limit: Self.pageMax)
        let ids = proofs.flatMap { ErasureProof.namedKeys($0.document) }
        let keys = try stride(from: 0, to: ids.count, by: Self.keysMax).flatMap { first in
          try SubjectKeyStore(tx).present(Array(ids[first...].prefix(Self.keysMax)))
        }
        return (proofs: proofs, returned: Set(keys))
      }
      guard let last = page.proofs.last else { return count }
      // A row that someone else wrote could name any key: the signature is what counts.
      let proven =
        page.returned.isEmpty ? [] : page.proofs.compactMap { try? ErasureProof($0.document, by: core.vault) }
      for key in proven.flatMap(\.keys) where page.returned.contains(key.id) {
        if try await destroy(key) { count += 1 }
      }
      after = last.subject
    }
  }

  private func destroy(_ key: DestroyedKey) async throws -> Bool {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      guard try core.vault.destroySubjectKey(key, in: tx) else { return false }
      try core.audit.append(
        "erasure.key_returned", to: Audit.ownChain, by: "system", facts: ["key": key.id, "tenant": key.tenant], in: tx)
      return true
    }
  }
}

extension ErasureProof {
  /// Ids of the keys that a document names, by any signer.
  static func namedKeys(_ document: Data) -> [String] {
    decoded(document.prefix { $0 != UInt8(ascii: "\n") })?.keys.map(\.id) ?? []
  }
}

extension Vault {
  /// Destroys a key that is there although it was destroyed before.
  /// - Returns: false when it is not there.
  fileprivate func destroySubjectKey(_ key: DestroyedKey, in tx: any SQLTransaction) throws -> Bool {
    guard let subjectKeys, try SubjectKeyStore(tx).delete(key.id) else { return false }
    tx.afterCommit { subjectKeys.forget(key.id) }
    return true
  }
}
