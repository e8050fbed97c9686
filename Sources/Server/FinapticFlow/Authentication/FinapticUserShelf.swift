// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// The users of Finaptic's tenants with their accounts, cards and devices, for staff who look one up, and who stop
/// what a customer asks them to: by the ids of user, customer, account or card, or by e-mail address or username, of
/// which keyed digests are kept.
package struct FinapticUserShelf: ActingShelf {
  /// Of one account, the newest first.
  private static let entriesMax = 10
  private static let devicesMax = 20

  package let kind = "users"
  package let states = FinapticUserStore.Standing.allCases.map(\.rawValue)
  package let reasons = StopReason.allCases.map(\.rawValue)
  private let parts: FinapticDependencies
  private var core: CoreDependencies { parts.core }

  package init(_ parts: FinapticDependencies) { self.parts = parts }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: ["kind": kind], in: tx)
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
      let standings = question.state.flatMap(FinapticUserStore.Standing.init(rawValue:)).map { [$0] }
      return RecordPage(
        try store.page(
          standings ?? FinapticUserStore.Standing.allCases, of: tenants, before: question.after, limit: limit
        ).map(Self.row))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core, parts] tx in
      let user = try user(id, for: reader, in: tx)
      try core.note("user.seen", user.chain, by: reader.actor, in: tx)
      let profile = try user.customer.flatMap { try ClientProfileStore(tx, vault: core.vault).find($0) }
      let now = core.world.now()
      let live = try parts.sessions.records(of: user.id.rawValue, in: tx)
        .filter { $0.revokedAt == nil && $0.expiresAt > now }
      let owned = try holdings(of: user, in: tx)
      var file = RecordFile(
        Self.row(
          .init(
            id: user.id, tenant: user.tenant,
            standing: user.isBlocked ? .blocked : user.customer == nil ? .registered : .customer,
            createdAt: user.createdAt)),
        facts: [
          ("name", profile?.legalName), ("email", user.profile.email), ("username", user.profile.username),
          ("phone", profile?.contact?.contactPhoneNumber?.number), ("customer", user.customer),
          ("email_verified", user.emailVerifiedAt?.rfc3339), ("blocked", user.blockedAt?.rfc3339),
          ("locked_until", try GuardStore(tx).state(of: user.id.rawValue).lockedUntil?.rfc3339),
        ]
          + (try SecondFactorStore(tx).confirmed(of: user.id).map { ("factor", $0.rawValue) })
          + live.map { ("session", $0.createdAt.rfc3339) } + owned.facts,
        subjects: [], chain: "finaptic-\(user.chain)")
      file.acts = [.init(user.isBlocked ? "unblock-user" : "block-user", user.id.rawValue)] + owned.acts
      return file
    }
  }

  package func act(
    _ act: RecordAct, of id: String, because reason: String, for reader: RecordReader
  ) async throws -> Bool {
    let why = try StopReason(given: reason)
    let (tenant, isOwn) = try await core.database.read { tx in
      let user = try user(id, for: reader, in: tx)
      let others = try holdings(of: user, in: tx).subjects
      return (user.tenant, act.code.hasSuffix("-user") ? act.subject == id : others.contains(act.subject))
    }
    guard isOwn else { throw Problem.notFound }
    let outcome: BankStops.Outcome
    switch act.code {
    case "block-user", "unblock-user":
      _ = try await parts.users.setBlocked(
        act.code == "block-user", id, tenant: tenant, because: why, by: reader.actor)
      return true
    case "freeze-account", "unfreeze-account":
      let status = act.code == "freeze-account" ? BankAccount.Status.frozen : BankAccount.Status.active
      outcome = try await parts.bankStops.setStatus(
        status, of: act.subject, tenant: tenant, reason: reason, payout: nil, atDesk: true, by: reader.actor)
    case "block-card":
      outcome = try await parts.bankStops.setBlocked(
        true, card: act.subject, tenant: tenant, reason: reason, atDesk: true, by: reader.actor)
    default: throw Problem.notFound
    }
    if case .waiting = outcome { return false }
    return true
  }

  /// - Throws: `Problem` not-found, also for whoever is at another desk or was erased; forbidden for oneself.
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
    /// Ids of accounts and cards.
    var subjects: Set<String> = []
  }

  private func holdings(of user: FinapticUser, in tx: any SQLTransaction) throws -> Holdings {
    var found = Holdings()
    guard let customer = user.customer else { return found }
    let store = BankTransactionStore(tx, vault: core.vault)
    for account in try AccountStore(tx).all(of: customer, tenant: user.tenant, limit: Ledger.pageMax) {
      found.subjects.insert(account.id.rawValue)
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
      guard account.isActive, account.account.stop != .closed else { continue }
      let isFrozen = account.account.stop == .frozen
      found.acts.append(.init(isFrozen ? "unfreeze-account" : "freeze-account", account.id.rawValue))
    }
    let cards = CardStore(tx, vault: core.vault)
    for card in try cards.visible(to: customer, tenant: user.tenant, after: nil, limit: Ledger.pageMax) {
      found.subjects.insert(card.id.rawValue)
      let isBlocked = try cards.isBlocked(card.id)
      let reasons = try cards.blockReasons(card.id).map { $0?.rawValue ?? "-" }.joined(separator: ", ")
      let last = card.lastFour.map { "•••• \($0) " } ?? ""
      found.facts.append(
        ("card", "\(card.id) \(last)\(card.state.rawValue)\(isBlocked ? ", blocked: \(reasons)" : "")"))
      if !isBlocked { found.acts.append(.init("block-card", card.id.rawValue)) }
    }
    let channels = PushChannelStore(tx, vault: core.vault)
    for id in try channels.ids(of: customer, tenant: user.tenant, limit: Self.devicesMax) {
      found.facts.append(("device", try channels.platform(of: id)))
    }
    return found
  }

  private static func row(_ user: FinapticUserStore.Outline) -> RecordRow {
    RecordRow(
      id: user.id.rawValue, name: user.id.rawValue, tenant: FinapticTenant.session(user.tenant),
      state: user.standing.rawValue, at: user.createdAt)
  }
}
