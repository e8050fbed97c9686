// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Tracing

/// Makes each request a span of the caller's trace, or of a new one.
package struct TraceMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private static let traceparent = HTTPField.Name("traceparent")!

  let tracer: GatehouseTracer

  package init(_ tracer: GatehouseTracer) { self.tracer = tracer }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    // Without anybody to tell, and without a caller's trace to name in the log, ids would be made for nothing.
    guard tracer.isExporting || request.headers.contains(Self.traceparent) else {
      return try await next(request, context)
    }
    var caller = InstrumentationContext.topLevel
    tracer.extract(request.headers, into: &caller, using: FieldExtractor())
    guard tracer.isExporting || caller.trace != nil else { return try await next(request, context) }
    let route = context.endpointPath ?? "none"
    let method = request.method.rawValue
    return try await tracer.traced("\(method) \(route)", from: caller, kind: .server) { span in
      span.attributes["http.request.method"] = method
      span.attributes["http.route"] = route
      let response = try await next(request, context)
      span.attributes["http.response.status_code"] = response.status.code
      if response.status.kind == .serverError { span.setStatus(.init(code: .error)) }
      return response
    }
  }
}

/// A field that came several times is read as one, as RFC 9110 §5.3 has it. `traceparent` may come only once: two of
/// them joined are no valid value, and a trace begins here.
private struct FieldExtractor: Extractor {
  func extract(key: String, from fields: HTTPFields) -> String? {
    guard let name = HTTPField.Name(key) else { return nil }
    let values = fields[values: name]
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
