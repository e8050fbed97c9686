// SPDX-License-Identifier: Apache-2.0

import Kit
import Screening
import Storage

extension FinapticDependencies {
  /// What the desk of screening asks about applicants and customers of Finaptic. A decision on a hit moves no
  /// application: one with a hit was refused (finaptic §5.5 knows no state of waiting), and of a customer the bank
  /// decides. A false positive lets the person apply again.
  package func screenedCustomers(needsTwo: Bool) -> ScreenedCustomers {
    let vault = core.vault
    return ScreenedCustomers(find: { id, tx in
      guard let application = try OnboardingStore(tx, vault: vault).find(.init(rawValue: id)) else { return nil }
      let tenant = FinapticTenant.webhooks(application.tenant)
      return ScreenedCustomers.Customer(
        tenant: tenant, needsTwo: needsTwo, isScreened: !application.status.endsWithoutCustomer,
        queue: Screening.Queue(tenant: tenant.name, email: application.content.contact?.customerEmail))
    })
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
