// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit

/// The dialect of each part of the URL space: for what goes wrong before a request has reached a module.
package struct PathDialects: Dialect {
  private let entries: [(prefix: String, dialect: any Dialect)]
  private let otherwise: any Dialect

  /// - Parameter entries: by the path that theirs begin with, such as `/pa/v3`; the longest that fits counts.
  package init(_ entries: [(prefix: String, dialect: any Dialect)], otherwise: any Dialect) {
    self.entries = entries.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
    self.otherwise = otherwise
  }

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let entry = entries.first { path == $0.prefix || path.hasPrefix($0.prefix + "/") }
    return (entry?.dialect ?? otherwise).response(for: problem, path: path, correlationID: correlationID)
  }
}
