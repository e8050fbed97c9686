// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import HummingbirdTesting
import Kit
import NIOCore
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Journey: a flow that is added to the list of modules", .onOneEngine)
struct SixthFlowTests {
  private static let modules =
    App.product + [ModuleEntry { PostcardModule(core: $0.core, settings: $0.settings[PostcardSettings.self]) }]

  @Test("its schema, routes, errors, effects, retention, export and erasure become the application's")
  func added() async throws {
    let (clock, folder, store) = (TestWorld(), try TestFolder(), try await TestDatabase.make(.current))
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings[PostcardSettings.self].keptDays = 3
    let app = try await App.open(
      settings, database: store.database, world: clock.world, logger: LogRecorder().logger, modules: Self.modules)
    #expect(await app.readiness.report().status == .ready)

    try await Application(router: app.router()).test(.router) { client in
      let blank = try await client.executeRequest(uri: PostcardModule.path, method: .post, headers: [:], body: nil)
      #expect(blank.status == .badRequest && String(buffer: blank.body) == "blank")
      let card = try await client.executeRequest(
        uri: PostcardModule.path, method: .post, headers: [:], body: ByteBuffer(string: "Greetings"))
      #expect(card.status == .created)
      // The modules of the product are there as before.
      let health = try await client.executeRequest(
        uri: "/api/v1/onboarding/health", method: .get, headers: [:], body: nil)
      #expect(health.status == .ok)
    }
    func sentAt() async throws -> [Instant?] {
      try await store.database.read { try $0.query("SELECT sent_at FROM postcard").map { try $0.get("sent_at") } }
    }
    #expect(try await sentAt() == [nil])
    #expect(try await app.worker.runDue() == 1)
    #expect(try await sentAt() == [clock.now])

    let postcards = try app.module(named: PostcardModule.name, tenant: "default")
    let id = try #require(
      try await store.database.read { try $0.query("SELECT id FROM postcard").first?.get("id", as: String.self) })
    let subject = DataSubject(id, of: "default", by: "operator")
    var writer: any ExportWriter = try FolderWriter(folder.file("export"), world: clock.world)
    try await app.export(subject, from: postcards, to: &writer)
    try writer.finish()
    #expect(try String(contentsOfFile: folder.file("export/postcard.txt"), encoding: .utf8) == "Greetings")

    let written = clock.now
    clock.advance(by: .days(2))
    for job in app.scheduler.jobs { try await job.run() }
    #expect(try await sentAt() == [written])
    clock.advance(by: .days(2))
    for job in app.scheduler.jobs { try await job.run() }
    #expect(try await sentAt() == [])
  }

  @Test("its settings are read with those of the other modules, and are no setting where it is not in the list")
  func settings() async throws {
    let variables = ["GATEHOUSE_POSTCARDS_KEPT_DAYS": "9", "GATEHOUSE_WULTRA_OTP": "false"]
    let settings = try await Settings.load(environment: variables, modules: Self.modules)
    #expect(settings[PostcardSettings.self].keptDays == 9 && settings.unreadVariables == [])
    let without = try await Settings.load(environment: variables)
    #expect(without.unreadVariables == ["GATEHOUSE_POSTCARDS_KEPT_DAYS"])
    let error = await #expect(throws: SettingsError.self) {
      try await Settings.load(environment: ["GATEHOUSE_POSTCARDS_KEPT_DAYS": "31"], modules: Self.modules)
    }
    #expect(error?.description == "postcards.keptDays is between 1 and 30")
  }

  @Test("a person is erased in the flow that is named, and in no flow that is not there")
  func erased() async throws {
    let (clock, folder, store) = (TestWorld(), try TestFolder(), try await TestDatabase.make(.current))
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    let app = try await App.open(
      settings, database: store.database, world: clock.world, logger: LogRecorder().logger, modules: Self.modules)
    try await store.database.write { tx in
      _ = try tx.execute("INSERT INTO postcard (id, text, written_at) VALUES ('a', 'Greetings', \(clock.now))")
    }
    let postcards = try app.module(named: PostcardModule.name, tenant: "default")
    let reason = try #require(ErasureReason(rawValue: "art-17-request"))
    #expect(
      try await app.erase(.init("a", of: "default", by: "operator"), from: postcards, for: reason) == ["Erased."])
    #expect(try await store.database.read { try $0.query("SELECT id FROM postcard").isEmpty })
    #expect(throws: Problem.notFound) { try app.module(named: "telegrams", tenant: "default") }
    #expect(type(of: try app.module(named: nil, tenant: "finaptic-7")).name == "finaptic")
    // An institution of the installation may be called like another flow and a number: its customers are Rubix's.
    for tenant in ["default", "wultra-2", "oneassist-7", "finaptic-07"] {
      #expect(type(of: try app.module(named: nil, tenant: tenant)).name == "rubix", "\(tenant)")
    }
  }

  @Test("steps of the schema ascend over all modules, and neither a topic nor a job has two owners")
  func distinct() async throws {
    let ids = Schema.migrations.map(\.id)
    #expect(ids == Set(ids).sorted())
    try await JourneyTestApp.run { journey in
      let names = journey.app.scheduler.jobs.map(\.name) + journey.app.keyWatch.jobs.map(\.name)
      #expect(names.count == Set(names).count)
      let topics = journey.app.storedModules.flatMap { $0.effects.keys }
      #expect(topics.count == Set(topics).count)
    }
  }
}
