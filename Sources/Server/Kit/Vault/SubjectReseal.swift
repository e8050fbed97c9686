// SPDX-License-Identifier: Apache-2.0

import Crypto
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
    /// What no key at hand opens, and what is of a person whose key cannot be unwrapped any more, as in a copy that was
    /// restored late: it stays as it is.
    package var unreadable = 0

    package init(values: Int = 0, objects: Int = 0, unreadable: Int = 0) {
      (self.values, self.objects, self.unreadable) = (values, objects, unreadable)
    }

    static func += (report: inout Report, more: Report) {
      report.values += more.values
      report.objects += more.objects
      report.unreadable += more.unreadable
    }
  }

  @discardableResult
  package func run() async throws -> Report {
    guard core.vault.subjectKeys != nil,
      let begun = try await core.database.read({ try SubjectKeyStore($0).firstEpoch() })
    else { return Report() }
    var report = Report()
    for column in columns { report += try await reseal(column) }
    for references in objects { report += try await reseal(references, begunAt: begun.beganAt) }
    return report
  }

  private func reseal(_ column: SealedColumn) async throws -> Report {
    var (report, after) = (Report(), "")
    while true {
      try Task.checkCancellation()
      let place = after
      let page = try await core.database.read {
        try SealedColumnStore($0).underDataKeys(column, after: place, limit: Self.pageMax)
      }
      guard let last = page.last else { return report }
      report += try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
        try reseal(page, of: column, in: tx)
      }
      after = last.id
    }
  }

  /// Seals values that were read before. Of what an erasure deleted meanwhile no key is made: its person is gone.
  func reseal(_ page: [SealedColumnStore.Value], of column: SealedColumn, in tx: any SQLTransaction) throws -> Report {
    let (store, vault) = (SealedColumnStore(tx), core.vault)
    var report = Report()
    for value in page where try store.isCurrent(value, in: column) {
      let keys: [SubjectKey]
      do { keys = try value.subjects.compactMap { try vault.subjectKey(of: $0, in: tx) } } catch VaultError.erased {
        report.unreadable += 1
        continue
      }
      // Of capabilities that several flows share: whose flow has no keys of persons yet.
      guard let key = keys.first else { continue }
      let context = column.context(value.id)
      guard let plain = try opened(value.sealed, context: context) else {
        report.unreadable += 1
        continue
      }
      let sealed = try vault.seal(plain, context: context, under: key, and: keys.dropFirst().first)
      if try store.replace(value, by: sealed, in: column) { report.values += 1 }
    }
    return report
  }

  /// - Returns: nil for what no key at hand opens, which keeps none of the rest away.
  private func opened(_ sealed: Data, context: String) throws -> Data? {
    do { return try core.vault.open(sealed, context: context) } catch is VaultError { return nil }
  }

  private enum Found: Sendable {
    /// Nothing is sealed again: the row is gone, or its person has no key. Such a person was erased, and the worker or
    /// the sweep deletes the object, or is not known by name.
    case nothing
    /// The next run goes on from here.
    case tooYoung
    /// Its person's key cannot be unwrapped any more.
    case erased
    case key(SubjectKey, SealedObjects.Owner)
  }

  /// Reads every older object once, and writes it once.
  private func reseal(_ references: BlobReferences, begunAt: Instant) async throws -> Report {
    guard let sealed = references.sealed else { return Report() }
    let (now, end) = (core.world.now(), (begunAt + Self.grace).uuidPrefix)
    var report = Report()
    while true {
      let (page, after) = try await core.database.read { tx in
        let after = try SealedColumnStore(tx).position(of: sealed.walk) ?? ""
        return (try references.page(after, Self.pageMax, tx).filter { $0 < end }, after)
      }
      for id in page {
        try Task.checkCancellation()
        let found = try await core.database.read { [vault = core.vault] tx -> Found in
          guard let owner = try sealed.owner(id, tx), try vault.hasSubjectKey(of: owner.subject.id, in: tx) else {
            return .nothing
          }
          do {
            let key = try vault.subjectKey(of: owner.subject, madeBefore: now - Self.grace, in: tx)
            return key.map { .key($0, owner) } ?? .tooYoung
          } catch VaultError.erased { return .erased }
        }
        switch found {
        case .nothing: break
        case .tooYoung: return report
        case .erased: report.unreadable += 1
        case .key(let key, let owner): report += try await reseal(references.keys(id), of: owner, key)
        }
        try await core.database.write { try SealedColumnStore($0).setPosition(id, of: sealed.walk) }
      }
      guard let last = page.last, last > after else { return report }
    }
  }

  private func reseal(_ keys: [String], of owner: SealedObjects.Owner, _ subject: SubjectKey) async throws -> Report {
    var report = Report()
    for key in keys {
      guard let object = try await core.blobs.get(key), Vault.subjectKeyID(of: object) == nil else { continue }
      guard let plain = try opened(object, context: owner.context(key)) else {
        report.unreadable += 1
        continue
      }
      try await core.blobs.put(key, core.vault.seal(plain, context: owner.context(key), under: subject))
      report.objects += 1
    }
    return report
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
