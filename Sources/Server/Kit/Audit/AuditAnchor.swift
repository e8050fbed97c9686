// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where checkpoints of the audit log are kept, out of reach of all who can write the database: a folder on a disk that
/// only adds, or a bucket with object lock. `scripts/timestamp-checkpoints` has a time-stamping authority (RFC 3161) stamp
/// those of a folder, and `AuditStamps` checks them.
package struct AuditAnchor: Sendable {
  /// Keeps a document under its number. The same one may be put again.
  package let put: @Sendable (_ number: Int, _ document: Data) async throws -> Void
  /// Nil when there is no document of that number.
  package let get: @Sendable (_ number: Int) async throws -> Data?
  /// Ascending.
  package let numbers: @Sendable () async throws -> [Int]

  package init(
    put: @escaping @Sendable (Int, Data) async throws -> Void, get: @escaping @Sendable (Int) async throws -> Data?,
    numbers: @escaping @Sendable () async throws -> [Int]
  ) {
    (self.put, self.get, self.numbers) = (put, get, numbers)
  }

  /// Names sort as their numbers do, and are keys of objects (`BlobKey`).
  private static let prefix = "audit-checkpoint-"

  static func name(_ number: Int) -> String {
    let digits = "\(number)"
    return prefix + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  /// Nil for what is no name that checkpoints get: two names of one number would be two checkpoints.
  private static func number(_ text: String) -> Int? {
    guard text.hasPrefix(prefix), let number = Int(text.dropFirst(prefix.count)) else { return nil }
    return number > 0 && name(number) == text ? number : nil
  }

  /// A file each, which is never written again and may be read only.
  package static func folder(_ path: String) -> AuditAnchor {
    AuditAnchor(
      put: { number, document in
        let file = "\(path)/\(name(number))"
        if try DurableFile.create(document, at: file) {
          return try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
        }
        guard FileManager.default.contents(atPath: file) == document else { throw AuditAnchorError.taken(number) }
      },
      get: { number in
        let file = "\(path)/\(name(number))"
        return FileManager.default.fileExists(atPath: file) ? try Data(contentsOf: URL(fileURLWithPath: file)) : nil
      },
      numbers: {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).compactMap(number).sorted()
      })
  }

  /// An object each.
  package static func objects(_ objects: Blobs) -> AuditAnchor {
    AuditAnchor(
      put: { number, document in
        var there = try await objects.get(name(number))
        if there == nil {
          do { return try await objects.put(name(number), document) } catch BlobError.refused(
            code: "PreconditionFailed")
          {
            // Another node put one meanwhile, or this one did and the answer was lost.
            there = try await objects.get(name(number))
          }
        }
        guard there == document else { throw AuditAnchorError.taken(number) }
      },
      get: { try await objects.get(name($0)) },
      numbers: {
        var (numbers, after) = ([Int](), BlobPage.Cursor?.none)
        repeat {
          let page = try await objects.list(after, Blobs.pageMax)
          numbers += page.objects.compactMap { number($0.key) }
          after = page.next
        } while after != nil
        return numbers.sorted()
      })
  }
}

package enum AuditAnchorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another document has that number.
  case taken(Int)
  /// There are checkpoints that this database does not know.
  case ahead(anchors: Int, database: Int)
  /// The checkpoint that waits in the database was changed there.
  case unsound(Int, String)
  /// There are no checkpoints where there were some.
  case empty(database: Int)
  /// The place does not hold the last checkpoint that this database took to its anchor.
  case other(Int)
  /// A new place holds checkpoints already.
  case occupied
  /// Lines of the log may still be without a key.
  case unsealed
  /// The row of a checkpoint is not as it was written.
  case changed(Int)
  /// The checkpoint is not made yet by this machine's clock.
  case future(Int)

  package var description: String {
    switch self {
    case .taken(let number): "Another checkpoint \(number) is there: two databases share these anchors."
    case .unsound(let number, let why): "Checkpoint \(number), which waits in the database, \(why)."
    case .empty(let number):
      """
      audit.anchors holds no checkpoint, and this database took checkpoint \(number) to its anchor: is the place \
      there? For another place run gatehouse audit anchor --new-place, and keep the old one.
      """
    case .other(let number): "audit.anchors does not hold checkpoint \(number) of this database: it is another place."
    case .occupied: "audit.anchors holds checkpoints: a new place is empty."
    case .unsealed: "The audit log is not sealed: run gatehouse audit seal when every node runs this release."
    case .changed(let number): "What the database says of checkpoint \(number) was changed there."
    case .future(let number): "Checkpoint \(number) is of the future: some machine's clock is wrong."
    case .ahead(let anchors, let database):
      """
      The anchors go on to checkpoint \(anchors), this database to \(database): it is older than its anchors. After a \
      restore, name a new place in audit.anchors, run gatehouse audit anchor --new-place, and keep the old one.
      """
    }
  }
}
