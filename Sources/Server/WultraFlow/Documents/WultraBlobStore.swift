// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which objects the rows of this flow name.
package enum WultraBlobStore {
  /// Of these keys, those whose object has to stay.
  package static func referenced(_ keys: [String], in tx: any SQLTransaction) throws -> Set<String> {
    var named: Set<String> = []
    for id in Set(keys.map { String($0.prefix(36)) }) {
      if try tx.first("SELECT id FROM wultra_document WHERE id = \(id) AND erased_at IS NULL") != nil {
        named.formUnion([id, SubmittedDocument.portraitKey(.init(rawValue: id))])
      }
      if try tx.first("SELECT id FROM wultra_capture WHERE id = \(id)") != nil { named.insert(id) }
    }
    return named.intersection(keys)
  }

  /// A page of the ids of pictures that were not erased, ascending over the whole installation; for backups.
  package static func kept(after id: String, limit: Int, in tx: any SQLTransaction) throws -> [String] {
    try tx.query(
      """
      SELECT id FROM wultra_document WHERE id > \(id) AND has_image = 1 AND erased_at IS NULL
      UNION SELECT id FROM wultra_capture WHERE id > \(id) ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Whose a picture is, and what it is sealed for; nil when its row is gone.
  static func owner(of id: String, in tx: any SQLTransaction) throws -> SealedObjects.Owner? {
    func subject(_ row: SQLRow?) throws -> KeySubject? {
      try row.flatMap { try IdentityVerificationStore(tx).keySubject(of: $0.get("verification_id")) }
    }
    if let found = try subject(tx.first("SELECT verification_id FROM wultra_document WHERE id = \(id)")) {
      return SealedObjects.Owner(found, context: SubmittedDocument.context)
    }
    return try subject(tx.first("SELECT verification_id FROM wultra_capture WHERE id = \(id)")).map {
      SealedObjects.Owner($0, context: CaptureStore.context)
    }
  }

  /// How many objects there are of a process, portraits included.
  static func count(of process: OnboardingProcess.ID, in tx: any SQLTransaction) throws -> Int {
    let row = try tx.first(
      """
      SELECT
        (SELECT CAST(COALESCE(SUM(d.has_image + d.has_portrait), 0) AS BIGINT) FROM wultra_document d
          JOIN wultra_verification v ON v.id = d.verification_id
          WHERE v.process_id = \(process) AND d.erased_at IS NULL) AS documents,
        (SELECT COUNT(c.id) FROM wultra_capture c JOIN wultra_verification v ON v.id = c.verification_id
          WHERE v.process_id = \(process)) AS captures
      """)
    guard let row else { return 0 }
    return try row.get("documents", as: Int.self) + row.get("captures", as: Int.self)
  }

  /// The keys under which something of a picture may be stored: the picture itself first, which always is.
  package static func keys(of id: String) -> [String] { [id, SubmittedDocument.portraitKey(.init(rawValue: id))] }
}
