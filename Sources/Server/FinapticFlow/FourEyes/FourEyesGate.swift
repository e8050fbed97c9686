// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Lets what needs a second person pass when that person has agreed. The maker asks and, after the approval, asks again
/// under the same key; between the two nothing else is kept of the act.
struct FourEyesGate: Sendable {
  /// Acts in one list.
  static let pageMax = 100
  /// Times that one person asks for the same by a page, or one client by a batch.
  private static let roundsMax = 50

  let core: CoreDependencies

  /// What is about to be done. The subject has to be locked, so that it stays as it is described here.
  struct ProposedAct: Sendable {
    let action: BankAct.Action
    let subject: String
    /// Of the subject: of an account, the number of its last entry.
    let version: Int64
    /// What is asked for, in codes, ids and amounts: the same under the same key.
    let request: String
    /// The condition of the subject, where its version does not tell it.
    var condition = ""
    /// The user whose key seals it; nil for what is about no person.
    var person: String?
    /// The audit chain that its lines belong to.
    let chain: String

    var act: BoundAct {
      BoundAct(
        "finaptic.\(action.rawValue)", subject: subject, version: version,
        content: condition.isEmpty ? request : "\(request); \(condition)")
    }
  }

  /// Proves that the gate was asked in this transaction: a function that needs a second person takes one of these.
  struct Permit: Sendable {
    /// Whether a second person agreed; false for what takes none.
    let isApproved: Bool

    fileprivate init(isApproved: Bool) { self.isApproved = isApproved }
  }

  enum Outcome: Sendable {
    /// The second person agreed to exactly this, and the approval is used up, or none is needed: it is to be done in
    /// this transaction.
    case open(Permit)
    /// It was done under this key before.
    case done
    /// The second person has not decided yet.
    case waiting(RequestedApproval)
  }

  /// - Parameters:
  ///   - key: of maker and call.
  ///   - maker: who asks, as in the audit log.
  /// - Throws: `Problem` conflict `idempotency-conflict` when something else was asked for under the key;
  ///   `approval-refused`, `approval-withdrawn`, `approval-expired`; `subject-changed` when the account or what else it
  ///   is about is not as it was when the second person was asked; forbidden `approval-required` when who agreed may
  ///   not any more.
  func pass(
    _ asked: ProposedAct, key: String, of tenant: FinapticTenant, by maker: String, in tx: any SQLTransaction
  ) throws -> Outcome {
    let digest = core.vault.digest(asked.request, for: "finaptic bank act")
    guard var act = try BankActStore(tx).find(key, of: tenant.id) else {
      return .waiting(try ask(asked, digest, key: key, of: tenant, by: maker, in: tx))
    }
    guard act.action == asked.action, act.subject == asked.subject, act.digest == digest, act.maker == maker else {
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used to ask for something else.")
    }
    guard act.state == .awaiting else { return .done }
    guard let approval = try core.cases.asked(act.approval, in: tx) else { throw Problem.approvalRequired }
    switch approval.state {
    case .pending: return .waiting(approval)
    case .refused: throw Problem(.conflict, "approval-refused", "The second person refused this.")
    case .withdrawn: throw Problem.approvalWithdrawn
    case .expired:
      throw Problem(.conflict, "approval-expired", "The approval has expired; ask again under another Idempotency-Key.")
    case .approved, .used: break
    }
    guard approval.act == asked.act else {
      throw Problem(
        .conflict, "subject-changed",
        "What this is about changed since it was approved; ask again under another Idempotency-Key.")
    }
    try core.mover.move(
      &act, on: .carriedOut, of: BankActMachine(present: asked.act, chain: asked.chain), by: maker,
      facts: approval.checker.map { ["checker": $0] } ?? [:], approval: act.approval, in: tx)
    return .open(Permit(isApproved: true))
  }

  /// For what the tenant demands no second person for.
  /// - Parameter isDemanded: what `FourEyesPolicy` says.
  func pass(
    _ asked: @autoclosure () throws -> ProposedAct, if isDemanded: Bool, key: String, of tenant: FinapticTenant,
    by maker: String, in tx: any SQLTransaction
  ) throws -> Outcome {
    // Who asked once goes the same way to the end, also when the policy was changed meanwhile.
    guard try isDemanded || BankActStore(tx).find(key, of: tenant.id) != nil else {
      return .open(Permit(isApproved: false))
    }
    return try pass(asked(), key: key, of: tenant, by: maker, in: tx)
  }

  /// The key of a maker at the command line, who has no other than the approval: a new one for what is asked for now.
  /// - Throws: `Problem` not-found.
  func key(ofCommand approval: String?, tenant: FinapticTenant, in tx: any SQLTransaction) throws -> String {
    guard let approval else { return "command \(core.world.randomUUID())" }
    guard let act = try BankActStore(tx).find(approval: approval.lowercased(), of: tenant.id) else {
      throw Problem.notFound
    }
    return act.key
  }

