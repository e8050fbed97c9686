// SPDX-License-Identifier: Apache-2.0

import Finaptic
import GatehouseApp

extension FinapticStory {
  /// The phone has pushes sent to it.
  func registerDevice() async throws {
    try await step("registerChannel", shows: "registered") {
      try await play.sdk.distributionClient.registerChannel(
        request: RegisterPushNotificationChannelRequest(deviceId: "demo-phone", registrationId: "demo:push-token"))
      return ("registered", "pushes come to the development outbox")
    }
  }
}
