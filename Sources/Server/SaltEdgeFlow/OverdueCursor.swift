// SPDX-License-Identifier: Apache-2.0

import Kit

/// A row whose time ran out, by its place in the order in which rows run out of time.
struct OverdueCursor<Subject>: Sendable {
  let end: Instant
  let id: Identifier<Subject>

  /// Before every row.
  static var start: OverdueCursor { OverdueCursor(end: Instant(milliseconds: 0), id: .init(rawValue: "")) }
}
