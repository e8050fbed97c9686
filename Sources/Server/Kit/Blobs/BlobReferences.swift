import Storage

/// Which objects a module's rows name: what a backup takes along, and what a sweep must leave.
package struct BlobReferences: Sendable {
  /// Ids after one, ascending, at most so many.
  package let page: @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String]
  /// The keys of the objects of an id. The first of them always is there and has the id for a key.
  package let keys: @Sendable (_ id: String) -> [String]
  /// Of these keys, those whose object has to stay.
  package let referenced: @Sendable (_ keys: [String], any SQLTransaction) throws -> Set<String>

  /// - Parameter keys: nil where an id has one object.
  package init(
    page: @escaping @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String],
    keys: (@Sendable (_ id: String) -> [String])? = nil,
    referenced: @escaping @Sendable (_ keys: [String], any SQLTransaction) throws -> Set<String>
  ) {
    self.page = page
    self.keys = keys ?? { [$0] }
    self.referenced = referenced
  }
}
