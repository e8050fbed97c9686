// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import WultraPowerAuthNetworking

/// The same calls for those who wait. Cancelling the task cancels the call, with reason `canceled`.
extension WDOVerificationService {
  /// Asks what to show.
  public func status() async throws(Fail) -> WDOVerificationState {
    try await wait(state: { $0 }) { calls async throws(WPNError) in try await calls.status() }
  }

  /// Asks for the text to consent to; leads to `consent`.
  public func consentGet() async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.consent() }
  }

  /// Says that the user consents, and begins the verification; leads to `documentsToScanSelect`.
  public func consentApprove() async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.approveConsent() }
  }

  /// Asks for what the scanning library needs to start.
  /// - Parameter challenge: by the library.
  public func documentsInitSDK(challenge: String) async throws(Fail) -> String {
    try await wait { calls async throws(WPNError) in try await calls.initDocumentSDK(challenge) }
  }

  /// Keeps on the device which documents the user chose; leads to `scanDocument`. A choice that is less than the server
  /// needs fails with `wdo_verification_tooFewDocuments`.
  public func documentsSetSelectedTypes(types: [WDODocumentType]) async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.select(types) }
  }

  /// Sends pictures; leads to `processing`.
  /// - Parameter progressCallback: gets growing fractions of the bytes that have left, on any thread.
  public func documentsSubmit(
    files: [WDODocumentFile], progressCallback: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(Fail) -> Success {
    let pictures = files.map(DocumentPicture.init)
    return try await step { calls async throws(WPNError) in
      try await calls.submit(pictures, progress: progressCallback)
    }
  }

  /// Asks which documents will do, so that the user can be told before.
  /// - Returns: nil when the server does not say.
  public func documentRequirements() async throws(Fail) -> WDODocumentRequirements? {
    try await wait { calls async throws(WPNError) in try await calls.documentRequirements() }
  }

  /// Asks for what the library of the presence check needs to start.
  public func presenceCheckInit() async throws(Fail) -> sending [String: Any] {
    members(try await wait { calls async throws(WPNError) in try await calls.initPresenceCheck() })
  }

  /// Says that the presence check was made; leads to `processing`.
  public func presenceCheckSubmit() async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.submitPresenceCheck() }
  }

  /// Has the code that the user was sent checked; leads to `processing`, or to `otp` when the user may try again.
  public func verifyOTP(otp: String) async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.verify(otp) }
  }

  /// Has the code sent once more, not sooner than `otpResendPeriodInSeconds` after the last one.
  public func resendOTP() async throws(Fail) {
    try await wait { calls async throws(WPNError) in try await calls.resendOTP() }
  }

  /// Gives up this verification and begins another; leads to `intro`.
  public func restartVerification() async throws(Fail) -> Success {
    try await step { calls async throws(WPNError) in try await calls.restart() }
  }

  /// Gives up the whole process. Then `PowerAuthSDK.removeActivationLocal()`, and all from the start.
  public func cancelWholeProcess() async throws(Fail) {
    try await wait { calls async throws(WPNError) in try await calls.cancelWholeProcess() }
  }

  #if ENABLE_ONBOARDING_DEMO
    /// Asks for the code that the user was sent. Only servers for tests tell.
    public func getOTP() async throws(Fail) -> String {
      try await wait { calls async throws(WPNError) in try await calls.sentOTP() }
    }
  #endif

  private func step(_ work: @escaping Work<WDOVerificationState>) async throws(Fail) -> Success {
    Success(try await wait(state: { $0 }, work))
  }
}
