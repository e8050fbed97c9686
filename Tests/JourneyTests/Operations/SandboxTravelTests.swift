// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import RubixFlow
import Storage
import TestSupport
import Testing

@testable import GatehouseApp
@testable import Ledger
@testable import gatehouse

@Suite("Operations: time goes forward in a sandbox")
struct SandboxTravelTests {
  @Test("an application lapses after its days, and its owner is still signed in and is told")
  func lapse() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      var travel = try #require(journey.app.sandboxTravel)
      travel.step = .days(30)
      let report = try await travel.advance(by: .days(89), for: "test")
      #expect(report.steps == 3 && report.failures == [:])
      #expect(try await phone.app.me().status == .pending)

      // Nothing of it was touched since: the ninetieth day is its last.
      _ = try await travel.advance(by: .days(2), for: "test")
      #expect(journey.app.world.now() == journey.clock.now + .days(91))
      #expect(try await phone.app.me().status == .expired)
      let lines = try await journey.app.database.read { try AuditStore($0).lines(of: "sandbox") }
      #expect(lines.count == 4 && lines.allSatisfy { $0.action == "sandbox.clock_moved" && $0.actor == "test" })
    }
  }

  @Test("every day is ended once, in its order, and the books stay right")
  func days() async throws {
    let folder = try TestFolder()
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    let (store, clock) = (try await TestDatabase.make(.current, Schema.migrations), TestWorld())
    func open(_ settings: Settings) async throws -> App {
      try await App.open(
        settings, database: store.database, world: clock.world, logger: LogRecorder().logger,
        passwordCost: PasswordCost(memory: 8, passes: 1))
    }
    let app = try await open(settings)
    try await app.finaptic.dependencies.tenants.add(7, name: "Journey", kind: .sandbox, by: "test")
    let report = try await #require(app.sandboxTravel).advance(by: .days(5) + .hours(6), for: "test")
    #expect(report.steps == 6 && report.failures == [:])
    let last = try await app.database.read { tx in
      try tx.first("SELECT last_day FROM finaptic_day_end WHERE tenant_id = 7")?.get("last_day", as: Int64.self)
    }
    #expect(last == Ledger.day(of: clock.now + .days(5) + .hours(6) - Ledger.finality) - 1)

    // Another process with this store is as far, and one with customers does not take it.
    let other = try await open(settings)
    #expect(other.world.now() == app.world.now())
    _ = try await #require(app.sandboxTravel).advance(by: .hours(1), for: "test")
    try await other.keyWatch.jobs.first { $0.name == SandboxClock.job }?.run()
    #expect(other.world.now() == app.world.now())
    settings.tenantsFile = folder.file("tenants.json")
    try JSONEncoder().encode([Tenant.default]).write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    let served = settings
    await #expect(throws: SettingsError.self) { _ = try await open(served) }
  }

  @Test("books and doctor go by the moved clock; a command that waits for a second person leaves with 6", .ownFile)
  func commands() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let app = try await App.open(
      settings, logger: LogRecorder().logger, passwordCost: PasswordCost(memory: 8, passes: 1))
    let finaptic = app.finaptic.dependencies
    try await finaptic.tenants.add(7, name: "Journey", kind: .sandbox, by: "test")
    try await finaptic.fourEyes.setActs([.terms], of: 7, by: "test")
    _ = try await #require(app.sandboxTravel).advance(by: .days(2), for: "test")
    let options = ["--data", settings.dataFolder, "--log", "error"]

    let tomorrow = World.live.now() + .days(1)
    #expect(try await InstallationOptions.parse(options).openBooks().world.now() > tomorrow)
    func due() async -> String? {
      await settings.diagnose(file: nil, environment: [:]).findings.first { $0.name == "effects due" }?.value
    }
    let before = try #require(await due().flatMap(Int.init))
    try await app.database.write { [outbox = app.core.outbox] tx in
      try outbox.enqueue("test.tomorrow", subject: "x", dueAt: tomorrow, in: tx)
    }
    #expect(await due() == "\(before + 1)")

    let command = try FinapticCommand.BankCommand.Terms.parse(
      ["finaptic-7", "prepaid_account.v12", "--monthly-fee", "4.95"] + options)
    let exit = try await #require(throws: ExitCode.self) { try await command.run() }
    #expect(exit.rawValue == CommandExit.waits.rawValue && exit.rawValue == 6)
  }

  @Test("no settings move the clock of a store that was opened with a tenants file, nor seed it", .ownFile)
  func customers() async throws {
    let folder = try TestFolder()
    var settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    let clock = TestWorld()
    func open(_ settings: Settings) async throws -> App {
      try await App.open(
        settings, world: clock.world, logger: LogRecorder().logger,
        passwordCost: PasswordCost(memory: 8, passes: 1), messenger: \.messenger)
    }
    let before = try await open(settings)
    let sandbox = settings
    (settings.tenantsFile, settings.screeningFolder) = (folder.file("tenants.json"), folder.file("lists"))
    try FileManager.default.createDirectory(atPath: folder.file("lists"), withIntermediateDirectories: true)
    try JSONEncoder().encode([Tenant.default]).write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    for _ in 1...2 { #expect(try await open(settings).sandboxClock == nil) }

    let app = try await open(sandbox)
    #expect(app.sandboxTravel == nil && app.devClock == nil && SandboxSeed(app) == nil)
    let command = try SandboxCommand.Advance.parse(["91d", "--data", sandbox.dataFolder, "--log", "error", "--yes"])
    await #expect(throws: CommandFailure.self) { try await command.run() }
    // A sandbox that was opened before.
    let travel = try #require(before.sandboxTravel)
    await #expect(throws: Problem.self) { _ = try await travel.advance(by: .days(1), for: "test") }
    #expect(try await app.database.read { try SandboxClockStore($0).lead() } == .zero)
  }

  @Test("developers on the machine move it by a call; with customers there is no such call")
  func route() async throws {
    for documents in [nil, DocumentPolicy.standard] {
      try await JourneyTestApp.run(documents: documents) { journey in
        try await Hummingbird.Application(router: journey.app.router()).test(.router) { client in
          func post(_ body: String, type: String? = "application/json") async throws -> Int {
            var headers = HTTPFields()
            headers[.contentType] = type
            return try await client.execute(
              uri: "/dev/clock", method: .post, headers: headers, body: ByteBuffer(string: body)
            ).status.code
          }
          guard documents == nil else {
            #expect(journey.app.sandboxTravel == nil && journey.app.sandboxClock == nil)
            #expect(try await post(#"{"advance": "1d"}"#) == 404)
            #expect(try await client.execute(uri: "/dev/clock", method: .get).status == .notFound)
            return
          }
          #expect(try await post(#"{"advance": "1d"}"#, type: nil) == 415)
          #expect(try await post(#"{"advance": "1d"}"#, type: "text/plain") == 415)
          #expect(try await post(#"{"advance": "101d"}"#) == 422)
          #expect(try await post(#"{"advance": "-1d"}"#) == 422)
          #expect(journey.app.world.now() == journey.clock.now)
          #expect(try await post(#"{"advance": "26h"}"#) == 200)
          let told = try await client.execute(uri: "/dev/clock", method: .get)
          #expect(String(buffer: told.body).contains("\"ahead_seconds\":93600"))
        }
      }
    }
  }
}
