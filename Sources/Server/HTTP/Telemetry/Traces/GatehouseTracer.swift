// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Tracing

/// Begins spans, and carries their context in and out of programs by W3C Trace Context.
///
/// It is handed to those who trace and is not installed for the whole process: a library that traces by itself would
/// write what it likes into a span, and it would be written unread.
package struct GatehouseTracer: Tracer {
  package typealias Span = GatehouseSpan

  let world: World
  /// Share of the traces that begin here which are recorded; a caller's trace is recorded when the caller asks for it.
  let ratio: Double
  let export: (@Sendable (FinishedSpan) -> Void)?

  /// - Parameters:
  ///   - ratio: 0 to 1.
  ///   - export: takes what was recorded; nil records nothing.
  package init(world: World, ratio: Double = 1, export: (@Sendable (FinishedSpan) -> Void)? = nil) {
    self.world = world
    self.ratio = ratio
    self.export = export
  }

  package var isExporting: Bool { export != nil }

  /// Instants come from `World`; those that a caller offers are not asked for.
  package func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> GatehouseSpan {
    begin(operationName, in: context(), kind)
  }

  private func begin(_ name: String, in context: InstrumentationContext, _ kind: SpanKind) -> GatehouseSpan {
    var (context, parent) = (context, context.trace)
    let traceID = parent?.traceID ?? id(bytes: 16)
    let isSampled = isExporting && (parent?.isSampled ?? isChosen(traceID))
    context.trace = TraceContext(
      traceID: traceID, spanID: id(bytes: 8), isSampled: isSampled, state: parent?.state ?? TraceState())
    return GatehouseSpan(
      name, kind: kind, context: context, parent: parent?.spanID, world: world, export: isSampled ? export : nil)
  }

  /// Runs `body` in a new span, which takes the type of an error and nothing else of it.
  package func traced<Value>(
    _ name: String, from caller: InstrumentationContext? = nil, kind: SpanKind = .internal,
    _ body: (GatehouseSpan) async throws -> Value
  ) async throws -> Value {
    let span = begin(name, in: caller ?? .current ?? .topLevel, kind)
    defer { span.end() }
    return try await InstrumentationContext.$current.withValue(span.context) {
      // What is written down meanwhile, and done later, names this span as its cause.
      try await WorkOrigin.$current.withValue(span.context.trace?.traceparent) {
        do { return try await body(span) } catch {
          span.recordError(error)
          span.setStatus(.init(code: .error))
          throw error
        }
      }
    }
  }

  package func traced<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
    guard isExporting else { return try await body() }
    return try await traced(name) { _ in try await body() }
  }

  package func forceFlush() {}

  package func extract<Carrier, Extract>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract: Extractor, Extract.Carrier == Carrier {
    guard let traceparent = extractor.extract(key: "traceparent", from: carrier) else { return }
    context.trace = TraceContext(
      traceparent: traceparent, tracestate: extractor.extract(key: "tracestate", from: carrier))
  }

  package func inject<Carrier, Inject>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject: Injector, Inject.Carrier == Carrier {
    guard let trace = context.trace else { return }
    injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    if !trace.state.text.isEmpty { injector.inject(trace.state.text, forKey: "tracestate", into: &carrier) }
  }

  private func id(bytes count: Int) -> String {
    while true {
      let id = world.random(count)
      if id.contains(where: { $0 != 0 }) { return id.hex }
    }
  }

  /// By the id alone, so that every node decides alike.
  private func isChosen(_ traceID: String) -> Bool {
    let number = UInt64(traceID.suffix(13), radix: 16) ?? 0
    return Double(number) < ratio * Double(UInt64(1) << 52)
  }
}
