// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import RubixWire
import Storage
import Testing

@testable import RubixFlow

@Suite("Rubix: a liveness challenge that was used")
struct UsedChallengeTests {
  @Test("it counts once, also when a day begins meanwhile and another node's clock is ahead")
  func once() async throws {
    let app = try await AgentTestApp()
    let (customer, picture) = try await app.customerWithSelfie()
    let capture = app.rubix.capture(
      evidence: EvidenceReader(), liveness: Liveness { _ in Evidence.LivenessResult(result: .spoof, score: 0.1) })
    /// What is wrong with the picture or the challenge, as the client reads it.
    func upload(_ challenge: String) async throws -> String {
      do {
        let answer = try await capture.uploadLiveness(
          app.request(customer, LivenessUploadRequest(file: picture, challengeID: challenge)))
        return "\(answer.status)"
      } catch let problem as Problem { return problem.fields.first?.code ?? problem.code }
    }
    // Five minutes before midnight: the challenge is good for ten.
    let midnight = Instant(milliseconds: (app.clock.now.milliseconds / 86_400_000 + 1) * 86_400_000)
    app.clock.set(midnight - .minutes(5))
    let challenge = LivenessChallenges(vault: app.core.vault, world: app.core.world).make(for: customer.id)
    #expect(try await upload(challenge.challengeID) == "422")
    #expect(try await upload(challenge.challengeID) == "used")
    app.clock.set(midnight)
    #expect(try await upload(challenge.challengeID) == "used")
    app.clock.set(midnight + .seconds(299))
    try await app.core.database.write { [now = app.clock.now] in
      _ = try RateCounterStore($0).sweep(before: now + .seconds(30))
    }
    #expect(try await upload(challenge.challengeID) == "used")
    app.clock.set(midnight + .minutes(5))
    #expect(try await upload(challenge.challengeID) == "expired")
  }
}
