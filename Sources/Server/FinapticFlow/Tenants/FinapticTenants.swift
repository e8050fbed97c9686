// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Identity
import Kit
import Ledger
import Storage

/// The tenants of an installation, their documents and the keys of their apps: managed by operators.
package struct FinapticTenants: Sendable {
  private static let nameMax = 64
  /// Keys that are listed at once.
  private static let keysMax = 500

  let core: CoreDependencies
  let ledger: Ledger
  let policy: FinapticPolicy

  /// - Parameter mfa: nil for the default: no second factor in a sandbox, step-up elsewhere.
  /// - Throws: `Problem` invalid argument; already exists.
  @discardableResult
  package func add(
    _ id: Int, name: String, kind: FinapticTenant.Kind, mfa: FinapticTenant.MFA? = nil, by actor: String
  ) async throws -> FinapticTenant {
    var faults: [Problem.Field] = []
    if !FinapticTenant.ids.contains(id) { faults.append(.init("/id", "range", "A number from 1 to 9999.")) }
    if !Self.isName(name) { faults.append(.init("/name", "length", "1 to \(Self.nameMax) characters.")) }
    guard faults.isEmpty else { throw Problem.finapticFields(faults) }
    let tenant = FinapticTenant(
      id: id, name: name, kind: kind, mfa: mfa ?? (kind == .sandbox ? .never : .stepUpOnly),
      createdAt: core.world.now())
    do {
      try await core.database.write(retrying: .outdated) { tx in
        try TenantStore(tx).insert(tenant)
        try InternalAccounts(ledger).prepare(id, in: tx)
        try core.note("tenant.added", "tenant-\(id)", by: actor, ["kind": kind.rawValue], in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem.finaptic(.alreadyExists, "There is a tenant of that number.")
    }
    return tenant
  }

  /// All of them: there are 9999 numbers.
  package func list() async throws -> [FinapticTenant] {
    try await core.database.read { try TenantStore($0).list() }
  }

  /// Whether there is a tenant of that number.
  package static func holds(_ id: Int, in tx: any SQLTransaction) throws -> Bool { try TenantStore(tx).find(id) != nil }

  /// - Throws: `Problem` not found.
  package func find(_ id: Int) async throws -> FinapticTenant {
    guard let tenant = try await core.database.read({ try TenantStore($0).find(id) }) else {
      throw Problem.missing(.tenant)
    }
    return tenant
  }

  /// - Parameter name: as sessions and cases name it, `finaptic-7`.
  /// - Throws: `Problem` not found.
  package func find(named name: String) async throws -> FinapticTenant {
    guard let name = FinapticTenantName(name) else { throw Problem.notFound }
    return try await find(name.tenant)
  }

  /// The tenant that a client acts for.
  /// - Throws: `Problem` forbidden for a client without the scope, or of no tenant.
  func find(of client: ServiceClient, scope: ServiceClient.Scope) async throws -> FinapticTenant {
    guard client.scopes.contains(scope), let tenant = try await tenant(of: client) else {
      throw Problem(.forbidden, "forbidden", "This client does not have the scope \(scope.rawValue).")
    }
    return tenant
  }

  /// The same, whatever the client may do.
  /// - Throws: `Problem` forbidden for a client of no tenant.
  func find(of client: ServiceClient) async throws -> FinapticTenant {
    guard let tenant = try await tenant(of: client) else {
      throw Problem(.forbidden, "forbidden", "This client does not act for a tenant of Finaptic.")
    }
    return tenant
  }

  private func tenant(of client: ServiceClient) async throws -> FinapticTenant? {
    try await core.database.read { try TenantStore($0).find(session: client.tenant) }
  }

  /// - Throws: `Problem` not found.
  package func setMFA(_ mfa: FinapticTenant.MFA, of id: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      guard try TenantStore(tx).setMFA(mfa, of: id) else { throw Problem.missing(.tenant) }
      try core.note("tenant.mfa", "tenant-\(id)", by: actor, ["mfa": mfa.rawValue], in: tx)
    }
  }

  // MARK: Documents

  /// - Throws: `Problem` invalid argument; not found.
  package func setDocument(_ document: TenantDocument, of id: Int, by actor: String) async throws {
    try document.check()
    try await core.database.write(retrying: .outdated) { tx in
      let store = TenantStore(tx)
      guard try store.find(id) != nil else { throw Problem.missing(.tenant) }
      try store.setDocument(document, of: id)
      try core.note("tenant.document", "tenant-\(id)", by: actor, ["type": document.type], in: tx)
    }
  }

  /// Every document of a tenant by its code: the operator's address, or the standard one.
  package func documents(of id: Int) async throws -> [String: String] {
    try await core.database.read { try TenantStore($0).documents(of: id, publicURL: policy.publicURL) }
  }

  // MARK: Keys

  /// Makes a client key and the SDK key around it.
  /// - Parameter pins: SHA-256 digests of public keys, one of which the server's certificates have to hold.
  /// - Throws: `Problem` invalid argument; not found; a failed precondition for a tenant in production while the public
  ///   address is this machine alone, which no customer's phone could reach.
  package func issueKey(
    _ name: String, tenant id: Int, pins: Set<Data> = [], by actor: String
  ) async throws -> (key: FinapticClientKey, sdkKey: FinapticSDKKey) {
    guard Self.isName(name) else {
      throw Problem.finapticFields([.init("/name", "length", "1 to \(Self.nameMax) characters.")])
    }
    guard pins.count <= 10, pins.allSatisfy({ $0.count == 32 }) else {
      throw Problem.finapticFields([.init("/pins", "format", "At most 10, each of 32 bytes.")])
    }
    guard let address = URL(string: policy.publicURL) else { throw Problem.unexpected }
    let key = FinapticClientKey(
      id: .init(rawValue: core.world.randomUUID()), tenant: id, name: name, createdAt: core.world.now(),
      revokedAt: nil)
    let tenant = try await core.database.write(retrying: .outdated) { tx in
      let store = TenantStore(tx)
      guard let tenant = try store.find(id) else { throw Problem.missing(.tenant) }
      guard tenant.isSandbox || address.host()?.isLoopbackHost == false else {
        throw Problem.finaptic(
          .failedPrecondition, "Set finaptic.publicUrl to an address that customers reach, and issue the key then.")
      }
      try store.insert(key)
      try core.note("key.issued", "tenant-\(id)", by: actor, ["key": key.id.rawValue], in: tx)
      return tenant
    }
    return (
      key,
      FinapticSDKKey(
        environment: tenant.isSandbox ? .sandbox : .production, tenantID: id, baseURL: address,
        clientKey: key.id.rawValue, pins: pins)
    )
  }

  /// Of a tenant, the oldest first, the revoked too.
  package func keys(of tenant: Int) async throws -> [FinapticClientKey] {
    try await core.database.read { try TenantStore($0).keys(of: tenant, limit: Self.keysMax) }
  }

  /// Ends a key at once, for good.
  /// - Throws: `Problem` not found.
  package func revokeKey(_ id: FinapticClientKey.ID, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let store = TenantStore(tx)
      guard let key = try store.key(id), try store.revoke(id, at: core.world.now()) else {
        throw Problem.missing(.sdkKey)
      }
      try core.note("key.revoked", "tenant-\(key.tenant)", by: actor, ["key": id.rawValue], in: tx)
    }
  }

  private static func isName(_ name: String) -> Bool {
    (1...nameMax).contains(name.unicodeScalars.count) && name.allSatisfy { !$0.isNewline && $0 != "\0" }
  }
}
