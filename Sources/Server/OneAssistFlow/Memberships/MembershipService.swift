import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// Finds memberships and moves them.
struct MembershipService: Sendable {
  let parts: OneAssistDependencies

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

  /// Moves a membership on an event.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  func move(
    _ membership: inout Membership, on event: MembershipEvent, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try parts.mover.move(&membership, on: event, of: MembershipMachine(parts: parts), by: actor, facts: facts, in: tx)
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

  /// Ends memberships whose photos are late. A scheduled job.
  func sweepLate() async throws {
    let now = parts.world.now()
    let statuses = MembershipStatus.allCases.filter { membershipFlow.allows(.lapsed, from: $0) }
    try await parts.database.forEachDue({ [parts] page, tx in
      let store = MembershipStore(tx, vault: parts.vault)
      return try page.items { limit in try statuses.flatMap { try store.late($0, before: now, limit: limit) } }
    }) { id in
      try await parts.database.write(retrying: .outdated) { [parts] tx in
        guard var membership = try MembershipStore(tx, vault: parts.vault).find(id),
          membership.documentsUntil <= now, membershipFlow.allows(.lapsed, from: membership.status)
        else { return }
        try move(&membership, on: .lapsed, by: "system", in: tx)
      }
    }
  }

  /// Begins plans whose first day has come. A scheduled job.
  func sweepStarting() async throws {
    let today = parts.today
    try await parts.database.forEachDue({ [parts] page, tx in
      let store = MembershipStore(tx, vault: parts.vault)
      return try page.items { try store.starting(by: today.description, limit: $0) }
    }) { id in
      try await parts.database.write(retrying: .outdated) { [parts] tx in
        guard var membership = try MembershipStore(tx, vault: parts.vault).find(id),
          membership.startsOn <= today, membershipFlow.allows(.startReached, from: membership.status)
        else { return }
        try move(&membership, on: .startReached, by: "system", in: tx)
      }
    }
  }
}

extension OneAssistDependencies {
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
