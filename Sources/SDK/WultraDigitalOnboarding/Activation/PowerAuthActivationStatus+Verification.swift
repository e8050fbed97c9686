// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import PowerAuth2
internal import WultraWire

/// What the server says of the user's verification in the status of the activation (wultra-onboarding.md §0).
extension PowerAuthActivationStatus {
  /// The user has to be verified before the activation is of use: see `WDOVerificationService`.
  public var needVerification: Bool { verificationPending || verificationInProgress }
  /// The verification has not begun.
  public var verificationPending: Bool { activationFlags.contains(Wultra.ActivationFlag.pending) }
  /// The verification goes on.
  public var verificationInProgress: Bool { activationFlags.contains(Wultra.ActivationFlag.inProgress) }

  private var activationFlags: [String] { customObject?["activationFlags"] as? [String] ?? [] }
}
