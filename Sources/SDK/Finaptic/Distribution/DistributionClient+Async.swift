// SPDX-License-Identifier: Apache-2.0

extension DistributionClient {
  /// Has pushes sent to this device.
  public func registerChannel(request: RegisterPushNotificationChannelRequest) async throws(FinapticError) {
    try await withCheckedContinuation { done in registerChannel(request: request) { done.resume(returning: $0) } }.get()
  }
}
