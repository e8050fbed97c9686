// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Lists of a folder are kept in the store as they were read, so that a file that is broken later leaves its former
/// version: also after a restart, and on a node that never read it. They are never the current version of the store;
/// what is searched is told by the folder.
extension ScreeningLists {
  /// By whom versions of a folder are loaded. No person and no operator is named so.
  static let folderActor = "screening.folder"

  /// Keeps what was read from a file of the folder, or notes that it was read again.
  /// - Parameters:
  ///   - reading: in a version whose name tells the content.
  ///   - actor: who takes it although it lost entries, for the audit; nil for a node that reads.
  /// - Returns: the version by which it is kept.
  @discardableResult
  func keep(_ reading: ListReader.Reading, acceptedBy actor: String? = nil) async throws -> WatchList.Version {
    let version = try await version(of: reading)
    let known = try await core.database.read { try ScreeningListStore($0).find(version) }
    let id = known?.id ?? StoredList.ID(core.world)
    let parts = known == nil ? try await put(reading.list.entries, of: id) : []
    return try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx -> WatchList.Version in
      let (store, now) = (ScreeningListStore(tx), core.world.now())
      if let actor {
        try core.audit.append(
          "screening-list.updated", to: Self.chain, by: actor,
          facts: [
            "code": version.code, "version": version.version, "sha256": reading.sha256,
            "entries": "\(reading.list.entries.count)",
          ], in: tx)
      }
      if let known = try store.find(version) {
        // Of two nodes that read one file the second one finds it kept; its objects go with the sweep.
        if known.isOfFolder { try store.noteRead(known.id, at: now) }
        return version
      }
      let list = StoredList(
        id: id, version: version, sha256: reading.sha256, format: reading.format, files: reading.files.map(\.name),
        entryCount: reading.list.entries.count, skipped: reading.skipped, warnings: reading.warnings, loadedAt: now,
        loadedBy: Self.folderActor, replacedAt: now)
      try store.insert(list, parts: parts)
      // Once for this content. A folder's lists are not among the current ones, with which this is shown otherwise.
      let unnamed = reading.skipped[ListReader.unnamed].map {
        "without a name, and not searched: \($0); the others are searched"
      }
      for reason in reading.warnings.map({ "\($0); the list is searched" }) + (unnamed.map { [$0] } ?? []) {
        try store.insert(
          RefusedList(fault: ListFault(file: reading.files[0].name, reason: reason), at: now, by: Self.folderActor),
          id: Identifier(core.world))
      }
      return version
    }
  }

  /// The version of a reading: its own, or counted from the second on when the store keeps other entries under that
  /// name, which an earlier release read from the same file. A search names what it looked into, to be made again.
  private func version(of reading: ListReader.Reading) async throws -> WatchList.Version {
    let own = reading.list.version
    var version = own
    var number = 1
    while let known = try await find(version), await isOther(known, than: reading.list.entries) {
      version = .init(code: own.code, version: "\(own.version).\(number)")
      number += 1
    }
    return version
  }

  /// Whether a version that is kept has other entries; false of one that cannot be read. Piece by piece, so that no two
  /// lists are in memory.
  private func isOther(_ stored: StoredList, than entries: [WatchList.Entry]) async -> Bool {
    guard stored.entryCount == entries.count else { return true }
    var rest = entries[...]
    for part in (try? await parts(of: stored)) ?? [] {
      guard let piece = try? await self.entries(ofPart: part) else { return false }
      guard rest.starts(with: piece) else { return true }
      rest = rest.dropFirst(piece.count)
    }
    return false
  }

  /// Why a file of the folder is kept back: it has lost so much that it is rather a broken download.
  /// - Parameters:
  ///   - name: of the file.
  ///   - kept: of each list of the folder the version that was read last, the latest first.
  ///   - present: names of the files in the folder.
  /// - Returns: nil for one that is to be searched, as are all whose content the store has already. What could not be
  ///   compared is among the warnings then.
  func shrinkage(
    of reading: inout ListReader.Reading, named name: String, since kept: [StoredList], among present: Set<String>
  ) async throws -> ListFault? {
    guard let last = kept.last(of: name, among: present), try await known([reading.name]).isEmpty,
      let loss = await loss(of: &reading, since: last)
    else { return nil }
    return ListFault(file: name, reason: "\(loss): gatehouse lists update --folder takes it")
  }

  /// Which of these contents the store has.
  func known(_ names: [ListReader.Reading.Name]) async throws -> [ListReader.Reading.Name] {
    try await core.database.read { tx in
      try names.filter { try ScreeningListStore(tx).isKept(code: $0.code, sha256: $0.sha256) }
    }
  }

  /// Of each list of the folder the version that was read last, the latest first.
  func keptOfFolder() async throws -> [StoredList] {
    try await core.database.read { try ScreeningListStore($0).last(loadedBy: Self.folderActor) }
  }

  /// Notes why a file cannot be read, once on all nodes and over restarts until it is whole again or broken otherwise.
  /// - Parameter list: the version that is searched in its place.
  func noteBroken(_ fault: ListFault, since list: StoredList) async throws {
    let refusal = RefusedList(fault: fault, at: core.world.now(), by: Self.folderActor)
    let id = Identifier<RefusedList>(core.world)
    try await core.database.write { tx in
      let store = ScreeningListStore(tx)
      guard try !store.isRefused(refusal, after: list.replacedAt ?? list.loadedAt) else { return }
      try store.insert(refusal, id: id)
    }
  }
}

