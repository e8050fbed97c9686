// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
  /// Whether the bytes are the same, in a time that depends on the lengths only.
  package func equalsInConstantTime(_ other: Data) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
