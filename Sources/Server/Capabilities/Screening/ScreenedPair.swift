// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One row of a table of pairs of names, and how alike they are.
package struct ScreenedPair: Sendable, Encodable {
  /// Counted from 0 without the header.
  let row: Int
  /// From 0 to 1; 0 of a row that was not compared.
  let score: Double
  let match: Bool
  /// Why the names were not compared, which does not mean that they differ; otherwise absent.
  package let error: ScreenFile.Unreadable?

  package init(row: Int, _ one: String, _ other: String, kind: WatchList.Kind, policy: MatchingPolicy) {
    self.row = row
    let isReadable = [one, other].allSatisfy {
      ScreenFile.isReadWhole($0) && NamePair.isReadable($0, kind: kind)
    }
    error = isReadable ? nil : .name
    score = isReadable ? NamePair(one, other, kind: kind, policy: policy).score : 0
    match = isReadable && score >= policy.threshold
  }

  /// For people: row, score, `match` or `-` and both names, parted by tabs. A row that was not compared has the reason
  /// in the third place.
  /// - Parameter names: as they are fit for a terminal.
  package func line(_ names: (String, String)) -> String {
    if let error { return "\(row)\t-\t\(error.rawValue)\t-\t-" }
    return "\(row)\t\(String(format: "%.3f", score))\t\(match ? "match" : "-")\t\(names.0)\t\(names.1)"
  }
}
