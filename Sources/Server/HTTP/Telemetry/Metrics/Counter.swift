import Synchronization

/// A number that only grows, one for each combination of its labels.
package final class Counter: Sendable {
  private let name: String
  private let help: String
  private let labels: [String]
  private let series = Mutex(BoundedSeries<Double>())

  package init(_ name: String, help: String, labels: [String] = []) {
    self.name = name
    self.help = help
    self.labels = labels
  }

  /// - Parameter values: of the labels, in their order.
  package func add(_ amount: Double = 1, _ values: String...) {
    precondition(values.count == labels.count, "a value for each label of \(name)")
    series.withLock { $0.update(values, from: 0) { $0 += amount } }
  }

  package var family: MetricFamily {
    let read = series.withLock { $0.sorted }
    return .labelled(
      name, help: help, kind: .counter, labels: labels, labels.isEmpty && read.isEmpty ? [([], 0)] : read)
  }
}

/// Values by combination of labels, of which there are never more than a named maximum: what comes later is counted
/// together under `other`.
struct BoundedSeries<Value: Sendable>: Sendable {
  static var max: Int { 1000 }

  private var values: [[String]: Value] = [:]

  mutating func update(_ key: [String], from initial: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
    if let place = values.index(forKey: key) { return change(&values.values[place]) }
    change(&values[values.count < Self.max ? key : key.map { _ in "other" }, default: initial()])
  }

  var sorted: [([String], Value)] {
    values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
