// SPDX-License-Identifier: Apache-2.0

/// Why files are not a list that can be searched: which file, which line of it, and what is wrong there. Holds no content
/// of the file, so that it can be shown and logged.
package struct ListFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// Name of the file, without its folder.
  package let file: String
  /// Counted from 1; nil when the fault is of the whole file.
  package let line: Int?
  /// For operators.
  package let reason: String

  package init(file: String, line: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  package var description: String { "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)" }
}
