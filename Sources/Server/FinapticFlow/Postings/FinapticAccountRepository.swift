// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// Accounts of Finaptic's tenants for staff who book on them by hand: found by the id or number of the account, or by
/// the id of a customer. What is booked goes the way of the bank's own systems (`Postings`), with the
/// same limits and second persons.
package struct FinapticAccountRepository: ActingRepository {
  /// Of one account, the newest first.
  private static let entriesMax = 20
  /// What one member asked a second person for.
  private static let askedMax = 50
  private static let codes: [BankAct.Action: String] = [
    .posting: "post-money", .hold: "hold-money", .reversal: "reverse-entry", .release: "release-hold",
  ]

  package let kind = "accounts"
  package let states: [String] = []
  let core: CoreDependencies
  let postings: Postings

  package func reasons(of act: RecordAct) -> [String] { PostingReason.allCases.map(\.rawValue) }

  /// Nothing without a name: a bank has more accounts than a page shows.
  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    guard let name = Self.name(in: question) else { return RecordPage([]) }
    return try await core.database.read { tx in
      let own =
        try LedgerStore(tx).accounts(of: name, after: nil, limit: Ledger.pageMax).map(\.account.id)
        + AccountNumberStore(tx).accounts(named: name, limit: Ledger.pageMax)
      let rows: [RecordRow] = try ([BankAccount.ID(rawValue: name)] + own).compactMap { id in
        guard let account = try find(id, for: reader, in: tx) else { return nil }
        return try isOfReader(account, reader, in: tx) ? nil : Self.row(account)
      }
      return RecordPage(Array(rows.prefix(RecordQuestion.pageMax)))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let account = try account(id, for: reader, in: tx)
      try core.note("account.seen", "account-\(account.id)", by: reader.actor, reader.looked, in: tx)
      let (store, books) = (LedgerStore(tx), account.account)
      let seen = try BankTransactionStore(tx, vault: core.vault).older(
        than: LedgerTime(microseconds: .max), on: account.id, limit: Self.entriesMax)
      let entries = try store.entries(
        of: account.id, in: 1..<books.sequence + 1, newestFirst: true, limit: Self.entriesMax
      ).filter { Postings.isReversible($0.transfer) }
      let holds = try store.holds(of: account.id, limit: Ledger.pageMax).filter { $0.state == .open }
      let interest = Money(try store.accruedInterest(of: account.id), books.currency)
      let number = try AccountNumberStore(tx).number(of: account.id)
      var facts: [(code: String, value: String?)] = [
        ("account_number", number?.shown),
        ("product", account.product), ("actual", Self.text(books.actualBalance)),
        ("available", Self.text(books.availableBalance)), ("interest_due", Self.text(interest)),
      ]
      facts += account.owners.map { ("customer", $0) }
      facts += seen.map { ("entry", "\($0.at.wire) \(Self.text($0.amount)) \($0.kind) \($0.state.rawValue)") }
      facts += holds.map { ("hold", "\($0.at.wire) \(Self.text($0.order.amount)) \($0.order.kind) \($0.id)") }
      var file = RecordFile(Self.row(account), facts: facts, subjects: [], chain: "finaptic-account-\(account.id)")
      file.acts = try acts(on: account, entries, holds.filter { $0.order.key.hasPrefix("post ") }, for: reader, in: tx)
      return file
    }
  }

  package func act(
    _ act: RecordAct, of id: String, because reason: String, for reader: RecordReader
  ) async throws -> Bool {
    guard !reason.isEmpty else { throw Problem.validation([.init("/reason", "required", "Say why.")]) }
    guard act.subject == id, let form = act.key.flatMap(UUID.init(uuidString:)) else { throw Problem.notFound }
    let key = Self.keyPrefix(of: reader) + form.uuidString.lowercased()
    func filled(_ field: String) -> String? {
      act.filled[field].map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let amount = FinapticAPI.Amount(amount: filled("amount") ?? "", currency: InternalAccounts.currency)
    let posting = PostingBodies.Posting(
      purpose: filled("purpose") ?? "", account_id: id, amount: amount, reason: reason,
      reference: filled("reference"), value_date: filled("value_date"))
    let hold = PostingBodies.Hold(account_id: id, amount: amount, reason: reason, expires_at: filled("until"))
    let (entry, held) = (filled("entry")?.lowercased() ?? "", filled("hold")?.lowercased() ?? "")
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [postings] tx in
      let account = try account(id, for: reader, in: tx)
      guard let tenant = try TenantStore(tx).find(account.tenant) else { throw Problem.notFound }
      switch act.code {
      case "post-money": return try postings.post(posting, key: key, of: tenant, by: reader.actor, in: tx)
      case "hold-money": return try postings.hold(hold, key: key, of: tenant, by: reader.actor, in: tx)
      case "reverse-entry":
        try requireMove(LedgerStore(tx).transfer(.init(rawValue: entry))?.order, on: account, for: reader, in: tx)
        return try postings.reverse(
          entry, .init(reason: reason), key: key, of: tenant, by: reader.actor, in: tx)
      case "release-hold":
        guard try LedgerStore(tx).hold(.init(rawValue: held))?.order.account == account.id else {
          throw Problem.validation([.init("/hold", "unknown", "A hold of the account.")])
        }
        return try postings.release(held, .init(reason: reason), key: key, of: tenant, by: reader.actor, in: tx)
      default: throw Problem.notFound
      }
    }
    switch answer {
    case .waiting: return false
    case .scheduled: return true
    case .outcome(let outcome):
      guard let declined = outcome.declined else { return true }
      throw Problem(.conflict, "posting-declined", "The books declined this: \(declined).")
    }
  }

  /// What is looked for, without the spaces of a number in groups.
  private static func name(in question: RecordQuestion) -> String? {
    question.name.map { $0.filter { $0 != " " }.lowercased() }.flatMap { RecordQuestion.isName($0) ? $0 : nil }
  }

  // MARK: What can be done

  private func acts(
    on account: BankAccount, _ entries: [LedgerEntry], _ holds: [LedgerHold], for reader: RecordReader,
    in tx: any SQLTransaction
  ) throws -> [RecordAct] {
    guard account.isActive, account.account.stop != .closed else { return [] }
    func act(_ action: BankAct.Action, key: String) -> RecordAct? {
      guard let code = Self.codes[action], let fields = Self.fields(action, entries, holds) else { return nil }
      var act = RecordAct(code, account.id.rawValue)
      (act.fields, act.key, act.reasonTopic) = (fields, key, "posting")
      return act
    }
    let prefix = Self.keyPrefix(of: reader)
    let asked = try BankActStore(tx).awaiting(of: account.tenant, by: reader.actor, limit: Self.askedMax).compactMap {
      item -> RecordAct? in
      guard item.key.hasPrefix(prefix), let approval = try core.cases.asked(item.approval, in: tx),
        approval.state == .pending || approval.state == .approved,
        case let said = Self.said(in: approval.act.content),
        item.subject == account.id.rawValue || entries.contains(where: { $0.transfer.id.rawValue == said["about"] }),
        try AccountStore(tx).find(.init(rawValue: item.subject), tenant: account.tenant)?.account.sequence
          == approval.act.version,
        var act = act(item.action, key: String(item.key.dropFirst(prefix.count)))
      else { return nil }
      act.asked = .init(said["reason"] ?? "", isAgreed: approval.state == .approved)
      act.filled = said
      if let about = said["about"] {
        act.filled[item.action == .reversal ? "entry" : item.action == .release ? "hold" : "until"] = about
      }
      return act
    }
    let new = [BankAct.Action.posting, .hold, .reversal, .release].compactMap { act($0, key: core.world.randomUUID()) }
    return asked + new
  }

  /// Nil for what there is nothing to do to.
  private static func fields(
    _ action: BankAct.Action, _ entries: [LedgerEntry], _ holds: [LedgerHold]
  ) -> [RecordField]? {
    let amount = RecordField("amount", .line(lengthMax: 20), isRequired: true)
    switch action {
    case .posting:
      return [
        .init("purpose", .choice(PostingPurpose.allCases.map { .init($0.rawValue) }), isRequired: true), amount,
        .init("value_date", .line(lengthMax: 10)), .init("reference", .line(lengthMax: 35)),
      ]
    case .hold: return [amount, .init("until", .line(lengthMax: 30))]
    case .reversal:
      guard !entries.isEmpty else { return nil }
      let choices = entries.map { entry in
        let money = Money(entry.amount, entry.transfer.order.amount.currency)
        return RecordField.Option(
          entry.transfer.id.rawValue, "\(entry.transfer.at.wire) \(text(money)) \(entry.transfer.order.kind)")
      }
      return [.init("entry", .choice(choices), isRequired: true)]
    case .release:
      guard !holds.isEmpty else { return nil }
      let choices = holds.map { RecordField.Option($0.id.rawValue, "\($0.at.wire) \(text($0.order.amount))") }
      return [.init("hold", .choice(choices), isRequired: true)]
    default: return nil
    }
  }

  /// What was asked for, by the fields of the form, as `Postings` wrote it for the second person. It fills in a form
  /// and decides nothing: under the form's key nothing else can be booked.
  static func said(in content: String) -> [String: String] {
    // How the account stands is the last, and the reference before it the only free text.
    var rest = content.ranges(of: "; account ").last.map { content[..<$0.lowerBound] } ?? content[...]
    var said: [String: String] = [:]
    for name in ["amount", "purpose", "reason", "value date", "about", "reference"] where rest.hasPrefix("\(name) ") {
      rest = rest.dropFirst(name.count + 1)
      let end = name == "reference" ? nil : rest.range(of: "; ")
      said[name.replacing(" ", with: "_")] = String(rest[..<(end?.lowerBound ?? rest.endIndex)])
      rest = end.map { rest[$0.upperBound...] } ?? ""
    }
    if let amount = said["amount"] { said["amount"] = amount.split(separator: " ").first.map(String.init) }
    return said
  }

  /// Of the forms of one member.
  private static func keyPrefix(of reader: RecordReader) -> String { "form \(reader.chain) " }

  // MARK: Whose it is

  private func find(_ id: BankAccount.ID, for reader: RecordReader, in tx: any SQLTransaction) throws -> BankAccount? {
    guard let tenant = try LedgerStore(tx).account(id).flatMap({ FinapticTenantName($0.tenant)?.tenant }),
      reader.scope.contains(FinapticTenant.session(tenant))
    else { return nil }
    return try AccountStore(tx).find(id, tenant: tenant)
  }

  /// - Throws: `Problem` not-found, also for what is at another desk; forbidden for an account that the reader may use.
  private func account(_ id: String, for reader: RecordReader, in tx: any SQLTransaction) throws -> BankAccount {
    guard let account = try find(.init(rawValue: id), for: reader, in: tx) else { throw Problem.notFound }
    guard try !isOfReader(account, reader, in: tx) else {
      throw Problem(.forbidden, "forbidden", "This is your own case.")
    }
    return account
  }

  private func isOfReader(_ account: BankAccount, _ reader: RecordReader, in tx: any SQLTransaction) throws -> Bool {
    try account.customers.contains { customer in
      let user = try FinapticUserStore(tx, vault: core.vault).find(customer: customer, tenant: account.tenant)
      return (try? reader.requireOther(than: user?.user.profile.email)) == nil
    }
  }

  /// Requires that a transfer is one of the account, and that its other side is not the reader's.
  private func requireMove(
    _ order: TransferOrder?, on account: BankAccount, for reader: RecordReader, in tx: any SQLTransaction
  ) throws {
    guard let order, [order.debit, order.credit].contains(account.id) else {
      throw Problem.validation([.init("/entry", "unknown", "An entry of the account.")])
    }
    for id in [order.debit, order.credit] where id != account.id {
      guard let other = try AccountStore(tx).find(id, tenant: account.tenant) else { continue }
      guard try !isOfReader(other, reader, in: tx) else {
        throw Problem(.forbidden, "forbidden", "This is your own case.")
      }
    }
  }

  private static func text(_ money: Money) -> String { "\(money.decimal) \(money.currency)" }

  private static func row(_ account: BankAccount) -> RecordRow {
    RecordRow(
      id: account.id.rawValue, name: account.id.rawValue, tenant: FinapticTenant.session(account.tenant),
      state: account.status, at: account.account.openedAt)
  }
}
