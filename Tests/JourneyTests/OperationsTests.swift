// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import HummingbirdTesting
import Kit
import NIOCore
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Journey: what an operator sees")
struct OperationsTests {
  @Test("metrics tell what happened by route, phase and topic, and name no person")
  func metrics() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      let page = try await Self.ask(journey, "/metrics")
      #expect(page.status == .ok && page.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
      let text = String(buffer: page.body)
      #expect(
        text.contains(
          #"gatehouse_http_requests_total{method="POST",route="/api/v1/onboarding/auth/register",status="200"} 1"#))
      for part in [
        "gatehouse_http_request_duration_seconds_bucket{", "gatehouse_outbox_lag_seconds 0\n", "gatehouse_build_info{",
        #"gatehouse_evidence_waiting{rests="no"} 0"#, #"gatehouse_evidence_refused_total{rests="yes"} 0"#,
        "gatehouse_evidence_resting_total 0\n", #"gatehouse_passwords_waiting{kind="staff",rests="yes"} 0"#,
        "process_resident_memory_bytes ", "process_open_fds ", "process_start_time_seconds 1795240800\n",
        #"gatehouse_metrics_source_up{source="outbox"} 1"#,
        Engine.current == .postgres ? "gatehouse_store_listenings_total " : "gatehouse_store_log_bytes ",
      ] { #expect(text.contains(part), "\(part)") }
      #expect(!text.contains(phone.contactNo) && !text.contains(phone.email))
    }
  }

