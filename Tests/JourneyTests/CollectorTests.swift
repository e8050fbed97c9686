// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import HTTP
import Kit
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Telemetry: a collector", .storeless)
struct CollectorTests {
  private static let isInstalled = PythonProgram.succeeds(
    "import opentelemetry.proto.collector.logs.v1.logs_service_pb2")

  /// Reads what is posted by the published schema, and tells it in a line of JSON for each request.
  private static let receiver = """
    import http.server, json, sys, threading
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    kinds = {"/in/v1/traces": ExportTraceServiceRequest, "/in/v1/logs": ExportLogsServiceRequest}
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            message = kinds[self.path].FromString(body)
            print(json.dumps({"path": self.path, "type": self.headers["Content-Type"],
              "key": self.headers["X-Key"], "message": MessageToDict(message)}), flush=True)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()
        def log_message(self, *_): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  @Test(
    "spans and lines of the log arrive, and are read by the published schema",
    .enabled(if: isInstalled, "opentelemetry-proto is missing: python3 -m pip install opentelemetry-proto"))
  func arrives() async throws {
    let program = try PythonProgram(Self.receiver)
    defer { program.stop() }
    let port = try #require(Int(program.line()))
    let settings = try await Self.load([
      "otlp.endpoint": "http://127.0.0.1:\(port)/in/", "otlp.headers": "X-Key=a%20b",
    ])
    let telemetry = try Telemetry(settings.operations, world: .live, logger: Logger(label: "test"))
    let plain = Logger(label: "test") { GatehouseLogHandler(label: $0, world: .live) { _ in } }
    let logger = telemetry.exporting(plain)
    try await telemetry.tracer.traced("work é") { span in
      span.attributes["count"] = 0
      logger.warning("something happened", metadata: ["count": "7"])
    }
    let group = ServiceGroup(
      configuration: .init(
        services: telemetry.services.map { .init(service: $0) }, logger: Logger(label: "test")))
    #expect(telemetry.services.count == 2)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
    var requests: [String: [String: Any]] = [:]
    for _ in 0..<2 {
      let object = try JSONSerialization.jsonObject(with: Data(program.line().utf8))
      let request = try #require(object as? [String: Any])
      #expect(request["type"] as? String == "application/x-protobuf" && request["key"] as? String == "a b")
      requests[try #require(request["path"] as? String)] = request["message"] as? [String: Any]
    }
    let span = try Self.first("resourceSpans", "scopeSpans", "spans", in: requests["/in/v1/traces"])
    let line = try Self.first("resourceLogs", "scopeLogs", "logRecords", in: requests["/in/v1/logs"])
    #expect(span["name"] as? String == "work é" && span["kind"] as? String == "SPAN_KIND_INTERNAL")
    #expect((span["attributes"] as? [[String: Any]])?.first?["key"] as? String == "count")
    #expect((line["body"] as? [String: String]) == ["stringValue": "something happened"])
    #expect(line["severityNumber"] as? String == "SEVERITY_NUMBER_WARN")
    #expect(line["traceId"] as? String == span["traceId"] as? String && span["traceId"] != nil)
    #expect(line["spanId"] as? String == span["spanId"] as? String)
  }

  private static func first(
    _ groups: String, _ scopes: String, _ items: String, in message: [String: Any]?
  ) throws -> [String: Any] {
    let group = try #require((message?[groups] as? [[String: Any]])?.first)
    let scope = try #require((group[scopes] as? [[String: Any]])?.first)
    return try #require((scope[items] as? [[String: Any]])?.first)
  }

  @Test("an endpoint that is not safe or not whole is refused, and no value is quoted")
  func refused() async throws {
    let good = "https://collector.example"
    for values in [
      ["otlp.endpoint": "http://collector.example"], ["otlp.endpoint": "collector.example"],
      ["otlp.endpoint": "https://0x7f.1"], ["otlp.endpoint": "https://hunter2.example:18446744073709560059"],
      ["otlp.endpoint": "https://hunter2@collector.example"], ["otlp.endpoint": "https://collector.example/?hunter2=1"],
      ["otlp.endpoint": good, "otlp.headers": "hunter2"], ["otlp.endpoint": good, "otlp.headers": "a=hunter2%0a"],
      ["otlp.endpoint": good, "otlp.signals": "traces,hunter2"], ["otlp.endpoint": good, "otlp.signals": ""],
    ] {
      let error = await #expect(throws: SettingsError.self, "\(values)") { _ = try await Self.load(values) }
      #expect(error?.description.contains("hunter2") == false)
    }
    let settings = try await Self.load(["otlp.endpoint": good + "/a//", "otlp.signals": "logs"])
    let collector = try #require(settings.operations.collector)
    #expect(collector.signals == [.logs] && collector.address(of: .logs) == "https://collector.example/a/v1/logs")
    #expect(try await Self.load([:]).operations.collector?.endpoint == nil)
  }

  private static func load(_ values: [String: String]) async throws -> Settings {
    try await Settings.load(flags: values.mapValues { ConfigValue(.string($0), isSecret: false) })
  }
}
