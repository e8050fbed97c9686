// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole milliseconds; the rest is dropped.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }

  /// Seconds with their fraction.
  package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
