// SPDX-License-Identifier: Apache-2.0

internal import WultraPowerAuthNetworking
internal import WultraWire

/// Which screen belongs to what the server says (wultra-onboarding.md §6). What is not here means nothing to this
/// version: a failure, never a crash.
enum VerificationMapping {
  /// What is to be done about a phase and its status.
  enum Meaning: Sendable {
    case show(WDOVerificationState)
    /// The documents tell.
    case askForDocuments
  }

  /// - Returns: nil for what this version does not know.
  static func meaning(_ phase: Wultra.VerificationPhase?, _ status: Wultra.VerificationStatus) -> Meaning? {
    guard let phase else { return notBegun(status).map(Meaning.show) }
    if (phase, status) == (.documentUpload, .inProgress) { return .askForDocuments }
    return state(phase, status).map(Meaning.show)
  }

  private static func notBegun(_ status: Wultra.VerificationStatus) -> WDOVerificationState? {
    switch status {
    case .notInitialized: .intro
    case .failed: .failed
    default: nil
    }
  }

  private static func state(
    _ phase: Wultra.VerificationPhase, _ status: Wultra.VerificationStatus
  ) -> WDOVerificationState? {
    switch (phase, status) {
    case (.documentUpload, .verificationPending): .processing(.documentVerification)
    case (.documentUpload, .failed): .failed

    case (.documentVerification, .accepted): .processing(.documentAccepted)
    case (.documentVerification, .inProgress): .processing(.documentVerification)
    case (.documentVerification, .failed): .failed
    case (.documentVerification, .rejected): .endstate(.rejected)

    case (.documentVerificationFinal, .accepted), (.documentVerificationFinal, .inProgress):
      .processing(.documentsCrossVerification)
    case (.documentVerificationFinal, .failed): .failed
    case (.documentVerificationFinal, .rejected): .endstate(.rejected)

    case (.clientEvaluation, .inProgress): .processing(.clientVerification)
    case (.clientEvaluation, .accepted): .processing(.clientAccepted)
    case (.clientEvaluation, .rejected): .endstate(.rejected)
    case (.clientEvaluation, .failed): .failed

    case (.presenceCheck, .notInitialized), (.presenceCheck, .inProgress): .presenceCheck
    case (.presenceCheck, .verificationPending): .processing(.verifyingPresence)
    case (.presenceCheck, .failed): .failed
    case (.presenceCheck, .rejected): .endstate(.rejected)

    case (.otpVerification, .verificationPending): .otp(nil)

    case (.completed, .accepted): .success
    case (.completed, .failed): .failed
    case (.completed, .rejected): .endstate(.rejected)

    default: nil
    }
  }

  /// Whether what the user chose is of no use any more.
  static func endsSelection(_ status: Wultra.VerificationStatus) -> Bool {
    [.failed, .rejected, .notInitialized, .accepted].contains(status)
  }

  /// Which screen belongs to the documents, in this order:
  /// 1. Without a choice there can be no documents; if there are, the choice was lost.
  /// 2. One that was refused is to be scanned again.
  /// 3. When all were accepted, or there are no documents, the rest is to be scanned.
  /// 4. While one is being looked at, wait.
  /// - Returns: nil when a document has a status that this version does not know.
  static func state(
    selected: SelectedDocuments?, _ documents: [Wultra.DocumentState]
  ) -> WDOVerificationState? {
    guard let selected else { return documents.isEmpty ? .documentsToScanSelect : .failed }
    let process = WDOVerificationScanProcess(selected.types, states: documents)
    let isRefused = documents.contains {
      $0.status == .rejected || $0.status == .failed || $0.errors?.isEmpty == false
    }
    if isRefused { return .scanDocument(process) }
    guard documents.allSatisfy(\.status.isKnown) else { return nil }
    if documents.allSatisfy({ $0.status == .accepted }) { return .scanDocument(process) }
    return documents.contains { underWay.contains($0.status) } ? .processing(.documentVerification) : .failed
  }

  private static let underWay: Set<Wultra.DocumentStatus> = [
    .uploadInProgress, .inProgress, .verificationPending, .verificationInProgress,
  ]

  /// Which screen belongs to a refusal; nil when it says nothing about that.
  static func state(after refusal: WPNKnownRestApiError?) -> WDOVerificationState? {
    switch refusal {
    case .onboardingFailed: .endstate(.other)
    case .onboardingLimitReached: .endstate(.limitReached)
    case .identityVerificationFailed, .presenceCheckLimitEached, .identityVerificationLimitReached: .failed
    default: nil
    }
  }
}
