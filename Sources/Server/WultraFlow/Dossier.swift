import Kit
import Storage

/// A process with its newest verification, as one transaction sees them.
package struct Dossier: Sendable {
  package internal(set) var process: OnboardingProcess
  /// Nil before the first one is begun.
  package internal(set) var verification: IdentityVerification?
  /// Whether an app that follows has something to hear when this is saved.
  var hasNews = false
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
