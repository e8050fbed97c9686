// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `screening_self_test`: a report a day. It holds counts and versions, no names.
struct SelfTestStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-11-27 screening self test",
    """
    CREATE TABLE screening_self_test (
      day TEXT PRIMARY KEY,
      report TEXT NOT NULL,
      finished_at BIGINT NOT NULL
    );
    """)

  /// - Returns: false when the day has a report.
  func insert(_ report: ScreeningSelfTest.Report, day: String, at now: Instant) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(report), as: UTF8.self)
    return try tx.execute(
      """
      INSERT INTO screening_self_test (day, report, finished_at) VALUES (\(day), \(text), \(now))
      ON CONFLICT (day) DO NOTHING
      """) == 1
  }

  func find(day: String) throws -> ScreeningSelfTest.Report? {
    try tx.first("SELECT report FROM screening_self_test WHERE day = \(day)").map(report)
  }

  func latest() throws -> ScreeningSelfTest.Report? {
    try tx.first("SELECT report FROM screening_self_test ORDER BY day DESC LIMIT 1").map(report)
  }

  private func report(_ row: SQLRow) throws -> ScreeningSelfTest.Report {
    try JSONDecoder().decode(
      ScreeningSelfTest.Report.self, from: Data(row.get("report", as: String.self).utf8))
  }
}
