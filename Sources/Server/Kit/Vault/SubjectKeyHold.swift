// SPDX-License-Identifier: Apache-2.0

import Storage

/// How erasures and what is written at the same time meet.
extension Vault {
  /// Whether a person has a key, also one that cannot be unwrapped any more.
  package func hasSubjectKey(of id: String, in tx: any SQLTransaction) throws -> Bool {
    try SubjectKeyStore(tx).find(subject: subjectDigest(id)) != nil
  }

  /// Lets this transaction and an erasure of a person meet: one of the two runs again and finds what the other one did.
  /// For what is written of a person without changing a row that their erasure deletes. Makes the key when there is
  /// none and the tenant is known.
  /// - Throws: `SQLError.outdated` when an erasure committed since the key was read, which READ COMMITTED lets happen.
  package func holdSubjectKey(of subject: KeySubject, in tx: any SQLTransaction) throws {
    guard try subjectKey(of: subject, in: tx) != nil else { return }
    guard try SubjectKeyStore(tx).touch(subject: subjectDigest(subject.id)) else { throw SQLError.outdated }
  }

  /// Lets this transaction and an erasure of a person meet in the same way, and makes no key. For erasures of what
  /// several persons share: that of another one may have lost its key before, as in a copy that was restored.
  package func touchSubjectKey(of id: String, in tx: any SQLTransaction) throws {
    _ = try SubjectKeyStore(tx).touch(subject: subjectDigest(id))
  }
}
