// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import WultraFlow

@Suite("Settings: Wultra's onboarding", .storeless)
struct WultraSettingsTests {
  @Test("where codes go to people of a real institution none can be read over the API, and no specimen passes")
  func institution() async throws {
    let url = ["wultra.institution.url": "https://bank.example/adapter"]
    for (values, isSandbox) in [([:], true), (url, false)] as [([String: String], Bool)] {
      var flags = values.mapValues { ConfigValue(.string($0), isSecret: false) }
      if !values.isEmpty {
        flags["wultra.institution.secret"] = ConfigValue(
          .string("whsec_c2VjcmV0IG9mIDI0IGJ5dGVzIGhlcmUh"), isSecret: true)
      }
      let settings = try await Settings.load(flags: flags)
      #expect(settings.isSandbox)
      let policy = settings[WultraSettings.self].policy(isSandbox: settings.isSandbox)
      #expect(policy.isSandbox == isSandbox && policy.acceptsSpecimens == isSandbox)
    }
  }

  @Test("whose an ended onboarding was is forgotten after the days that the operator says, within reason")
  func retention() async throws {
    func load(_ days: Int) async throws -> WultraSettings {
      try await Settings.load(flags: ["wultra.retentionDays": ConfigValue(.int(days), isSecret: false)])[
        WultraSettings.self]
    }
    #expect(try await load(7).policy(isSandbox: false).personRetention == .days(7))
    for days in [0, -1, 3651] {
      await #expect(throws: SettingsError.self) { _ = try await load(days) }
    }
  }

  @Test("how often onboarding may begin from one network is the operator's choice; nonsense is refused")
  func startLimit() async throws {
    func limit(_ value: Int?) async throws -> Int? {
      let flags = value.map { ["wultra.startLimit": ConfigValue(.int($0), isSecret: false)] } ?? [:]
      return try await Settings.load(flags: flags)[WultraSettings.self].policy(isSandbox: true).startsPerNetwork
    }
    #expect(try await limit(nil) == 60)
    #expect(try await limit(7) == 7)
    #expect(try await limit(0) == nil)
    await #expect(throws: SettingsError.self) { _ = try await limit(-1) }
  }
}
