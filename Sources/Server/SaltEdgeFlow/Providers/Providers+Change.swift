// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit
import SaltEdgeCore
import Storage

/// What an operator changes of a bank: addresses that move, keys and secrets that others may have seen.
extension Providers {
  /// Nil leaves what there is.
  package struct Change: Sendable {
    package var publicKey: String?
    package var baseURL: String?
    package var loginURL: String?
    package var webhookURL: String?
    package var returnSchemes: [String]?
    package var allowsUnconfirmed: Bool?
    /// Makes a new secret of the webhook, and lets the one before it go on signing beside it for so long; zero ends it
    /// at once. Nil leaves the one that there is.
    package var webhookSecretOverlap: Duration?
    /// The client before it is revoked.
    package var renewsClient = false

    package init() {}
  }

  /// A bank as it is now. Secrets are shown this once.
  package struct Changed: Sendable {
    package let provider: SaltEdgeProvider
    package let webhookSecret: String?
    /// Until when the secret before the new one signs beside it; nil where there was no other.
    package let formerUntil: Instant?
    package let credentials: IssuedSecret?
    /// Schemes that the bank keeps and that could not be named for it today: of the system or of a browser.
    package var refusedSchemes: [String] { Providers.refusedSchemes(provider.returnSchemes) }
  }

  /// Changes a bank, at once on every node: rows are read for every call.
  /// - Throws: `Problem` not-found; validation, also for a key or a server of a bank that has none of its own, and for a
  ///   secret of a bank without a webhook; conflict
  ///   `secret-turning-over` while the secret before today's still signs, unless the new one ends both at once.
  package func change(
    _ code: String, _ change: Change, clients: ServiceClients, by actor: String
  ) async throws -> Changed {
    let found = try await core.database.read { [core] in
      try ProviderStore($0, vault: core.vault).find(code: code)
    }
    guard let earlier = found else { throw Problem.missing(.bank) }
    // Names are good for once: with the day, a name tells which one is the newest.
    let issued =
      change.renewsClient
      ? try clients.issue(
        "saltedge \(code.prefix(30)) \(core.world.now().rfc3339)", tenant: earlier.tenant, scopes: [.bank]) : nil
    let (changed, secret, until) = try await core.database.write(retrying: .outdated) { [core] tx in
      let store = ProviderStore(tx, vault: core.vault)
      guard var provider = try store.find(earlier.id) else { throw Problem.missing(.bank) }
      let wasTold = provider.webhookURL != nil
      try Self.apply(change, to: &provider)
      // By what the row says now: of two changes at once, one may have given the bank its first webhook.
      guard provider.webhookURL != nil || change.webhookSecretOverlap == nil else {
        throw Problem.validation([.init("/webhookURL", "missing", "The bank has no webhook that a secret could sign.")])
      }
      let needsSecret = provider.webhookURL != nil && (change.webhookSecretOverlap != nil || !wasTold)
      let secret = needsSecret ? WebhookSecret(core.world) : nil
      if let issued {
        provider.client = issued.client.id
        try clients.keep(issued, by: actor, in: tx)
      }
      let former = try store.webhookSecret(of: provider.id).flatMap { WebhookSecret($0) }
      try store.save(provider, webhookSecret: secret?.text)
      let until = try bind(provider, from: former, to: secret, overlap: change.webhookSecretOverlap, in: tx)
      var facts = ["changed": Self.names(change).joined(separator: " ")]
      facts["until"] = until?.rfc3339
      try core.audit.append(
        "saltedge.provider.changed", to: "saltedge-provider-\(provider.id)", by: actor, facts: facts, in: tx)
      return (provider, secret, until)
    }
    // The bank does not use it any more: a failure to revoke it changes nothing.
    if issued != nil { do { try await clients.revoke(earlier.client, by: actor) } catch is Problem {} }
    return Changed(provider: changed, webhookSecret: secret?.text, formerUntil: until, credentials: issued)
  }

  /// Has the bank's own endpoint follow its record: first to the address, then to the secret.
  /// - Parameters:
  ///   - former: the record's secret until now.
  ///   - secret: nil leaves the former one.
  /// - Returns: until when the former secret signs beside the new one.
  private func bind(
    _ provider: SaltEdgeProvider, from former: WebhookSecret?, to secret: WebhookSecret?, overlap: Duration?,
    in tx: any SQLTransaction
  ) throws -> Instant? {
    guard let url = provider.webhookURL, let known = former ?? secret else { return nil }
    let now = core.world.now()
    try Webhooks.rebind(url, secret: known, tenant: provider.webhooks, vault: core.vault, at: now, in: tx)
    guard let former, let secret, let overlap else { return nil }
    return try Webhooks.rotateBound(
      provider.webhooks, at: url, from: former, to: secret, overlap: overlap, outlivesGone: true,
      vault: core.vault, world: core.world, in: tx)
  }

  private static func apply(_ change: Change, to provider: inout SaltEdgeProvider) throws {
    var draft = Draft(
      code: provider.code, name: provider.name, kind: provider.kind, supportEmail: provider.supportEmail)
    draft.baseURL = change.baseURL ?? provider.baseURL
    draft.publicKey = change.publicKey ?? provider.publicKey
    draft.loginURL = change.loginURL ?? provider.loginURL
    draft.webhookURL = change.webhookURL ?? provider.webhookURL
    // What the bank was given before it was refused keeps no other change from being made.
    if let schemes = change.returnSchemes { draft.returnSchemes = schemes }
    try check(draft)
    guard provider.kind == .remote || (change.baseURL == nil && change.publicKey == nil) else {
      throw Problem.validation([.init("/baseURL", "kind", "This bank has no server and no key of its own.")])
    }
    if let key = change.publicKey { provider.publicKey = try RSAPublicKey(pem: key).pem }
    (provider.baseURL, provider.loginURL, provider.webhookURL) = (draft.baseURL, draft.loginURL, draft.webhookURL)
    provider.returnSchemes = change.returnSchemes ?? provider.returnSchemes
    provider.allowsUnconfirmed = change.allowsUnconfirmed ?? provider.allowsUnconfirmed
  }

  private static func names(_ change: Change) -> [String] {
    let members: [(name: String, isChanged: Bool)] = [
      ("publicKey", change.publicKey != nil), ("baseURL", change.baseURL != nil), ("loginURL", change.loginURL != nil),
      ("webhookURL", change.webhookURL != nil), ("returnSchemes", change.returnSchemes != nil),
      ("allowsUnconfirmed", change.allowsUnconfirmed != nil), ("webhookSecret", change.webhookSecretOverlap != nil),
      ("client", change.renewsClient),
    ]
    return members.filter(\.isChanged).map(\.name)
  }
}
