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

  /// The keys under which something of a picture may be stored: the picture itself first, which always is.
  package static func keys(of id: String) -> [String] { [id, SubmittedDocument.portraitKey(.init(rawValue: id))] }
}
