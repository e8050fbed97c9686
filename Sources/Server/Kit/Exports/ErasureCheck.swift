// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Looks into a copy of the data for what is left of an erased person, and tries to open it with the keys at hand.
package struct ErasureCheck: Sendable {
  /// Objects of one page.
  private static let pageMax = 500

  let database: any SQLDatabase
  let vault: Vault
  let blobs: Blobs?
  let columns: [SealedColumn]

  /// - Parameters:
  ///   - database: the copy's, of the schema of this program.
  ///   - vault: opened with the copy's database, the key ring and the epoch key.
  ///   - blobs: the copy's objects; nil looks at none.
  package init(_ database: any SQLDatabase, vault: Vault, blobs: Blobs?, columns: [SealedColumn]) {
    (self.database, self.vault, self.blobs, self.columns) = (database, vault, blobs, columns)
  }

  package struct Report: Sendable, Equatable {
    /// The copy holds a wrapped key of the person.
    package var hasKey = false
    /// And it can be unwrapped with the keys at hand.
    package var keyOpens = false
    /// Values that the person's keys sealed.
    package var values = 0
    /// Objects that the person's keys sealed.
    package var objects = 0
    /// Values of the person that a data key sealed, which the key ring opens.
    package var valuesUnderDataKeys = 0

    /// Whether something of the person can be opened.
    package var isReadable: Bool { keyOpens || valuesUnderDataKeys > 0 }

    package init() {}
  }

  package func run(_ proof: ErasureProof) async throws -> Report {
    let subjects = Set(proof.parts.map(\.subject))
    var (report, keys) = try await database.read { tx in
      var (report, keys) = (Report(), Set(proof.keys.map(\.id)))
      let store = SealedColumnStore(tx)
      for subject in subjects {
        // It may be another one than the proof's: made in a copy from before keys of persons, or for one who came back.
        guard let row = try SubjectKeyStore(tx).find(subject: subject) else { continue }
        report.hasKey = true
        if (try? vault.opened(row)) != nil { report.keyOpens = true }
        keys.insert(row.id)
      }
      for column in columns {
        if column.isCounted { for key in keys { report.values += try store.count(column, sealedBy: key) } }
        var after = ""
        while true {
          let page = try store.underDataKeys(column, after: after, limit: Self.pageMax)
          report.valuesUnderDataKeys += page.count { value in
            value.subjects.contains { subjects.contains(vault.subjectDigest($0.id)) }
          }
          guard let last = page.last else { break }
          after = last.id
        }
      }
      return (report, keys)
    }
    if let blobs, !keys.isEmpty { report.objects = try await Self.count(blobs, sealedBy: keys) }
    return report
  }

  /// Reads the beginning of every object.
  private static func count(_ blobs: Blobs, sealedBy keys: Set<String>) async throws -> Int {
    var (count, cursor) = (0, BlobPage.Cursor?.none)
    repeat {
      let page = try await blobs.list(cursor, pageMax)
      for object in page.objects {
        guard let first = try await blobs.getStream(object.key)?.first(where: { _ in true }) else { continue }
        if let key = Vault.subjectKeyID(of: first), keys.contains(key) { count += 1 }
      }
      cursor = page.next
    } while cursor != nil
    return count
  }
}
