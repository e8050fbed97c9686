// SPDX-License-Identifier: Apache-2.0

import Kit
import Screening
import Storage

/// Applicants and customers of Finaptic, as the desk of screening asks about them. A decision on a hit moves no
/// application: one with a hit was refused (finaptic §5.5 knows no state of waiting), and of a customer the bank
/// decides. A false positive lets the person apply again.
package struct ScreenedApplicants: ScreenedCustomers {
  let vault: Vault
  let needsTwo: Bool

  /// - Parameter needsTwo: whether two persons decide on a hit.
  package init(vault: Vault, needsTwo: Bool) { (self.vault, self.needsTwo) = (vault, needsTwo) }

  package func find(_ subjectID: String, in tx: any SQLTransaction) throws -> ScreenedCustomer? {
    guard let application = try OnboardingStore(tx, vault: vault).find(.init(rawValue: subjectID)) else { return nil }
    let tenant = FinapticTenant.webhooks(application.tenant)
    return ScreenedCustomer(
      tenant: tenant, needsTwo: needsTwo, isScreened: !application.status.endsWithoutCustomer,
      queue: Screening.Queue(tenant: tenant.name, email: application.content.contact?.customerEmail))
  }
}

extension ApplicationStatus {
  /// Refused or cancelled.
  fileprivate var endsWithoutCustomer: Bool {
    switch self {
    case .kycRejected, .applicationCancelled, .applicationRejected: true
    case .newApplication, .dataCollection, .kycInProgress, .kycSuccess, .kycFailed, .applicationAccepted,
      .applicationProcessed:
      false
    }
  }
}
