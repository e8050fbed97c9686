// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// An application as the wire shows it (finaptic §5.7).
struct OnboardingViews {
  let bundle: ProductBundle
  let terms: [String: String]
  let retries: RetryRule

  /// How the call itself went (§5.8).
  enum Outcome {
    case done
    /// Not possible now; the application is unchanged.
    case postponed
    /// Against a rule of the tenant.
    case refused(reason: String)
  }

  /// - Parameter codes: why the call's validation failed; nil for what the status still says.
  func details(
    _ application: OnboardingApplication, codes: [FailureCode]? = nil, _ outcome: Outcome = .done
  ) -> FinapticAPI.BasicDetails {
    let requirements = OnboardingRequirements(application: application, bundle: bundle, terms: terms)
    var details = FinapticAPI.BasicDetails(
      applicationId: application.id.rawValue, onboardingApplicationStatus: application.status.rawValue,
      requestStatus: FinapticAPI.requestOK, requestStatusReason: "", requestReasonCodes: [],
      remainingAllowedRetries: remaining(application),
      failureStatusCodes: (codes ?? (application.status.namesFailures ? application.codes : [])).map(\.rawValue),
      verificationNeeded: requirements.verifications.map {
        .init(name: $0.name.rawValue, requiredUpdates: $0.requiredUpdates.map(\.rawValue))
      }, consents: bundle.consents.map(view), disclosures: bundle.disclosures.map(view),
      permittedUpdates: UpdateKind.permitted(in: application.status).map(\.rawValue))
    switch outcome {
    case .done: break
    case .postponed:
      details.requestStatus = FinapticAPI.requestFailed
      details.requestStatusReason = "The check could not be made right now. Send the same request again later."
      details.requestReasonCodes = ["TEMPORARILY_UNAVAILABLE"]
    case .refused(let reason):
      details.requestStatusReason = reason
      details.requestReasonCodes = ["POLICY"]
    }
    return details
  }

  private func remaining(_ application: OnboardingApplication) -> Int {
    application.status == .kycRejected ? 0 : retries.remaining(after: application.failures)
  }

  private func view(_ term: ProductBundle.Term) -> FinapticAPI.Terms {
    .init(
      documentType: term.type, documentNameAndVersion: terms[term.type] ?? "",
      neededBeforeValidation: term.isNeededBeforeValidation)
  }
}
