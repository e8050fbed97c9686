// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import Identity
import Kit
import Ledger
import Screening
import Storage

/// Erases a user and the customer that they became (GDPR art. 17), in one transaction, with their key, those of their
/// applications and those of accounts that are theirs alone, so that older copies cannot be opened either. What stays
/// identifies no person: the ledger, whose parties are ids without a user, and the audit chains with their subjects cut
/// out. Pictures are deleted by the worker.
package struct FinapticErasure: Sendable {
  package struct Subject: Sendable {
    package let tenant: Int
    package let user: FinapticUser.ID
    package let customer: String?
    package let applications: [OnboardingApplication.ID]
    /// Accounts without another owner who was not erased.
    package let accounts: [BankAccount.ID]
    /// Users who own an account together with the user, and were not erased.
    let jointOwners: Set<FinapticUser.ID>
  }

  /// What became of it.
  package struct Outcome: Sendable, Hashable {
    package let applications: Int
    package let accounts: Int

    /// For who asked for it, of a customer whose accounts are closed by it.
    package var words: String {
      "Erased, with \(applications.counted("application", "applications")); "
        + "\(accounts.counted("account is", "accounts are")) closed and unnamed."
    }
  }

  let core: CoreDependencies
  let sessions: Sessions
  let passcodes: Passcodes
  let conversations: Conversations
  let devOutbox: DevOutbox?
  let settlement: ErasureSettlement

  /// The columns of modules in which something of a user may be.
  static let columns = FinapticModule.sealedColumns + ConversationsModule.sealedColumns + DeliveryModule.sealedColumns
  var erasures: SubjectErasures { SubjectErasures(core, columns: Self.columns) }
  /// What an application's own key seals: what the lists say of the applicant, and what the bank is told of it.
  private var screenings: SubjectErasures {
    SubjectErasures(core, columns: ScreeningModule.sealedColumns + DeliveryModule.sealedColumns)
  }
  /// What is kept under the keys of accounts.
  private var notes: SubjectErasures {
    SubjectErasures(core, columns: [FinapticModule.noteColumn, FinapticModule.scheduledColumn])
  }

  /// Of an erasure that ends the money too.
  package enum Settled: Sendable {
    case erased(Outcome)
    /// Nothing is done yet: the same with the approval's id does it once the second person has agreed.
    case waiting(RequestedApproval)
  }

  /// - Parameters:
  ///   - name: id of the customer or of the user, e-mail address or username.
  ///   - despiteDuty: also a customer, or a person who was refused or has a hit in a list that was not cleared: the law
  ///     may ask to keep those files.
  /// - Throws: `Problem` not found; conflict `duty-to-keep`; `card-payments-open`; `money-left` when there is a
  ///   balance, a hold or interest on an account that ends with the customer, or money of Interac or of a payment to
  ///   another bank is on its way.
  package func erase(
    _ name: String, tenant: Int, reason: ErasureReason, by actor: String, despiteDuty: Bool = false
  ) async throws -> Outcome {
    try await core.database.write(retrying: .outdated) { tx in
      let subject = try find(name, tenant: tenant, despiteDuty: despiteDuty, in: tx)
      guard try !settlement.isOpen(subject, in: tx) else { throw Self.moneyLeft }
      return try erase(subject, as: name, reason: reason, by: actor, in: tx)
    }
  }

  /// Ends the money of a customer and erases them, both in one transaction, once a second person agreed to exactly the
  /// money that is there.
  /// - Parameter approval: the id of that approval; nil asks for one.
  /// - Throws: as above, and as `ErasureSettlement.settle`.
  package func erase(
    _ name: String, tenant: Int, settling money: ErasureMoney, approval: String?, reason: ErasureReason,
    by actor: String, despiteDuty: Bool = false
  ) async throws -> Settled {
    try await core.database.write(retrying: .outdated) { tx in
      let subject = try find(name, tenant: tenant, despiteDuty: despiteDuty, in: tx)
      if let waiting = try settlement.settle(subject, by: money, approval: approval, actor: actor, in: tx) {
        return .waiting(waiting)
      }
      return .erased(try erase(subject, as: name, reason: reason, by: actor, in: tx))
    }
  }

  func find(_ name: String, tenant: Int, despiteDuty: Bool, in tx: any SQLTransaction) throws -> Subject {
    let subject = try find(name, tenant: tenant, in: tx)
    let store = RightsStore(tx, vault: core.vault)
    if despiteDuty { return subject }
    guard
      try subject.customer == nil && !store.isRefused(subject.applications)
        && !Screening(core).hasUnclearedHit(subject.applications.map(\.rawValue), in: tx)
    else { throw Self.dutyToKeep }
    return subject
  }

  private func erase(
    _ subject: Subject, as name: String, reason: ErasureReason, by actor: String, in tx: any SQLTransaction
  ) throws -> Outcome {
    let (tenant, store) = (subject.tenant, RightsStore(tx, vault: core.vault))
    var parts = [
      try erasures.part(
        of: KeySubject(subject.user, ofTenant: tenant), objects: FileStore(tx).filled(of: subject.applications),
        in: tx)
    ]
    // Of two owners who are erased at the same time, the later one sees that the other is gone.
    for owner in subject.jointOwners.sorted(by: { $0.rawValue < $1.rawValue }) {
      try core.vault.touchSubjectKey(of: owner.rawValue, in: tx)
    }
    for application in subject.applications {
      if let part = try part(of: application, tenant: tenant, in: tx) { parts.append(part) }
    }
    for account in subject.accounts {
      let part = try notes.part(
        of: KeySubject(account, ofTenant: tenant), objects: MonthlyStatementStore(tx).objects(of: account), in: tx)
      let isSealed = try core.vault.hasSubjectKey(of: account.rawValue, in: tx)
      if isSealed || !part.values.isEmpty { parts.append(part) }
    }
    try settlement.closeEmpty(subject, by: actor, in: tx)
    try forgetAround(subject, in: tx)
    for account in subject.accounts {
      try BankTransactionStore(tx, vault: core.vault).forgetNotes(of: account)
      try ScheduledPostingStore(tx, vault: core.vault).forgetReferences(of: account)
      try MonthlyStatementStore(tx).deleteAll(of: account)
    }
    var chains = [String]()
    for application in subject.applications {
      try empty(application, in: tx)
      chains.append(
        try core.audit.cutSubject(of: "finaptic-\(application)", reason: reason.rawValue, by: actor, in: tx))
    }
    if let customer = subject.customer { try store.emptyProfile(customer, at: core.world.now()) }
    try store.emptyUser(subject.user, as: core.world.uuid(), at: core.world.now())
    chains.append(
      try core.audit.cutSubject(
        of: "finaptic-user-\(subject.user)", reason: reason.rawValue, by: actor,
        facts: ["applications": "\(subject.applications.count)"], in: tx))
    try erasures.destroy(parts, of: Self.proofName(name, tenant: tenant), for: reason, chains: chains, in: tx)
    return Outcome(applications: subject.applications.count, accounts: subject.accounts.count)
  }

  /// - Parameter name: as in `erase`.
  static func proofName(_ name: String, tenant: Int) -> String {
    DataSubject(name.lowercased(), of: "\(tenant)", by: "").proofName(in: FinapticModule.name)
  }

  func find(_ name: String, tenant: Int, in tx: any SQLTransaction) throws -> Subject {
    guard let user = try FinapticUserStore(tx, vault: core.vault).kept(name, tenant: tenant) else {
      throw Problem.notFound
    }
    let rights = RightsStore(tx, vault: core.vault)
    let accounts = try user.customer.map { customer in
      try AccountStore(tx).all(of: customer, tenant: tenant, limit: Ledger.pageMax).filter { $0.isOwned(by: customer) }
    }
    let owned = (accounts ?? []).map(\.id)
    let others = try rights.owners(of: owned).mapValues { $0.subtracting([user.id]) }
    return Subject(
      tenant: tenant, user: user.id, customer: user.customer, applications: try rights.applications(of: user.id),
      accounts: owned.filter { others[$0]?.isEmpty ?? true },
      jointOwners: others.values.reduce(into: []) { $0.formUnion($1) })
  }

  /// What an application's own key seals; nil when nothing was searched for in the lists.
  func part(
    of application: OnboardingApplication.ID, tenant: Int, in tx: any SQLTransaction
  ) throws -> SubjectErasures.Part? {
    let part = try screenings.part(of: KeySubject(application, ofTenant: tenant), objects: 0, in: tx)
    let isSealed = try core.vault.hasSubjectKey(of: application.rawValue, in: tx)
    return isSealed || !part.values.isEmpty ? part : nil
  }

  /// What an application said, and its pictures.
  func empty(_ application: OnboardingApplication.ID, in tx: any SQLTransaction) throws {
    try OutboxStore(tx).forget(subject: application.rawValue)
    try RightsStore(tx, vault: core.vault).empty(application, at: core.world.now())
    try RefusalStore(tx).deleteCleared(by: application, Screening(core))
    try Screening(core).forget(application.rawValue, in: tx)
    try core.cases.forget(person: application.rawValue, in: tx)
    try core.outbox.enqueue(FileCommands.forgetting, subject: application.rawValue, in: tx)
  }

  private func forgetAround(_ subject: Subject, in tx: any SQLTransaction) throws {
    let user = subject.user.rawValue
    try sessions.forget(user, in: tx)
    try passcodes.forget(user, in: tx)
    try core.idempotency.forget(owner: user, in: tx)
    try devOutbox?.forget(about: user, in: tx)
    try MessageLog.forget(about: user, vault: core.vault, in: tx)
    try OutboxStore(tx).forget(subject: user)
    // What was asked for on their accounts can be approved no more.
    try core.cases.forget(person: user, in: tx)
    for id in [user, subject.customer].compactMap(\.self) { try RateCounterStore(tx).forget(id) }
    for application in subject.applications { try Webhooks.forget(about: application.rawValue, in: tx) }
    if let customer = subject.customer {
      try PushChannelStore(tx, vault: core.vault).forget(customer, tenant: subject.tenant)
      try devOutbox?.forget(about: customer, in: tx)
      try Webhooks.forget(about: customer, in: tx)
    }
    try CardErasure.forget(subject, core, in: tx)
    try InteracRights.forget(subject, core, in: tx)
    _ = try conversations.erase(user, tenant: FinapticTenant.session(subject.tenant), in: tx)
  }

  static let moneyLeft = Problem(
    .conflict, "money-left",
    "There is money of the customer: name what becomes of it (`finaptic user erase --money`), or let it be paid out first."
  )
  static let dutyToKeep = Problem(
    .conflict, "duty-to-keep", "The file of a customer, or of a person who was refused, may have to be kept by law.")
}
