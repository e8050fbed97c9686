// SPDX-License-Identifier: Apache-2.0

import Kit
import Screening

/// What the onboarding asks of others, and what an installation decides about it.
package struct OnboardingPorts: Sendable {
  package var retries = RetryRule()
  /// Whether tax residents of another country and citizens of the United States are turned away when they accept
  /// (§5.6).
  package var refusesForeignTaxResidents = false
  /// Looks at pictures; not asked in a sandbox.
  package var identity = IdentityReader.absent
  /// Searches sanctions lists; not asked in a sandbox.
  package var screening = ScreeningProvider { _ in .failed(reason: "no lists are configured") }
  /// What becomes of an applicant in a sandbox, by their name.
  package var profiles = SandboxProfiles()
  /// Sends events to tenants' servers.
  package var publisher = EventPublisher.absent

  package init() {}
}

/// How often an applicant may fail (finaptic §5.5): the first failed validation is no retry, each later one uses one.
package struct RetryRule: Sendable, Equatable {
  /// What `remainingAllowedRetries` begins with.
  package var maxRetries = 3

  package init() {}

  /// After so many failures.
  package func remaining(after failures: Int) -> Int { min(maxRetries, max(0, maxRetries + 1 - failures)) }

  /// Whether that many failures are one too many.
  package func isExhausted(after failures: Int) -> Bool { failures > maxRetries }
}
