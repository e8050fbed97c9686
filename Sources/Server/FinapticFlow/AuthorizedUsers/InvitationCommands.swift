// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import GatehouseWire
import Kit
import Ledger
import Storage

/// Invitations to use an account: issued, answered, confirmed, looked at (finaptic §3.2, §8.10).
struct InvitationCommands: Sendable {
  /// A customer's newest that are shown.
  static let listMax = 500

  let core: CoreDependencies
  let ledger: Ledger
  let bankEvents: BankEventPublisher
  let policy: FinapticPolicy

  // MARK: The issuer

  /// - Parameter id: made before, so that a transaction that runs again makes one invitation.
  /// - Throws: `Problem` invalid argument; permission denied unless the caller owns the account; already exists.
  func invite(
    _ asked: FinapticAPI.InviteAuthorizedUserRequest, id: Invitation.ID, by caller: FinapticCustomer,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.InvitationResponse {
    var check = InputCheck()
    let identifier = check.text(
      asked.invitedCustomerIdentifier, "invitedCustomerIdentifier", max: InvitationIdentity.identifierMax,
      isRequired: true)
    let account = check.id(asked.accountId, "accountId")
    let metadata = check.metadata(asked.invitationMetadata) ?? [:]
    try check.end()
    guard let identifier, let account else { throw Problem.unexpected }
    let owned = try AccountOwnership(tx, caller).require(account)
    let usage = try core.limits.count(policy.invitationsPerCustomer, by: caller.customer, in: tx)
    if usage.isExceeded { throw Problem.rateLimited(usage) }
    let identity = try InvitationIdentity(identifier, tenant: caller.tenant.id, vault: core.vault, in: tx)
    if owned.customers.contains(identity.customer) {
      throw Problem.finaptic(.alreadyExists, "This customer owns the account or is authorized to use it.")
    }
    let (store, now) = (InvitationStore(tx, vault: core.vault), core.world.now())
    if var open = try store.open(account, identity.digest) {
      guard open.isOverdue(at: now) else { throw Self.issuedBefore }
      try move(&open, on: .expired, by: "system", in: tx)
    }
    let invitation = Invitation(
      id: id, tenant: caller.tenant.id, account: account, issuer: caller.customer, invited: identity.customer,
      identifierDigest: identity.digest, status: .pending, metadata: metadata, createdAt: now,
      expiresAt: now + policy.invitationLifetime)
    try store.insert(invitation)
    // Only the worker looks whether there is a customer to write to.
    try core.outbox.enqueue(InvitationMail.topic, subject: id.rawValue, payload: InvitationMail.issued, in: tx)
    try core.note("invitation.issued", id.rawValue, by: caller.actor, ["account": account], in: tx)
    try tell(.invitationIssued, invitation, isMadeUp: identity.isInvented, in: tx)
    return .init(invitation: invitation.view(to: caller.customer, at: now))
  }

  /// Makes the invited an authorized user of the account, in this transaction.
  /// - Throws: `Problem` not found; permission denied; failed precondition.
  func confirm(
    _ asked: FinapticAPI.InvitationRequest, by caller: FinapticCustomer, in tx: any SQLTransaction
  ) throws -> EmptyBody {
    var invitation = try find(asked.invitationId, for: caller, in: tx)
    guard invitation.issuer == caller.customer else { throw Self.foreign }
    let account = try AccountOwnership(tx, caller).require(invitation.account)
    try require(.confirmed, of: invitation)
    // Who is on the account by another invitation stays what they are.
    let isAdded = try ledger.add(
      invitation.invited, as: .authorized, to: account.id, tenant: BankAccount.ledgerTenant(account.tenant), in: tx)
    if isAdded {
      try ledger.stopIfBlocked(invitation.invited, on: account.id, tenant: account.tenant, in: tx)
      try bankEvents.tell(
        .authorizedUserAdded, on: invitation.account, of: invitation.tenant, about: invitation.invited,
        world: core.world, in: tx)
    }
    try move(
      &invitation, on: .confirmed, by: caller.actor,
      facts: ["account": invitation.account, "authorized": invitation.invited], in: tx)
    return EmptyBody()
  }

  // MARK: The invited

  /// - Parameter event: accepted or declined.
  /// - Throws: `Problem` not found; permission denied; failed precondition.
  func answer(
    _ event: InvitationEvent, _ asked: FinapticAPI.InvitationRequest, by caller: FinapticCustomer,
    in tx: any SQLTransaction
  ) throws -> EmptyBody {
    var check = InputCheck()
    let metadata = check.metadata(asked.invitationMetadata)
    try check.end()
    var invitation = try find(asked.invitationId, for: caller, in: tx)
    guard invitation.invited == caller.customer else { throw Self.foreign }
    if invitation.isOverdue(at: core.world.now()) { throw Self.outOfOrder(.expired) }
    try require(event, of: invitation)
    invitation.metadata = metadata ?? invitation.metadata
    try move(&invitation, on: event, by: caller.actor, in: tx)
    return EmptyBody()
  }

  // MARK: Both

  func list(of caller: FinapticCustomer, in tx: any SQLTransaction) throws -> FinapticAPI.InvitationsResponse {
    let now = core.world.now()
    let found = try InvitationStore(tx, vault: core.vault).list(
      of: caller.customer, tenant: caller.tenant.id, limit: Self.listMax)
    return .init(invitations: found.map { $0.view(to: caller.customer, at: now) })
  }

  /// Ends invitations that were not answered in time.
  func expire() async throws {
    try await core.database.writeEachDue(retrying: .outdated) { page, tx in
      try InvitationStore(tx, vault: core.vault).overdue(
        at: core.world.now(), besides: page.failed, limit: page.limit)
    } do: { id, tx in
      guard var invitation = try InvitationStore(tx, vault: core.vault).find(id),
        invitation.isOverdue(at: core.world.now())
      else { return }
      try move(&invitation, on: .expired, by: "system", in: tx)
    }
  }

  private func find(
    _ name: String?, for caller: FinapticCustomer, in tx: any SQLTransaction
  ) throws -> Invitation {
    var check = InputCheck()
    let id = check.id(name, "invitationId")
    try check.end()
    guard let id, let invitation = try InvitationStore(tx, vault: core.vault).find(.init(rawValue: id)),
      invitation.tenant == caller.tenant.id
    else { throw Problem.finaptic(.notFound, "There is no such invitation.") }
    return invitation
  }

  private func require(_ event: InvitationEvent, of invitation: Invitation) throws {
    guard invitationFlow.allows(event, from: invitation.status) else { throw Self.outOfOrder(invitation.status) }
  }

  private func move(
    _ invitation: inout Invitation, on event: InvitationEvent, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try core.mover.move(&invitation, on: event, of: InvitationMachine(commands: self), by: actor, facts: facts, in: tx)
  }

  func tell(
    _ kind: BankEvent.Kind, _ invitation: Invitation, isMadeUp: Bool? = nil, in tx: any SQLTransaction
  ) throws {
    try bankEvents.tell(
      kind, on: invitation.account, of: invitation.tenant, about: invitation.invited, world: core.world,
      {
        ($0.invitationId, $0.issuerCustomerId) = (invitation.id.rawValue, invitation.issuer)
        ($0.status, $0.isMadeUp) = (invitation.status.rawValue, isMadeUp)
      }, in: tx)
  }

  // MARK: Refusals

  private static let foreign = Problem.finaptic(.permissionDenied, "The invitation is not the caller's to answer.")
  private static let issuedBefore = Problem.finaptic(
    .alreadyExists, "There is an open invitation to this account for this identifier.")

  static func outOfOrder(_ status: InvitationStatus) -> Problem {
    .finaptic(.failedPrecondition, "The invitation's status, \(status.rawValue), does not allow this call.")
  }
}
