// SPDX-License-Identifier: Apache-2.0

public import PowerAuth2

/// Learns of what the service learns, before the completion of the call that found it out.
@preconcurrency @MainActor
public protocol WDOVerificationServiceDelegate: AnyObject, Sendable {
  /// The activation is not active any more.
  func powerAuthActivationStatusChanged(_ sender: WDOVerificationService, status: PowerAuthActivationStatus)
  /// There is something else to show, perhaps.
  func verificationStatusChanged(_ sender: WDOVerificationService, status: WDOVerificationState)
}
