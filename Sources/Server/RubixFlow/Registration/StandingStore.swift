import Identity
import Kit
import Scheduling
import Storage

/// What one statement says of a caller: whether the session lives, and which state of the application they would see.
struct Standing: Sendable {
  let session: SessionStanding
  /// Nil when the session's subject has no application of its tenant.
  let stamp: ViewStamp?
}

/// Names a state of everything that a customer's view shows: no two states of one application have the same.
///
/// Sessions and images change in steps, and a step writes its application; whatever changes them otherwise says so with
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

/// The standing of callers, across the rooms whose rows decide it: the one look that every read of `auth/me` costs.
enum StandingStore {
  /// - Parameter family: its id.
  /// - Returns: nil when there is none.
  static func find(_ family: String, in database: any SQLDatabase) async throws -> Standing? {
    try await rows([family], in: database).first.map(standing)
  }

  /// One snapshot of the sessions, their applications and the live appointments of these. Families that are not there
  /// are not in the answer; a row that cannot be read fails those alone who asked for it.
  /// - Parameter families: their ids.
  static func find(
    _ families: Set<String>, in database: any SQLDatabase
  ) async throws -> [String: Result<Standing, any Error>] {
    try await Dictionary(
      uniqueKeysWithValues: rows(Array(families), in: database).map { row in
        (try row.get("id"), Result { try standing(row) })
      })
  }

  private static func rows(_ families: [String], in database: any SQLDatabase) async throws -> [SQLRow] {
    try await database.query(
      """
      SELECT f.id, f.subject_id, f.expires_at, f.revoked_at, a.version, a.updated_at, p.id AS appointment,
        p.version AS appointment_version
      FROM session_family f
      LEFT JOIN rubix_application a ON a.id = f.subject_id AND a.tenant_id = f.tenant_id
      LEFT JOIN appointment p ON p.customer_id = f.subject_id AND p.status IN ('SCHEDULED', 'IN_CALL')
      WHERE f.id IN \(list: families)
      """)
  }

  private static func standing(_ row: SQLRow) throws -> Standing {
    let version: Int? = try row.get("version")
    return Standing(
      session: SessionStanding(
        subject: try row.get("subject_id"), isRevoked: try row.get("revoked_at", as: Instant?.self) != nil,
        expiresAt: try row.get("expires_at")),
      stamp: try version.map {
        ViewStamp(
          version: $0, updatedAt: try row.get("updated_at"), appointment: try row.get("appointment"),
          appointmentVersion: try row.get("appointment_version"))
      })
  }
}