extension StoredList {
  /// Whether it was read from a file of the folder: whether it is searched is told there, and not in the store.
  var isOfFolder: Bool { loadedBy == ScreeningLists.folderActor }
}

extension ScreeningListStore {
  /// Of each list the version that one loaded, or noted, last, the latest first. Two files with one code are two lists.
  func last(loadedBy actor: String) throws -> [StoredList] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM (
        SELECT \(Self.columns), ROW_NUMBER() OVER (PARTITION BY code, files ORDER BY replaced_at DESC, id DESC) AS age
        FROM screening_list WHERE loaded_by = \(actor)) AS versions
      WHERE age = 1 ORDER BY replaced_at DESC, code LIMIT \(Self.historyMax)
      """
    ).map(list)
  }

  /// Whether one was refused a file for the same reason since an instant.
  func isRefused(_ refused: RefusedList, after instant: Instant) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM screening_list_refusal
      WHERE refused_at >= \(instant) AND file = \(refused.fault.file) AND reason = \(refused.fault.reason)
        AND refused_by = \(refused.by) LIMIT 1
      """
    ) != nil
  }

  /// Whether some version of a list has this content.
  func isKept(code: String, sha256: String) throws -> Bool {
    try tx.first("SELECT id FROM screening_list WHERE code = \(code) AND sha256 = \(sha256) LIMIT 1") != nil
  }

  /// Notes when a version of the folder was read last.
  func noteRead(_ id: StoredList.ID, at now: Instant) throws {
    try tx.execute("UPDATE screening_list SET replaced_at = \(now) WHERE id = \(id)")
  }
}

extension [StoredList] {
  /// The version of a file of the folder that was read last, or of one that it took the place of: `un.xml` and `un.csv`
  /// have one code, and are two lists as long as both are there.
  /// - Parameter present: names of the files in the folder.
  func last(of file: String, among present: Set<String>) -> StoredList? {
    first { $0.files.contains(file) }
      ?? first { $0.version.code == ListReader.stem(file) && present.isDisjoint(with: $0.files) }
  }
}

extension ListReader.Reading {
  /// Tells a content of a list from all others.
  struct Name: Sendable, Hashable {
    let code: String
    let sha256: String
  }

  var name: Name { Name(code: list.version.code, sha256: sha256) }
}
