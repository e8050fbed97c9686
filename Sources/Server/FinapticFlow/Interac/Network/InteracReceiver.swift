// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// What Interac's network sends to a tenant's customers: transfers, and cancellations by their senders. A sandbox plays
/// the network; elsewhere a connector passes on what the network sends.
struct InteracReceiver: Sendable {
  private static let (numberMax, nameMax, memoMax, questionMax) = (35, 140, 420, 40)

  let core: CoreDependencies
  let rules: InteracRules
  let incoming: IncomingTransferCommands
  let notices: IncomingTransferNotices
  let registrations: RegistrationCommands
  let tenant: FinapticTenant
  /// Whose audit lines these are.
  let actor: String

  // MARK: By a connector

  /// - Throws: `Problem` validation; conflict `message-reused` for a number that there is already; unavailable while
  ///   the account does not book, so that the network tries again, and where the tenant has no connector any more.
  func receive(_ asked: InteracBodies.Transfer, in tx: any SQLTransaction) throws -> SimulationBodies.Sent {
    let transfer = try read(asked)
    guard try ConnectorStore(tx, of: .interac, vault: core.vault).isSet(tenant.id) else { throw Problem.unavailable }
    guard try IncomingTransferStore(tx, vault: core.vault).find(transfer.number) == nil else {
      throw Problem(.conflict, "message-reused", "Another transfer had this number.")
    }
    return .init(try take(transfer, in: tx), at: core.world.now())
  }

  /// Cancels a transfer for its sender. Where it had ended before, the answer tells how.
  /// - Throws: `Problem` validation; not found.
  func recall(_ asked: InteracBodies.Recall, in tx: any SQLTransaction) throws -> SimulationBodies.Sent {
    let store = IncomingTransferStore(tx, vault: core.vault)
    guard var transfer = try store.find(Self.number(asked.interac_payment_number)), transfer.tenant == tenant.id else {
      throw Problem.notFound
    }
    switch transfer.status(at: core.world.now()) {
    case .available, .authorized: try incoming.move(&transfer, on: .recalled, by: actor, in: tx)
    case .accepted, .canceled: break
    }
    return .init(transfer, at: core.world.now())
  }

  private func read(_ asked: InteracBodies.Transfer) throws -> IncomingTransfer {
    let alias: InteracAlias
    do {
      alias = try InteracAlias.checked(
        email: asked.alias_email, phone: asked.alias_phone_number.map { .init(phoneNumber: Self.hyphenated($0)) },
        path: "", rules: rules)
    } catch is Problem {
      throw Problem.validation([
        .init("/alias_email", "format", "An e-mail address, or in its place a mobile number such as +1-613-555-0143.")
      ])
    }
    guard asked.amount.currency == InternalAccounts.currency,
      let amount = Money(decimal: asked.amount.amount, currency: asked.amount.currency), amount.minorUnits > 0
    else {
      throw Problem.validation([
        .init("/amount", "range", "More than 0, at most two decimals, in \(InternalAccounts.currency).")
      ])
    }
    let now = core.world.now()
    let end = asked.expires_at.map { Instant(rfc3339: $0) } ?? now + rules.transferLifetime
    guard let end, end > now else {
      throw Problem.validation([.init("/expires_at", "range", "An instant that is to come.")])
    }
    let asksQuestion = asked.security_question != nil
    let isHash = asked.answer_hash?.wholeMatch(of: /[0-9A-Fa-f]{64}/) != nil
    let isSalt = asked.hash_salt?.wholeMatch(of: /[!-~]{1,128}/) != nil
    guard asksQuestion ? isHash && isSalt : asked.answer_hash == nil && asked.hash_salt == nil else {
      throw Problem.validation([
        .init("/answer_hash", "pair", "A question has the salt of its answer and a SHA-256 in hexadecimal.")
      ])
    }
    return IncomingTransfer(
      number: try Self.number(asked.interac_payment_number), tenant: tenant.id, kind: .regular, customer: nil,
      status: .available, amount: amount,
      content: .init(
        alias: alias, senderName: try Self.text(asked.sender_name, "/sender_name", Self.nameMax),
        senderMemo: try asked.sender_memo.map { try Self.text($0, "/sender_memo", Self.memoMax) },
        question: try asked.security_question.map { try Self.text($0, "/security_question", Self.questionMax) },
        salt: asked.hash_salt, remittance: nil),
      answerDigest: asked.answer_hash.map { core.vault.digest($0.lowercased(), for: "interac answer") },
      wrongAnswers: 0, account: nil, transaction: nil, expiresAt: end, createdAt: now, endedAt: nil, version: 0)
  }

