// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// How the subjects of acts that take two persons stand now.
extension FinapticDependencies {
  /// What the actions of acts begin with.
  package static let actPrefix = "finaptic."

  /// Of the subject of an act, where it is an account, a card or a blocked user. Of others the gate finds out when the
  /// act is carried out: they count as they were.
  /// - Returns: nil when the subject is gone, or has nothing of the act any more.
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
    case .terms, .batch, .erase, .assign, .dismiss, .recall, .sendBack, .settleCard, .writeOffCard, .creditDispute, nil:
      return act.version
    }
  }
}
