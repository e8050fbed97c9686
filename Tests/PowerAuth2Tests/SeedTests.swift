// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuth2
import PowerAuthPeer
import Testing

/// The sample of the seed (wultra-digital-onboarding.txt, "When is the verification needed?"), as far as it is of
/// PowerAuth alone. Without `@testable`: what apps see must do.
@Suite("PowerAuth client: the seed's sample")
struct SeedTests {
  @Test("the status is fetched as the seed does it")
  func status() async throws {
    let phone = Phone()
    let powerAuth: PowerAuthSDK = try await phone.activated()
    let shown: String = await withCheckedContinuation { screen in
      powerAuth.fetchActivationStatus { status, error in
        if let error = error {
          screen.resume(returning: "\(error)")
        } else if let status = status {
          let flags = status.customObject?["activationFlags"] as? [String] ?? []
          screen.resume(returning: flags.isEmpty ? "\(status.state)" : "verification")
        }
      }
    }
    #expect(shown == "active")
  }

  @Test("an instance is made and passed on as the seed does it")
  func instance() {
    let configuration = PowerAuthConfiguration(
      instanceId: "seed-\(UUID().uuidString)", baseEndpointUrl: "https://sever.my/path/", configuration: "")
    let powerAuth = PowerAuthSDK(configuration: configuration)
    let user: (PowerAuthSDK) -> Bool = { $0.canStartActivation() }
    #expect(!user(powerAuth))
  }
}
