// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/figures`: how customers go through the flows. An institution with a desk of its own sees its own figures;
/// the desk that works for the rest sees those of the installation. Each look and each export is a line of the audit.
package struct FiguresRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/figures"

  /// What the figures are read from.
  package struct Source: Sendable {
    let figures: FlowFigures
    let outbox: @Sendable () async throws -> OutboxGauge
    let world: World
    let policy: CaseworkPolicy

    package init(
      _ figures: FlowFigures, world: World, policy: CaseworkPolicy,
      outbox: @escaping @Sendable () async throws -> OutboxGauge
    ) {
      (self.figures, self.world, self.policy, self.outbox) = (figures, world, policy, outbox)
    }
  }

  private let signIn: StaffSignIn
  private let source: Source

  package init(_ signIn: StaffSignIn, _ source: Source) { (self.signIn, self.source) = (signIn, source) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page(show))
    group.get("export", use: page(export))
  }

  /// The flows whose figures are kept.
  package static var flows: Set<String> { FlowSummary.names }

  private typealias Show = @Sendable (StaffVisit, Question) async throws -> Response

  /// What is asked for: how many days, and whose subjects; nil are everyone's.
  struct Question: Sendable {
    let days: Int
    let tenant: String?
    /// Whether who asks may see everyone's.
    let seesAll: Bool
  }

  private func page(_ show: @escaping Show) -> StaffSignIn.Handler {
    signIn.page(for: .readFigures) { [source] visit, request, _ in
      let asked = request.uri.queryParameters.get("days").flatMap { Int($0) }
      let days = FiguresPage.dayChoices.first { $0 == asked } ?? 30
      let tenant = request.uri.queryParameters.get("tenant").flatMap { RecordQuestion.isName($0) ? $0 : nil }
      let (desk, seesAll) = (visit.member.tenant, !source.policy.scope(of: visit.member.tenant).isOnly)
      let question = Question(days: days, tenant: seesAll ? tenant : desk, seesAll: seesAll)
      return try await show(visit, question)
    }
  }

  private func rows(_ question: Question) async throws -> [FlowFigures.Row] {
    try await source.figures.rows(of: range(question), tenant: question.tenant)
  }

  /// Whose figures can be seen by themselves.
  private func tenants(_ question: Question) async throws -> [String] {
    guard question.seesAll else { return [question.tenant].compactMap(\.self) }
    return try await source.figures.tenants(of: range(question))
  }

  /// Who looks, at whose figures, and how: a line of the audit before anything is shown. What was typed and names no
  /// institution that has figures is not kept, as whatever else it may be.
  private func note(
    _ action: String, _ visit: StaffVisit, _ question: Question, among tenants: [String]
  ) async throws {
    var facts = ["days": "\(question.days)", "why": RecordAccess.overview.rawValue]
    facts["tenant"] = question.tenant.map { tenants.contains($0) ? $0 : "unknown" }
    try await signIn.note(action, by: visit, facts)
  }

  private func range(_ question: Question) -> ClosedRange<Int64> {
    FlowFigures.days(ending: source.world.now(), count: question.days)
  }

  @Sendable
  private func show(_ visit: StaffVisit, _ question: Question) async throws -> Response {
    let tenants = try await tenants(question)
    try await note("figures.seen", visit, question, among: tenants)
    return try FiguresPage(
      try await rows(question), try await source.outbox(), question, of: tenants, for: visit
    ).response()
  }

  @Sendable
  private func export(_ visit: StaffVisit, _ question: Question) async throws -> Response {
    try await note("figures.exported", visit, question, among: try await tenants(question))
    return Response.attachment(
      Data(FiguresCSV.text(try await rows(question)).utf8), "text/csv; charset=utf-8",
      named: "figures-\(question.days)-days.csv")
  }
}

extension StaffPermission {
  /// See how many customers went which way; at the desk that works for the rest, of every institution.
  package static let readFigures = StaffPermission(rawValue: "read:figures")
}
