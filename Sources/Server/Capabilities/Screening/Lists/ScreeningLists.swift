// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// The lists that are kept in the store: every version that was ever searched, and which of each is searched now.
///
/// A new version is read whole, and its entries are durable, before one transaction puts it in the place of the old one:
/// a search on any node has the old one or the new one. A file that is no list changes nothing.
package struct ScreeningLists: Sendable {
  let core: CoreDependencies

  package init(_ core: CoreDependencies) { self.core = core }

  package static let migration = ScreeningListStore.migration
  package static let skippedMigration = ScreeningListStore.skippedMigration
  package static let warningsMigration = ScreeningListStore.warningsMigration

  /// What came of a list.
  package enum Change: Sendable, Hashable {
    /// The files are those of the version that is searched.
    case unchanged(StoredList)
    /// A version that was there before is searched again.
    case restored(StoredList)
    case loaded(StoredList, replacing: StoredList?)

    /// What is searched now.
    package var list: StoredList {
      switch self {
      case .unchanged(let list), .restored(let list), .loaded(let list, _): list
      }
    }
  }

  /// What the store has.
  package struct Status: Sendable, Hashable {
    /// The versions that are searched, by code.
    package let current: [StoredList]
    /// Updates refused since the oldest of them was loaded, the latest first.
    package let refused: [RefusedList]
  }

  /// The audit chain of lists.
  static let chain = "screening lists"
  private static let refusedMax = 20

  /// Puts lists in the place of those with the same codes, all of them or none.
  /// - Parameters:
  ///   - takesShrunk: takes lists that lost much (`loss`) too. One that was removed is compared with what it was then.
  ///   - rereads: makes a new version of files that were loaded before when their entries are read differently now,
  ///     as a newer release may, or when the kept ones cannot be had any more. Otherwise such files are not compared.
  /// - Throws: `ListFault`; the lists stay as they were, and the refusal is kept.
  package func update(
    _ readings: [ListReader.Reading], takesShrunk: Bool = false, rereads: Bool = false, by actor: String,
    progress: WorkProgress? = nil
  ) async throws -> [Change] {
    let codes = readings.map(\.list.version.code)
    guard Set(codes).count == codes.count else {
      throw try await refused(
        ListFault(file: readings[0].files[0].name, reason: "two of the files are the same list: give one a code"),
        by: actor)
    }
    var staged: [Staged] = []
    progress?.begin("entries", of: readings.reduce(0) { $0 + $1.list.entries.count })
    for var reading in readings {
      let (code, sha256) = (reading.list.version.code, reading.sha256)
      let (known, former) = try await core.database.read { tx in
        let store = ScreeningListStore(tx)
        return (
          try store.find(code: code, sha256: sha256),
          try store.latest(of: code)
        )
      }
      if let former, !takesShrunk, let loss = await loss(of: &reading, since: former) {
        throw try await refused(
          ListFault(file: reading.files[0].name, reason: "\(loss): --accept-shrunk takes it"), by: actor)
      }
      var isReread = false
      if rereads, let known { isReread = (try? await load(known).entries) != reading.list.entries }
      if let known, !isReread {
        staged.append(Staged(reading: reading, sha256: sha256, id: known.id, parts: [], isReread: false))
      } else {
        let id = StoredList.ID(core.world)
        let parts = try await put(reading.list.entries, of: id)
        staged.append(Staged(reading: reading, sha256: sha256, id: id, parts: parts, isReread: isReread))
      }
      progress?.advance(by: reading.list.entries.count)
    }
    return try await core.database.write(retrying: .outdatedOrDuplicate) { [core, staged] tx in
      try staged.map { item in
        let change = try Self.swap(item, by: actor, core, in: tx)
        if case .unchanged = change { return change }
        try core.audit.append(
          "screening-list.updated", to: Self.chain, by: actor,
          facts: [
            "code": change.list.version.code, "version": change.list.version.version, "sha256": item.sha256,
            "entries": "\(change.list.entryCount)",
          ], in: tx)
        return change
      }
    }
  }

  /// Keeps that an update was refused.
  /// - Returns: the same fault, to be thrown.
  package func refused(_ fault: ListFault, by actor: String) async throws -> ListFault {
    let refusal = RefusedList(fault: fault, at: core.world.now(), by: actor)
    let id = Identifier<RefusedList>(core.world)
    try await core.database.write { try ScreeningListStore($0).insert(refusal, id: id) }
    return fault
  }

  package func status() async throws -> Status {
    try await core.database.read { tx in
      let store = ScreeningListStore(tx)
      let current = try store.current()
      let refused = try store.refusals(after: current.map(\.loadedAt).min(), limit: Self.refusedMax)
      return Status(current: current, refused: refused)
    }
  }

  /// How many lists are searched.
  package static func count(in tx: any SQLTransaction) throws -> Int { try ScreeningListStore(tx).current().count }

  /// The versions that are searched, by code.
  package func current() async throws -> [StoredList] {
    try await core.database.read { try ScreeningListStore($0).current() }
  }

  /// Every version of a list, the latest first.
  package func versions(of code: String) async throws -> [StoredList] {
    try await core.database.read { try ScreeningListStore($0).versions(of: code) }
  }

  /// A version that a decision names; nil when the store never had it.
  package func find(_ version: WatchList.Version) async throws -> StoredList? {
    try await core.database.read { try ScreeningListStore($0).find(version) }
  }

  /// The entries of a version, as they were read.
  /// - Throws: when any of them is gone or changed: a part of a list is no list.
  package func load(_ stored: StoredList) async throws -> WatchList {
    var entries: [WatchList.Entry] = []
    entries.reserveCapacity(stored.entryCount)
    for part in try await parts(of: stored) { entries += try await self.entries(ofPart: part) }
    guard entries.count == stored.entryCount else { throw ListArchive.Fault.unreadable }
    return WatchList(version: stored.version, entries: entries)
  }

  /// Keys of the objects that hold the entries of a version, in order.
  func parts(of stored: StoredList) async throws -> [String] {
    try await core.database.read { try ScreeningListStore($0).parts(of: stored.id) }
  }

  func entries(ofPart part: String) async throws -> [WatchList.Entry] {
    guard let sealed = try await core.blobs.get(part) else { throw ListArchive.Fault.unreadable }
    return try ListArchive.decode(try core.vault.open(sealed, context: Self.context(part)))
  }

  /// Lists of one's own name people, so that all are sealed.
  func put(_ entries: [WatchList.Entry], of id: StoredList.ID) async throws -> [String] {
    var parts: [String] = []
    for (place, piece) in ListArchive.pieces(of: entries).enumerated() {
      let key = "\(id)-\(place)"
      try await core.blobs.put(key, try core.vault.seal(piece, context: Self.context(key)))
      parts.append(key)
    }
    return parts
  }

  private static func context(_ part: String) -> String { "screening_list_part:\(part)" }

  /// A list whose entries are durable, before it is searched.
  private struct Staged: Sendable {
    let reading: ListReader.Reading
    let sha256: String
    let id: StoredList.ID
    /// Empty when the entries of a known version stand.
    let parts: [String]
    /// Whether its files were loaded before and are read differently now.
    let isReread: Bool
  }

  private static func swap(
    _ staged: Staged, by actor: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws -> Change {
    let store = ScreeningListStore(tx)
    let (reading, sha256) = (staged.reading, staged.sha256)
    let code = reading.list.version.code
    let present = try store.current().first { $0.version.code == code }
    if let present, present.sha256 == sha256, !staged.isReread { return .unchanged(present) }
    try store.replaceCurrent(of: code, at: core.world.now())
    if !staged.isReread, let known = try store.find(code: code, sha256: sha256) {
      try store.restore(known.id, warnings: reading.warnings)
      return .restored(try store.find(known.version) ?? known)
    }
    // Publishers give two files of one day one name; a decision has to name the one that was searched.
    // So are the readings of one file counted, from the second on.
    var version = reading.list.version
    let name = version.name(withContent: sha256)
    var number = 1
    while try store.find(version) != nil {
      version = .init(code: code, version: number == 1 ? name : "\(name).\(number)")
      number += 1
    }
    let list = StoredList(
      id: staged.id, version: version, sha256: sha256, format: reading.format, files: reading.files.map(\.name),
      entryCount: reading.list.entries.count, skipped: reading.skipped, warnings: reading.warnings,
      loadedAt: core.world.now(), loadedBy: actor, replacedAt: nil)
    try store.insert(list, parts: staged.parts)
    return .loaded(list, replacing: present)
  }
}
