// SPDX-License-Identifier: Apache-2.0
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/console/health`: how this node and the stores are, for those who run the installation. It shows what
/// `/health/ready` and `/metrics` tell, and nothing of a customer. Each look is a line of the audit; those by which an
/// open page keeps itself up to date are one a day, for they come every 15 seconds.
package struct HealthRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/health"

  /// A screening list that is searched.
  package struct List: Sendable {
    let code: String
    let version: String
    let loadedAt: Instant
    let entries: Int

    package init(code: String, version: String, loadedAt: Instant, entries: Int) {
      (self.code, self.version, self.loadedAt, self.entries) = (code, version, loadedAt, entries)
    }
  }

  /// What the page is made of.
  package struct Source: Sendable {
    let report: @Sendable () async -> HealthReport
    let metrics: @Sendable () async -> [MetricFamily]
    let lists: @Sendable () async throws -> [List]

    package init(
      report: @escaping @Sendable () async -> HealthReport, metrics: @escaping @Sendable () async -> [MetricFamily],
      lists: @escaping @Sendable () async throws -> [List]
    ) {
      (self.report, self.metrics, self.lists) = (report, metrics, lists)
    }
  }

  private let signIn: StaffSignIn
  private let source: Source

  package init(_ signIn: StaffSignIn, _ source: Source) { (self.signIn, self.source) = (signIn, source) }

  package func add(to root: RouterGroup<PublicContext>) {
    root.get(RouterPath(Self.base), use: signIn.page(for: .manageOutbox, refreshes: true, show))
  }

  @Sendable
  private func show(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    // An installation that cannot write needs this page most, and nothing of a person is on it.
    do {
      try await signIn.note(
        "health.seen", by: visit, RecordAccess.overview.facts, isRefresh: StaffSignIn.isRefresh(request))
    } catch is SQLError {}
    let (report, metrics) = (await source.report(), await source.metrics())
    let lists = try? await source.lists()
    return try HealthPage(report, metrics, lists: lists, at: signIn.core.world.now(), for: visit).response()
  }
}