  /// A number in E.164, as the connector is told it, with the hyphen of apps after the country code.
  private static func hyphenated(_ number: String) -> String {
    number.wholeMatch(of: /\+1[0-9]{10}/) == nil ? number : "+1-\(number.dropFirst(2))"
  }

  private static func number(_ text: String) throws -> IncomingTransfer.Number {
    guard text.wholeMatch(of: /[A-Za-z0-9]{1,35}/) != nil else {
      throw Problem.validation([
        .init("/interac_payment_number", "format", "1 to \(numberMax) letters and digits.")
      ])
    }
    return .init(rawValue: text)
  }

  /// Its author is a customer of another bank, who cannot mend it: money does not stop for what they do not see.
  private static func text(_ text: String, _ pointer: String, _ max: Int) throws -> String {
    let clean = DisplayedText.cleaned(text).trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...max).contains(clean.unicodeScalars.count), DisplayedText.isPlain(clean) else {
      throw Problem.validation([.init(pointer, "length", "1 to \(max) characters that can be seen, in one line.")])
    }
    return clean
  }

  // MARK: By either

  /// Books a transfer on an account when a confirmed registration has its alias; otherwise it waits for its recipient.
  /// - Throws: `Problem` unavailable while the account does not book: the network tries again.
  func take(_ transfer: IncomingTransfer, in tx: any SQLTransaction) throws -> IncomingTransfer {
    var taken = transfer
    if let registration = try target(of: transfer.content.alias, in: tx) {
      taken = try autodeposit(transfer, by: registration, in: tx)
    } else {
      try IncomingTransferStore(tx, vault: core.vault).insert(transfer)
      try notices.promise(transfer, in: tx)
    }
    try core.note("interac.sent", "interac-\(taken.number)", by: actor, ["status": taken.status.rawValue], in: tx)
    return taken
  }

  /// The registration that an alias's money goes by. One whose holder may not use the account any more ends here, and so
  /// does one of an account that is closed.
  private func target(of alias: InteracAlias, in tx: any SQLTransaction) throws -> Registration? {
    let store = RegistrationStore(tx, vault: core.vault)
    guard let found = try store.find(alias, network: Registration.network(of: tenant)), found.tenant == tenant.id,
      found.confirmedAt != nil, !found.isLapsed(at: core.world.now())
    else { return nil }
    let access = AccountAccess(tx, tenant: found.tenant, customer: found.customer)
    guard let account = try access.find(.init(rawValue: found.account)), account.account.stop != .closed else {
      try store.delete(found)
      try registrations.note("ended", found, by: actor, in: tx)
      return nil
    }
    guard account.isActive else { throw Problem.unavailable }
    return found
  }

  private func autodeposit(
    _ transfer: IncomingTransfer, by registration: Registration, in tx: any SQLTransaction
  ) throws -> IncomingTransfer {
    let now = core.world.now()
    // The customer is not asked: the holder of the alias has confirmed it.
    var accepted = IncomingTransfer(
      number: transfer.number, tenant: transfer.tenant, kind: .autodeposit, customer: registration.customer,
      status: .accepted, amount: transfer.amount, content: transfer.content, answerDigest: nil, wrongAnswers: 0,
      account: registration.account, transaction: nil, expiresAt: transfer.expiresAt, createdAt: now, endedAt: now,
      version: 0)
    let booked = try incoming.book(
      accepted, to: .init(rawValue: registration.account), in: tx)
    accepted.transaction = booked.id.rawValue
    try IncomingTransferStore(tx, vault: core.vault).insert(accepted)
    var used = registration
    (used.expiresAt, used.noticedAt) = (rules.expiry(of: registration.alias, after: now), nil)
    try RegistrationStore(tx, vault: core.vault).advance(used)
    return accepted
  }
}
