// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import Foundation
import Identity
import Kit
import Ledger
import Storage

/// The users of Finaptic's tenants with their accounts, cards and devices, for staff who look one up, and who stop
/// or end what a customer asks them to: by the ids of user, customer, account or card, or by e-mail address or
/// username, of which keyed digests are kept.
package struct FinapticUserRepository: ActingRepository {
  /// Of one account, the newest first.
  private static let entriesMax = 10
  private static let devicesMax = 20

  package let kind = "users"
  package let states = FinapticUserStore.State.allCases.map(\.rawValue)
  let core: CoreDependencies
  let sessions: Sessions
  let users: FinapticUsers
  let bankStops: BankStops

  /// A terminal is told of a lost or stolen card, which is said of cards alone.
  package func reasons(of act: RecordAct) -> [String] {
    let ofCards: Set<StopReason> = [.cardLost, .cardStolen]
    return StopReason.allCases.filter { act.code.hasSuffix("block-card") || !ofCards.contains($0) }.map(\.rawValue)
  }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core] tx in
      let tenants = try TenantStore(tx).list().filter { reader.scope.contains($0.session) }.map(\.id)
      let (store, limit) = (FinapticUserStore(tx, vault: core.vault), RecordQuestion.pageMax + 1)
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        return RecordPage(
          try store.named(name, of: tenants, before: question.after, limit: limit).map(Self.row))
      }
      let states = question.state.flatMap(FinapticUserStore.State.init(rawValue:)).map { [$0] }
      return RecordPage(
        try store.page(
          states ?? FinapticUserStore.State.allCases, of: tenants, before: question.after, limit: limit
        ).map(Self.row))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core, sessions] tx in
      let user = try user(id, for: reader, in: tx)
      try core.note("user.seen", user.chain, by: reader.actor, reader.looked, in: tx)
      let profile = try user.customer.flatMap { try ClientProfileStore(tx, vault: core.vault).find($0) }
      let now = core.world.now()
      let live = try sessions.records(of: user.id.rawValue, in: tx)
        .filter { $0.revokedAt == nil && $0.expiresAt > now }
      let owned = try holdings(of: user, for: reader, in: tx)
      let lockedUntil = try GuardStore(tx).state(of: user.id.rawValue).lockedUntil
      var file = RecordFile(
        Self.row(
          .init(
            id: user.id, tenant: user.tenant,
            state: user.isBlocked ? .blocked : user.customer == nil ? .registered : .customer,
            createdAt: user.createdAt)),
        facts: [
          ("name", profile?.legalName), ("email", user.profile.email), ("username", user.profile.username),
          ("phone", profile?.contact?.contactPhoneNumber?.number), ("customer", user.customer),
          ("email_verified", user.emailVerifiedAt?.rfc3339), ("blocked", user.blockedAt?.rfc3339),
          ("locked_until", lockedUntil.flatMap { $0 > now ? $0.rfc3339 : nil }),
        ]
          + (try SecondFactorStore(tx).confirmed(of: user.id).map { ("factor", $0.rawValue) })
          + live.map { ("session", $0.createdAt.rfc3339) } + owned.facts,
        subjects: [], chain: "finaptic-\(user.chain)")
      let asked =
        try user.isBlocked
        ? FourEyesGate(core: core).asked(
          byDesk: .unblockUser, on: user.id.rawValue, version: FinapticUsers.block(of: user, in: tx), of: user.tenant,
          by: reader.actor, in: tx)
        : nil
      let code = user.isBlocked ? "unblock-user" : "block-user"
      file.acts = [.init(code, user.id.rawValue, asked: asked?.toReader)] + owned.acts
      return file
    }
  }

  package func act(
    _ act: RecordAct, of id: String, because reason: String, for reader: RecordReader
  ) async throws -> Bool {
    guard !reason.isEmpty else { throw Problem.validation([.init("/reason", "required", "Say why.")]) }
    let why = try StopReason(given: reasons(of: act).contains(reason) ? reason : nil)
    let payout = act.filled["payout"].flatMap { $0.isEmpty ? nil : $0 }
    let (tenant, isOwn) = try await core.database.read { tx in
      let user = try user(id, for: reader, in: tx)
      guard act.code.hasSuffix("-user") else {
        let subjects = try holdings(of: user, for: reader, in: tx).subjects
        return (user.tenant, [act.subject, payout].compactMap(\.self).allSatisfy(subjects.contains))
      }
      return (user.tenant, act.subject == id)
    }
    guard isOwn else { throw Problem.notFound }
    let outcome: BankStops.Outcome
    switch act.code {
    case "block-user", "unblock-user":
      let stop = try await users.setBlocked(
        act.code == "block-user", id, tenant: tenant, because: why, key: .desk, by: reader.actor)
      if case .waiting = stop { return false }
      return true
    case "freeze-account", "unfreeze-account":
      let status = act.code == "freeze-account" ? BankAccount.Status.frozen : BankAccount.Status.active
      outcome = try await bankStops.setStatus(
        status, of: act.subject, tenant: tenant, reason: reason, payout: nil, atDesk: true, by: reader.actor)
    case "close-account":
      outcome = try await bankStops.setStatus(
        BankAccount.Status.closed, of: act.subject, tenant: tenant, reason: reason, payout: payout, atDesk: true,
        by: reader.actor)
    case "remove-authorized":
      try await bankStops.remove(
        act.filled["authorized"] ?? "", from: act.subject, tenant: tenant, reason: reason, by: reader.actor)
      return true
    case "block-card", "unblock-card":
      outcome = try await bankStops.setBlocked(
        act.code == "block-card", card: act.subject, tenant: tenant, reason: reason, atDesk: true, by: reader.actor)
    default: throw Problem.notFound
    }
    if case .waiting = outcome { return false }
    return true
  }

  /// - Throws: `Problem` not-found, also for a user of another desk and for one who was erased; forbidden for oneself.
  private func user(_ id: String, for reader: RecordReader, in tx: any SQLTransaction) throws -> FinapticUser {
    guard let row = try FinapticUserStore(tx, vault: core.vault).find(.init(rawValue: id)),
      !row.passwordHash.isEmpty, reader.scope.contains(FinapticTenant.session(row.user.tenant))
    else { throw Problem.notFound }
    try reader.requireOther(than: row.user.profile.email)
    return row.user
  }

  /// What a customer has, in words, and what can be stopped of it.
  private struct Holdings {
    var facts: [(code: String, value: String?)] = []
    var acts: [RecordAct] = []
    /// Ids of accounts and cards that the desk may stop.
    var subjects: Set<String> = []
  }

  /// Without the accounts of which the reader is a party, the cards of those, and the reader's own cards.
  private func holdings(
    of user: FinapticUser, for reader: RecordReader, in tx: any SQLTransaction
  ) throws -> Holdings {
    var found = Holdings()
    guard let customer = user.customer else { return found }
    let (gate, store) = (FourEyesGate(core: core), BankTransactionStore(tx, vault: core.vault))
    // Of the user of the page it is known that they are another.
    var others = [customer: true]
    func isOther(_ party: String) throws -> Bool {
      if let known = others[party] { return known }
      let email = try FinapticUserStore(tx, vault: core.vault).find(customer: party, tenant: user.tenant)?
        .user.profile.email
      let isOther = (try? reader.requireOther(than: email)) != nil
      others[party] = isOther
      return isOther
    }
    var own: Set<BankAccount.ID> = []
    var stoppable: [BankAccount] = []
    for account in try AccountStore(tx).all(of: customer, tenant: user.tenant, limit: Ledger.pageMax) {
      guard try account.customers.allSatisfy(isOther) else {
        own.insert(account.id)
        continue
      }
      let (actual, available) = (account.account.actualBalance, account.account.availableBalance)
      let money = "\(actual.decimal) (\(available.decimal)) \(actual.currency)"
      found.facts.append(("account", "\(account.id) \(account.product) \(account.status) \(money)"))
      // What is held, such as a payment that goes on, is among them as pending.
      for entry in try store.older(
        than: LedgerTime(microseconds: .max), on: account.id, limit: Self.entriesMax)
      {
        let money = "\(entry.amount.decimal) \(entry.amount.currency)"
        found.facts.append(("entry", "\(entry.at.wire) \(money) \(entry.kind) \(entry.state.rawValue)"))
      }
      // Activating an account is the bank's own systems' part, and who may use one does not have it frozen.
      guard account.isActive, account.account.stop != .closed, account.isOwned(by: customer) else { continue }
      found.subjects.insert(account.id.rawValue)
      let (id, isFrozen) = (account.id.rawValue, account.account.stop == .frozen)
      let asked = try gate.asked(
        byDesk: isFrozen ? .unfreeze : .freeze, on: id, version: account.account.sequence, of: user.tenant,
        by: reader.actor, in: tx)
      found.acts.append(.init(isFrozen ? "unfreeze-account" : "freeze-account", id, asked: asked?.toReader))
      stoppable.append(account)
    }
    for account in stoppable {
      found.acts.append(try closing(account, paying: stoppable, for: reader, in: tx))
      if let removal = try removal(from: account, in: tx) { found.acts.append(removal) }
    }
    let cards = CardStore(tx, vault: core.vault)
    for card in try cards.visible(to: customer, tenant: user.tenant, after: nil, limit: Ledger.pageMax)
    where try !own.contains(card.account) && isOther(card.holder) {
      found.subjects.insert(card.id.rawValue)
      let isBlocked = try cards.isBlocked(card.id)
      let reasons = try cards.blockReasons(card.id).map { $0?.rawValue ?? "-" }.joined(separator: ", ")
      let last = card.lastFour.map { "•••• \($0) " } ?? ""
      found.facts.append(
        ("card", "\(card.id) \(last)\(card.state.rawValue)\(isBlocked ? ", blocked: \(reasons)" : "")"))
      let asked = try gate.asked(
        byDesk: isBlocked ? .unblockCard : .blockCard, on: card.id.rawValue, version: Int64(card.version),
        of: user.tenant, by: reader.actor, in: tx)
      found.acts.append(.init(isBlocked ? "unblock-card" : "block-card", card.id.rawValue, asked: asked?.toReader))
    }
    let channels = PushChannelStore(tx, vault: core.vault)
    for id in try channels.ids(of: customer, tenant: user.tenant, limit: Self.devicesMax) {
      found.facts.append(("device", try channels.platform(of: id)))
    }
    return found
  }

  /// Ends an account. What is on it goes to another one of the customer's that books, and so does interest that is
  /// booked when it closes.
  private func closing(
    _ account: BankAccount, paying accounts: [BankAccount], for reader: RecordReader, in tx: any SQLTransaction
  ) throws -> RecordAct {
    let asked = try FourEyesGate(core: core).asked(
      byDesk: .close, on: account.id.rawValue, version: account.account.sequence, of: account.tenant,
      by: reader.actor, in: tx)
    var act = RecordAct("close-account", account.id.rawValue, asked: asked?.toReader)
    let payees = accounts.filter {
      $0.id != account.id && $0.books && $0.account.currency == account.account.currency
    }
    if account.account.actual >= 0, !payees.isEmpty {
      let choices = payees.map { RecordField.Option($0.id.rawValue, "\($0.account.name) \($0.id)") }
      act.fields = [.init("payout", .choice(choices), isRequired: account.account.actual > 0)]
      if let payout = asked?.part("payout to") { act.filled["payout"] = payout }
    }
    return act
  }

  /// - Returns: nil for an account that its owners alone use.
  private func removal(from account: BankAccount, in tx: any SQLTransaction) throws -> RecordAct? {
    guard !account.authorizedUsers.isEmpty else { return nil }
    let profiles = ClientProfileStore(tx, vault: core.vault)
    let choices = try account.authorizedUsers.map { RecordField.Option($0, try profiles.find($0)?.legalName ?? $0) }
    var act = RecordAct("remove-authorized", account.id.rawValue)
    act.fields = [.init("authorized", .choice(choices), isRequired: true)]
    return act
  }

  private static func row(_ user: FinapticUserStore.Outline) -> RecordRow {
    RecordRow(
      id: user.id.rawValue, name: user.id.rawValue, tenant: FinapticTenant.session(user.tenant),
      state: user.state.rawValue, at: user.createdAt)
  }
}

extension RequestedApproval {
  /// With the reason as it stands in what was asked for.
  fileprivate var toReader: RecordAct.Asked? {
    part("reason").map { .init($0, isAgreed: state == .approved) }
  }

  /// What stands behind a word in what was asked for.
  fileprivate func part(_ word: String) -> String? {
    act.content.split(separator: "; ").first { $0.hasPrefix("\(word) ") }.map { String($0.dropFirst(word.count + 1)) }
  }
}
