// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import WultraPowerAuthNetworking

/// The published calls.
extension WDOVerificationService {
  /// Asks what to show.
  @preconcurrency
  public func status(completion: @escaping @MainActor @Sendable (Result<WDOVerificationState, Fail>) -> Void) {
    begin(completion, state: { $0 }) { calls async throws(WPNError) in try await calls.status() }
  }

  /// Asks for the text to consent to; leads to `consent`.
  @preconcurrency
  public func consentGet(completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void) {
    step(completion) { calls async throws(WPNError) in try await calls.consent() }
  }

  /// Says that the user consents, and begins the verification; leads to `documentsToScanSelect`.
  @preconcurrency
  public func consentApprove(completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void) {
    step(completion) { calls async throws(WPNError) in try await calls.approveConsent() }
  }

  /// Asks for what the scanning library needs to start.
  /// - Parameter challenge: by the library.
  @preconcurrency
  public func documentsInitSDK(
    challenge: String, completion: @escaping @MainActor @Sendable (Result<String, Fail>) -> Void
  ) {
    begin(completion) { calls async throws(WPNError) in try await calls.initDocumentSDK(challenge) }
  }

  /// Keeps on the device which documents the user chose; leads to `scanDocument`. A choice that is less than the server
  /// needs fails with `wdo_verification_tooFewDocuments` and leads back to `documentsToScanSelect`. A server that does
  /// not tell its needs, or cannot be reached, refuses no choice.
  @preconcurrency
  public func documentsSetSelectedTypes(
    types: [WDODocumentType], completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void
  ) {
    step(completion) { calls async throws(WPNError) in try await calls.select(types) }
  }

  /// Sends pictures; leads to `processing`.
  /// - Parameter progressCallback: gets growing fractions of the bytes that have left, on the main queue.
  @preconcurrency
  public func documentsSubmit(
    files: [WDODocumentFile], progressCallback: @escaping @MainActor @Sendable (Double) -> Void,
    completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void
  ) {
    let pictures = files.map(DocumentPicture.init)
    step(completion) { calls async throws(WPNError) in
      try await calls.submit(pictures, progress: onMain(progressCallback))
    }
  }

  /// Sends pictures, as the documentation of July 2024 spells it.
  @preconcurrency
  public func documentsSubmit(
    types: [WDODocumentFile], progressCallback: @escaping @MainActor @Sendable (Double) -> Void,
    completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void
  ) {
    documentsSubmit(files: types, progressCallback: progressCallback, completion: completion)
  }

  /// Asks which documents will do, so that the user can be told before. Not every server says.
  @preconcurrency
  public func documentRequirements(
    completion: @escaping @MainActor @Sendable (Result<WDODocumentRequirements?, Fail>) -> Void
  ) {
    begin(completion) { calls async throws(WPNError) in try await calls.documentRequirements() }
  }

  /// Asks for what the library of the presence check needs to start. What to show is up to the app until
  /// `presenceCheckSubmit`.
  @preconcurrency
  public func presenceCheckInit(completion: @escaping @MainActor @Sendable (Result<[String: Any], Fail>) -> Void) {
    begin({ outcome in completion(outcome.map(members)) }) { calls async throws(WPNError) in
      try await calls.initPresenceCheck()
    }
  }

  /// Says that the presence check was made; leads to `processing`.
  @preconcurrency
  public func presenceCheckSubmit(completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void) {
    step(completion) { calls async throws(WPNError) in try await calls.submitPresenceCheck() }
  }

  /// Has the code that the user was sent checked; leads to `processing`, or to `otp` when the user may try again.
  @preconcurrency
  public func verifyOTP(otp: String, completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void) {
    step(completion) { calls async throws(WPNError) in try await calls.verify(otp) }
  }

  /// Has the code sent once more, not sooner than `otpResendPeriodInSeconds` after the last one.
  @preconcurrency
  public func resendOTP(completion: @escaping @MainActor @Sendable (Result<Void, Fail>) -> Void) {
    begin(completion) { calls async throws(WPNError) in try await calls.resendOTP() }
  }

  /// Gives up this verification and begins another; leads to `intro`.
  @preconcurrency
  public func restartVerification(completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void) {
    step(completion) { calls async throws(WPNError) in try await calls.restart() }
  }

  /// Gives up the whole process. Then `PowerAuthSDK.removeActivationLocal()`, and all from the start.
  @preconcurrency
  public func cancelWholeProcess(completion: @escaping @MainActor @Sendable (Result<Void, Fail>) -> Void) {
    begin(completion) { calls async throws(WPNError) in try await calls.cancelWholeProcess() }
  }

  #if ENABLE_ONBOARDING_DEMO
    /// Asks for the code that the user was sent. Only servers for tests tell.
    @preconcurrency
    public func getOTP(completion: @escaping @MainActor @Sendable (Result<String, Fail>) -> Void) {
      begin(completion) { calls async throws(WPNError) in try await calls.sentOTP() }
    }
  #endif

  /// A call that leads to a state.
  private func step(
    _ completion: @escaping @MainActor @Sendable (Result<Success, Fail>) -> Void,
    _ work: @escaping Work<WDOVerificationState>
  ) {
    begin({ completion($0.map(Success.init)) }, state: { $0 }, work)
  }
}

/// In front of the completion, which comes by the same queue.
func onMain(_ report: @escaping @MainActor @Sendable (Double) -> Void) -> @Sendable (Double) -> Void {
  { fraction in
    DispatchQueue.main.async { MainActor.assumeIsolated { report(fraction) } }
  }
}

/// A JSON object as apps read it.
func members(_ json: Data) -> [String: Any] {
  ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any]) ?? [:]
}
