import Kit
import Storage
import WultraWire

/// A process with its newest verification, as one transaction sees them.
package struct Dossier: Sendable {
  package internal(set) var process: OnboardingProcess
  /// Nil before the first one is begun.
  package internal(set) var verification: IdentityVerification?
  /// Whether an app that follows has something to hear when this is saved.
  var hasUpdates = false
  /// The rows as the transaction read them or wrote them last.
  private var stored: (process: OnboardingProcess, verification: IdentityVerification?)
  /// Whether the transaction has written the row of the process.
  private(set) var isHeld = false

  init(process: OnboardingProcess, verification: IdentityVerification? = nil) {
    self.process = process
    self.verification = verification
    stored = (process, verification)
  }

  var hasUnsavedProcess: Bool { process != stored.process }
  var hasUnsavedVerification: Bool { verification != stored.verification }

  /// Takes over the process as its row is now.
  mutating func noteSaved(_ process: OnboardingProcess) {
    (self.process, stored.process, isHeld) = (process, process, true)
  }

  /// Takes over the verification as its row is now.
  mutating func noteSaved(_ verification: IdentityVerification) {
    (self.verification, stored.verification) = (verification, verification)
  }
}

extension Dossier {
  /// What the app shows (wultra-onboarding.md §5, rule of `/api/identity/status`).
  ///
  /// 1. No verification was begun: not started.  2. The process has failed: failed.  3. The activation says that none
  /// was begun since the last: not started.  4. What is stored.
  private func shown(_ flags: [String]) -> VerificationState {
    guard let verification else { return .notStarted }
    if process.status == .failed { return .failed }
    return flags.contains(Wultra.ActivationFlag.pending) ? .notStarted : verification.state
  }

  func state(flags: [String], _ policy: WultraPolicy) -> Wultra.IdentityState {
    let shown = shown(flags)
    return Wultra.IdentityState(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase,
      config: policy.configuration,
      remainingAttempts: shown == .awaitingOTP
        ? verification.map { max(0, policy.otpFailuresMax - $0.otpFailures) } : nil)
  }

  func event(flags: [String]) -> Wultra.IdentityEvent {
    let shown = shown(flags)
    return Wultra.IdentityEvent(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase)
  }
}
