// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension ScreeningListStore {
  /// Versions that were replaced by then, the longest ago first.
  func replaced(before horizon: Instant) throws -> [StoredList] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening_list WHERE replaced_at <= \(horizon)
      ORDER BY replaced_at, id LIMIT \(Self.historyMax)
      """
    ).map(list)
  }

  /// The versions that screenings and searches for all customers name.
  /// - Returns: nil when there are more sets of them than the limit.
  func namedVersions(limit: Int) throws -> Set<WatchList.Version>? {
    let rows = try tx.query(
      """
      SELECT lists FROM screening UNION SELECT base FROM screening_run UNION SELECT target FROM screening_run
      LIMIT \(limit + 1)
      """)
    guard rows.count <= limit else { return nil }
    return try rows.reduce(into: Set<WatchList.Version>()) { named, row in
      named.formUnion(
        try JSONDecoder().decode([WatchList.Version].self, from: Data(row.get("lists", as: String.self).utf8)))
    }
  }

  func delete(_ id: StoredList.ID) throws {
    try tx.execute("DELETE FROM screening_list_part WHERE list_id = \(id)")
    try tx.execute("DELETE FROM screening_list WHERE id = \(id)")
  }
}
