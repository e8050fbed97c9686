// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2
public import WultraPowerAuthNetworking

extension WPNErrorReason {
  /// A process was begun already.
  public static let wdo_activation_inProgress = WPNErrorReason(rawValue: "wdo_activation_inProgress")
  /// No process was begun.
  public static let wdo_activation_notRunning = WPNErrorReason(rawValue: "wdo_activation_notRunning")
  /// The device has an activation already.
  public static let wdo_activation_cannotActivate = WPNErrorReason(rawValue: "wdo_activation_cannotActivate")
}

extension WPNError {
  /// How often the code of an activation may still be tried; nil when the server did not say.
  public var onboardingOtpRemainingAttempts: Int? {
    let answer = userInfo[PowerAuthErrorInfoKey_AdditionalInfo] as? [String: Any]
    return (answer?["remainingAttempts"] as? NSNumber)?.intValue
  }

  /// Whether the user may try another code.
  public var allowOnboardingOtpRetry: Bool { (onboardingOtpRemainingAttempts ?? 0) > 0 }
}
