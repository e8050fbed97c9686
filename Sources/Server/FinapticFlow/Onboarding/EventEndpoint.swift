import Capabilities
import Foundation
import Kit
import Storage

/// Where a tenant's server takes events, and what they are signed with.
package struct EventEndpoint: Sendable, Equatable {
  package let tenant: Int
  package let url: String
  /// `whsec_…` (Standard Webhooks).
  package let secret: String
}

/// The line to tenants' servers. Repetitions of an event carry the same id.
package struct EventLine: Sendable {
  /// - Throws: a `FinalFailure` when repeating cannot help, anything else when it may.
  package let tell: @Sendable (EventEndpoint, OnboardingEvent) async throws -> Void

  package init(tell: @escaping @Sendable (EventEndpoint, OnboardingEvent) async throws -> Void) { self.tell = tell }

  /// There is no way out: events wait.
  package static let absent = EventLine { _, _ in throw Problem.unavailable }

  /// Over HTTPS, signed as Standard Webhooks are.
  package static func webhook(lanes: BlockingLanes, world: World) -> EventLine {
    EventLine { endpoint, event in
      _ = try await SignedWebhook(base: endpoint.url, secret: endpoint.secret, lanes: lanes, world: world)
        .post("", event, id: event.eventId)
    }
  }
}

/// Rows of `finaptic_event_endpoint`.
package struct EventEndpointStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  package static let migration = Migration(
    "2026-11-22 finaptic 16 event endpoint",
    """
    CREATE TABLE finaptic_event_endpoint (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      secret BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    """)

  func find(_ tenant: Int) throws -> EventEndpoint? {
    try tx.first("SELECT url, secret FROM finaptic_event_endpoint WHERE tenant_id = \(tenant)").map {
      EventEndpoint(
        tenant: tenant, url: try $0.get("url"),
        secret: String(decoding: try vault.open($0.get("secret"), context: Self.context(tenant)), as: UTF8.self))
    }
  }

  func put(_ endpoint: EventEndpoint, at now: Instant) throws {
    let secret = try vault.seal(Data(endpoint.secret.utf8), context: Self.context(endpoint.tenant))
    try tx.execute(
      """
      INSERT INTO finaptic_event_endpoint (tenant_id, url, secret, created_at)
      VALUES (\(endpoint.tenant), \(endpoint.url), \(secret), \(now))
      ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, secret = excluded.secret
      """)
  }

  /// - Returns: whether there was one.
  func delete(_ tenant: Int) throws -> Bool {
    try tx.execute("DELETE FROM finaptic_event_endpoint WHERE tenant_id = \(tenant)") == 1
  }

  private static func context(_ tenant: Int) -> String { "finaptic_event_endpoint.secret:\(tenant)" }
}

/// Sets where tenants' events go: for operators.
package struct EventEndpoints: Sendable {
  let parts: FinapticParts

  package init(_ room: FinapticRoom) { parts = room.parts }

  /// - Returns: the secret, which is shown this once.
  /// - Throws: `Problem` not found; invalid argument.
  package func set(_ url: String, of tenant: Int, by actor: String) async throws -> String {
    let secret = WebhookSecret(parts.world).text
    let endpoint = EventEndpoint(tenant: tenant, url: url, secret: secret)
    do {
      _ = try SignedWebhook(
        base: url, secret: secret, lanes: BlockingLanes("check", width: 1), world: parts.world)
    } catch is SignedWebhookError {
      throw Problem.finapticFields([.init("/url", "format", "An HTTPS address without user and query.")])
    }
    try await parts.writing { [parts] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      try EventEndpointStore(tx, vault: parts.vault).put(endpoint, at: parts.world.now())
      try parts.note("tenant.endpoint", "tenant-\(tenant)", by: actor, in: tx)
    }
    return secret
  }

  /// - Throws: `Problem` not found.
  package func remove(of tenant: Int, by actor: String) async throws {
    try await parts.writing { [parts] tx in
      guard try EventEndpointStore(tx, vault: parts.vault).delete(tenant) else { throw Problem.notFound }
      try parts.note("tenant.endpoint_removed", "tenant-\(tenant)", by: actor, in: tx)
    }
  }
}
