// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization
import Tracing

/// One piece of work in a trace. Records its name, time, status and attributes; events and links are not exported.
package final class GatehouseSpan: Span {
  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var isError = false
    var isOver = false
  }

  package let context: InstrumentationContext
  private let kind: SpanKind
  private let parent: String?
  private let world: World
  private let start: Instant
  private let startTicks: Duration
  private let export: (@Sendable (FinishedSpan) -> Void)?
  private let state: Mutex<State>

  init(
    _ name: String, kind: SpanKind, context: InstrumentationContext, parent: String?, world: World,
    export: (@Sendable (FinishedSpan) -> Void)?
  ) {
    self.context = context
    self.kind = kind
    self.parent = parent
    self.world = world
    self.export = export
    start = world.now()
    startTicks = world.ticks()
    state = Mutex(State(name: name))
  }

  package var isRecording: Bool { export != nil && !state.withLock { $0.isOver } }

  package var operationName: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  package var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { if isRecording { state.withLock { $0.attributes = newValue } } }
  }

  package func setStatus(_ status: SpanStatus) { state.withLock { $0.isError = status.code == .error } }

  /// The error's type: its text may quote a value.
  package func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    self.attributes["error.type"] = "\(type(of: error))"
  }

  package func addEvent(_ event: SpanEvent) {}
  package func addLink(_ link: SpanLink) {}

  package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { end() }

  /// Counts once.
  package func end() {
    guard let export, let trace = context.trace else { return }
    let finished = state.withLock { state -> FinishedSpan? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return FinishedSpan(
        trace: trace, parent: parent, name: state.name, kind: kind, start: start,
        duration: world.ticks() - startTicks, isError: state.isError, attributes: Self.values(state.attributes))
    }
    if let finished { export(finished) }
  }

  private static func values(_ attributes: SpanAttributes) -> [String: FinishedSpan.Value] {
    var values: [String: FinishedSpan.Value] = [:]
    attributes.forEach { name, value in
      switch value {
      case .string(let text): values[name] = .text(text)
      case .int64(let number): values[name] = .number(number)
      case .int32(let number): values[name] = .number(Int64(number))
      default: break
      }
    }
    return values
  }
}

/// A span that is over.
package struct FinishedSpan: Sendable {
  package enum Value: Sendable, Equatable {
    case text(String), number(Int64)
  }

  package let trace: TraceContext
  /// The span that it is part of; nil for the first of a trace.
  package let parent: String?
  package let name: String
  package let kind: SpanKind
  package let start: Instant
  package let duration: Duration
  package let isError: Bool
  package let attributes: [String: Value]
}

/// How the OpenTelemetry protocol counts.
extension FinishedSpan {
  /// Since 1970.
  var startNanoseconds: Int64 { start.milliseconds * 1_000_000 }

  var endNanoseconds: Int64 {
    startNanoseconds + duration.components.seconds * 1_000_000_000
      + duration.components.attoseconds / 1_000_000_000
  }

  /// `SpanKind`.
  var kindNumber: Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}
