// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixFlow
import SaltEdgeFlow
import Storage
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Demonstration bank: a sandbox has one from its first start on")
struct SandboxBankTests {
  private func settings(_ folder: TestFolder, port: Int = 8080) -> Settings {
    var settings = Settings()
    (settings.dataFolder, settings.port) = (folder.file("data"), port)
    return settings
  }

  private func open(_ settings: Settings, _ database: any SQLDatabase) async throws -> App {
    try await DemoBankSetup.openServing(
      settings, database: database, logger: LogRecorder().logger, passwordCost: DemoApp.passwordCost)
  }

  private func banks(_ app: App) async throws -> [SaltEdgeProvider] {
    try await app.saltEdge.providers.list(tenant: "default")
  }

  @Test("it is made once, with its secrets for their owner only, and its customers can sign in")
  func firstStart() async throws {
    let folder = try TestFolder()
    let (made, settings) = (try await TestDatabase.make(.current), settings(folder))
    let app = try await open(settings, made.database)
    let bank = try #require(app.demoBank)
    for name in ["demo-bank.json", "demo-bank-passwords.txt"] {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.file("data/\(name)"))[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(name)")
    }
    let list = try String(contentsOfFile: folder.file("data/demo-bank-passwords.txt"), encoding: .utf8)
    let lines = list.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.map(\.first) == ["ada", "peter"])
    let ada = try #require(lines.first)
    #expect(try await bank.customer(username: "ada", password: ada[1], from: "127.0.0.1")?.name == "Ada Anyder")

    let again = try await open(settings, made.database)
    #expect(again.demoBank?.book.provider == bank.book.provider)
    #expect(try await banks(again).map(\.code) == ["demobank"])
  }

  @Test("it moves with the address of the server")
  func moved() async throws {
    let folder = try TestFolder()
    let made = try await TestDatabase.make(.current)
    let first = try await open(settings(folder), made.database)
    let second = try await open(settings(folder, port: 8181), made.database)
    #expect(first.demoBank?.book.provider == second.demoBank?.book.provider)
    #expect(second.demoBank?.book.address == "http://127.0.0.1:8181")
    let bank = try #require(try await banks(second).first)
    #expect(bank.loginURL == "http://127.0.0.1:8181/demo-bank/enrol")
    #expect(bank.webhookURL == "http://127.0.0.1:8181/demo-bank/webhook")
    let kept = try DemoBankService(file: folder.file("data/demo-bank.json"))
    #expect(kept.address == "http://127.0.0.1:8181")

    // Commands beside the server make keys that lead to it; a port that is named for them counts more.
    var (beside, named) = (settings(folder), settings(folder, port: 9))
    named.isPortNamed = true
    beside.followServer()
    named.followServer()
    #expect(beside.port == 8181 && named.port == 9)
    let app = try await App.open(beside, database: made.database, logger: LogRecorder().logger)
    let seeded = try await #require(SandboxSeed(app)).run(tenant: "default", by: "test")
    #expect(seeded.contains { $0.made?.hasSuffix(" leads to http://127.0.0.1:8181") == true })
    var customers = beside
    (customers.tenantsFile, customers.port) = (folder.file("tenants.json"), 8080)
    customers.followServer()
    #expect(customers.port == 8080)
    var proxied = settings(folder)
    proxied[SaltEdgeSettings.self].publicURL = "http://127.0.0.1:9000"
    proxied.followServer()
    #expect(proxied.port == 8080)
  }

  @Test("a new database beside an old file gets a bank of its own; a bank of that code is left alone")
  func otherDatabase() async throws {
    let folder = try TestFolder()
    let (one, other) = (try await TestDatabase.make(.current), try await TestDatabase.make(.current))
    let first = try await open(settings(folder), one.database)
    try FileManager.default.removeItem(atPath: folder.file("data/keys"))
    let second = try await open(settings(folder), other.database)
    let provider = try #require(second.demoBank?.book.provider)
    #expect(provider != first.demoBank?.book.provider)
    #expect(try await banks(second).map(\.id.rawValue) == [provider])
    try FileManager.default.removeItem(atPath: folder.file("data/demo-bank.json"))
    #expect(try await open(settings(folder), other.database).demoBank == nil)
  }

  @Test("it is not there where it is not wanted, on any port, or where others reach the sandbox")
  func none() async throws {
    let folder = try TestFolder()
    let made = try await TestDatabase.make(.current)
    let changes: [(inout Settings) -> Void] = [
      { $0.demoBank.isWanted = false }, { $0.port = 0 }, { $0.isPublicSandbox = true },
    ]
    for change in changes {
      var settings = settings(folder)
      change(&settings)
      let app = try await open(settings, made.database)
      #expect(app.demoBank == nil)
      #expect(try await banks(app).isEmpty)
    }
  }

  @Test("a server with a tenants file makes no bank, and has none of its routes and jobs")
  func tenants() async throws {
    let folder = try TestFolder()
    let made = try await TestDatabase.make(.current)
    func traces(_ app: App) -> (routes: Int, jobs: Int) {
      (
        app.router().routes.count { $0.path.description.contains("demo-bank") },
        app.storedModules.flatMap(\.retention).count { $0.name == "old-demo-bank-rows" }
      )
    }
    var settings = settings(folder)
    settings.tenantsFile = folder.file("tenants.json")
    try JSONEncoder().encode([Tenant.default]).write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    let app = try await open(settings, made.database)
    #expect(app.demoBank == nil)
    #expect(try await banks(app).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("data/demo-bank.json")))
    #expect(traces(app) == (0, 0))
    settings.tenantsFile = nil
    let sandbox = try await open(settings, made.database)
    #expect(traces(sandbox).routes > 0 && traces(sandbox).jobs == 1)
  }
}
