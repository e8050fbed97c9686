// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: liveness challenges")
struct LivenessChallengesTests {
  @Test("a challenge is open for its application until it expires")
  func lifetime() async throws {
    let app = try await AgentTestApp()
    let challenges = LivenessChallenges(vault: app.core.vault, world: app.core.world)
    let application = Application.ID(app.core.world)
    let challenge = challenges.make(for: application)
    #expect(challenge.expiresOn == (app.clock.now + LivenessChallenges.lifetime).wire)
    #expect(challenges.end(of: challenge.challengeID, for: application) != nil)
    app.clock.advance(by: LivenessChallenges.lifetime - .milliseconds(1))
    #expect(challenges.end(of: challenge.challengeID, for: application)?.wire == challenge.expiresOn)
    app.clock.advance(by: .milliseconds(1))
    #expect(challenges.end(of: challenge.challengeID, for: application) == nil)
  }

  @Test("another application cannot use it, and no two are alike")
  func bound() async throws {
    let app = try await AgentTestApp()
    let challenges = LivenessChallenges(vault: app.core.vault, world: app.core.world)
    let (mine, yours) = (Application.ID(app.core.world), Application.ID(app.core.world))
    let id = challenges.make(for: mine).challengeID
    #expect(challenges.end(of: id, for: yours) == nil)
    #expect(challenges.make(for: mine).challengeID != id)
  }

  @Test("a challenge that was changed anywhere is not open")
  func tampered() async throws {
    let app = try await AgentTestApp()
    let challenges = LivenessChallenges(vault: app.core.vault, world: app.core.world)
    let application = Application.ID(app.core.world)
    let id = challenges.make(for: application).challengeID
    for position in id.indices {
      var changed = id
      changed.replaceSubrange(position...position, with: id[position] == "0" ? "1" : "0")
      #expect(challenges.end(of: changed, for: application) == nil, "\(changed)")
    }
    let parts = id.split(separator: ".")
    let later = "\(parts[0]).\((Int64(parts[1]) ?? 0) + 600_000).\(parts[2])"
    for text in ["", "..", "a.b.c", "\(parts[0]).\(parts[1])", id + ".", "." + id, later, id.uppercased() + " "] {
      #expect(challenges.end(of: text, for: application) == nil, "\(text)")
    }
  }

  private typealias Application = RubixFlow.Application
}
