import Kit
import Storage

/// What time does to registrations: the worker's part of §8.8.
struct RegistrationSweep: Sendable {
  let parts: FinapticDependencies

  /// Those that nobody used for too long, and those that nobody confirmed.
  func end() async throws {
    try await parts.database.forEachDue { [parts] page, tx in
      try RegistrationStore(tx, vault: parts.vault).lapsed(
        at: parts.world.now(), besides: page.failed, limit: page.limit)
    } do: { id in
      try await parts.database.write(retrying: .outdated) { [parts] tx in
        guard let registration = try RegistrationStore(tx, vault: parts.vault).find(id),
          registration.isLapsed(at: parts.world.now())
        else { return }
        try RegistrationCommands(parts: parts).expire(registration, in: tx)
      }
    }
  }

  /// A week before the end.
  func warn() async throws {
    let horizon = parts.world.now() + parts.policy.interac.noticeAhead
    try await parts.database.forEachDue { [parts] page, tx in
      try RegistrationStore(tx, vault: parts.vault).ending(before: horizon, besides: page.failed, limit: page.limit)
    } do: { id in
      try await parts.database.write(retrying: .outdated) { [parts] tx in
        let store = RegistrationStore(tx, vault: parts.vault)
        guard var registration = try store.find(id), registration.noticedAt == nil, registration.expiresAt <= horizon
        else { return }
        registration.noticedAt = parts.world.now()
        try store.advance(registration)
        try RegistrationNotices(parts: parts).promise(.renew, registration, in: tx)
      }
    }
  }
}
