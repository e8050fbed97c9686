import Foundation
import GatehouseWire
import Identity
import Kit
import Storage
import Synchronization

/// What customers see of their applications, encoded once for each state.
///
/// Every read asks the store whether its session lives and which state the application is in; what is kept is only how
/// that state looks. So an ended session is refused at once and a change is seen at once, whichever node made it.
package final class CustomerViews: Sendable {
  /// Views remembered at once, at most; each takes one to two kilobytes.
  static let countMax = 20_000
  /// A view that nobody asked for between two turns is forgotten, and with it those of customers who were erased.
  static let turnsEvery = Duration.minutes(15)

  private struct Kept: Sendable {
    let stamp: ViewStamp
    let tenant: String
    let view: Data
    /// When the application lapses unless it is touched; nil when it cannot.
    let lapsesAt: Instant?
  }

  private let core: CoreDependencies
  private let sessions: Sessions
  private let applications: Applications
  private let recent = RecentValues<String, Kept>(countMax: countMax)
  private let turnedAt: Mutex<Instant>
  /// None where a question is no trip: it costs less to ask alone than to wait for somebody.
  private let trips: RequestCoalescer<String, Result<Standing, any Error>>?

  init(core: CoreDependencies, sessions: Sessions, applications: Applications) {
    (self.core, self.sessions, self.applications) = (core, sessions, applications)
    turnedAt = Mutex(core.world.now())
    let database = core.database
    trips = database.queryIsTrip ? RequestCoalescer { try await StandingStore.find($0, in: database) } : nil
  }

  /// - Returns: an `OnboardingView`, encoded; nil when the application's time has run out and it is to lapse first.
  /// - Throws: `Problem` token-revoked; not-found.
  package func view(of customer: Customer) async throws -> Data? {
    forgetUnused()
    let standing = try await standing(of: customer.identity.family.rawValue)
    try sessions.requireLive(customer.identity, standing?.session)
    if let kept = recent.find(customer.identity.subject), kept.stamp == standing?.stamp,
      kept.tenant == customer.tenant.id
    {
      return current(kept)
    }
    let kept = try await core.database.read { [self] in try read(customer, in: $0) }
    recent.keep(kept, for: customer.identity.subject)
    return current(kept)
  }

  /// Views that are kept now.
  var count: Int { recent.count }

  private func standing(of family: String) async throws -> Standing? {
    guard let trips else { return try await StandingStore.find(family, in: core.database) }
    return try await trips.answer(to: family)?.get()
  }

  private func forgetUnused() {
    let now = core.world.now()
    let isDue = turnedAt.withLock { last in
      guard last + Self.turnsEvery <= now else { return false }
      last = now
      return true
    }
    if isDue { recent.turn() }
  }

  private func read(_ customer: Customer, in tx: any SQLTransaction) throws -> Kept {
    let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
    return Kept(
      stamp: ViewStamp(dossier), tenant: customer.tenant.id, view: try WireJSON.encode(dossier.view),
      lapsesAt: applicationFlow.allows(.lapsed, from: dossier.application.phase) ? dossier.application.expiresAt : nil)
  }

  private func current(_ kept: Kept) -> Data? {
    if let lapsesAt = kept.lapsesAt, lapsesAt <= core.world.now() { return nil }
    return kept.view
  }
}
