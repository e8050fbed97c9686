// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Identity
import Kit
import Scheduling
import Storage
import Synchronization

/// What customers see of their applications, encoded once for each state.
///
/// Every read asks the store whether its session lives and which state the application is in; what is kept is only how
/// that state looks. So an ended session is refused at once and a change is seen at once, whichever node made it.
package final class CustomerViews: Sendable {
  /// Views remembered at once, at most; each takes one to two kilobytes.
  static let countMax = 20_000
  /// A view that was not read between two turns is forgotten, and with it those of customers who were erased.
  static let turnsEvery = Duration.minutes(15)
  static let limit = RateLimit("me", 60, per: .minutes(1))

  private struct CachedView: Sendable {
    let stamp: ViewStamp
    let tenant: String
    let view: Data
    /// When the application lapses unless it is touched; nil when it cannot.
    let lapsesAt: Instant?
  }

  private let core: CoreDependencies
  private let sessions: Sessions
  private let applications: Applications
  private let limit: RateLimit
  private let reads: NodeRateLimits
  private let recent = RecentValues<String, CachedView>(countMax: countMax)
  private let turnedAt: Mutex<Instant>
  /// Nil for a database inside this process, where a query costs less than waiting for others to share it.
  private let trips: RequestCoalescer<String, Result<ViewStatus, any Error>>?

  /// - Parameter factor: multiplies how often a customer may read; more than 1 for load tests.
  init(core: CoreDependencies, sessions: Sessions, applications: Applications, limitTimes factor: Int = 1) {
    (self.core, self.sessions, self.applications) = (core, sessions, applications)
    limit = Self.limit.times(factor)
    reads = NodeRateLimits(world: core.world)
    turnedAt = Mutex(core.world.now())
    let database = core.database
    trips = database.queryIsTrip ? RequestCoalescer { try await ViewStatusStore.find($0, in: database) } : nil
  }

  /// Where the application stands: the resumption call.
  /// - Returns: an `OnboardingView`, encoded.
  package func me(_ customer: Customer) async throws -> Data {
    try reads.spend(limit, by: customer.identity.subject)
    if let view = try await view(of: customer) { return view }
    return try await core.database.write(retrying: .outdated) { [applications] in
      try WireJSON.encode(applications.open(customer, in: $0).view)
    }
  }

  /// - Returns: an `OnboardingView`, encoded; nil when the application's time has run out and it is to lapse first.
  /// - Throws: `Problem` token-revoked; not-found.
  package func view(of customer: Customer) async throws -> Data? {
    forgetUnused()
    let status = try await status(of: customer.identity.family.rawValue)
    try sessions.requireLive(customer.identity, status?.session)
    if let kept = recent.find(customer.identity.subject), kept.stamp == status?.stamp,
      kept.tenant == customer.tenant.id
    {
      return current(kept)
    }
    let kept = try await core.database.look { [self] in try read(customer, in: $0) }
    recent.keep(kept, for: customer.identity.subject)
    return current(kept)
  }

  /// Views that are kept now.
  var count: Int { recent.count }

  private func status(of family: String) async throws -> ViewStatus? {
    guard let trips else { return try await ViewStatusStore.find(family, in: core.database) }
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

  private func read(_ customer: Customer, in tx: any SQLTransaction) throws -> CachedView {
    let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
    return CachedView(
      stamp: ViewStamp(dossier), tenant: customer.tenant.id, view: try WireJSON.encode(dossier.view),
      lapsesAt: applicationFlow.allows(.lapsed, from: dossier.application.phase) ? dossier.application.expiresAt : nil)
  }

  private func current(_ kept: CachedView) -> Data? {
    if let lapsesAt = kept.lapsesAt, lapsesAt <= core.world.now() { return nil }
    return kept.view
  }
}

/// What one statement reads of a caller: whether the session lives, and which state of the application they would see.
struct ViewStatus: Sendable {
  let session: SessionState
  /// Nil when the session's subject has no application of its tenant.
  let stamp: ViewStamp?
}

/// Names a state of everything that a customer's view shows: no two states of one application have the same.
///
/// Sessions and images change in steps, and a step writes its application; whatever changes them otherwise calls
/// `ApplicationStore.touch`. A call may end without a step, so the live appointment is named besides.
struct ViewStamp: Sendable, Hashable {
  let version: Int
  /// A restored backup may count to the same version again, but not at the same instant.
  let updatedAt: Instant
  let appointment: Appointment.ID?
  let appointmentVersion: Int?
}

extension ViewStamp {
  init(_ dossier: Dossier) {
    self.init(
      version: dossier.application.version, updatedAt: dossier.application.updatedAt,
      appointment: dossier.appointment?.id, appointmentVersion: dossier.appointment?.version)
  }
}

/// Reads the status of callers from the tables that decide it: the one query that every read of `auth/me` costs.
enum ViewStatusStore {
  /// - Parameter family: its id.
  /// - Returns: nil when there is no such family.
  static func find(_ family: String, in database: any SQLDatabase) async throws -> ViewStatus? {
    try await rows([family], in: database).first.map(status)
  }

  /// One snapshot of the sessions, their applications and the live appointments of these. Families that are not there
  /// are not in the answer; a row that cannot be read fails only its own family.
  /// - Parameter families: their ids.
  static func find(
    _ families: Set<String>, in database: any SQLDatabase
  ) async throws -> [String: Result<ViewStatus, any Error>] {
    try await Dictionary(
      uniqueKeysWithValues: rows(Array(families), in: database).map { row in
        (try row.get("id"), Result { try status(row) })
      })
  }

  private static func rows(_ families: [String], in database: any SQLDatabase) async throws -> [SQLRow] {
    try await database.query(
      """
      SELECT f.id, f.subject_id, f.expires_at, f.revoked_at, a.version, a.updated_at, p.id AS appointment,
        p.version AS appointment_version
      FROM session_family f
      LEFT JOIN rubix_application a ON a.id = f.subject_id AND a.tenant_id = f.tenant_id
      LEFT JOIN appointment p ON p.customer_id = f.subject_id AND p.reason = 'verification'
        AND p.status IN ('SCHEDULED', 'IN_CALL')
      WHERE f.id IN \(list: families)
      """)
  }

  private static func status(_ row: SQLRow) throws -> ViewStatus {
    let version: Int? = try row.get("version")
    return ViewStatus(
      session: SessionState(
        subject: try row.get("subject_id"), isRevoked: try row.get("revoked_at", as: Instant?.self) != nil,
        expiresAt: try row.get("expires_at")),
      stamp: try version.map {
        ViewStamp(
          version: $0, updatedAt: try row.get("updated_at"), appointment: try row.get("appointment"),
          appointmentVersion: try row.get("appointment_version"))
      })
  }
}
