// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Logging
import Tracing

/// Who sends, and the requests of the OpenTelemetry protocol 1.x in Protocol Buffers: `ExportTraceServiceRequest` and
/// `ExportLogsServiceRequest` of https://github.com/open-telemetry/opentelemetry-proto. Field numbers are those of the
/// published schema.
package struct OTLPResource: Sendable {
  let service: String
  let version: String
  /// Tells processes of one service apart.
  let instance: String

  package init(service: String, version: String, instance: String) {
    (self.service, self.version, self.instance) = (service, version, instance)
  }

  package func request(_ spans: [FinishedSpan]) -> Data {
    enveloped { scope in
      for span in spans { scope.message(2) { Self.write(span, to: &$0) } }
    }
  }

  package func request(_ lines: [LogLine]) -> Data {
    enveloped { scope in
      for line in lines { scope.message(2) { Self.write(line, to: &$0) } }
    }
  }

  /// Resource and scope have the same numbers in both requests.
  private func enveloped(_ fill: (inout ProtobufMessage) -> Void) -> Data {
    var request = ProtobufMessage()
    request.message(1) { group in
      group.message(1) { resource in
        Self.attribute("service.name", service, to: &resource, 1)
        Self.attribute("service.version", version, to: &resource, 1)
        Self.attribute("service.instance.id", instance, to: &resource, 1)
      }
      group.message(2) { scope in
        scope.message(1) { $0.text(1, service) }
        fill(&scope)
      }
    }
    return request.bytes
  }

  /// `Span`.
  private static func write(_ span: FinishedSpan, to message: inout ProtobufMessage) {
    message.data(1, bytes(span.trace.traceID))
    message.data(2, bytes(span.trace.spanID))
    message.data(4, bytes(span.parent ?? ""))
    message.text(5, span.name)
    message.varint(6, UInt64(span.kindNumber))
    message.fixed64(7, UInt64(clamping: span.startNanoseconds))
    message.fixed64(8, UInt64(clamping: span.endNanoseconds))
    for (key, value) in span.attributes.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .text(let text): attribute(key, text, to: &message, 9)
      case .number(let number):
        message.message(9) { pair in
          pair.text(1, key)
          pair.message(2) { $0.choice(3, UInt64(bitPattern: number)) }
        }
      }
    }
    message.message(15) { $0.varint(3, span.isError ? 2 : 0) }
  }

  /// `LogRecord`. The ids of the trace have fields of their own.
  private static func write(_ line: LogLine, to message: inout ProtobufMessage) {
    let time = UInt64(clamping: line.time.milliseconds) * 1_000_000
    message.fixed64(1, time)
    message.varint(2, severity(line.level))
    message.text(3, line.level.rawValue)
    message.message(5) { $0.choice(1, line.message) }
    attribute("logger", line.logger, to: &message, 6)
    var (trace, span) = (Data(), Data())
    for pair in line.metadata {
      let id = bytes(pair.value)
      switch (pair.key, id.count) {
      case ("trace_id", 16): trace = id
      case ("span_id", 8): span = id
      default: attribute(pair.key, pair.value, to: &message, 6)
      }
    }
    message.data(9, trace)
    message.data(10, span)
    message.fixed64(11, time)
  }

  /// `KeyValue` with an `AnyValue` of text.
  private static func attribute(_ key: String, _ value: String, to message: inout ProtobufMessage, _ field: Int) {
    message.message(field) { pair in
      pair.text(1, key)
      pair.message(2) { $0.choice(1, value) }
    }
  }

  /// `SeverityNumber`: the first of each range, and the second of information for a notice.
  private static func severity(_ level: Logger.Level) -> UInt64 {
    switch level {
    case .trace: 1
    case .debug: 5
    case .info: 9
    case .notice: 10
    case .warning: 13
    case .error: 17
    case .critical: 21
    }
  }

  /// Empty when the text is not hexadecimal.
  private static func bytes(_ hex: String) -> Data { Data(hex: hex) ?? Data() }
}
