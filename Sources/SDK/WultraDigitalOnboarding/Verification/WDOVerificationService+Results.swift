// SPDX-License-Identifier: Apache-2.0

public import WultraPowerAuthNetworking
internal import WultraWire

extension WDOVerificationService {
  /// What a call that went well leads to.
  public final class Success: Sendable {
    /// What to show now.
    public let state: WDOVerificationState

    init(_ state: WDOVerificationState) { self.state = state }
  }

  /// Why a call failed.
  public final class Fail: Error, Sendable {
    /// What went wrong.
    public let cause: WPNError
    /// What to show now; nil when the failure does not say: ask for the `status`.
    public let state: WDOVerificationState?

    init(_ cause: WPNError, state: WDOVerificationState? = nil) {
      self.cause = cause
      self.state =
        state
        ?? (cause.reason == .wdo_verification_tooFewDocuments
          ? .documentsToScanSelect : VerificationMapping.state(after: cause.restApiError?.errorCode))
    }
  }
}

extension WPNErrorReason {
  /// The activation is blocked or removed, and the user cannot be verified with it. What happened is nested.
  public static let wdo_verification_activationNotActive = WPNErrorReason(
    rawValue: "wdo_verification_activationNotActive")
  /// The call needs a `status` before it, of this object.
  public static let wdo_verification_missingStatus = WPNErrorReason(rawValue: "wdo_verification_missingStatus")
  /// The chosen documents are fewer than the server needs, or no primary one is among them. Not in the published SDK.
  public static let wdo_verification_tooFewDocuments = WPNErrorReason(rawValue: "wdo_verification_tooFewDocuments")
  /// The code was wrong once too often, or came too late.
  public static let wdo_verification_otpFailed = WPNErrorReason(rawValue: "wdo_verification_otpFailed")
}
