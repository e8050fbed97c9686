import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/figures`: how customers go through the flows of the installation, for those who may see all of it.
package struct FiguresRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/figures"

  /// What the figures are read from.
  package struct Source: Sendable {
    let figures: FlowFigures
    let outbox: @Sendable () async throws -> OutboxGauge
    let world: World

    package init(
      _ figures: FlowFigures, world: World, outbox: @escaping @Sendable () async throws -> OutboxGauge
    ) {
      (self.figures, self.world, self.outbox) = (figures, world, outbox)
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

  private typealias Handler = @Sendable (Request, PublicContext) async throws -> Response
  private typealias Show = @Sendable (StaffVisit, _ days: Int) async throws -> Response

  private func page(_ show: @escaping Show) -> Handler {
    { [signIn] request, _ in
      guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
      try await signIn.require(.readFigures, of: visit)
      let asked = request.uri.queryParameters.get("days").flatMap { Int($0) }
      let days = FiguresPage.dayChoices.first { $0 == asked } ?? 30
      return try await signIn.renewing(visit, try await show(visit, days))
    }
  }

  private func rows(_ days: Int) async throws -> [FlowFigures.Row] {
    try await source.figures.rows(of: FlowFigures.days(ending: source.world.now(), count: days))
  }

  @Sendable
  private func show(_ visit: StaffVisit, _ days: Int) async throws -> Response {
    try FiguresPage(try await rows(days), try await source.outbox(), days: days, for: visit).response()
  }

  @Sendable
  private func export(_ visit: StaffVisit, _ days: Int) async throws -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/csv; charset=utf-8",
        .contentDisposition: "attachment; filename=\"figures-\(days)-days.csv\"",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: FiguresCSV.text(try await rows(days)))))
  }
}

extension StaffPermission {
  /// See how many customers went which way, of every institution.
  package static let readFigures = StaffPermission(rawValue: "read:figures")
}
