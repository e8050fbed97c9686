// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// The instance that the parts of an app share (powerauth.md §10).
extension PowerAuthSDK {
  private static let shared = Guarded<PowerAuthSDK?>(nil)

  /// Makes the shared instance. An earlier one stays, as in the published SDK: no later part of an app replaces it.
  /// - Parameter configuration: if it is invalid, every call fails with `wrongParameter`.
  public static func initSharedInstance(_ configuration: PowerAuthConfiguration) {
    initSharedInstance(configuration, keychainConfiguration: nil, clientConfiguration: nil)
  }

  /// Makes the shared instance. An earlier one stays, as in the published SDK: no later part of an app replaces it.
  /// - Parameter configuration: if it is invalid, every call fails with `wrongParameter`.
  public static func initSharedInstance(
    _ configuration: PowerAuthConfiguration, keychainConfiguration: PowerAuthKeychainConfiguration?,
    clientConfiguration: PowerAuthClientConfiguration?
  ) {
    guard shared.withLock({ $0 == nil }) else { return }
    let instance = PowerAuthSDK(
      configuration: configuration, keychainConfiguration: keychainConfiguration,
      clientConfiguration: clientConfiguration)
    shared.withLock { $0 = $0 ?? instance }
  }

  /// The shared instance. Before `initSharedInstance` it is one of an invalid configuration: every call fails with
  /// `wrongParameter`.
  public static func sharedInstance() -> PowerAuthSDK {
    shared.withLock { instance in
      if let instance { return instance }
      return PowerAuthSDK(configuration: PowerAuthConfiguration(baseEndpointUrl: "", configuration: ""))
    }
  }
}
