// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What an operator's tools ask: `/health/live`, `/health/ready`, `/metrics`.
package struct OperationsRoutes: Sendable {
  let readiness: Readiness
  let metrics: MetricsPage

  package init(readiness: Readiness, metrics: MetricsPage) {
    self.readiness = readiness
    self.metrics = metrics
  }

  package func add(to router: some RouterMethods<PublicContext>) {
    router.get("health/live", use: Self.live)
    router.get("health/ready", use: ready)
    router.get("metrics", use: page)
  }

  /// The process answers, whatever its store does: a restart cures nothing else.
  @Sendable
  package static func live(_ request: Request, _ context: PublicContext) async throws -> Response {
    answer(.ok, "application/json; charset=utf-8", Data(#"{"status":"live"}"#.utf8))
  }

  @Sendable
  private func ready(_ request: Request, _ context: PublicContext) async throws -> Response {
    let report = await readiness.report()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Self.answer(
      report.status == .ready ? .ok : .serviceUnavailable, "application/json; charset=utf-8",
      try encoder.encode(report))
  }

  @Sendable
  private func page(_ request: Request, _ context: PublicContext) async throws -> Response {
    Self.answer(.ok, PrometheusText.contentType, Data(await metrics.text().utf8))
  }

  private static func answer(_ status: HTTPResponse.Status, _ contentType: String, _ body: Data) -> Response {
    Response(
      status: status, headers: [.contentType: contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
