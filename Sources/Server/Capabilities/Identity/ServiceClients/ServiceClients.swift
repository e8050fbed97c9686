// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Credentials of other servers: made, turned over with an overlap, revoked, checked.
package struct ServiceClients: Sendable {
  package static let secretPrefix = "ghc_"
  /// For so long, unless told otherwise, the secrets before a new one are still taken.
  package static let overlap = Duration.days(7)
  package static let overlapMax = Duration.days(90)
  private static let nameMax = 64
  private static let listMax = 500

  let database: any SQLDatabase
  let vault: Vault
  let audit: Audit
  let world: World

  package init(database: any SQLDatabase, vault: Vault, audit: Audit, world: World) {
    self.database = database
    self.vault = vault
    self.audit = audit
    self.world = world
  }

  /// - Throws: `Problem` validation; conflict `client-exists` when the tenant has one of that name.
  package func add(
    _ name: String, tenant: String, scopes: Set<ServiceClient.Scope>, by actor: String
  ) async throws -> IssuedSecret {
    let issued = try issue(name, tenant: tenant, scopes: scopes)
    try await database.write { [self] in try keep(issued, by: actor, in: $0) }
    return issued
  }

  /// A client that is valid only once it is stored.
  /// - Throws: `Problem` validation.
  package func issue(_ name: String, tenant: String, scopes: Set<ServiceClient.Scope>) throws -> IssuedSecret {
    guard (1...Self.nameMax).contains(name.unicodeScalars.count), name.allSatisfy({ !$0.isNewline && $0 != "\0" })
    else {
      throw Problem.validation([.init("/name", "length", "1 to \(Self.nameMax) characters.")])
    }
    guard !scopes.isEmpty else { throw Problem.validation([.init("/scopes", "required", "One scope at least.")]) }
    let client = ServiceClient(
      id: .init(world), tenant: tenant, name: name, scopes: scopes, createdAt: world.now(), revokedAt: nil)
    return IssuedSecret(client: client, secret: newSecret(), earlierUntil: nil)
  }

  /// Lets an issued client call, in the transaction that it is for.
  /// - Throws: `Problem` conflict `client-exists` when the tenant has one of that name.
  package func keep(_ issued: IssuedSecret, by actor: String, in tx: any SQLTransaction) throws {
    let (client, store) = (issued.client, ServiceClientStore(tx))
    do { try store.insert(client) } catch SQLError.notUnique {
      throw Problem(.conflict, "client-exists", "This tenant has a client of that name.")
    }
    try store.insertSecret(digest(issued.secret, of: client.id), of: client.id, at: client.createdAt)
    try audit.append(
      "client.added", to: client.id.rawValue, by: actor,
      facts: ["tenant": client.tenant, "scopes": client.scopes.sorted().map(\.rawValue).joined(separator: " ")], in: tx)
  }

  /// Makes a new secret. Those before it end after the overlap, or when they would have ended anyway.
  /// - Throws: `Problem` not-found, also for a revoked client.
  package func rotate(
    _ id: ServiceClient.ID, overlap: Duration = overlap, by actor: String
  ) async throws -> IssuedSecret {
    guard (.zero...Self.overlapMax).contains(overlap) else {
      throw Problem.validation([.init("/overlap", "range", "0 to \(Self.overlapMax.wholeSeconds / 86_400) days.")])
    }
    let secret = newSecret()
    return try await database.write(.serializable) { [self] tx in
      let (store, now) = (ServiceClientStore(tx), world.now())
      guard let client = try store.find(id), client.revokedAt == nil else { throw Problem.missing(.client) }
      let end = now + overlap
      let left = try store.endSecrets(of: id, at: end)
      try store.insertSecret(digest(secret, of: id), of: id, at: now)
      try audit.append("client.rotated", to: id.rawValue, by: actor, facts: ["until": end.rfc3339], in: tx)
      return IssuedSecret(client: client, secret: secret, earlierUntil: left > 0 ? end : nil)
    }
  }

  /// Ends a client at once, for good.
  /// - Throws: `Problem` not-found.
  package func revoke(_ id: ServiceClient.ID, by actor: String) async throws {
    try await database.write { [self] tx in
      let store = ServiceClientStore(tx)
      guard try store.revoke(id, at: world.now()) else { throw Problem.missing(.client) }
      _ = try store.endSecrets(of: id, at: world.now())
      try audit.append("client.revoked", to: id.rawValue, by: actor, in: tx)
    }
  }

  /// Of a tenant, the oldest first, the revoked too.
  package func list(tenant: String) async throws -> [ServiceClient] {
    try await database.read { try ServiceClientStore($0).list(tenant: tenant, limit: Self.listMax) }
  }

  /// Whose credentials these are; nil for unknown, wrong, lapsed and revoked ones alike.
  package func authenticate(_ id: String, secret: String) async throws -> ServiceClient? {
    let (id, now) = (ServiceClient.ID(rawValue: id), world.now())
    // The digest is keyed, so that comparing it tells nothing; no secret is long enough to cost anything.
    guard UUID(uuidString: id.rawValue) != nil, secret.utf8.count <= 128 else { return nil }
    let presented = digest(secret, of: id)
    let (client, digests) = try await database.look { tx in
      let store = ServiceClientStore(tx)
      return (try store.find(id), try store.secrets(of: id, at: now))
    }
    guard let client, client.revokedAt == nil else { return nil }
    return digests.contains { $0.utf8.isEqualInConstantTime(to: presented.utf8) } ? client : nil
  }

  /// Deletes up to `limit` secrets that ended.
  package func sweep(limit: Int, in tx: any SQLTransaction) throws -> Int {
    try ServiceClientStore(tx).sweepSecrets(before: world.now(), limit: limit)
  }

  private func newSecret() -> String { Self.secretPrefix + world.random(32).base64URL }

  private func digest(_ secret: String, of id: ServiceClient.ID) -> String {
    vault.digest("\(id)\u{0}\(secret)", for: "service client")
  }
}
