import Kit
import Ledger
import Storage

/// Erases a user and the customer that they became (GDPR art. 17), in one transaction. What stays names nobody: the
/// books, whose parties are ids that lead nowhere any more, and the audit chains with their subjects cut out. Pictures
/// are deleted by the worker.
package struct FinapticErasure: Sendable {
  package struct Subject: Sendable {
    package let tenant: Int
    package let user: FinapticUser.ID
    package let customer: String?
    package let applications: [OnboardingApplication.ID]
    /// Accounts that nobody else owns.
    package let accounts: [BankAccount.ID]
  }

  /// What became of it.
  package struct Outcome: Sendable, Hashable {
    package let applications: Int
    package let accounts: Int
  }

  /// What other parts of this room keep of somebody: each forgets its own.
  package typealias Forgetting = @Sendable (Subject, FinapticDependencies, any SQLTransaction) throws -> Void
  static let others: [Forgetting] = [
    DistributionErasure.forget, CardErasure.forget, { try InteracRights.forget($0, $1, in: $2) },
    { _ = try $1.conversations.erase($0.user.rawValue, in: FinapticTenant.session($0.tenant), $2) },
  ]

  let parts: FinapticDependencies

  package init(_ room: FinapticService) { parts = room.parts }
  init(parts: FinapticDependencies) { self.parts = parts }

  /// - Parameters:
  ///   - name: id of the customer or of the user, e-mail address or username.
  ///   - reason: a code for the audit log, which names nobody.
  ///   - despiteDuty: also a customer, or somebody who was refused: the law may ask to keep those files.
  /// - Throws: `Problem` not found; conflict `duty-to-keep`.
  package func erase(
    _ name: String, tenant: Int, reason: String, by actor: String, despiteDuty: Bool = false
  ) async throws -> Outcome {
    try await parts.database.write(retrying: .outdated) { [self] tx in
      let subject = try find(name, tenant: tenant, in: tx)
      let store = RightsStore(tx, vault: parts.vault)
      guard try despiteDuty || (subject.customer == nil && !store.isRefused(subject.applications)) else {
        throw Self.dutyToKeep
      }
      try forgetAround(subject, in: tx)
      for other in Self.others { try other(subject, parts, tx) }
      for account in subject.accounts { try BankTransactionStore(tx, vault: parts.vault).forgetNotes(of: account) }
      for application in subject.applications {
        try empty(application, in: tx)
        _ = try parts.audit.cutSubject(of: "finaptic-\(application)", reason: reason, by: actor, in: tx)
      }
      if let customer = subject.customer { try store.emptyProfile(customer, at: parts.world.now()) }
      try store.emptyUser(subject.user, as: parts.world.uuid(), at: parts.world.now())
      _ = try parts.audit.cutSubject(
        of: "finaptic-user-\(subject.user)", reason: reason, by: actor,
        facts: ["applications": "\(subject.applications.count)"], in: tx)
      return Outcome(applications: subject.applications.count, accounts: subject.accounts.count)
    }
  }

  func find(_ name: String, tenant: Int, in tx: any SQLTransaction) throws -> Subject {
    let users = FinapticUsers(parts)
    guard
      let user = try users.find(.init(rawValue: name.lowercased()), in: tx)
        ?? users.find(customer: name.lowercased(), tenant: tenant, in: tx)
        ?? users.find(identifier: name, tenant: tenant, in: tx), user.tenant == tenant, !user.profile.email.isEmpty
    else { throw Problem.notFound }
    let accounts = try user.customer.map { customer in
      try AccountStore(tx).all(of: customer, tenant: tenant, limit: Ledger.pageMax).filter { $0.owners == [customer] }
    }
    return Subject(
      tenant: tenant, user: user.id, customer: user.customer,
      applications: try RightsStore(tx, vault: parts.vault).applications(of: user.id),
      accounts: (accounts ?? []).map(\.id))
  }

  /// What an application said, and its pictures.
  func empty(_ application: OnboardingApplication.ID, in tx: any SQLTransaction) throws {
    try OutboxStore(tx).forget(subject: application.rawValue)
    try RightsStore(tx, vault: parts.vault).empty(application, at: parts.world.now())
    try parts.outbox.enqueue(FileCommands.forgetting, subject: application.rawValue, in: tx)
  }

  private func forgetAround(_ subject: Subject, in tx: any SQLTransaction) throws {
    let user = subject.user.rawValue
    try parts.sessions.forget(user, in: tx)
    try parts.passcodes.forget(user, in: tx)
    try parts.idempotency.forget(owner: user, in: tx)
    try parts.devOutbox?.forget(about: user, in: tx)
    try OutboxStore(tx).forget(subject: user)
    for id in [user, subject.customer].compactMap(\.self) { try RateCounterStore(tx).forget(id) }
  }

  static let dutyToKeep = Problem(
    .conflict, "duty-to-keep", "The file of a customer, or of somebody who was refused, may have to be kept by law.")
}
