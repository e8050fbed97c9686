// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Rows of `powerauth_application`, `powerauth_master_key` and `powerauth_version`.
struct PowerAuthApplicationStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct MasterKey: Sendable {
    let application: PowerAuthApplication.ID
    let generation: Int
    /// Uncompressed.
    let publicKey: Data
    let sealedPrivateKey: Data
    let createdAt: Instant
  }

  /// A version with its application and its sealed secret.
  struct Release: Sendable {
    let application: PowerAuthApplication
    let version: PowerAuthApplicationVersion
    let sealedSecret: Data

    /// - Throws: `Problem.protocolTooOld`.
    func require(_ version: ProtocolVersion) throws {
      guard version >= application.protocolMin else { throw Problem.protocolTooOld }
    }
  }

  private static let applicationColumns: SQLColumns =
    "id, tenant, name, issues_recovery_codes, protocol_min, created_at"
  private static let masterKeyColumns: SQLColumns =
    "application_id, generation, public_key, sealed_private_key, created_at"
  private static let versionColumns: SQLColumns =
    "id, application_id, name, application_key, generation, is_supported, created_at"

  /// - Throws: `SQLError.notUnique` for a name that the tenant has.
  func insert(_ application: PowerAuthApplication) throws {
    try tx.execute(
      """
      INSERT INTO powerauth_application (\(Self.applicationColumns))
      VALUES (\(application.id), \(application.tenant), \(application.name), \(application.issuesRecoveryCodes),
        \(application.protocolMin.rawValue), \(application.createdAt))
      """)
  }

  func insert(_ key: MasterKey) throws {
    try tx.execute(
      """
      INSERT INTO powerauth_master_key (application_id, generation, public_key, sealed_private_key, created_at)
      VALUES (\(key.application), \(key.generation), \(key.publicKey), \(key.sealedPrivateKey), \(key.createdAt))
      """)
  }

  /// - Throws: `SQLError.notUnique` for a name that the application has.
  func insert(_ version: PowerAuthApplicationVersion, sealedSecret: Data) throws {
    try tx.execute(
      """
      INSERT INTO powerauth_version (id, application_id, name, application_key, sealed_secret, generation,
        is_supported, created_at)
      VALUES (\(version.id), \(version.application), \(version.name), \(version.applicationKey.text), \(sealedSecret),
        \(version.masterKeyGeneration), \(version.isSupported), \(version.createdAt))
      """)
  }

  func tenants() throws -> [String] {
    try tx.query("SELECT DISTINCT tenant FROM powerauth_application ORDER BY tenant").map { try $0.get("tenant") }
  }

  func find(_ id: PowerAuthApplication.ID) throws -> PowerAuthApplication? {
    try tx.first(
      "SELECT \(Self.applicationColumns) FROM powerauth_application WHERE id = \(id)"
    ).map(application)
  }

  func find(name: String, tenant: String) throws -> PowerAuthApplication? {
    try tx.first(
      """
      SELECT \(Self.applicationColumns) FROM powerauth_application
      WHERE tenant = \(tenant) AND name = \(name)
      """
    ).map(application)
  }

  /// Oldest first.
  func list(tenant: String, limit: Int) throws -> [PowerAuthApplication] {
    try tx.query(
      """
      SELECT \(Self.applicationColumns) FROM powerauth_application
      WHERE tenant = \(tenant) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(application)
  }

  /// Of every tenant, oldest first.
  func list(limit: Int) throws -> [PowerAuthApplication] {
    try tx.query(
      """
      SELECT \(Self.applicationColumns) FROM powerauth_application
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(application)
  }

  /// Newest first; the first one signs.
  func masterKeys(of id: PowerAuthApplication.ID) throws -> [MasterKey] {
    try tx.query(
      """
      SELECT \(Self.masterKeyColumns) FROM powerauth_master_key
      WHERE application_id = \(id) ORDER BY generation DESC
      """
    ).map(masterKey)
  }

  func masterKey(of id: PowerAuthApplication.ID, generation: Int) throws -> MasterKey? {
    try tx.first(
      """
      SELECT \(Self.masterKeyColumns) FROM powerauth_master_key
      WHERE application_id = \(id) AND generation = \(generation)
      """
    ).map(masterKey)
  }

  /// Oldest first.
  func versions(of id: PowerAuthApplication.ID) throws -> [PowerAuthApplicationVersion] {
    try tx.query(
      """
      SELECT \(Self.versionColumns) FROM powerauth_version
      WHERE application_id = \(id) ORDER BY created_at, id
      """
    ).map(version)
  }

  func version(_ id: PowerAuthApplicationVersion.ID) throws -> PowerAuthApplicationVersion? {
    try tx.first(
      """
      SELECT \(Self.versionColumns) FROM powerauth_version
      WHERE id = \(id)
      """
    ).map(version)
  }

  func release(_ key: ApplicationKey) throws -> Release? {
    try tx.first(
      """
      SELECT v.id, v.application_id, v.name, v.application_key, v.generation, v.is_supported, v.created_at,
        v.sealed_secret, a.tenant, a.name AS application_name, a.issues_recovery_codes, a.protocol_min,
        a.created_at AS application_at
      FROM powerauth_version v JOIN powerauth_application a ON a.id = v.application_id
      WHERE v.application_key = \(key.text)
      """
    ).map { row in
      let version = try version(row)
      let application = PowerAuthApplication(
        id: version.application, tenant: try row.get("tenant"), name: try row.get("application_name"),
        issuesRecoveryCodes: try row.get("issues_recovery_codes"),
        protocolMin: try ProtocolVersion(text: row.get("protocol_min")), createdAt: try row.get("application_at"))
      return Release(application: application, version: version, sealedSecret: try row.get("sealed_secret"))
    }
  }

  /// - Returns: false when there is no such version.
  func setSupported(_ isSupported: Bool, of id: PowerAuthApplicationVersion.ID) throws -> Bool {
    try tx.execute("UPDATE powerauth_version SET is_supported = \(isSupported) WHERE id = \(id)") == 1
  }

  /// - Returns: false when there is no such application.
  func setProtocolMin(_ version: ProtocolVersion, of id: PowerAuthApplication.ID) throws -> Bool {
    try tx.execute("UPDATE powerauth_application SET protocol_min = \(version.rawValue) WHERE id = \(id)") == 1
  }

  private func application(_ row: SQLRow) throws -> PowerAuthApplication {
    PowerAuthApplication(
      id: try row.get("id"), tenant: try row.get("tenant"), name: try row.get("name"),
      issuesRecoveryCodes: try row.get("issues_recovery_codes"),
      protocolMin: try ProtocolVersion(text: row.get("protocol_min")), createdAt: try row.get("created_at"))
  }

  private func masterKey(_ row: SQLRow) throws -> MasterKey {
    MasterKey(
      application: try row.get("application_id"), generation: try row.get("generation"),
      publicKey: try row.get("public_key"), sealedPrivateKey: try row.get("sealed_private_key"),
      createdAt: try row.get("created_at"))
  }

  private func version(_ row: SQLRow) throws -> PowerAuthApplicationVersion {
    PowerAuthApplicationVersion(
      id: try row.get("id"), application: try row.get("application_id"), name: try row.get("name"),
      applicationKey: try ApplicationKey(text: try row.get("application_key")),
      masterKeyGeneration: try row.get("generation"), isSupported: try row.get("is_supported"),
      createdAt: try row.get("created_at"))
  }
}
