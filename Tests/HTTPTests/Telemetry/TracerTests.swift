// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing
import Tracing

@Suite("Telemetry: traces")
struct TracerTests {
  private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"

  @Test("a request is a span of the caller's trace, named by its route's pattern", .storeless)
  func continued() async throws {
    let spans = Spans()
    try await Self.get(
      "/things/hunter2?name=anna", parent: "\(Self.parent)-01",
      GatehouseTracer(world: TestWorld().world, export: spans.take))
    let span = try #require(spans.all.first)
    #expect(spans.all.count == 1)
    #expect(span.trace.traceID == "0af7651916cd43dd8448eb211c80319c" && span.parent == "b7ad6b7169203331")
    #expect(span.name == "GET /things/{name}" && span.kind == .server && !span.isError)
    #expect(
      span.attributes == [
        "http.request.method": .text("GET"), "http.route": .text("/things/{name}"),
        "http.response.status_code": .number(200),
      ])
  }

  @Test("a request that a server error ends is an erroneous span, of which the error's type is told", .storeless)
  func failed() async throws {
    let spans = Spans()
    try await Self.get("/crash", parent: nil, GatehouseTracer(world: TestWorld().world, export: spans.take))
    let span = try #require(spans.all.first)
    #expect(span.isError && span.attributes["error.type"] == .text("Broken") && span.parent == nil)
  }

  @Test("a caller who does not record is not recorded, whatever the share; damaged headers begin a trace", .storeless)
  func sampling() async throws {
    let (spans, world) = (Spans(), TestWorld().world)
    try await Self.get("/things/a", parent: "\(Self.parent)-00", GatehouseTracer(world: world, export: spans.take))
    try await Self.get(
      "/things/a", parent: "\(Self.parent)-01", GatehouseTracer(world: world, ratio: 0, export: spans.take))
    try await Self.get("/things/a", parent: nil, GatehouseTracer(world: world, ratio: 0, export: spans.take))
    #expect(spans.all.map(\.parent) == ["b7ad6b7169203331"])
    try await Self.get("/things/a", parent: "\(Self.parent)-1", GatehouseTracer(world: world, export: spans.take))
    #expect(spans.all.count == 2 && spans.all.last?.parent == nil)
  }

  @Test("of the traces that begin here, the share that was asked for is recorded", .storeless)
  func ratio() async throws {
    let spans = Spans()
    let tracer = GatehouseTracer(world: TestWorld().world, ratio: 0.25, export: spans.take)
    for _ in 0..<2000 { try await tracer.traced("work") {} }
    #expect((400...600).contains(spans.all.count))
    #expect(Set(spans.all.map(\.trace.traceID)).count == spans.all.count)
  }

  @Test(
    "what runs in a span knows it, its children are of the same trace, and it is carried on as it should be", .storeless
  )
  func propagation() async throws {
    let spans = Spans()
    let tracer = GatehouseTracer(world: TestWorld().world, export: spans.take)
    var carried: [String: String] = [:]
    carried = try await tracer.traced("outer") { outer in
      var carrier: [String: String] = [:]
      try await tracer.traced("inner") { (inner: GatehouseSpan) in
        tracer.inject(inner.context, into: &carrier, using: DictionaryInjector())
        #expect(InstrumentationContext.current?.trace == inner.context.trace)
        #expect(inner.context.trace?.traceID == outer.context.trace?.traceID)
      }
      return carrier
    }
    #expect(spans.all.map(\.name) == ["inner", "outer"])
    #expect(spans.all[0].parent == spans.all[1].trace.spanID)
    #expect(carried == ["traceparent": spans.all[0].trace.traceparent])
  }

  @Test(
    "an effect is a span below the one of the request that owes it, and one that no request owes begins a trace",
    arguments: Engine.available)
  func effects(engine: Engine) async throws {
    let (spans, clock) = (Spans(), TestWorld())
    let made = try await TestDatabase.make(
      engine,
      [
        OutboxStore.migration, OutboxStore.leaseMigration, OutboxStore.originMigration, OutboxStore.patienceMigration,
        OutboxStore.readyMigration,
      ])
    let outbox = Outbox(world: clock.world)
    @Sendable func owe(_ subject: String) async throws {
      try await made.database.write { try outbox.enqueue("test.do", subject: subject, in: $0) }
    }
    try await GatehouseTracer(world: clock.world, export: spans.take).traced("request") { try await owe("a") }
    try await owe("b")
    clock.advance(by: .hours(1))
    // Another node, which begins spans of its own.
    let tracer = GatehouseTracer(world: clock.world, export: spans.take)
    let handlers = EffectMetrics().observing(
      ["test.do": { item in try await tracer.traced("work on \(item.subject)") {} }], tracer: tracer, world: clock.world
    )
    let worker = OutboxWorker(
      database: try made.reopened(), world: clock.world, handlers: handlers, logger: Logger(label: "test"))
    #expect(try await worker.runDue() == 2)
    let byName = Dictionary(grouping: spans.all, by: \.name)
    let (request, a) = (try #require(byName["request"]?.first), try #require(byName["work on a"]?.first))
    let effects = try #require(byName["outbox test.do"])
    let (caused, own) = (
      try #require(effects.first { $0.trace.traceID == request.trace.traceID }),
      try #require(effects.first { $0.trace.traceID != request.trace.traceID })
    )
    #expect(caused.parent == request.trace.spanID && caused.kind == .consumer && a.parent == caused.trace.spanID)
    #expect(own.parent == nil && effects.count == 2)
  }

  @Test(
    "of a request that is not recorded the effect is not recorded either, and damage in a row begins a trace",
    .storeless)
  func unrecordedEffects() async throws {
    let (spans, clock) = (Spans(), TestWorld())
    let tracer = GatehouseTracer(world: clock.world, export: spans.take)
    let handler = try #require(
      EffectMetrics().observing(["test.do": { _ in }], tracer: tracer, world: clock.world)["test.do"])
    for (origin, count) in [("\(Self.parent)-00", 0), ("\(Self.parent)-01", 1), ("damaged", 2), (nil, 3)] {
      try await handler(
        OutboxItem(
          id: .init(clock.world), topic: "test.do", subject: "s", payload: "", attempts: 0, enqueuedAt: clock.now,
          origin: origin))
      #expect(spans.all.count == count)
    }
    #expect(spans.all.map(\.parent) == ["b7ad6b7169203331", nil, nil])
  }

  @Test("a span is exported once, with the time that it took", .storeless)
  func once() {
    let (spans, clock) = (Spans(), TestWorld())
    let span = GatehouseTracer(world: clock.world, export: spans.take).startSpan("work")
    #expect(span.isRecording)
    clock.advance(by: .milliseconds(1500))
    span.end()
    span.end()
    #expect(!span.isRecording)
    #expect(spans.all.map(\.duration) == [.milliseconds(1500)])
  }

  @Test("spans are written as lines of OTLP/JSON, the last ones too when the process ends", .storeless)
  func file() async throws {
    let (folder, clock) = (try TestFolder(), TestWorld())
    let file = try SpanFile(path: folder.file("traces.jsonl"), service: "gatehouse", logger: Logger(label: "test"))
    let tracer = GatehouseTracer(world: clock.world, export: file.export)
    let group = ServiceGroup(configuration: .init(services: [.init(service: file)], logger: Logger(label: "test")))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      for number in 0..<50 { try await tracer.traced("work \(number)") { clock.advance(by: .milliseconds(2)) } }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
    let lines = try String(contentsOfFile: folder.file("traces.jsonl"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 50)
    let spans = try lines.map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let resources = try #require(object["resourceSpans"] as? [[String: Any]])
      let scopes = try #require(resources.first?["scopeSpans"] as? [[String: Any]])
      return try #require((scopes.first?["spans"] as? [[String: Any]])?.first)
    }
    #expect(spans.first?["name"] as? String == "work 0" && spans.last?["name"] as? String == "work 49")
    #expect(spans.first?["startTimeUnixNano"] as? String == "1795240800000000000")
    #expect(spans.first?["endTimeUnixNano"] as? String == "1795240800002000000")
    #expect((spans.first?["traceId"] as? String)?.count == 32 && (spans.first?["spanId"] as? String)?.count == 16)
  }

  private static func get(_ path: String, parent: String?, _ tracer: GatehouseTracer) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: TraceMiddleware(tracer))
    router.get("things/{name}") { _, _ in "fine" }
    router.get("crash") { _, _ -> String in throw Broken() }
    try await Application(router: router).test(.router) { client in
      var headers = HTTPFields()
      if let parent, let name = HTTPField.Name("traceparent") { headers[name] = parent }
      _ = try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
    }
  }
}

private struct Broken: Error {}

private final class Spans: Sendable {
  private let taken = Mutex<[FinishedSpan]>([])
  var all: [FinishedSpan] { taken.withLock { $0 } }
  var take: @Sendable (FinishedSpan) -> Void { { span in self.taken.withLock { $0.append(span) } } }
}

private struct DictionaryInjector: Injector {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
