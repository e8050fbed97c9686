import Foundation

/// Large binary objects by key: images and their crops. Contents are sealed by the caller before they come here.
///
/// The object is durable before the row that names it is committed, so a crash may leave an object without a row,
/// never a row without its object.
package struct Blobs: Sendable {
  package let put: @Sendable (_ key: String, _ bytes: Data) async throws -> Void
  /// Nil when there is no such object.
  package let get: @Sendable (_ key: String) async throws -> Data?
  /// Deleting what is not there is no error.
  package let delete: @Sendable (_ key: String) async throws -> Void

  package init(
    put: @escaping @Sendable (String, Data) async throws -> Void,
    get: @escaping @Sendable (String) async throws -> Data?,
    delete: @escaping @Sendable (String) async throws -> Void
  ) {
    self.put = put
    self.get = get
    self.delete = delete
  }

  /// One file an object below `folder`, spread over 256 sub-folders, each written whole or not at all.
  package static func disk(_ folder: String) -> Blobs {
    @Sendable func path(_ key: String) throws -> String {
      // Keys are ours (UUIDs); anything else could walk out of the folder.
      guard key.utf8.count >= 8, key.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 122) || $0 == 45 })
      else { throw BlobError.badKey }
      return "\(folder)/\(key.suffix(2))/\(key)"
    }
    return Blobs(
      put: { try DurableFile.write($1, to: path($0)) },
      get: { FileManager.default.contents(atPath: try path($0)) },
      delete: { key in
        let path = try path(key)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
      })
  }
}

package enum BlobError: Error, Sendable { case badKey }
