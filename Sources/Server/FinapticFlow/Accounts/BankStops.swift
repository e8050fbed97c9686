// SPDX-License-Identifier: Apache-2.0

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

  /// What became of a command that may take a second person.
  package enum Outcome: Sendable, Equatable {
    /// The status of the account, or of the card, after it.
    case done(String)
    /// Nothing is done yet: the same command with the approval's id does it once the second person has agreed.
    case waiting(RequestedApproval)
  }

  /// - Parameters:
  ///   - status: as the API has it.
  ///   - payout: another account of the tenant, for what is on an account that is closed.
  ///   - approval: the id of a second person's approval of it; nil asks for one where it is needed.
  ///   - atDesk: whether a page asks, whose form is sent again after the second person's word.
  /// - Throws: `Problem` not found, validation, conflict; those of `FourEyesGate.pass`.
  @discardableResult
  package func setStatus(
    _ status: String, of account: String, tenant: Int, reason: String?, payout: String?, approval: String? = nil,
    atDesk: Bool = false, by actor: String
  ) async throws -> Outcome {
    let (id, found) = (try AccountAccess.id(account), try await tenants.find(tenant))
    let asked = BankAccountBodies.Status(status: status, reason: reason, payout_account_id: payout)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [accounts] tx in
      let key = atDesk ? ActKey.desk : .command(approval: approval)
      switch try accounts.pass(asked, of: id, found, key: key, by: actor, in: tx) {
      case .open(let permit):
        return .done(try accounts.setStatus(asked, of: id, found, by: actor, with: permit, in: tx).status)
      case .done: throw FourEyesGate.alreadyUsed
      case .waiting(let approval): return .waiting(approval)
      }
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

  /// - Parameters:
  ///   - reason: of an unblock, the one that ended: named where the card is blocked for several.
  ///   - approval, atDesk: as in `setStatus`.
  /// - Throws: `Problem` not found, validation; conflict `blocked-otherwise`; those of `FourEyesGate.pass`.
  @discardableResult
  package func setBlocked(
    _ isBlocked: Bool, card: String, tenant: Int, reason: String?, approval: String? = nil, atDesk: Bool = false,
    by actor: String
  ) async throws -> Outcome {
    let found = try await tenants.find(tenant)
    let asked = BankAccountBodies.CardBlock(is_blocked: isBlocked, reason: reason)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [cardBlocks] tx in
      let key = atDesk ? ActKey.desk : .command(approval: approval)
      switch try cardBlocks.pass(asked, card, of: found, key: key, by: actor, in: tx) {
      case .open(let permit):
        let view = try cardBlocks.set(asked, card, of: found, by: actor, with: permit, in: tx)
        let rest = view.reasons.isEmpty ? "a reason that was not kept" : view.reasons.joined(separator: ", ")
        return .done(isBlocked ? "Blocked." : view.is_blocked ? "Blocked still for \(rest)." : "Unblocked.")
      case .done: throw FourEyesGate.alreadyUsed
      case .waiting(let approval): return .waiting(approval)
      }
    }
  }
}
