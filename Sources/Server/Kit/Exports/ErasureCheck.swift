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
    /// The copy holds the person's wrapped key.
    package var hasKey = false
    /// And it can be unwrapped with the keys at hand.
    package var keyOpens = false
    /// Values that the person's key sealed.
    package var values = 0
    /// Objects that the person's key sealed.
    package var objects = 0
    /// Values of the person that a data key sealed, which the key ring opens.
    package var valuesUnderDataKeys = 0

    /// Whether something of the person can be opened.
    package var isReadable: Bool { keyOpens || valuesUnderDataKeys > 0 }

    package init() {}
  }

  package func run(_ proof: ErasureProof) async throws -> Report {
    var report = try await database.read { tx in
      var report = Report()
      let store = SealedColumnStore(tx)
      if let row = try SubjectKeyStore(tx).find(subject: proof.subject) {
        report.hasKey = true
        report.keyOpens = (try? vault.opened(row)) != nil
      }
      for column in columns {
        if let key = proof.key { report.values += try store.count(column, sealedBy: key.id) }
        var after = ""
        while true {
          let page = try store.underDataKeys(column, after: after, limit: Self.pageMax)
          report.valuesUnderDataKeys += page.count { vault.subjectDigest($0.subject.id) == proof.subject }
          guard let last = page.last else { break }
          after = last.id
        }
      }
      return report
    }
    if let blobs, let key = proof.key { report.objects = try await Self.count(blobs, sealedBy: key.id) }
    return report
  }

  /// Reads the beginning of every object.
  private static func count(_ blobs: Blobs, sealedBy key: String) async throws -> Int {
    var (count, cursor) = (0, BlobPage.Cursor?.none)
    repeat {
      let page = try await blobs.list(cursor, pageMax)
      for object in page.objects {
        guard let first = try await blobs.getStream(object.key)?.first(where: { _ in true }) else { continue }
        if Vault.subjectKeyID(of: first) == key { count += 1 }
      }
      cursor = page.next
    } while cursor != nil
    return count
  }
}
