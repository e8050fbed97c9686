// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Settings: the console", .storeless)
struct ConsoleSettingsTests {
  private static func load(_ values: [String: String]) async throws -> Settings {
    try await Settings.load(flags: values.mapValues { ConfigValue(.string($0), isSecret: false) })
  }

  @Test(
    "its cookies are for TLS alone where it is reached by TLS, and, unless that is said, where any part of the house is",
    arguments: [
      ([:], false), (["console.publicUrl": "https://console.bank.example"], true),
      (["console.publicUrl": "http://10.0.0.7:8080"], false), (["saltedge.publicUrl": "https://sca.example"], true),
      (["oneassist.publicUrl": "http://cover.example", "finaptic.publicUrl": "https://bank.example"], true),
      (["saltedge.publicUrl": "https://sca.example", "console.publicUrl": "http://10.0.0.7:8080"], false),
    ] as [([String: String], Bool)])
  func secure(values: [String: String], isSecure: Bool) async throws {
    #expect(try await Self.load(values).consoleIsSecure == isSecure)
  }

  @Test(
    "an invalid address is refused",
    arguments: ["console.bank.example", "ftp://bank.example", "https://", "https://a.example/", "https://a.example?b"])
  func addresses(text: String) async throws {
    await #expect(throws: SettingsError.self) { _ = try await Self.load(["console.publicUrl": text]) }
  }
}
