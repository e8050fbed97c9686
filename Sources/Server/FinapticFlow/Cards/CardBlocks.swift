// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Takes a card out of use by the bank, whatever its holder or an owner of the account does with its lock: it pays
/// nothing, shows no number and cannot be unlocked until the bank lets it. A card can be blocked for several reasons;
/// it is used again when the last one has ended.
struct CardBlocks: Sendable {
  let core: CoreDependencies
  let cards: CardService

  /// How a card is blocked, and what is asked for makes of it.
  private struct Change {
    let card: PaymentCard
    /// Since when; nil for a card that is not blocked.
    let since: Instant?
    let before: [StopReason?]
    let after: [StopReason?]
    /// What is asked for, where a reason is meant.
    let reason: StopReason?
    let isBlocking: Bool

    var staysBlocked: Bool { isBlocking || !after.isEmpty }
    var isNone: Bool { before == after && staysBlocked == (since != nil) }
  }

  /// Whether it may be done now.
  /// - Parameter key: of the maker and the call.
  /// - Throws: `Problem` not found; validation; conflict `blocked-otherwise`; those of `FourEyesGate.pass`.
  func pass(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, key: ActKey, by maker: String,
    in tx: any SQLTransaction
  ) throws -> FourEyesGate.Outcome {
    let change = try change(asked, id, of: tenant, in: tx)
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    let isDemanded = !change.isNone && policy.demands(asked.is_blocked ? .block : .unblock)
    let act = FourEyesGate.ProposedAct(
      action: asked.is_blocked ? .blockCard : .unblockCard, subject: change.card.id.rawValue,
      version: Int64(change.card.version), request: asked.reason.map { "reason \($0)" } ?? "no reason given",
      condition: try condition(change, in: tx), person: try KeySubject.customer(change.card.holder, in: tx)?.id,
      chain: "card-\(change.card.id)")
    let gate = FourEyesGate(core: core)
    return try gate.pass(
      act, if: isDemanded, key: gate.key(key, of: act, tenant: tenant, by: maker, in: tx), of: tenant, by: maker,
      in: tx)
  }

  /// Also by which block it stands, so that no spare word for an earlier one lifts it.
  private func condition(_ change: Change, in tx: any SQLTransaction) throws -> String {
    guard let since = change.since else { return "card not blocked" }
    let text = "card blocked at \(since.rfc3339) (\(since.milliseconds)) for \(Self.words(change.before))"
    let chain = "finaptic-card-\(change.card.id)"
    guard let line = try BankActStore(tx).lastLine(of: "finaptic.card.blocked", in: chain) else { return text }
    return "\(text), the last block is line \(line) of its audit chain"
  }

  /// - Throws: `Problem` not found; validation for a block without a known reason; conflict `blocked-otherwise`.
  func set(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, by actor: String,
    with permit: FourEyesGate.Permit, in tx: any SQLTransaction
  ) throws -> BankAccountBodies.CardBlockView {
    let change = try change(asked, id, of: tenant, in: tx)
    if !change.isNone {
      try CardStore(tx, vault: core.vault).setBlocked(
        change.staysBlocked ? change.since ?? core.world.now() : nil, because: change.after, of: change.card.id)
      try core.note(
        asked.is_blocked ? "card.blocked" : "card.unblocked", "card-\(change.card.id)", by: actor,
        change.reason.map { ["reason": $0.rawValue] } ?? [:], in: tx)
    }
    return .init(
      card_id: change.card.id.rawValue, is_blocked: change.staysBlocked,
      reasons: change.after.compactMap { $0?.rawValue })
  }

  /// With the card locked. Where there are several reasons, the one that ended is named.
  private func change(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> Change {
    let reason = try asked.is_blocked || asked.reason != nil ? StopReason(given: asked.reason) : nil
    guard let card = try cards.find(id, tenant: tenant.id, in: tx) else { throw Problem.notFound }
    let store = CardStore(tx, vault: core.vault)
    try store.take(card.id)
    let (since, before) = (try store.blockedAt(card.id), try store.blockReasons(card.id))
    var after = before
    if asked.is_blocked, let reason {
      if !before.contains(reason) { after.append(reason) }
    } else {
      // A block whose reason was not kept ends without one, or, where it is the only block, with any.
      let ends = before.count <= 1 && (reason == nil || before == [nil]) ? before : before.filter { $0 == reason }
      guard !ends.isEmpty || before.isEmpty else {
        throw Problem(
          .conflict, "blocked-otherwise", "The card is blocked for \(Self.words(before)): name the reason that ended.")
      }
      after.removeAll { ends.contains($0) }
    }
    return Change(
      card: card, since: since, before: before, after: after, reason: reason, isBlocking: asked.is_blocked)
  }

  private static func words(_ reasons: [StopReason?]) -> String {
    reasons.map { $0?.rawValue ?? "no reason that is known" }.joined(separator: ", ")
  }
}
