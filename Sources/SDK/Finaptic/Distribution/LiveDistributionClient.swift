// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import GatehouseWire

/// Pushes, over the wire.
final class LiveDistributionClient: DistributionClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func registerChannel(
    request: RegisterPushNotificationChannelRequest, completion: @escaping FinapticCompletion<Void>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let _: EmptyBody = try await calls.send(
        .registerChannel,
        FinapticAPI.RegisterChannelRequest(deviceId: request.deviceId, registrationId: request.registrationId))
      return ()
    }
  }
}