  /// - Throws: `Problem` not found; conflict `approval-refused` when a form or a batch was asked for too often.
  func key(
    _ key: ActKey, of asked: ProposedAct, tenant: FinapticTenant, by maker: String, in tx: any SQLTransaction
  ) throws -> String {
    switch key {
    case .call(let key): return key
    case .command(let approval): return try self.key(ofCommand: approval, tenant: tenant, in: tx)
    case .desk: break
    }
    // The same form or batch finds what was asked for by it, while that can still be agreed to and carried out.
    for round in 0..<Self.roundsMax {
      let key = Self.deskKey(asked.action, asked.subject, maker, round)
      guard let act = try BankActStore(tx).find(key, of: tenant.id) else { return key }
      if act.state == .awaiting, let approval = try core.cases.asked(act.approval, in: tx), approval.act == asked.act,
        approval.state == .pending || approval.state == .approved
      {
        return key
      }
    }
    throw Problem(.conflict, "approval-refused", "This was asked for too often.")
  }

  /// What a maker asked for by a form and can carry out, or could after the second person's word: what was agreed to
  /// before the rest, the newest first.
  /// - Parameter version: of the subject now.
  /// - Returns: nil when nothing.
  func asked(
    byDesk action: BankAct.Action, on subject: String, version: Int64, of tenant: Int, by maker: String,
    in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    var found: [RequestedApproval] = []
    for round in 0..<Self.roundsMax {
      guard let act = try BankActStore(tx).find(Self.deskKey(action, subject, maker, round), of: tenant) else { break }
      guard act.state == .awaiting, let approval = try core.cases.asked(act.approval, in: tx),
        approval.act.version == version
      else { continue }
      found.append(approval)
    }
    return found.last { $0.state == .approved } ?? found.last { $0.state == .pending }
  }

  private static func deskKey(_ action: BankAct.Action, _ subject: String, _ maker: String, _ round: Int) -> String {
    "desk \(action.rawValue) \(subject) \(maker) \(round)"
  }

  private func ask(
    _ asked: ProposedAct, _ digest: String, key: String, of tenant: FinapticTenant, by maker: String,
    in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    let approval = try core.cases.propose(
      asked.act, under: BankAct.rule, tenant: BankAccount.ledgerTenant(tenant.id),
      person: asked.person ?? "finaptic-\(tenant.id)", by: maker, in: tx)
    let act = BankAct(
      id: .init(core.world), tenant: tenant.id, key: key, action: asked.action, subject: asked.subject, digest: digest,
      maker: maker, approval: approval, state: .awaiting, askedAt: core.world.now(), version: 1)
    do { try BankActStore(tx).insert(act) } catch SQLError.notUnique { throw SQLError.outdated }
    try core.note(
      "act.asked", asked.chain, by: maker, ["action": asked.action.rawValue, "approval": approval], in: tx)
    guard let kept = try core.cases.asked(approval, in: tx) else { throw Problem.approvalRequired }
    return kept
  }

  static let alreadyUsed = Problem(.conflict, "approval-used", "This was carried out before.")

  // MARK: The second one

  /// What waits for a second one of a tenant, the longest waiting first, but for what the reader asked for.
  func waiting(of tenant: FinapticTenant, for checker: String, in tx: any SQLTransaction) throws -> [RequestedApproval]
  {
    try BankActStore(tx).undecided(of: tenant.id, besides: checker, now: core.world.now(), limit: Self.pageMax)
      .compactMap { try core.cases.asked($0.approval, in: tx) }
  }

  /// The word of a client of the tenant whose scope is to approve.
  /// - Throws: `Problem` not-found; forbidden `own-approval`; conflict `approval-decided`, `approval-expired`.
  func decide(
    _ approval: String, agreeing: Bool, of tenant: FinapticTenant, by checker: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    guard try BankActStore(tx).find(approval: approval, of: tenant.id) != nil else { throw Problem.notFound }
    return try core.cases.decide(
      approval, agreeing: agreeing, by: checker, holding: BankAct.rule.checker, in: tx)
  }

  // MARK: The first one

  /// Takes back what a client of the tenant asked for itself.
  /// - Throws: `Problem` not-found; conflict `approval-decided`, `approval-expired`.
  func withdraw(
    _ approval: String, of tenant: FinapticTenant, by maker: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    guard try BankActStore(tx).find(approval: approval, of: tenant.id) != nil else { throw Problem.notFound }
    return try core.cases.withdraw(approval, by: maker, in: tx)
  }
}
