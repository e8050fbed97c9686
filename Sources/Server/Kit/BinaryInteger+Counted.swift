// SPDX-License-Identifier: Apache-2.0

extension BinaryInteger {
  /// The number with the word for what it counts: `1 entry`, `2 entries`.
  package func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
