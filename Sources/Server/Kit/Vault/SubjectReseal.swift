import Foundation
import Storage

/// Seals again, under the keys of persons, what data keys sealed before these began. It can end at any instant, and
/// several nodes may do it at once.
package struct SubjectReseal: Sendable {
  /// Values that one transaction seals again.
  static let pageMax = 100
  /// How old a key has to be before objects are sealed under it: a backup that copies objects for hours has its database
  /// from before.
  static let grace = BlobSweep.grace

  let core: CoreDependencies
  let columns: [SealedColumn]
  let objects: [BlobReferences]

  package init(_ core: CoreDependencies, columns: [SealedColumn], objects: [BlobReferences]) {
    (self.core, self.columns, self.objects) = (core, columns, objects)
  }

  /// What one run sealed again.
  package struct Report: Sendable, Equatable {
    package var values = 0
    package var objects = 0
    package init(values: Int = 0, objects: Int = 0) { (self.values, self.objects) = (values, objects) }
  }

  @discardableResult
  package func run() async throws -> Report {
    guard core.vault.subjectKeys != nil,
      let begun = try await core.database.read({ try SubjectKeyStore($0).firstEpoch() })
    else { return Report() }
    var report = Report()
    for column in columns { report.values += try await reseal(column) }
    for references in objects { report.objects += try await reseal(references, begunAt: begun.beganAt) }
    return report
  }

  private func reseal(_ column: SealedColumn) async throws -> Int {
    var (count, after) = (0, "")
    while true {
      try Task.checkCancellation()
      let place = after
      let page = try await core.database.read {
        try SealedColumnStore($0).underDataKeys(column, after: place, limit: Self.pageMax)
      }
      guard let last = page.last else { return count }
      count += try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
        try reseal(page, of: column, in: tx)
      }
      after = last.id
    }
  }

  /// Seals values that were read before. Of what an erasure deleted meanwhile no key is made: its person is gone.
  func reseal(_ page: [SealedColumnStore.Value], of column: SealedColumn, in tx: any SQLTransaction) throws -> Int {
    let (store, vault) = (SealedColumnStore(tx), core.vault)
    var count = 0
    for value in page where try store.isCurrent(value, in: column) {
      // Of capabilities that several flows share: whose flow has no keys of persons yet.
      guard let key = try vault.subjectKey(of: value.subject, in: tx) else { continue }
      let context = column.context(value.id)
      let sealed = try vault.seal(vault.open(value.sealed, context: context), context: context, under: key)
      if try store.replace(value, by: sealed, in: column) { count += 1 }
    }
    return count
  }

  /// Reads every object of before once, and writes it once.
  private func reseal(_ references: BlobReferences, begunAt: Instant) async throws -> Int {
    guard let sealed = references.sealed else { return 0 }
    let (now, end) = (core.world.now(), (begunAt + Self.grace).uuidPrefix)
    var count = 0
    while true {
      let (page, after) = try await core.database.read { tx in
        let after = try SealedColumnStore(tx).position(of: sealed.walk) ?? ""
        return (try references.page(after, Self.pageMax, tx).filter { $0 < end }, after)
      }
      for id in page {
        try Task.checkCancellation()
        typealias Found = (key: SubjectKey, owner: SealedObjects.Owner)
        let found = try await core.database.read { [vault = core.vault] tx -> Found?? in
          guard let owner = try sealed.owner(id, tx) else { return .some(nil) }
          guard let key = try vault.subjectKey(of: owner.subject, madeBefore: now - Self.grace, in: tx) else {
            return nil
          }
          return (key, owner)
        }
        // Too young: the next run goes on from here.
        guard let found else { return count }
        if let found { count += try await reseal(references.keys(id), of: found.owner, found.key) }
        try await core.database.write { try SealedColumnStore($0).setPosition(id, of: sealed.walk) }
      }
      guard let last = page.last, last > after else { return count }
    }
  }

  private func reseal(_ keys: [String], of owner: SealedObjects.Owner, _ subject: SubjectKey) async throws -> Int {
    var count = 0
    for key in keys {
      guard let object = try await core.blobs.get(key), Vault.subjectKeyID(of: object) == nil else { continue }
      let plain = try core.vault.open(object, context: owner.context(key))
      try await core.blobs.put(key, core.vault.seal(plain, context: owner.context(key), under: subject))
      count += 1
    }
    return count
  }
}

extension Instant {
  /// Not behind any UUID of version 7 that is made from then on.
  fileprivate var uuidPrefix: String {
    let digits = String(UInt64(max(milliseconds, 0)), radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    return "\(padded.prefix(8))-\(padded.dropFirst(8))"
  }
}
