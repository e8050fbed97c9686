import Kit
import Ledger
import Storage

/// What operators stop by command, each in one transaction, as the bank's own systems do over the API.
package struct BankStops: Sendable {
  let core: CoreDependencies
  let tenants: FinapticTenants
  let accounts: BankAccountService
  let removal: AuthorizedUserRemoval
  let cardBlocks: CardBlocks

  /// - Parameters:
  ///   - status: as the API has it.
  ///   - payout: another account of the tenant, for what is on an account that is closed.
  /// - Returns: the status after it.
  /// - Throws: `Problem` not found, validation, conflict.
  package func setStatus(
    _ status: String, of account: String, tenant: Int, reason: String?, payout: String?, by actor: String
  ) async throws -> String {
    let (id, found) = (try AccountAccess.id(account), try await tenants.find(tenant))
    let asked = BankAccountBodies.Status(status: status, reason: reason, payout_account_id: payout)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [accounts] tx in
      try accounts.setStatus(asked, of: id, found, by: actor, in: tx).status
    }
  }

  /// Takes an authorized user off an account.
  /// - Throws: `Problem` not found, validation.
  package func remove(
    _ customer: String, from account: String, tenant: Int, reason: String?, by actor: String
  ) async throws {
    let (id, found, why) = (
      try AccountAccess.id(account), try await tenants.find(tenant), try StopReason(given: reason)
    )
    try await core.database.write(retrying: .outdated, .readCommitted) { [removal] tx in
      guard try AccountStore(tx).find(id, tenant: found.id) != nil,
        try removal.remove(
          customer.lowercased(), from: id, of: found.id, by: actor, ["reason": why.rawValue], in: tx)
      else { throw Problem.notFound }
    }
  }

  /// - Throws: `Problem` not found, validation.
  package func setBlocked(
    _ isBlocked: Bool, card: String, tenant: Int, reason: String?, by actor: String
  ) async throws {
    let found = try await tenants.find(tenant)
    let asked = BankAccountBodies.CardBlock(is_blocked: isBlocked, reason: reason)
    _ = try await core.database.write(retrying: .outdated, .readCommitted) { [cardBlocks] tx in
      try cardBlocks.set(asked, card, of: found, by: actor, in: tx)
    }
  }
}