  @Test("moves of flows are counted when they are durable")
  func moves() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      let text = String(buffer: try await Self.ask(journey, "/metrics").body)
      let counted = text.split(separator: "\n").filter {
        $0.hasPrefix("gatehouse_flow_moves_total{flow=\"application\"")
      }
      #expect(!counted.isEmpty && counted.allSatisfy { $0.hasSuffix(" 1") }, "\(counted)")
    }
  }

  @Test("a node is ready with all it needs, and not when effects lie about or when it drains")
  func ready() async throws {
    try await JourneyTestApp.run { journey in
      let fine = try await Self.ask(journey, "/health/ready")
      #expect(fine.status == .ok)
      for name in ["store", "schema", "keys", "outbox", "blobs"] {
        #expect(String(buffer: fine.body).contains(#""name":"\#(name)","status":"ok""#))
      }
      try await journey.app.database.write { tx in
        try journey.app.core.outbox.enqueue("newer.program", subject: "s", in: tx)
      }
      journey.clock.advance(by: .minutes(6))
      // What only a newer program performs is no fault of this one.
      #expect(try await Self.ask(journey, "/health/ready").status == .ok)
      try await journey.app.database.write { tx in
        try journey.app.core.outbox.enqueue("webhooks.deliver", subject: "s", in: tx)
      }
      journey.clock.advance(by: .minutes(6))
      let late = try await Self.ask(journey, "/health/ready")
      #expect(late.status == .serviceUnavailable)
      #expect(String(buffer: late.body).contains(#""name":"outbox","status":"failing""#))
      #expect(try await Self.ask(journey, "/health/live").status == .ok)
      journey.app.drain.begin()
      #expect(String(buffer: try await Self.ask(journey, "/health/ready").body).contains("draining"))
    }
  }

  @Test("owed effects are counted by topic, state and attempts", arguments: Engine.available)
  func outbox(engine: Engine) async throws {
    let (test, clock) = (try await TestDatabase.make(engine, Schema.migrations), TestWorld())
    let now = clock.now
    func add(_ id: String, _ topic: String, attempts: Int, due: Instant, owner: String?, gaveUp: String?) async throws {
      try await test.database.write { tx in
        try tx.execute(
          """
          INSERT INTO outbox (id, topic, subject, payload, attempts, enqueued_at, due_at, lease_owner, parked_reason)
          VALUES (\(id), \(topic), 's', '', \(attempts), \(due), \(due), \(owner), \(gaveUp))
          """)
      }
    }
    #expect(
      try await test.database.read { try OutboxStore($0).gauge(now: now) } == OutboxGauge(groups: [], lag: .zero))
    // As a program writes them that knows nothing of patience.
    try await add("1", "a", attempts: 0, due: now - .seconds(40), owner: nil, gaveUp: nil)
    try await add("2", "a", attempts: 0, due: now, owner: nil, gaveUp: nil)
    try await add("3", "a", attempts: 2, due: now + .seconds(1), owner: nil, gaveUp: nil)
    try await add("4", "b", attempts: 1, due: now - .minutes(9), owner: "somebody", gaveUp: nil)
    try await add("5", "b", attempts: 12, due: now - .days(1), owner: nil, gaveUp: "NoHandler")
    let gauge = try await test.database.read { try OutboxStore($0).gauge(now: now) }
    #expect(gauge.lag == .seconds(40))
    #expect(
      gauge.groups == [
        .init(topic: "a", state: .due, attempts: 0, count: 2),
        .init(topic: "a", state: .failing, attempts: 2, count: 1),
        .init(topic: "b", state: .leased, attempts: 1, count: 1),
        .init(topic: "b", state: .deadLettered, attempts: 12, count: 1),
      ])
  }

  @Test("a server is asked whether it lives and whether it is ready; what else answers there is no server")
  func health() async throws {
    try await JourneyTestApp.run { journey in
      @Sendable func asked(_ port: Int, isReady: Bool) async -> ServerHealth {
        var settings = journey.app.settings
        (settings.operations.host, settings.operations.port) = ("localhost", port)
        return await settings.health(isReady: isReady)
      }
      try await Application(router: journey.app.operationsRouter()).serve { client in
        let port = try #require(client.port)
        #expect(await asked(port, isReady: false) == .live)
        #expect(await asked(port, isReady: true) == .ready)
        journey.app.drain.begin()
        #expect(await asked(port, isReady: false) == .live)
        #expect(await asked(port, isReady: true) == .draining)
      }
      let other = Router()
      other.get("health/live") { _, _ in #"{"status":"ok"}"# }
      try await Application(router: other).serve { client in
        let port = try #require(client.port)
        #expect(await asked(port, isReady: false) == .silent)
        #expect(await asked(port, isReady: true) == .silent)
      }
    }
  }

  @Test("a client that dawdles or sends without end takes nothing of the process at the operators' listener, too")
  func dawdlers() async throws {
    try await JourneyTestApp.run { journey in
      var limits = App.operatorsLimits
      #expect((limits.ofNetworkMax ?? .max) <= limits.connectionsMax / 2)
      (limits.headTime, limits.connectionsMax) = (.seconds(3), 8)
      try await journey.app.operationsApplication(limits: limits).serve { client in
        let port = UInt16(try #require(client.port))
        let slow = try HTTPSocket(port)
        try slow.send("GET /health/live HTTP/1.1\r\nHo")
        #expect(try slow.receiveAll().hasPrefix("HTTP/1.1 408"))
        let endless = try HTTPSocket(port)
        try endless.send("GET /health/live HTTP/1.1\r\nHost: h\r\nA:" + String(repeating: " ", count: 80_000))
        #expect(try endless.receiveAll().hasPrefix("HTTP/1.1 400"))
        #expect(try HTTPSocket.get("/health/live", at: port).hasPrefix("HTTP/1.1 200"))
        let silent = try (1...8).map { _ in try HTTPSocket(port) }
        try await waitUntil("one more is refused") {
          (try? HTTPSocket.get("/health/live", at: port))?.hasPrefix("HTTP/1.1 503") == true
        }
        withExtendedLifetime(silent) {}
      }
    }
  }

  @Test("the doctor tells how a server of this machine does, and takes nothing else for one")
  func doctor() async throws {
    try await JourneyTestApp.run { journey in
      @Sendable func told(at port: Int) async -> [Diagnosis.Finding] {
        var settings = journey.app.settings
        (settings.operations.host, settings.operations.port) = ("localhost", port)
        var diagnosis = Diagnosis()
        await settings.tellJobs(&diagnosis)
        return diagnosis.findings
      }
      try await Application(router: journey.app.operationsRouter()).serve { client in
        let port = try #require(client.port)
        let found = await told(at: port)
        #expect(found.first?.value == "ready" && found.first?.severity == .ok, "\(found)")
        #expect(found.count > 1 && found[1].name.hasPrefix("failing jobs by port") && found[1].value == "none")
        journey.app.drain.begin()
        let late = await told(at: port)
        #expect(late.first?.value == "draining" && late.first?.severity == .warning, "\(late)")
      }
      let other = Router()
      other.get("health/ready") { _, _ in #"{"status":"ok"}"# }
      try await Application(router: other).serve { client in
        let port = try #require(client.port)
        #expect(await !told(at: port).contains { $0.name.hasSuffix("port \(port)") })
      }
    }
  }

  @Test("the doctor tells the engine, a clock that is not the database's, effects that were given up, and no password")
  func diagnosed() async throws {
    let folder = try TestFolder()
    let store = Engine.current == .postgres ? try await TestDatabase.make(.postgres, Schema.migrations) : nil
    defer { withExtendedLifetime(store) {} }
    var settings = Settings()
    (settings.dataFolder, settings.databaseURL) = (folder.file("data"), store?.address)
    let database = try settings.database()
    defer { try? database.close() }
    try await database.migrate(Schema.migrations)
    func told(_ settings: Settings) async -> [String: Diagnosis.Finding] {
      let findings = await settings.diagnose(file: nil, environment: [:]).findings
      return Dictionary(findings.map { ("\($0.topic) \($0.name)", $0) }) { first, _ in first }
    }
    let sound = await told(settings)
    #expect(sound["store engine"]?.value == Engine.current.rawValue && sound["store schema"]?.severity == .ok)
    #expect(sound["store version"]?.value.hasPrefix(store == nil ? "3." : "1") == true)
    #expect(sound["store clock"]?.severity == (store == nil ? nil : .ok))
    #expect(sound["work effects parked"]?.severity == .ok)

    let owed: [(id: String, topic: String, reason: String?)] = [
      ("1", "a", "NoHandler"), ("2", "a", "NoHandler"), ("3", "b", "Gone"), ("4", "c", nil),
    ]
    for (id, topic, reason) in owed {
      _ = try await database.write { tx in
        try tx.execute(
          """
          INSERT INTO outbox (id, topic, subject, payload, attempts, enqueued_at, due_at, parked_reason)
          VALUES (\(id), \(topic), 's', '', 2, 0, 0, \(reason))
          """)
      }
    }
    settings.clockSkew = 10
    let worse = await told(settings)
    // An embedded database goes by this machine's clock.
    #expect(worse["store clock"]?.severity == (store == nil ? nil : .warning))
    for (name, count) in [
      ("effects parked", 3), ("effects failing", 1), ("dead letters of a", 2), ("dead letters of b", 1),
    ] {
      #expect(
        worse["work \(name)"]
          == Diagnosis.Finding(topic: "work", name: name, value: "\(count)", severity: .warning))
    }
    #expect(worse["work dead letters of c"] == nil && worse["store schema"]?.severity == .ok)

    let last = try #require(Schema.migrations.last?.id)
    _ = try await database.write { try $0.execute("DELETE FROM schema_migration WHERE id = \(last)") }
    #expect(await told(settings)["store schema"]?.severity == .fault)
    if store != nil {
      _ = try await database.write { try $0.execute("DROP TABLE schema_migration") }
      #expect(await told(settings)["store database"]?.value.hasPrefix("not made yet") == true)
    }
    settings.databaseURL = "postgres://gatehouse:hunter2@[broken"
    let diagnosis = await settings.diagnose(file: nil, environment: [:])
    #expect(diagnosis.hasFaults && diagnosis.text.contains("database: failed: engine"))
    #expect(!diagnosis.text.contains("hunter2"))
  }

  @Test("the doctor warns of a tenant that asks for looks where no face detector is installed", .ownFile)
  func looksUntold() async throws {
    let standard = #"{"id":"default","name":"A","host":"a.example","time_zone":"UTC"}"#
    let asking = #"{"id":"b","name":"B","host":"b.example","time_zone":"UTC","selfie_looks":true}"#
    let folder = try TestFolder(["tenants.json": Data("[\(standard),\(asking)]".utf8)])
    let (without, with) = (
      try TestFolder(["liveness_1.onnx": Data()]), try TestFolder(["face_detection_yunet_1.onnx": Data()])
    )
    var settings = Settings()
    (settings.dataFolder, settings.tenantsFile) = (folder.file("data"), folder.file("tenants.json"))
    func told() async -> [Diagnosis.Finding] {
      await settings.diagnose(file: nil, environment: [:]).findings.filter { $0.name.hasPrefix("selfie_looks") }
    }
    #expect(await told().map(\.name) == ["selfie_looks of b"])
    #expect(await told().first?.severity == .warning)
    settings.modelsFolder = without.path
    #expect(await told().first?.severity == .warning)
    settings.modelsFolder = with.path
    #expect(await told().first?.severity == .ok)
  }

  @Test("a schema that lacks a step is not current, one that has more is", arguments: Engine.available)
  func schema(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, Schema.migrations)
    let (all, fewer) = (Schema.migrations + [.init("2999-01-01 later", "")], Array(Schema.migrations.dropLast()))
    #expect(try await test.database.read { try SchemaStore($0).holds(Schema.migrations) })
    #expect(try await test.database.read { try SchemaStore($0).holds(fewer) })
    #expect(try await !test.database.read { try SchemaStore($0).holds(all) })
  }

  @Test("a store without our tables is told as missing, and where a key ring is missed no folder is made")
  func existing() async throws {
    let folder = try TestFolder()
    let store = Engine.current == .postgres ? try await TestDatabase.make(.postgres, Schema.migrations) : nil
    defer { withExtendedLifetime(store) {} }
    var settings = Settings()
    (settings.dataFolder, settings.databaseURL) = (folder.file("data"), store?.address)
    let app = try await App.open(settings, logger: settings.logger("existing"))
    try app.database.close()
    let database = try await settings.existingDatabase()
    defer { try? database.close() }
    if store != nil {
      settings.dataFolder = folder.file("other")
      await #expect(throws: KeyringError.missing(path: settings.keyringPath)) {
        _ = try await App.open(settings, logger: settings.logger("existing"))
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("other")))
    }
    _ = try await database.write { try $0.execute("DROP TABLE schema_migration") }
    let missing = await #expect(throws: MissingStore.self) { _ = try await settings.existingDatabase() }
    #expect(missing?.description.contains(store == nil ? settings.databasePath : "PostgreSQL") == true)
    if store != nil { #expect(try await !database.read { try SchemaStore($0).isBegun() }) }
  }

  @Test("the operations listener is left out only when its default port is taken")
  func listener() async throws {
    // One of its own stands in for the default one: another process may have that, and give it up at any moment.
    let taken = try ListeningPort()
    defer { withExtendedLifetime(taken) {} }
    let port = Int(taken.number)
    try await JourneyTestApp.run { journey in
      @Sendable func server(_ change: (inout OperationsSettings) -> Void) async throws -> OperationsServer {
        var settings = journey.app.settings
        change(&settings.operations)
        return try await App.open(
          settings, database: journey.app.database, world: journey.clock.world, logger: journey.app.logger
        ).operationsServer()
      }
      let byDefault = try await server { $0.port = nil }
      #expect(byDefault.isOptional && byDefault.port == OperationsSettings.defaultPort)
      let chosen = try await server { $0.port = port }
      #expect(!chosen.isOptional && chosen.port == port)
      await #expect(throws: SettingsError.self) { try await chosen.run() }
      let other = try await server { $0.port = port }
      let aside = OperationsServer(
        server: other.server, host: other.host, port: other.port, isOptional: true, logger: other.logger)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await aside.run() }
        try await waitUntil("the listener steps aside") {
          journey.log.records.contains { $0.hasPrefix("no operations listener: its port is taken") }
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      // An address that is not this machine's (RFC 5737).
      let elsewhere = try await server { ($0.host, $0.port) = ("203.0.113.1", nil) }
      await #expect(throws: SettingsError.self) { try await elsewhere.run() }
    }
  }

  private static func ask(_ journey: JourneyTestApp, _ path: String) async throws -> TestResponse {
    try await Application(router: journey.app.operationsRouter()).test(.router) { client in
      try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
    }
  }
}
