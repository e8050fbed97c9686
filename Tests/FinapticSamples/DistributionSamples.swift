// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum DistributionSamples {
  /// Line 1713 of the seed.
  package static func registerChannel(sdk: FinapticSDK, registrationId: String, deviceId: String) {
    let request = RegisterPushNotificationChannelRequest(deviceId: deviceId,
                                                         registrationId: registrationId)

    sdk.distributionClient.registerChannel(request: request) { result in
        switch result {
        case .failure(let error):
            print("Register channel error: \(error)")

        case .success():
            print("Register channel success")
        }
    }
  }
}
