// SPDX-License-Identifier: Apache-2.0

internal import OneAssistCore

/// What the app does next (specification §2.2). Given to every completion: where the flow stands.
public enum OAAction: Sendable, Equatable, Hashable, CaseIterable {
  /// The SDK is set up: call `startActivation`.
  case initializedSDK
  /// This device's number is not known: call `fetchDeviceId`.
  case fetchDeviceId
  /// PIN code and address are missing: call `submitBasicDetails`.
  case provideUserBasicDetail
  /// Photos from the second device are missing, and none of them shows the secure screen: call `sendUploadLink`.
  case sendUploadLink
  /// Call `sendUploadLink`, again if wanted, or `openSecureScreen`.
  case sendUploadLinkOrOpenSecureScreen
  /// The secure screen was closed: look up the membership's status, for instance by `startActivation`.
  case secureScreenDismissed
  /// There is nothing that the user could do: show the membership's status.
  case completed

  init(_ stage: ActivationStage) {
    self =
      switch stage {
      case .initializedSDK: .initializedSDK
      case .fetchDeviceId: .fetchDeviceId
      case .provideUserBasicDetail: .provideUserBasicDetail
      case .sendUploadLink: .sendUploadLink
      case .sendUploadLinkOrOpenSecureScreen: .sendUploadLinkOrOpenSecureScreen
      case .secureScreenDismissed: .secureScreenDismissed
      case .completed: .completed
      }
  }
}
