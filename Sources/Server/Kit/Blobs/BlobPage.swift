/// Some of the objects of a store.
package struct BlobPage: Sendable, Equatable {
  package struct Object: Sendable, Equatable {
    package let key: String
    package let byteCount: Int
    /// When it was put, by the store's clock.
    package let modifiedAt: Instant

    package init(key: String, byteCount: Int, modifiedAt: Instant) {
      self.key = key
      self.byteCount = byteCount
      self.modifiedAt = modifiedAt
    }
  }

  /// Where the next page begins. Means something to the store that made it only.
  package struct Cursor: Sendable, Hashable {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
  }

  package let objects: [Object]
  /// Nil on the last page. A page may be empty and not be the last.
  package let next: Cursor?

  package init(objects: [Object], next: Cursor?) {
    self.objects = objects
    self.next = next
  }
}
