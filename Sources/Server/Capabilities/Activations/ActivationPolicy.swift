// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore

/// The numbers of the capability.
package struct ActivationPolicy: Sendable {
  /// From the code to the commit (the public documents say two minutes in one place, the reference server has five).
  package var codeLifetime = Duration.minutes(5)
  /// Wrong signatures, or wrong activation OTPs, in a row.
  package var maxFailedAttempts = 5
  /// Wrong proofs of possession alone, of one activation. They block nothing (powerauth.md §5.5), and the decimal ones
  /// of 3.0 are short: once so many were wrong, those are refused unseen for the rest of the window.
  package var possessionFailures = RateLimit("activation-possession", 30, per: .hours(1))
  /// Counters that are tried; at most 64, which is what devices accept.
  package var lookAhead = SignatureVerification.lookAheadStandard
  /// Wrong PUKs before a recovery code is blocked.
  package var recoveryAttemptsMax = 5
  /// Whether a device that came with a recovery code is active at once. The reference server waits for a commit unless
  /// its owner says otherwise, and so do we: code and PUK may lie in one drawer.
  package var recoveryCommitsItself = false
  /// Whether the device that a recovery code belongs to works until the new one is committed. Else it ends as soon as
  /// the code and its PUK are used.
  package var recoveryKeepsOldDevice = false
  package var temporaryKeyLifetime = Duration.milliseconds(TemporaryKey.lifetime)
  /// Times that a signature is checked again because the counter moved meanwhile.
  package var racesMax = 32

  package init() {}
  package static let standard = ActivationPolicy()
}
