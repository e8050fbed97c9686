// SPDX-License-Identifier: Apache-2.0

import Ledger

/// Finds messages and transfers that came before. It holds what it has seen in memory: for the files of one command.
package struct RepeatedPayments {
  /// Which part of a message came before.
  package enum Repetition: Sendable, Equatable {
    /// The same sender used a message's id again.
    case message
    /// The transfer at this place of its message, from 0, was seen before.
    case transfer(Int)
  }

  private enum Key: Hashable {
    case message(sender: String, id: String)
    case uetr(String)
    case transaction(agent: String, id: String)
    case endToEnd(agent: String, account: String, id: String, amount: Money, creditor: String)
  }

  /// 128 bits of a key instead of its texts, which are most of what a message of 100,000 transfers leaves in memory.
  /// They are made with the seeds of this run, so that no sender can choose two keys with the same ones.
  private struct Mark: Hashable {
    let first, second: Int

    init(_ key: Key) {
      var (one, two) = (Hasher(), Hasher())
      one.combine(key)
      two.combine(1)
      two.combine(key)
      (first, second) = (one.finalize(), two.finalize())
    }
  }

  private var seen: Set<Mark> = []

  package init() {}

  /// Notes a message, and says what of it came before, also within itself.
  ///
  /// A transfer is the same when its UETR is, or its transaction id from the same bank of the debtor, or, from the same
  /// account there, its end-to-end id with the same amount and creditor's account. `NOTPROVIDED` is no reference: two
  /// transfers without one are not the same.
  package mutating func note(_ message: CreditTransferMessage) -> [Repetition] {
    var found: [Repetition] = []
    if !isNew(.message(sender: Self.name(message.instructing), id: message.id)) {
      found.append(.message)
    }
    return found + note(message.transfers, from: 0)
  }

  /// Notes a page of a message, the first one before the others.
  package mutating func note(_ page: MessagePage) -> [Repetition] {
    guard page.first > 0 else { return note(page.message) }
    guard case .creditTransfers(let message) = page.message else { return [] }
    return note(message.transfers, from: page.first)
  }

  private mutating func note(_ transfers: [CreditTransfer], from first: Int) -> [Repetition] {
    transfers.enumerated().compactMap { place, transfer in
      // Every key is noted, not only up to the first that is known.
      let known = Self.keys(of: transfer).filter { !isNew($0) }
      return known.isEmpty ? nil : .transfer(first + place)
    }
  }

  /// Notes a message of any kind, and says what of it came before. Of messages that are no credit transfers it is the
  /// message alone: what they are about came in another message, and comes again.
  package mutating func note(_ message: PaymentMessage) -> [Repetition] {
    let sender: String
    switch message {
    case .creditTransfers(let transfers): return note(transfers)
    case .paymentOrders(let orders): sender = orders.batches.first?.debtorAccount.text ?? ""
    case .statuses(let statuses): sender = Self.name(statuses.instructing)
    case .returns(let returns): sender = Self.name(returns.instructing)
    case .statement(let statements): sender = statements.statements.first?.account.text ?? ""
    case .notification(let notices): sender = notices.notifications.first?.account.text ?? ""
    case .cancellation(let requests): sender = requests.assigner.name
    case .cancellationAnswer(let answers): sender = answers.assigner.name
    case .orderStatuses(let statuses): sender = Self.name(statuses.debtorAgent) + (statuses.initiator ?? "")
    }
    let key = Key.message(sender: "\(message.definition) \(sender)", id: message.id)
    return isNew(key) ? [] : [.message]
  }

  private mutating func isNew(_ key: Key) -> Bool { seen.insert(Mark(key)).inserted }

  private static func keys(of transfer: CreditTransfer) -> [Key] {
    let agent = name(transfer.debtorAgent)
    var keys: [Key] = []
    if let uetr = transfer.uetr { keys.append(.uetr(uetr)) }
    if let id = transfer.transactionID { keys.append(.transaction(agent: agent, id: id)) }
    if transfer.endToEndID != CreditTransfer.notProvided, let account = transfer.debtorAccount {
      keys.append(
        .endToEnd(
          agent: agent, account: account.text, id: transfer.endToEndID, amount: transfer.amount,
          creditor: transfer.creditorAccount?.text ?? ""))
    }
    return keys
  }

  private static func name(_ agent: Agent?) -> String { agent?.bic?.text ?? agent?.clearingMember ?? "" }
}
