// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file in which SQLite has what was committed and is not in the database's file yet
/// (sqlite.org/fileformat2.html, section 4.1): a head, and pages of 4,096 bytes with a head each.
package enum WriteAheadLog {
  private static let head: Int64 = 32
  private static let page: Int64 = 24 + 4096

  /// Bytes of a log with so many pages; the next one begins there.
  package static func size(_ pages: Int) -> Int64 { head + Int64(pages) * page }

  /// Whole pages of a log with so many bytes.
  package static func pages(_ bytes: Int64) -> Int { Int(max(bytes - head, 0) / page) }

  /// Whether nothing is used from a page on, counted from 0: the log began anew and has not come so far again. To be
  /// asked under the writer's lock.
  ///
  /// Pages that were written since then repeat the two salts of the log's head, and follow each other. The log can begin
  /// anew only when no reader uses its old pages. Where its first page is a new one, the new head is on the disk, so
  /// that no recovery takes old pages for valid: SQLite writes that page after it has synced the head.
  /// - Returns: false too where pages have another size, or the file cannot be read.
  package static func isFree(from page: Int, of log: CInt) -> Bool {
    func bytes(_ count: Int, at place: Int64) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(log, &bytes, count, off_t(place)) == count ? bytes : nil
    }
    guard let head = bytes(24, at: 0), head[8..<12] == [0, 0, 16, 0],
      let first = bytes(16, at: size(0)), let found = bytes(16, at: size(page))
    else { return false }
    let (current, salts) = (head[16..<24], found[8..<16])
    // SQLite may leave salts of zero in pages that a transaction wrote twice.
    return first[8..<16] == current && salts != current && salts.contains { $0 != 0 }
  }
}
