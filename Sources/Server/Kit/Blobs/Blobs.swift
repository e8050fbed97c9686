import Foundation

/// Large binary objects by key: images and their crops. Contents are sealed by the caller before they come here.
///
/// The object is durable before the row that names it is committed, so a crash may leave an object without a row,
/// never a row without its object. `BlobSweep` finds what was left.
///
/// Every store keeps one contract: keys are as `BlobKey` says; an object is there whole or not at all, also for a
/// reader that races a writer; a put that did not throw is durable; the last put wins. All throw `BlobError`, or what
/// the machine's file system throws.
package struct Blobs: Sendable {
  /// How many bytes `put` and `get` hold in memory at most; more goes as a stream.
  package static let wholeMax = 64 * 1024 * 1024
  /// Objects on a page at most.
  package static let pageMax = 1000

  package let put: @Sendable (_ key: String, _ bytes: Data) async throws -> Void
  /// Nil when there is no such object.
  package let get: @Sendable (_ key: String) async throws -> Data?
  /// Deleting what is not there is no error.
  package let delete: @Sendable (_ key: String) async throws -> Void
  /// Stores what the pieces add up to. When they are more than `bytesMax`, or the sequence throws, the object stays as
  /// it was.
  package let putStream: @Sendable (_ key: String, _ bytes: BlobBytes, _ bytesMax: Int) async throws -> Void
  /// Nil when there is no such object; otherwise its bytes as they arrive, to be read once. Throws at the latest before
  /// the end when the object is not whole.
  package let getStream: @Sendable (_ key: String) async throws -> BlobBytes?
  /// Objects in the store's order. Every object that is there during the whole walk is met once.
  package let list: @Sendable (_ after: BlobPage.Cursor?, _ limit: Int) async throws -> BlobPage
  /// Clears away what puts that were begun before an instant and never ended have left.
  /// - Returns: how many there were.
  package let sweepUnfinished: @Sendable (_ before: Instant) async throws -> Int
  /// Throws when the store cannot be used now. Quick, and changes nothing.
  package let check: @Sendable () async throws -> Void

  package init(
    put: @escaping @Sendable (String, Data) async throws -> Void,
    get: @escaping @Sendable (String) async throws -> Data?,
    delete: @escaping @Sendable (String) async throws -> Void,
    putStream: @escaping @Sendable (String, BlobBytes, Int) async throws -> Void,
    getStream: @escaping @Sendable (String) async throws -> BlobBytes?,
    list: @escaping @Sendable (BlobPage.Cursor?, Int) async throws -> BlobPage,
    sweepUnfinished: @escaping @Sendable (Instant) async throws -> Int,
    check: @escaping @Sendable () async throws -> Void
  ) {
    self.put = put
    self.get = get
    self.delete = delete
    self.putStream = putStream
    self.getStream = getStream
    self.list = list
    self.sweepUnfinished = sweepUnfinished
    self.check = check
  }
}
