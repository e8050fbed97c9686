// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that only grows, one for each combination of its labels.
package final class Counter: Sendable {
  private let name: String
  private let help: String
  private let labels: [String]
  private let series: Mutex<BoundedSeries<Double>>

  /// - Parameter kept: labels of few values, which alarms go by: told apart when the others are not any more.
  package init(_ name: String, help: String, labels: [String] = [], kept: [String] = []) {
    self.name = name
    self.help = help
    self.labels = labels
    series = Mutex(BoundedSeries(kept: labels.map(kept.contains)))
  }

  /// - Parameter values: of the labels, in their order.
  package func add(_ amount: Double = 1, _ values: String...) {
    precondition(values.count == labels.count, "a value for each label of \(name)")
    series.withLock { $0.update(values, from: 0) { $0 += amount } }
  }

  package var family: MetricFamily {
    let read = series.withLock { $0 }.sorted
    return .labelled(
      name, help: help, kind: .counter, labels: labels, labels.isEmpty && read.isEmpty ? [([], 0)] : read)
  }
}

/// Values by combination of labels, of which there are never more than twice a named maximum. Past the maximum, what comes
/// is counted together under `other`, but for the labels that are kept; past the second, those too.
struct BoundedSeries<Value: Sendable>: Sendable {
  /// Some hundred routes, each with every status that it has: an ordinary server stays far below.
  static var max: Int { 10_000 }

  private var values: [[String]: Value] = [:]
  /// Which labels are kept, in their order.
  private let kept: [Bool]

  init(kept: [Bool]) { self.kept = kept }

  mutating func update(_ key: [String], from initial: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
    if let place = values.index(forKey: key) { return change(&values.values[place]) }
    change(&values[place(of: key), default: initial()])
  }

  private func place(of key: [String]) -> [String] {
    guard values.count >= Self.max else { return key }
    let keeps = values.count < 2 * Self.max
    return zip(key, kept).map { $1 && keeps ? $0 : "other" }
  }

  var sorted: [([String], Value)] {
    values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
