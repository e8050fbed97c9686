// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// How values are spread over fixed buckets, for each combination of its labels.
package final class Histogram: Sendable {
  private struct Distribution: Sendable {
    /// By bucket, not added up; the last is everything beyond the last bound.
    var counts: [Int]
    var sum = 0.0
  }

  /// Seconds of a request: from a look-up in memory to the reading of a picture.
  package static let latencyBounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  private let name: String
  private let help: String
  private let labels: [String]
  private let bounds: [Double]
  private let series: Mutex<BoundedSeries<Distribution>>

  /// - Precondition: the bounds ascend.
  package init(_ name: String, help: String, labels: [String] = [], bounds: [Double] = latencyBounds) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "the bounds of \(name) ascend")
    self.name = name
    self.help = help
    self.labels = labels
    self.bounds = bounds
    series = Mutex(BoundedSeries(kept: labels.map { _ in false }))
  }

  package func observe(_ value: Double, _ values: String...) {
    precondition(values.count == labels.count, "a value for each label of \(name)")
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    series.withLock { series in
      series.update(values, from: Distribution(counts: Array(repeating: 0, count: bounds.count + 1))) { spread in
        spread.counts[bucket] += 1
        spread.sum += value
      }
    }
  }

  /// Buckets count everything up to their bound, as Prometheus defines it.
  package var family: MetricFamily {
    let samples = series.withLock { $0 }.sorted.flatMap { values, spread in
      let own = MetricFamily.Label.list(labels, values)
      var (samples, below): ([MetricFamily.Sample], Int) = ([], 0)
      for (bound, count) in zip(bounds + [.infinity], spread.counts) {
        below += count
        samples.append(
          .init(
            suffix: "_bucket", labels: own + [.init(name: "le", value: PrometheusText.number(bound))],
            value: Double(below)))
      }
      samples.append(.init(suffix: "_sum", labels: own, value: spread.sum))
      samples.append(.init(suffix: "_count", labels: own, value: Double(below)))
      return samples
    }
    return MetricFamily(name, help: help, kind: .histogram, samples: samples)
  }
}
