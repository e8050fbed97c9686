// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
/// How long each of many equal things took.
struct Latencies: Sendable {
  private(set) var milliseconds: [Double] = []

  mutating func add(_ duration: Duration) { milliseconds.append(duration.inSeconds * 1000) }

  mutating func add(_ other: Latencies) { milliseconds += other.milliseconds }

  /// The smallest value that so many hundredths of all do not exceed (nearest rank); 0 of none.
  func percentile(_ hundredths: Double) -> Double {
    let sorted = milliseconds.sorted()
    guard !sorted.isEmpty else { return 0 }
    let rank = (hundredths / 100 * Double(sorted.count)).rounded(.up)
    return sorted[min(max(Int(rank), 1), sorted.count) - 1]
  }
}
