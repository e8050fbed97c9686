// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Journey: what the log is told")
struct LogTests {
  @Test("a registration and an agent's sign-in are told to the log, at its most detailed level, without names")
  func quiet() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      _ = try await journey.agent(DemoApp.agentEmail)
      #expect(journey.secrets.all.contains(phone.contactNo) && journey.secrets.all.contains(phone.email))
      #expect(journey.secrets.all.contains(DemoApp.password))
      #expect(journey.log.records.contains { $0.hasPrefix("request ") })
    }
  }

  @Test("a leak would be seen", .storeless)
  func seen() {
    let secrets = JourneySecrets()
    for secret in ["Anna", "123456", "+96550001234"] { secrets.note(secret) }
    #expect(secrets.isIn("registered Anna") && secrets.isIn("code=123456;") && secrets.isIn("to=+96550001234"))
    #expect(!secrets.isIn("Annabel 1234567 0198c2f4-123456ab"))
  }
}
