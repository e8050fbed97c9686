// SPDX-License-Identifier: Apache-2.0

import Kit

/// Where metrics come from when they are asked for: counters of this process, or a question to the store.
package struct MetricSource: Sendable {
  /// How long a source may take; a page without one source is better than none.
  package static let limit = Duration.seconds(2)

  let name: String
  let probe: Probe<[MetricFamily]>

  package init(_ name: String, read: @escaping @Sendable () async throws -> [MetricFamily]) {
    self.name = name
    probe = Probe(limit: Self.limit, ask: read)
  }
}

/// Everything that `/metrics` shows.
package struct MetricsPage: Sendable {
  let sources: [MetricSource]

  package init(_ sources: [MetricSource]) { self.sources = sources }

  package func text() async -> String { PrometheusText.page(await families()) }

  /// A source that fails or is late is left out and shown as down.
  package func families() async -> [MetricFamily] {
    var (families, statuses): ([MetricFamily], [([String], Double)]) = ([], [])
    for source in sources {
      let read = try? await source.probe.answer()
      families += read ?? []
      statuses.append(([source.name], read == nil ? 0 : 1))
    }
    families.append(
      .labelled(
        "gatehouse_metrics_source_up", help: "Whether a source of these metrics answered.", labels: ["source"],
        statuses))
    return families
  }
}
