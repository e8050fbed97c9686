// SPDX-License-Identifier: Apache-2.0

/// Decides by the applicant's name what becomes of them, in a sandbox (finaptic §11.1).
struct SandboxEvaluator {
  let profiles: SandboxProfiles

  /// - Throws: `IdentityReader.Unavailable` where the profile postpones the call.
  func verdict(_ matter: ValidationCase, _ evidence: IdentityEvidence) throws -> ValidationVerdict {
    let profile = profiles.profile(of: matter.application.content.personal)
    let outcome = profile.map { self.outcome(of: matter, $0) } ?? SandboxProfile.Outcome()
    if outcome.isPostponed { throw IdentityReader.Unavailable() }
    // The lists come last: who was refused before is refused again when nothing else is wrong.
    guard outcome.failureStatusCodes.isEmpty, matter.call.isOfApplication, matter.isRefused else {
      return ValidationVerdict(outcome.failureStatusCodes, isFinal: outcome.isFinal, evidence)
    }
    return ValidationVerdict([.unspecified], evidence)
  }

  private func outcome(of matter: ValidationCase, _ profile: SandboxProfile) -> SandboxProfile.Outcome {
    let own =
      switch matter.call {
      case .documents: profile.documents
      case .selfie: profile.selfie
      case .application: profile.application
      }
    guard !matter.call.isOfApplication, own.failureStatusCodes.isEmpty, !own.isPostponed, matter.completesPair,
      let second = profile.second
    else { return own }
    return second
  }
}
