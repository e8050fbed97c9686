// SPDX-License-Identifier: Apache-2.0

import Configuration
import Console
import Foundation
import SaltEdgeFlow
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Settings: the demonstration bank", .ownFile)
struct DemoBankSettingsTests {
  private static func load(_ values: [String: String]) async throws -> Settings {
    try await Settings.load(flags: values.mapValues { ConfigValue(.string($0), isSecret: false) })
  }

  private static func refusal(_ values: [String: String]) async -> String? {
    do { _ = try await load(values) } catch { return "\(error)" }
    return nil
  }

  @Test("nothing is served unless a file is named, and none beside real customers")
  func sandboxOnly() async throws {
    let folder = try TestFolder()
    let file = folder.file("bank.json")
    try JourneyTestApp.demoBank.write(to: file)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try await Self.load([:]).demoBank.book == nil)
    #expect(try await Self.load(["demoBank.file": file]).demoBank.book?.provider == JourneyTestApp.demoBank.provider)
    let refusal = await Self.refusal(["demoBank.file": file, "tenants": "tenants.json"])
    #expect(refusal?.contains("sandboxes") == true)
  }

  @Test("no bank is made whose secrets have no place to be written to")
  func noPlace() async throws {
    let folder = try TestFolder()
    let (data, blocked) = (folder.file("data"), folder.file("blocked"))
    try Data().write(to: URL(fileURLWithPath: blocked))
    for file in ["\(blocked)/bank.json", folder.path] {
      let parsed = try SaltEdgeCommand.DemoBank.parse(["--data", data, "--file", file])
      let refusal = await #expect(throws: (any Error).self) { try await parsed.run() }
      #expect("\(refusal.map { "\($0)" } ?? "")".contains(file))
    }
    var settings = Settings()
    settings.dataFolder = data
    try await settings.putSchema()
    let app = try await App.open(settings, logger: LogRecorder().logger)
    #expect(try await app.saltEdge.providers.list(tenant: "default").isEmpty)
    let file = folder.file("bank.json")
    try await SaltEdgeCommand.DemoBank.parse(["--data", data, "--file", file]).run()
    #expect(try await Self.load(["demoBank.file": file]).demoBank.book?.customers.count == 2)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  @Test(
    "an invalid file is refused by its name, and its content is not shown",
    arguments: ["", "{}", #"{"secret":"TOP"}"#, "no secret", nil] as [String?])
  func broken(text: String?) async throws {
    let folder = try TestFolder()
    let file = folder.file("bank.json")
    if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    let refusal = try #require(await Self.refusal(["demoBank.file": file]))
    #expect(refusal.contains(file) && !refusal.contains("TOP") && !refusal.contains("no secret"))
  }

  @Test(
    "an invalid secret, address, account or password is refused",
    arguments: [
      "\"webhookSecret\":\"whsec_AA\"", "\"address\":\"here\"", "\"account\":\"ZZ00\"", "\"passwordHash\":\"x\"",
    ])
  func unusable(part: String) async throws {
    let folder = try TestFolder()
    let good = try JSONEncoder().encode(JourneyTestApp.demoBank)
    let name = String(part.prefix { $0 != ":" })
    let text = String(decoding: good, as: UTF8.self)
    let bad = text.replacing(try Regex("\(name):\"[^\"]*\""), with: part)
    #expect(bad != text)
    let file = folder.file("bank.json")
    try Data(bad.utf8).write(to: URL(fileURLWithPath: file))
    #expect(await Self.refusal(["demoBank.file": file]) != nil)
  }
}
