import Kit
import Screening
import Storage

extension FinapticDependencies {
  /// What the desk of screening asks about applicants and customers of Finaptic. A decision on a hit moves no
  /// application: one with a hit was refused, and of a customer the bank decides.
  package func screenedCustomers(needsTwo: Bool) -> ScreenedCustomers {
    let vault = core.vault
    return ScreenedCustomers(find: { id, tx in
      guard let application = try OnboardingStore(tx, vault: vault).find(.init(rawValue: id)) else { return nil }
      return ScreenedCustomers.Customer(
        tenant: FinapticTenant.webhooks(application.tenant), needsTwo: needsTwo,
        isScreened: !application.status.endsWithoutCustomer)
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
