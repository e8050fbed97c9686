// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What those who watch are told of a hit that waits: whose case it is and since when, no name and no list. It goes to
/// the institution, never to the customer.
package struct ScreeningAlert: Sendable, Hashable {
  package let caseID: Screening.Case.ID
  /// The version of the case in which the alert came to be owed: with it a repetition is known, whatever persons did to
  /// the case meanwhile.
  package let version: Int
  package let customerID: String
  /// Nil for customers whom no flow knows.
  package let tenant: TenantID?
  package let waitsSince: Instant

  /// Whether its case waits as it did, and was not decided and asked anew, in the transaction that tells of it. That
  /// transaction meets an erasure of the customer: one of the two runs again, so that nothing is told after an erasure.
  package func stillWaits(in tx: any SQLTransaction, vault: Vault) throws -> Bool {
    try vault.holdSubjectKey(of: KeySubject(customerID), in: tx)
    return try ScreeningCaseStore(tx, vault).find(caseID)?.waitsSince == waitsSince
  }
}

/// Tells of hits that searches found which no step of the customer asked for.
struct ScreeningAlerts: Sendable {
  let core: CoreDependencies
  let customers: [any ScreenedCustomers]
  let tell: @Sendable (ScreeningAlert) async throws -> Void

  /// The effect of `CaseMachine.alertTopic`. A case that was decided or erased meanwhile is told of to no one; one that
  /// was asked anew after it was decided has an alert of its own.
  func perform(_ item: OutboxItem) async throws {
    let (vault, customers) = (core.vault, customers)
    let alert = try await core.database.read { tx -> ScreeningAlert? in
      guard let found = try ScreeningCaseStore(tx, vault).find(.init(rawValue: item.subject)),
        let since = found.waitsSince, since <= item.enqueuedAt
      else { return nil }
      return ScreeningAlert(
        // Owed by a release before, it does not tell the version.
        caseID: found.id, version: Int(item.payload) ?? found.version, customerID: found.subjectID,
        tenant: try customers.owner(of: found.subjectID, in: tx)?.customer.tenant, waitsSince: since)
    }
    if let alert { try await tell(alert) }
  }
}
