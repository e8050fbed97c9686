// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit
import SaltEdgeCore
import Storage

/// The banks of an installation: added by operators.
package struct Providers: Sendable {
  let core: CoreDependencies
  private let makeKey: @Sendable () throws -> RSAPrivateKey

  /// - Parameter makeKey: draws the key of a hosted bank; a test gives known ones.
  package init(
    _ core: CoreDependencies, makeKey: @escaping @Sendable () throws -> RSAPrivateKey = { try .generate() }
  ) {
    (self.core, self.makeKey) = (core, makeKey)
  }

  /// What an operator says of a bank.
  package struct Draft: Sendable {
    package var tenant = "default"
    package var code: String
    package var name: String
    package var kind: SaltEdgeProvider.Kind
    package var supportEmail: String
    package var baseURL: String?
    package var publicKey: String?
    package var loginURL: String?
    package var logoURL: String?
    package var webhookURL: String?
    package var requiresGeolocation: Bool?
    /// Schemes of apps that the token may go to.
    package var returnSchemes = [DeepLink.scheme]
    package var allowsUnconfirmed = false

    package init(code: String, name: String, kind: SaltEdgeProvider.Kind, supportEmail: String) {
      (self.code, self.name, self.kind, self.supportEmail) = (code, name, kind, supportEmail)
    }
  }

  /// A bank that was just added. The secret is shown this once.
  package struct Added: Sendable {
    package let provider: SaltEdgeProvider
    /// Nil without a webhook.
    package let webhookSecret: String?
  }

  private static let listMax = 500

  /// - Parameter client: whose credentials may act in the bank's name.
  /// - Throws: `Problem` validation; conflict `provider-exists`.
  package func add(_ draft: Draft, client: ServiceClient.ID, by actor: String) async throws -> Added {
    try await add(draft, client: client, keeping: nil, by: actor)
  }

  /// With credentials of its own: both are there, or neither.
  /// - Throws: `Problem` validation; conflict `provider-exists`, `client-exists`.
  package func add(
    _ draft: Draft, clients: ServiceClients, by actor: String
  ) async throws -> (added: Added, credentials: IssuedSecret) {
    let issued = try clients.issue(String("saltedge \(draft.code)".prefix(64)), tenant: draft.tenant, scopes: [.bank])
    return (try await add(draft, client: issued.client.id, keeping: (issued, clients), by: actor), issued)
  }

  private func add(
    _ draft: Draft, client: ServiceClient.ID, keeping own: (secret: IssuedSecret, clients: ServiceClients)?,
    by actor: String
  ) async throws -> Added {
    try Self.check(draft)
    // A hosted bank's key is made here; a remote bank keeps its own.
    let key = draft.kind == .hosted ? try makeKey() : nil
    let publicKey = try key?.publicKey ?? RSAPublicKey(pem: draft.publicKey ?? "")
    let provider = SaltEdgeProvider(
      id: core.number(), tenant: draft.tenant, client: client, code: draft.code, name: draft.name, kind: draft.kind,
      baseURL: draft.kind == .remote ? draft.baseURL : nil, loginURL: draft.loginURL, logoURL: draft.logoURL,
      supportEmail: draft.supportEmail, requiresGeolocation: draft.requiresGeolocation, publicKey: publicKey.pem,
      webhookURL: draft.webhookURL, returnSchemes: draft.returnSchemes, allowsUnconfirmed: draft.allowsUnconfirmed,
      createdAt: core.world.now())
    let secret = draft.webhookURL == nil ? nil : WebhookSecret(core.world).text
    do {
      try await core.database.write { [core] tx in
        if let own { try own.clients.keep(own.secret, by: actor, in: tx) }
        try ProviderStore(tx, vault: core.vault).insert(provider, privateKey: key, webhookSecret: secret)
        try core.audit.append(
          "saltedge.provider.added", to: "saltedge-provider-\(provider.id)", by: actor,
          facts: ["tenant": provider.tenant, "kind": provider.kind.rawValue], in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "provider-exists", "There is a bank of that code.")
    }
    return Added(provider: provider, webhookSecret: secret)
  }

  package func list(tenant: String) async throws -> [SaltEdgeProvider] {
    try await core.database.read { [core] in
      try ProviderStore($0, vault: core.vault).list(tenant: tenant, limit: Self.listMax)
    }
  }

  /// Schemes of apps that a bank was given before they were refused: a change of anything else leaves them.
  static func refusedSchemes(_ schemes: [String]) -> [String] { schemes.filter { !LinkQuery.isAppScheme($0) } }

  /// - Throws: `Problem` validation.
  package static func check(_ draft: Draft) throws {
    var fields: [Problem.Field] = []
    if draft.kind == .remote, draft.publicKey.map({ (try? RSAPublicKey(pem: $0)) != nil }) != true {
      fields.append(.init("/publicKey", "format", "An RSA public key in PEM, of 2048 to 4096 bits."))
    }
    if draft.code.wholeMatch(of: #/[a-z0-9][a-z0-9_\-]{0,62}/#) == nil {
      fields.append(.init("/code", "format", "Lower-case letters, digits, - and _, at most 63."))
    }
    if !(1...128).contains(draft.name.utf8.count) { fields.append(.init("/name", "length", "1 to 128 bytes.")) }
    if !draft.supportEmail.contains("@") || draft.supportEmail.utf8.count > 254 {
      fields.append(.init("/supportEmail", "format", "An e-mail address."))
    }
    if draft.kind == .remote, draft.baseURL == nil {
      fields.append(.init("/baseURL", "required", "A remote bank has an address."))
    }
    for (name, url) in [
      ("baseURL", draft.baseURL), ("loginURL", draft.loginURL), ("logoURL", draft.logoURL),
      ("webhookURL", draft.webhookURL),
    ] {
      if let url, !isWebURL(url) { fields.append(.init("/\(name)", "format", "An https address.")) }
    }
    if draft.returnSchemes.count > 16 || !refusedSchemes(draft.returnSchemes).isEmpty {
      fields.append(
        .init("/returnSchemes", "format", "Up to 16 schemes of apps in lower case, none of the system or a browser."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  private static func isWebURL(_ text: String) -> Bool {
    guard let address = WebAddress(text), !address.hasFragment else { return false }
    return address.isSecure || address.host.isLoopbackHost
  }
}
