// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which objects the rows of images name.
extension ImageStore {
  /// Whose an image is; nil when its row is gone.
  static func keySubject(of id: String, in tx: any SQLTransaction) throws -> KeySubject? {
    try tx.first("SELECT application_id FROM rubix_image WHERE id = \(id)").map {
      try $0.get("application_id", as: Application.ID.self).keySubject
    }
  }

  /// Of these keys, those whose object has to stay: the image or the uncropped frame of a row that was not erased, and
  /// its portrait when it has one or may still get one.
  package static func referenced(_ keys: [String], in tx: any SQLTransaction) throws -> Set<String> {
    var named: Set<String> = []
    // A UUID is 36 characters; what follows says which of the image's objects it is.
    let ids = Set(keys.map { String($0.prefix(36)) }).sorted()
    let rows = try tx.query(
      "SELECT id, state, read_at, has_portrait FROM rubix_image WHERE erased_at IS NULL AND id IN \(list: ids)")
    for row in rows {
      let id: CapturedImage.ID = try row.get("id")
      named.formUnion([id.rawValue, CapturedImage.originalKey(id)])
      let state: ImageState = try row.get("state")
      let isUnread = try state == .processing && row.get("read_at", as: Instant?.self) == nil
      if try isUnread || row.get("has_portrait") { named.insert(CapturedImage.portraitKey(id)) }
    }
    return named.intersection(keys)
  }
}
