import HTTP
import Hummingbird
import HummingbirdTesting
import Kit
import NIOCore
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Journey: a flow that is added to the list of modules")
struct SixthFlowTests {
  @Test("its schema, routes, errors, effects and jobs become the application's")
  func added() async throws {
    let (clock, folder, store) = (TestWorld(), try TestFolder(), try await TestDatabase.make(.current))
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    let house = try await House.open(
      settings, database: store.database, world: clock.world, logger: LogRecorder().logger,
      modules: House.product + [ModuleEntry { PostcardModule(database: $0.database, world: $0.world) }])
    #expect(await house.readiness.report().status == .ready)

    try await Application(router: house.router()).test(.router) { client in
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
    #expect(try await house.worker.runDue() == 1)
    #expect(try await sentAt() == [clock.now])

    clock.advance(by: .days(2))
    for job in house.scheduler.jobs { try await job.run() }
    #expect(try await sentAt() == [])
  }

  @Test("steps of the schema ascend over all modules, and neither a topic nor a job has two owners")
  func distinct() async throws {
    let ids = Schema.migrations.map(\.id)
    #expect(ids == Set(ids).sorted())
    try await JourneyHouse.run { journey in
      let names = journey.house.scheduler.jobs.map(\.name) + journey.house.keyWatch.jobs.map(\.name)
      #expect(names.count == Set(names).count)
      let topics = journey.house.modules.flatMap { $0.effects.keys }
      #expect(topics.count == Set(topics).count)
    }
  }
}
