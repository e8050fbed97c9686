// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `screening_list`, a version of a list each, of `screening_list_part`, an object with some of its entries each,
/// and of `screening_list_refusal`.
struct ScreeningListStore {
  static let columns: SQLColumns = """
    id, code, list_version, sha256, format, files, entry_count, skipped, warnings, loaded_at, loaded_by, replaced_at
    """
  /// Versions and refusals that one look shows.
  static let historyMax = 200

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-26 screening lists",
    """
    CREATE TABLE screening_list (
      id TEXT PRIMARY KEY,
      code TEXT NOT NULL,
      list_version TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      format TEXT NOT NULL,
      files TEXT NOT NULL,
      entry_count BIGINT NOT NULL CHECK (entry_count > 0),
      loaded_at BIGINT NOT NULL,
      loaded_by TEXT NOT NULL,
      replaced_at BIGINT,
      UNIQUE (code, list_version)
    );
    CREATE UNIQUE INDEX screening_list_current ON screening_list (code) WHERE replaced_at IS NULL;
    CREATE TABLE screening_list_part (
      id TEXT PRIMARY KEY,
      list_id TEXT NOT NULL REFERENCES screening_list (id),
      place BIGINT NOT NULL,
      UNIQUE (list_id, place)
    );
    CREATE TABLE screening_list_refusal (
      id TEXT PRIMARY KEY,
      file TEXT NOT NULL,
      line BIGINT,
      reason TEXT NOT NULL,
      refused_at BIGINT NOT NULL,
      refused_by TEXT NOT NULL
    );
    CREATE INDEX screening_list_refusal_time ON screening_list_refusal (refused_at);
    """)

  static let skippedMigration = Migration(
    "2026-11-27 screening list skipped", "ALTER TABLE screening_list ADD COLUMN skipped TEXT NOT NULL DEFAULT '';")

  static let warningsMigration = Migration(
    "2026-12-12 screening list warnings",
    "ALTER TABLE screening_list ADD COLUMN warnings TEXT NOT NULL DEFAULT '';")

  // MARK: Versions

  /// The versions that are searched, by code.
  func current() throws -> [StoredList] {
    try tx.query("SELECT \(Self.columns) FROM screening_list WHERE replaced_at IS NULL ORDER BY code").map(list)
  }

  /// Every version of a list, the latest first.
  func versions(of code: String) throws -> [StoredList] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening_list WHERE code = \(code)
      ORDER BY loaded_at DESC, id DESC LIMIT \(Self.historyMax)
      """
    ).map(list)
  }

  /// The version of a list that is searched or, after its removal, the one that was searched last. Those that a folder
  /// had are not among them.
  func latest(of code: String) throws -> StoredList? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening_list WHERE code = \(code) AND loaded_by <> \(ScreeningLists.folderActor)
      ORDER BY CASE WHEN replaced_at IS NULL THEN 0 ELSE 1 END, replaced_at DESC, loaded_at DESC, id DESC LIMIT 1
      """
    ).map(list)
  }

  func find(_ version: WatchList.Version) throws -> StoredList? {
    try tx.first(
      "SELECT \(Self.columns) FROM screening_list WHERE code = \(version.code) AND list_version = \(version.version)"
    ).map(list)
  }

  /// The version that was loaded from files of a digest: the one that is searched, otherwise the latest. Those that a
  /// folder had are not among them.
  func find(code: String, sha256: String) throws -> StoredList? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening_list WHERE code = \(code) AND sha256 = \(sha256)
        AND loaded_by <> \(ScreeningLists.folderActor)
      ORDER BY CASE WHEN replaced_at IS NULL THEN 0 ELSE 1 END, loaded_at DESC, id DESC LIMIT 1
      """
    ).map(list)
  }

  /// Takes the version of a list that is searched out of the search.
  func replaceCurrent(of code: String, at now: Instant) throws {
    try tx.execute("UPDATE screening_list SET replaced_at = \(now) WHERE code = \(code) AND replaced_at IS NULL")
  }

  /// Puts an older version back into the search.
  func restore(_ id: StoredList.ID, warnings: [String]) throws {
    try tx.execute(
      "UPDATE screening_list SET replaced_at = NULL, warnings = \(warnings.joined(separator: "\n")) WHERE id = \(id)")
  }

  func insert(_ list: StoredList, parts: [String]) throws {
    let skipped = list.skipped.map { "\($0.key) \($0.value)" }.sorted().joined(separator: "\n")
    try tx.execute(
      """
      INSERT INTO screening_list
        (id, code, list_version, sha256, format, files, entry_count, skipped, warnings, loaded_at, loaded_by,
          replaced_at)
      VALUES (\(list.id), \(list.version.code), \(list.version.version), \(list.sha256), \(list.format.rawValue),
        \(list.files.joined(separator: "\n")), \(list.entryCount), \(skipped),
        \(list.warnings.joined(separator: "\n")), \(list.loadedAt), \(list.loadedBy),
        \(list.replacedAt as Instant?))
      """)
    for (place, part) in parts.enumerated() {
      try tx.execute(
        "INSERT INTO screening_list_part (id, list_id, place) VALUES (\(part), \(list.id), \(place))")
    }
  }

  /// Keys of the objects that hold a version's entries, in order.
  func parts(of id: StoredList.ID) throws -> [String] {
    try tx.query("SELECT id FROM screening_list_part WHERE list_id = \(id) ORDER BY place").map { try $0.get("id") }
  }

  func list(_ row: SQLRow) throws -> StoredList {
    let format: String = try row.get("format")
    let files: String = try row.get("files")
    let skipped: String = try row.get("skipped")
    let warnings: String = try row.get("warnings")
    let counts = skipped.split(separator: "\n").map { $0.split(separator: " ") }.compactMap { words in
      words.last.flatMap { Int($0) }.map { (String(words[0]), $0) }
    }
    return StoredList(
      id: try row.get("id"),
      version: .init(code: try row.get("code"), version: try row.get("list_version")),
      sha256: try row.get("sha256"), format: ListFormat(rawValue: format) ?? .table,
      files: files.split(separator: "\n").map(String.init), entryCount: try row.get("entry_count"),
      skipped: Dictionary(counts) { $0 + $1 }, warnings: warnings.split(separator: "\n").map(String.init),
      loadedAt: try row.get("loaded_at"), loadedBy: try row.get("loaded_by"), replacedAt: try row.get("replaced_at"))
  }

  // MARK: Refusals

  func insert(_ refused: RefusedList, id: Identifier<RefusedList>) throws {
    try tx.execute(
      """
      INSERT INTO screening_list_refusal (id, file, line, reason, refused_at, refused_by)
      VALUES (\(id), \(refused.fault.file), \(refused.fault.line as Int?), \(refused.fault.reason), \(refused.at),
        \(refused.by))
      """)
  }

  /// Refused lists after an instant, the latest first.
  func refusals(after instant: Instant?, limit: Int) throws -> [RefusedList] {
    try tx.query(
      """
      SELECT file, line, reason, refused_at, refused_by FROM screening_list_refusal
      WHERE refused_at >= \(instant ?? Instant(milliseconds: 0)) ORDER BY refused_at DESC, id DESC LIMIT \(limit)
      """
    ).map { row in
      RefusedList(
        fault: ListFault(file: try row.get("file"), line: try row.get("line"), reason: try row.get("reason")),
        at: try row.get("refused_at"), by: try row.get("refused_by"))
    }
  }

  // MARK: Objects

  static func kept(after id: String, limit: Int, in tx: any SQLTransaction) throws -> [String] {
    try tx.query("SELECT id FROM screening_list_part WHERE id > \(id) ORDER BY id LIMIT \(limit)").map {
      try $0.get("id")
    }
  }

  static func referenced(_ keys: [String], in tx: any SQLTransaction) throws -> Set<String> {
    Set(try tx.query("SELECT id FROM screening_list_part WHERE id IN \(list: keys)").map { try $0.get("id") })
  }
}
