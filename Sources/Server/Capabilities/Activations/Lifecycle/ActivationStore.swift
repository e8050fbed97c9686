// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Rows of `activation`.
struct ActivationStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  func insert(_ row: ActivationRow) throws {
    try tx.execute(
      """
      INSERT INTO activation (id, application_id, version_id, protocol_version, state, row_version, user_digest,
        sealed_details, flags, blocked_reason, code_digest, otp_digest, otp_check, commits_itself, failed_attempts, max_failed_attempts,
        device_public_key, server_public_key, sealed_server_key, sealed_keys, counter, counter_data, created_at,
        expires_at, last_used_at, replaces)
      VALUES (\(row.id), \(row.application), \(row.applicationVersion), \(row.protocolVersion?.rawValue),
        \(row.state.name), \(row.version), \(row.userDigest), \(row.sealedDetails), \(try Self.text(row.flags)), \(row.blockedReason), \(row.codeDigest),
        \(row.otp?.digest), \(row.otp?.check), \(row.commitsItself), \(row.failedAttempts), \(row.maxFailedAttempts),
        \(row.publicKeys?.device), \(row.publicKeys?.server), \(row.sealedServerKey), \(row.sealedKeys),
        \(row.counterNumber), \(row.counter?.data.bytes), \(row.createdAt), \(row.expiresAt), \(row.lastUsedAt),
        \(row.replaces))
      """)
  }

  func find(_ id: Activation.ID) throws -> ActivationRow? {
    try tx.first(
      """
      SELECT a.id, a.application_id, a.version_id, a.protocol_version, a.state, a.row_version, a.user_digest,
        a.sealed_details, a.flags, a.blocked_reason, a.code_digest, a.otp_digest, a.otp_check, a.commits_itself, a.failed_attempts,
        a.max_failed_attempts, a.device_public_key, a.server_public_key, a.sealed_server_key, a.sealed_keys,
        a.counter, a.counter_data, a.created_at, a.expires_at, a.last_used_at, a.replaces, p.tenant, p.protocol_min
      FROM activation a JOIN powerauth_application p ON p.id = a.application_id
      WHERE a.id = \(id)
      """
    ).map(row)
  }

  /// The state, held by writing it again: a transaction that changes it meanwhile runs again and sees what this one
  /// wrote. A lock alone would let them wait and go on with what they saw before. Nil when there is no such row.
  func heldState(_ id: Activation.ID) throws -> ActivationState? {
    try tx.first("UPDATE activation SET state = state WHERE id = \(id) RETURNING state").map { row in
      guard let state = ActivationState(name: try row.get("state")) else { throw SQLError.unreadable("unknown state") }
      return state
    }
  }

  func find(codeDigest: String) throws -> ActivationRow? {
    try tx.first("SELECT id FROM activation WHERE code_digest = \(codeDigest)").flatMap { try find($0.get("id")) }
  }

  /// Newest first.
  func list(userDigest: String, limit: Int) throws -> [ActivationRow] {
    try tx.query(
      """
      SELECT id FROM activation WHERE user_digest = \(userDigest) ORDER BY created_at DESC, id LIMIT \(limit)
      """
    ).compactMap { try find($0.get("id")) }
  }

  /// Newest first, of one application.
  func list(userDigest: String, application: PowerAuthApplication.ID, limit: Int) throws -> [ActivationRow] {
    try tx.query(
      """
      SELECT id FROM activation WHERE user_digest = \(userDigest) AND application_id = \(application)
      ORDER BY created_at DESC, id LIMIT \(limit)
      """
    ).compactMap { try find($0.get("id")) }
  }

  /// Newest first.
  func list(application: PowerAuthApplication.ID, limit: Int) throws -> [ActivationRow] {
    try tx.query(
      """
      SELECT id FROM activation WHERE application_id = \(application) ORDER BY created_at DESC, id LIMIT \(limit)
      """
    ).compactMap { try find($0.get("id")) }
  }

  /// Activations whose time is over, and whose row is still in an earlier state.
  func lapsed(now: Instant, limit: Int) throws -> [Activation.ID] {
    try tx.query(
      """
      SELECT id FROM activation WHERE expires_at IS NOT NULL AND expires_at <= \(now)
      ORDER BY expires_at LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// For an erasure. What refers to the row has to be gone.
  func delete(_ id: Activation.ID) throws {
    try tx.execute("DELETE FROM activation WHERE id = \(id)")
  }

  /// Writes everything that may change, on the version that the decision was made on.
  /// - Returns: the row as it is now.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func save(_ row: ActivationRow) throws -> ActivationRow {
    let changed = try tx.execute(
      """
      UPDATE activation SET version_id = \(row.applicationVersion),
        protocol_version = \(row.protocolVersion?.rawValue), state = \(row.state.name),
        row_version = row_version + 1, sealed_details = \(row.sealedDetails), flags = \(try Self.text(row.flags)),
        blocked_reason = \(row.blockedReason), code_digest = \(row.codeDigest), otp_digest = \(row.otp?.digest),
        otp_check = \(row.otp?.check), failed_attempts = \(row.failedAttempts),
        device_public_key = \(row.publicKeys?.device), server_public_key = \(row.publicKeys?.server),
        sealed_server_key = \(row.sealedServerKey), sealed_keys = \(row.sealedKeys), counter = \(row.counterNumber),
        counter_data = \(row.counter?.data.bytes), expires_at = \(row.expiresAt), last_used_at = \(row.lastUsedAt),
        replaces = \(row.replaces)
      WHERE id = \(row.id) AND row_version = \(row.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    return row.saved
  }

  /// The same for what a signature changes, which is the most frequent of all.
  func saveProof(_ row: ActivationRow) throws -> ActivationRow {
    let changed = try tx.execute(
      """
      UPDATE activation SET row_version = row_version + 1, failed_attempts = \(row.failedAttempts),
        counter = \(row.counterNumber), counter_data = \(row.counter?.data.bytes), last_used_at = \(row.lastUsedAt)
      WHERE id = \(row.id) AND row_version = \(row.version) AND state = \(row.state.name)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    return row.saved
  }

  private func row(_ row: SQLRow) throws -> ActivationRow {
    let name: String = try row.get("state")
    guard let state = ActivationState(name: name) else { throw SQLError.unreadable("unknown state") }
    let keys = (
      device: try row.get("device_public_key", as: Data?.self), server: try row.get("server_public_key", as: Data?.self)
    )
    let otp = (
      digest: try row.get("otp_digest", as: String?.self), check: try row.get("otp_check", as: ActivationOTPCheck?.self)
    )
    let number: Int64 = try row.get("counter")
    return ActivationRow(
      id: try row.get("id"), application: try row.get("application_id"), tenant: try row.get("tenant"),
      applicationVersion: try row.get("version_id"),
      protocolVersion: try row.get("protocol_version", as: String?.self).map { try ProtocolVersion(text: $0) },
      state: state, version: try row.get("row_version"),
      userDigest: try row.get("user_digest"), sealedDetails: try row.get("sealed_details"),
      flags: try Self.flags(try row.get("flags")), blockedReason: try row.get("blocked_reason"),
      codeDigest: try row.get("code_digest"),
      otp: otp.digest.flatMap { digest in otp.check.map { .init(digest: digest, check: $0) } },
      commitsItself: try row.get("commits_itself"), failedAttempts: try row.get("failed_attempts"),
      maxFailedAttempts: try row.get("max_failed_attempts"),
      publicKeys: keys.device.flatMap { device in keys.server.map { .init(device: device, server: $0) } },
      sealedServerKey: try row.get("sealed_server_key"), sealedKeys: try row.get("sealed_keys"),
      counter: try row.get("counter_data", as: Data?.self).map {
        SignatureCounter(number: UInt64(bitPattern: number), data: try CounterData($0))
      },
      createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"),
      lastUsedAt: try row.get("last_used_at"), replaces: try row.get("replaces"),
      protocolMin: try ProtocolVersion(text: row.get("protocol_min")))
  }

  private static func text(_ flags: [String]) throws -> String {
    String(decoding: try JSONEncoder().encode(flags), as: UTF8.self)
  }

  private static func flags(_ text: String) throws -> [String] {
    text == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8))
  }
}

extension ActivationOTPCheck: SQLConvertible {}

extension ActivationRow {
  fileprivate var counterNumber: Int64 { counter.map { Int64(bitPattern: $0.number) } ?? 0 }

  /// With the version that a guarded write gave it.
  fileprivate var saved: ActivationRow {
    var copy = self
    copy.version += 1
    return copy
  }
}

extension ActivationState {
  /// As it is stored and shown to operators.
  package var name: String { "\(self)" }

  init?(name: String) {
    guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = state
  }
}

/// An activation as it is stored: secrets sealed, people behind digests.
struct ActivationRow: Sendable {
  let id: Activation.ID
  let application: PowerAuthApplication.ID
  let tenant: String
  var applicationVersion: PowerAuthApplicationVersion.ID?
  /// Of the protocol, when the device joined; nil until then.
  var protocolVersion: ProtocolVersion?
  var state: ActivationState
  /// Counted up by every change: who writes must have read the latest.
  var version: Int
  let userDigest: String
  /// Empty in a row that is prepared: its user's key is known to a transaction only.
  var sealedDetails: Data
  var flags: [String]
  var blockedReason: String?
  var codeDigest: String?
  var otp: OTP?
  let commitsItself: Bool
  var failedAttempts: Int
  let maxFailedAttempts: Int
  var publicKeys: ActivationPublicKeys?
  var sealedServerKey: Data?
  var sealedKeys: Data?
  var counter: SignatureCounter?
  let createdAt: Instant
  var expiresAt: Instant?
  var lastUsedAt: Instant?
  /// The older device that ends when this one is committed; nil when there is no such device any more.
  var replaces: Activation.ID?
  /// Of the application: the lowest version of the protocol that the device may speak.
  let protocolMin: ProtocolVersion

  struct OTP: Sendable {
    let digest: String
    let check: ActivationOTPCheck
  }

  /// Whether the device may sign by a version. Decimal signatures can be guessed: they are for devices that know no
  /// others.
  func accepts(_ version: ProtocolVersion) -> Bool { version != .v30 || protocolVersion == .v30 }

  /// The state that counts: one whose time is over is gone, whether or not a sweep has said so yet.
  func state(at now: Instant) -> ActivationState {
    guard let expiresAt, expiresAt <= now else { return state }
    return .removed
  }
}

/// What is known about the person and the device, sealed as one under the user's key.
struct ActivationDetails: Sendable, Codable {
  var user: String
  var device: ActivationDeviceDetails
  var externalID: String?

  private static func context(_ id: Activation.ID) -> String { "activation.sealed_details:\(id)" }

  func sealed(for row: ActivationRow, by vault: Vault, in tx: any SQLTransaction) throws -> Data {
    try vault.seal(self, as: Self.context(row.id), of: row.keySubject, in: tx)
  }

  /// - Returns: nil when the user was erased: the row is of a copy that was restored.
  static func open(_ row: ActivationRow, by vault: Vault, in tx: any SQLTransaction) throws -> ActivationDetails? {
    try vault.open(row.sealedDetails, or: ActivationDetails?.none, context: context(row.id), in: tx)
  }
}

extension KeySubject {
  /// A user of an institution, as their activations and recovery codes are looked up.
  static func activationUser(_ digest: String, tenant: String) -> KeySubject {
    KeySubject(digest, of: TenantID(Activations.system, tenant))
  }
}

extension ActivationRow {
  var keySubject: KeySubject { .activationUser(userDigest, tenant: tenant) }
}
