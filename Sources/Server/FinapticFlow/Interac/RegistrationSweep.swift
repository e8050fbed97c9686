import Kit
import Storage

/// What time does to registrations: the worker's part of §8.8.
struct RegistrationSweep: Sendable {
  let parts: FinapticParts

  func run() async throws {
    try await parts.database.sweep { try end(limit: $1, in: $0) }
    try await parts.database.sweep { try warn(limit: $1, in: $0) }
  }

  /// Those that nobody used for too long, and those that nobody confirmed.
  private func end(limit: Int, in tx: any SQLTransaction) throws -> Int {
    let store = RegistrationStore(tx, vault: parts.vault)
    let lapsed = try store.lapsed(at: parts.world.now(), limit: limit)
    for registration in lapsed {
      try store.delete(registration)
      try RegistrationCommands(parts: parts).note("expired", registration, by: "worker", in: tx)
    }
    return lapsed.count
  }

  /// A week before the end.
  private func warn(limit: Int, in tx: any SQLTransaction) throws -> Int {
    let (store, now) = (RegistrationStore(tx, vault: parts.vault), parts.world.now())
    let ending = try store.ending(before: now + parts.policy.interac.noticeAhead, limit: limit)
    for var registration in ending {
      registration.noticedAt = now
      try store.advance(registration)
      try RegistrationNotices(parts: parts).promise(.renew, registration, in: tx)
    }
    return ending.count
  }
}
