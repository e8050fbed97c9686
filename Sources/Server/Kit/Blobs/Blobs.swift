// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

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
  /// Deleting an object that does not exist is no error.
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

/// Which objects a module's rows name: what a backup takes along, and what a sweep must leave.
package struct BlobReferences: Sendable {
  /// Ids after one, ascending, at most so many.
  package let page: @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String]
  /// The keys of the objects of an id. The first of them always is there and has the id for a key.
  package let keys: @Sendable (_ id: String) -> [String]
  /// Of these keys, those whose object has to stay.
  package let referenced: @Sendable (_ keys: [String], any SQLTransaction) throws -> Set<String>
  /// Nil where data keys seal the objects.
  package let sealed: SealedObjects?

  /// - Parameter keys: nil where an id has one object.
  package init(
    page: @escaping @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String],
    keys: (@Sendable (_ id: String) -> [String])? = nil,
    referenced: @escaping @Sendable (_ keys: [String], any SQLTransaction) throws -> Set<String>,
    sealed: SealedObjects? = nil
  ) {
    self.page = page
    self.sealed = sealed
    self.keys = keys ?? { [$0] }
    self.referenced = referenced
  }
}

/// Objects that keys of persons seal.
package struct SealedObjects: Sendable {
  /// Says which objects they are, in the row that holds how far they were sealed again.
  let walk: String
  /// Whose the objects of an id are; nil when its row is gone.
  let owner: @Sendable (_ id: String, any SQLTransaction) throws -> Owner?

  /// Whose objects are, and what each of them is sealed for.
  package struct Owner: Sendable {
    let subject: KeySubject
    let context: @Sendable (_ key: String) -> String

    package init(_ subject: KeySubject, context: @escaping @Sendable (_ key: String) -> String) {
      (self.subject, self.context) = (subject, context)
    }
  }

  package init(_ walk: String, owner: @escaping @Sendable (_ id: String, any SQLTransaction) throws -> Owner?) {
    (self.walk, self.owner) = (walk, owner)
  }

  package init(
    _ walk: String, subject: @escaping @Sendable (_ id: String, any SQLTransaction) throws -> KeySubject?,
    context: @escaping @Sendable (_ key: String) -> String
  ) {
    self.init(walk) { id, tx in try subject(id, tx).map { Owner($0, context: context) } }
  }
}
