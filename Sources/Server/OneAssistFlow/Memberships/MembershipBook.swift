import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// Moves memberships: the one way one changes its status.
struct MembershipBook: Sendable {
  let parts: OneAssistParts

  private static let sweepMax = 200

  /// One that was not erased, with who sold it.
  /// - Throws: `Problem` not-found, also for another tenant's.
  func find(
    _ id: Membership.ID, tenant: String, in tx: any SQLTransaction
  ) throws -> (membership: Membership, partner: Partner) {
    guard let membership = try MembershipStore(tx, vault: parts.vault).find(id), !membership.isErased,
      let partner = try PartnerStore(tx, vault: parts.vault).find(membership.partner), partner.tenant == tenant
    else { throw Problem.notFound }
    return (membership, partner)
  }

  /// A legal move, a guarded write, its audit line, its effects.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  func move(
    _ membership: inout Membership, on event: MembershipEvent, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    let move = try membershipFlow.move(from: membership.status, on: event)
    membership.status = move.to
    if membership.hasEnded { membership.eraseAfter = parts.world.now() + parts.policy.retention }
    if move.to == .approved || move.to == .queued {
      membership.eraseAfter = parts.dayAfter(membership.endsOn) + parts.policy.retention
    }
    try save(&membership, in: tx)
    parts.moves.note("oneassist.membership", move, in: tx)
    try parts.note(
      "status.changed", membership.id, by: actor,
      facts.merging(["from": move.from.rawValue, "to": move.to.rawValue, "event": event.rawValue]) { $1 }, in: tx)
    for effect in move.effects {
      try parts.outbox.enqueue(
        "oneassist.\(effect.rawValue)", subject: membership.id.rawValue,
        payload: "\(membership.version) \(move.from.rawValue) \(move.to.rawValue) \(parts.world.now().milliseconds)",
        in: tx)
    }
    // Nobody's token, link or screen outlives what it is for.
    if membership.hasEnded { try LinkStore(tx).withdraw(of: membership.id, at: parts.world.now()) }
  }

  func save(_ membership: inout Membership, in tx: any SQLTransaction) throws {
    try MembershipStore(tx, vault: parts.vault).save(membership, at: parts.world.now())
    membership.version += 1
  }

  /// Raises a flag for whoever reviews; says whether it is new.
  @discardableResult
  func flag(
    _ flag: Membership.Flag, _ membership: inout Membership, by actor: String, in tx: any SQLTransaction
  ) throws -> Bool {
    guard membership.flags.insert(flag).inserted else { return false }
    try parts.note("flag.raised", membership.id, by: actor, ["flag": flag.rawValue], in: tx)
    return true
  }

  /// Moves on when everything that the user owes is there.
  func advance(_ membership: inout Membership, by actor: String, in tx: any SQLTransaction) throws {
    if membership.status == .detailsPending, membership.hasDetails {
      try move(&membership, on: .detailsStored, by: actor, in: tx)
    }
    guard membershipFlow.allows(.documentsComplete, from: membership.status),
      try RequiredPhoto.isComplete(DocumentStore(tx).current(of: membership.id))
    else { return }
    try move(&membership, on: .documentsComplete, by: actor, in: tx)
    // A phone that is reported stolen is nobody's to insure: no person needs to say so (§3).
    if membership.flags.contains(.blacklisted) {
      try move(&membership, on: .refused, by: "system", facts: ["reason": "blacklisted"], in: tx)
    }
  }

  /// What time does: photos that are late, plans that begin. Run regularly by the caretaker.
  /// - Throws: the first thing that went wrong, when everybody else was moved.
  func sweep() async throws {
    let (now, today) = (parts.world.now(), parts.today)
    let late = try await parts.database.read { [parts] tx in
      let store = MembershipStore(tx, vault: parts.vault)
      return try MembershipStatus.allCases.filter { membershipFlow.allows(.lapsed, from: $0) }
        .flatMap { try store.late($0, before: now, limit: Self.sweepMax) }
    }
    var failure = FirstFailure()
    for id in late {
      try await move(id, &failure) { membership, tx in
        guard membership.documentsUntil <= now, membershipFlow.allows(.lapsed, from: membership.status) else { return }
        try move(&membership, on: .lapsed, by: "system", in: tx)
      }
    }
    let starting = try await parts.database.read { [parts] tx in
      try MembershipStore(tx, vault: parts.vault).starting(by: today.description, limit: Self.sweepMax)
    }
    for id in starting {
      try await move(id, &failure) { membership, tx in
        guard membership.startsOn <= today, membershipFlow.allows(.startReached, from: membership.status) else {
          return
        }
        try move(&membership, on: .startReached, by: "system", in: tx)
      }
    }
    try failure.rethrow()
  }

  private func move(
    _ id: Membership.ID, _ failure: inout FirstFailure,
    _ body: @escaping @Sendable (inout Membership, any SQLTransaction) throws -> Void
  ) async throws {
    try await failure.noting {
      try await parts.writing { [parts] tx in
        guard var membership = try MembershipStore(tx, vault: parts.vault).find(id) else { return }
        try body(&membership, tx)
      }
    }
  }
}

extension OneAssistParts {
  /// Plans are Indian: their days are those of India, 5 h 30 min ahead of UTC all year.
  private static let dayOffset = Duration.minutes(330)

  var today: WireDate { day(of: world.now()) }

  func day(of instant: Instant) -> WireDate {
    let local = (instant + Self.dayOffset).milliseconds
    return WireDate(daysSince1970: Int(local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000))
  }

  /// When a day is over.
  func dayAfter(_ day: WireDate) -> Instant {
    Instant(milliseconds: Int64(day.daysSince1970 + 1) * 86_400_000) - Self.dayOffset
  }
}
