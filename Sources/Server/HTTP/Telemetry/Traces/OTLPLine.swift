// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tracing

/// A span as one line of OTLP/JSON, the form that the OpenTelemetry Collector's `otlpjsonfile` receiver reads: an
/// `ExportTraceServiceRequest` in proto3's JSON, with ids in hexadecimal and nanoseconds as text.
enum OTLPLine {
  private struct Request: Encodable {
    let resourceSpans: [ResourceSpans]
  }

  private struct ResourceSpans: Encodable {
    let resource: Resource
    let scopeSpans: [ScopeSpans]
  }

  private struct Resource: Encodable {
    let attributes: [Attribute]
  }

  private struct ScopeSpans: Encodable {
    let scope: Scope
    let spans: [Span]
  }

  private struct Scope: Encodable {
    let name: String
  }

  private struct Attribute: Encodable {
    /// `AnyValue`: one member, named for the type; 64-bit numbers are text.
    struct Value: Encodable {
      var stringValue: String?
      var intValue: String?
    }
    let key: String
    let value: Value

    init(_ key: String, _ value: FinishedSpan.Value) {
      self.key = key
      switch value {
      case .text(let text): self.value = Value(stringValue: text)
      case .number(let number): self.value = Value(intValue: String(number))
      }
    }
  }

  private struct Span: Encodable {
    struct Status: Encodable {
      let code: Int
    }
    let traceId: String
    let spanId: String
    let parentSpanId: String?
    let name: String
    let kind: Int
    let startTimeUnixNano: String
    let endTimeUnixNano: String
    let attributes: [Attribute]
    let status: Status
  }

  static func data(_ span: FinishedSpan, service: String) throws -> Data {
    let line = Span(
      traceId: span.trace.traceID, spanId: span.trace.spanID, parentSpanId: span.parent, name: span.name,
      kind: span.kindNumber, startTimeUnixNano: String(span.startNanoseconds),
      endTimeUnixNano: String(span.endNanoseconds),
      attributes: span.attributes.sorted { $0.key < $1.key }.map(Attribute.init),
      status: .init(code: span.isError ? 2 : 0))
    let request = Request(resourceSpans: [
      .init(
        resource: .init(attributes: [.init("service.name", .text(service))]),
        scopeSpans: [.init(scope: .init(name: service), spans: [line])])
    ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(request) + Data("\n".utf8)
  }
}
