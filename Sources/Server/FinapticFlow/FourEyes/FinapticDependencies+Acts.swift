// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// How the subjects of acts that take two persons stand now.
extension FinapticDependencies {
  /// What the actions of acts begin with.
  package static let actPrefix = "finaptic."

  /// Of the subject of an act. A batch has none: what is in it is bound, and each order is judged when it is booked.
  /// - Returns: nil when the subject is gone, has nothing of the act any more, or stands otherwise than the second
  ///   person was told.
  package func version(of act: BoundAct, in tx: any SQLTransaction) throws -> Int64? {
    switch BankAct.Action(rawValue: String(act.action.dropFirst(Self.actPrefix.count))) {
    case .posting, .reversal, .hold, .release, .freeze, .unfreeze, .close, .send:
      return try LedgerStore(tx).account(.init(rawValue: act.subject))?.sequence
    case .blockCard, .unblockCard:
      return try CardStore(tx, vault: core.vault).find(.init(rawValue: act.subject)).map { Int64($0.version) }
    case .unblockUser:
      guard let user = try FinapticUserStore(tx, vault: core.vault).find(.init(rawValue: act.subject))?.user,
        user.isBlocked
      else { return nil }
      return try FinapticUsers.block(of: user, in: tx)
    case .terms: return try AccountTerms.stands(act, in: tx) ? act.version : nil
    case .erase: return try stands(erasure: act, in: tx) ? act.version : nil
    case .assign, .dismiss, .sendBack: return try payment(act, in: tx)
    case .recall: return try recall(act, in: tx)
    case .settleCard, .writeOffCard:
      let item = try CardSuspenseStore(tx).find(.init(rawValue: act.subject))
      let event: CardSuspenseEvent = act.action.hasSuffix(BankAct.Action.settleCard.rawValue) ? .resolved : .writtenOff
      return item.flatMap { cardSuspenseFlow.allows(event, from: $0.state) ? $0.version : nil }
    case .creditDispute:
      let dispute = try CardDisputeStore(tx).find(.init(rawValue: act.subject))
      return dispute.flatMap { cardDisputeFlow.allows(.credited, from: $0.state) ? $0.version : nil }
    case .batch, nil: return act.version
    }
  }

  /// Of money that waits for a decision.
  private func payment(_ act: BoundAct, in tx: any SQLTransaction) throws -> Int64? {
    try BankPaymentStore(tx, vault: core.vault).find(.init(rawValue: act.subject)).flatMap {
      $0.state == .suspended ? $0.version : nil
    }
  }

  /// Of a request of another bank that waits for an answer, with the payment as it was.
  private func recall(_ act: BoundAct, in tx: any SQLTransaction) throws -> Int64? {
    guard let recall = try PaymentRecallStore(tx, vault: core.vault).find(.init(rawValue: act.subject)),
      PaymentRecallMachine.work(for: recall) != nil,
      let payment = try BankPaymentStore(tx, vault: core.vault).payment(of: recall, core.vault),
      act.content.hasSuffix(PaymentRecalls.condition(of: payment))
    else { return nil }
    return recall.version
  }

  private func stands(erasure act: BoundAct, in tx: any SQLTransaction) throws -> Bool {
    let store = FinapticUserStore(tx, vault: core.vault)
    guard let tenant = try store.find(.init(rawValue: act.subject))?.user.tenant,
      try store.kept(act.subject, tenant: tenant) != nil
    else { return false }
    let (erasure, subject) = (erasure, try erasure.find(act.subject, tenant: tenant, in: tx))
    return try erasure.settlement.stands(act, of: subject, in: tx)
  }
}
