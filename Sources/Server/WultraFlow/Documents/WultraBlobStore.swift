import Kit
import Storage

/// Which objects the rows of this room name.
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
}
