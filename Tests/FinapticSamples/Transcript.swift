// SPDX-License-Identifier: Apache-2.0

/// What the samples print, in order.
@MainActor
package enum Transcript {
  package private(set) static var lines: [String] = []

  /// What was printed since the last time.
  package static func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  fileprivate static func add(_ line: String) { lines.append(line) }
}

/// Stands in for the standard library's in this module.
@MainActor
func print(_ items: Any...) {
  Transcript.add(items.map { "\($0)" }.joined(separator: " "))
}
