// SPDX-License-Identifier: Apache-2.0

/// One metric with all of its series at one instant, as Prometheus reads it.
package struct MetricFamily: Sendable, Equatable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  package struct Label: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package struct Sample: Sendable, Equatable {
    /// What follows the metric's name: `_bucket`, `_sum`, `_count` of a histogram, else empty.
    package var suffix = ""
    package let labels: [Label]
    package let value: Double
  }

  /// With its unit last and `_total` at the end of a counter.
  package let name: String
  package let help: String
  package let kind: Kind
  package let samples: [Sample]

  package init(_ name: String, help: String, kind: Kind, samples: [Sample]) {
    self.name = name
    self.help = help
    self.kind = kind
    self.samples = samples
  }

  /// A metric of one series without labels.
  package static func single(_ name: String, help: String, kind: Kind = .gauge, _ value: Double) -> MetricFamily {
    MetricFamily(name, help: help, kind: kind, samples: [Sample(labels: [], value: value)])
  }

  /// - Parameter series: the values of the labels, in their order, and the metric's value.
  package static func labelled(
    _ name: String, help: String, kind: Kind = .gauge, labels: [String], _ series: [([String], Double)]
  ) -> MetricFamily {
    MetricFamily(
      name, help: help, kind: kind,
      samples: series.map { Sample(labels: Label.list(labels, $0.0), value: $0.1) })
  }
}

extension MetricFamily.Label {
  static func list(_ names: [String], _ values: [String]) -> [Self] {
    zip(names, values).map { Self(name: $0, value: $1) }
  }
}
