// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// What a bank without a server of its own asks for: its side of both versions, in plain words. Whatever belongs to
/// another bank is not there.
struct ProviderCommands: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let keys: ServiceKeys

  func describe(_ provider: SaltEdgeProvider) async throws -> ProviderView {
    ProviderView(
      id: provider.id.rawValue, code: provider.code, name: provider.name, kind: provider.kind.rawValue,
      public_key: provider.publicKey, service_public_key: try await keys.publicKey(),
      next_service_public_key: try await keys.preparedPublicKey(),
      configuration_url_v1: provider.kind == .hosted ? configurationURL(provider, version: 1) : nil,
      configuration_url_v2: configurationURL(provider, version: 2))
  }

  // MARK: Connections

  /// A link that connects a device without signing in: for a customer who is signed in where it is shown.
  func connectLink(
    _ asked: ConnectLinkRequest, _ provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> ConnectLinkView {
    try ProviderRules.user(asked.user_id)
    let version = asked.api_version ?? 2
    guard (1...2).contains(version) else {
      throw Problem.validation([.init("/api_version", "range", "1 or 2.")])
    }
    let (query, end) = (core.secret(), core.world.now() + policy.linkLifetime)
    guard let url = URL(string: configurationURL(provider, version: version)) else { throw Problem.unexpected }
    let user = core.digest(user: asked.user_id, of: provider.id)
    try core.hold(user, of: provider.id, in: tx)
    try LinkStore(tx, vault: core.vault).insert(
      Enrolment(core: core, policy: policy).digest(query: query, of: provider.id), of: provider.id, user: asked.user_id,
      userDigest: user, needsApproval: asked.needs_approval ?? false, until: end)
    return ConnectLinkView(
      link: ConnectLink(configuration: url, connectQuery: query).text, connect_query: query, expires_at: end.rfc3339)
  }

  /// Which device came with a link, for the bank to name to its customer where the link is shown.
  func describeLink(_ asked: LinkReference, _ provider: SaltEdgeProvider) async throws -> LinkView {
    try await core.database.look { try link(asked, provider, in: $0).view }
  }

  /// The customer allowed it: the device gets its token when it asks next.
  func approveLink(_ asked: LinkReference, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> LinkView {
    let found = try link(asked, provider, in: tx)
    guard let connection = found.connection, connection.state == .authenticating else { throw Problem.notFound }
    if !found.grant.isApproved {
      _ = try LinkStore(tx, vault: core.vault).approve(found.digest)
      try core.note("connection.approved", connection.id, by: provider.actor, in: tx)
    }
    return try link(asked, provider, in: tx).view
  }

  /// The customer did not: the device ends with a failed sign-in when it asks next.
  func refuseLink(_ asked: LinkReference, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> LinkView {
    let found = try link(asked, provider, in: tx)
    guard let connection = found.connection else { throw Problem.notFound }
    if connectionFlow.allows(.authenticationFailed, from: connection.state) {
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .authenticationFailed, by: provider.actor, in: tx)
    }
    return try link(asked, provider, in: tx).view
  }

  private struct FoundLink {
    let digest: String
    let grant: ConnectLinkGrant
    let connection: SaltEdgeConnection?

    var view: LinkView { LinkView(grant, connection) }
  }

  /// - Throws: `Problem` not-found, also for a link that connects at once.
  private func link(
    _ asked: LinkReference, _ provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> FoundLink {
    let digest = Enrolment(core: core, policy: policy).digest(query: asked.connect_query, of: provider.id)
    let grant = try LinkStore(tx, vault: core.vault).find(digest, of: provider.id, at: core.world.now())
    guard let grant, grant.needsApproval else { throw Problem.notFound }
    let connection = try grant.connection.flatMap { try ConnectionStore(tx, vault: core.vault).find($0) }
    return FoundLink(digest: digest, grant: grant, connection: connection)
  }

  /// What the bank's page names to its customer before they sign in.
  func session(_ asked: SessionReference, _ provider: SaltEdgeProvider) async throws -> SessionView {
    let connection = try await core.database.look { [core, policy] tx in
      try Enrolment(core: core, policy: policy).waiting(asked.session, of: provider, in: tx)
    }
    return SessionView(
      connection: ConnectionView(connection), return_url: connection.returnURL,
      expires_at: connection.enrolmentEndsAt.rfc3339)
  }

  /// The bank's page signed a customer in.
  func authenticate(
    _ asked: SessionRequest, _ provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> RedirectView {
    try ProviderRules.user(asked.user_id)
    return RedirectView(
      redirect_url: try Enrolment(core: core, policy: policy).end(
        asked.session, of: provider, user: asked.user_id, token: core.secret(), in: tx))
  }

  /// The bank's page did not.
  func refuse(_ asked: SessionReference, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> RedirectView
  {
    RedirectView(
      redirect_url: try Enrolment(core: core, policy: policy).end(
        asked.session, of: provider, user: nil, token: "", in: tx))
  }

  func connections(_ asked: UserRequest, _ provider: SaltEdgeProvider) async throws -> ConnectionListView {
    let (user, now) = (core.digest(user: asked.user_id, of: provider.id), core.world.now())
    let found = try await core.database.look { [core] tx in
      try ConnectionStore(tx, vault: core.vault).valid(user: user, at: now, limit: SaltEdgePolicy.itemsMax)
    }
    return ConnectionListView(connections: found.map(ConnectionView.init))
  }

  func revokeConnection(_ id: String, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> ConnectionView
  {
    guard let connection = try ConnectionStore(tx, vault: core.vault).find(.init(rawValue: id)),
      connection.provider == provider.id
    else { throw Problem.notFound }
    guard connectionFlow.allows(.revokedByProvider, from: connection.state) else { return ConnectionView(connection) }
    return ConnectionView(
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .revokedByProvider, by: provider.actor, in: tx))
  }

  // MARK: Authorizations

  func open(
    _ asked: AuthorizationRequest, _ provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> OpenedView {
    let operation = try ProviderRules.operation(asked, of: provider, core: core)
    guard try OperationStore(tx, vault: core.vault).find(operation.reference, of: provider.id) == nil else {
      throw Problem(.conflict, "reference-taken", "There is an authorization of that reference.")
    }
    let devices = try OperationService(core: core).open(operation, by: provider.actor, in: tx)
    let isOffered = operation.state == .offered
    return OpenedView(
      authorization: OperationView(operation), devices: devices,
      link_v1: isOffered
        ? URL(string: v1Base(provider)).map {
          ActionLink(.v1(actionUUID: operation.id.rawValue, connectURL: $0)).text
        } : nil,
      link_v2: isOffered
        ? ActionLink(.v2(actionID: operation.id.rawValue, providerID: provider.id.rawValue)).text : nil)
  }

  func operation(_ id: String, _ provider: SaltEdgeProvider) async throws -> OperationView {
    OperationView(try await core.database.look { try find(id, provider, in: $0) })
  }

  func cancel(_ id: String, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> OperationView {
    let operation = try find(id, provider, in: tx)
    guard operation.state != .cancelled else { return OperationView(operation) }
    guard operationFlow.allows(.cancelled, from: operation.state) else {
      throw Problem(.conflict, "authorization-ended", "This authorization has come to its end.")
    }
    return OperationView(try OperationService(core: core).move(operation, on: .cancelled, by: provider.actor, in: tx))
  }

  /// Everything that shows what the customer decided on, and that it was their device.
  func evidence(_ id: String, _ provider: SaltEdgeProvider) async throws -> EvidenceView {
    let operation = try await core.database.look { try find(id, provider, in: $0) }
    guard let evidence = operation.evidence else { throw Problem.notFound }
    return EvidenceView(
      authorization: OperationView(operation), attributes: operation.attributes, salt: operation.content.salt,
      authorization_code: operation.code.text, connection_id: evidence.connection, api_version: evidence.apiVersion,
      decided_at: evidence.at.rfc3339, shown: evidence.shown, signed: evidence.signed, signature: evidence.signature,
      public_key: evidence.publicKey, authorization_type: evidence.authorizationType, geolocation: evidence.geolocation,
      confirmation: evidence.confirmation)
  }

  private func find(_ id: String, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> Operation {
    guard let operation = try OperationStore(tx, vault: core.vault).find(.init(rawValue: id)),
      operation.provider == provider.id
    else { throw Problem.notFound }
    return operation
  }

  // MARK: Consents

  func addConsent(_ asked: ConsentRequest, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws
    -> ConsentView
  {
    let (end, now) = (try ProviderRules.consent(asked, core: core, policy: policy), core.world.now())
    let user = core.digest(user: asked.user_id, of: provider.id)
    let content = SaltEdge.Consent(
      id: asked.reference, userID: asked.user_id, kind: asked.consent_type, thirdParty: asked.tpp_name,
      accounts: asked.accounts.map {
        .init(name: $0.name, number: $0.account_number, sortCode: $0.sort_code, iban: $0.iban)
      },
      shared: asked.shared_data.map { .init(balance: $0.balance, transactions: $0.transactions) },
      createdAt: now.rfc3339, expiresAt: end.rfc3339)
    let shown = try WireJSON.encode(content)
    let connections = try ConnectionStore(tx, vault: core.vault).valid(
      user: user, at: now, limit: SaltEdgePolicy.itemsMax)
    let consents = ConsentService(core: core)
    switch try consents.status(asked.reference, of: provider.id, user: user, in: tx) {
    case .foreign: throw Problem(.conflict, "reference-taken", "There is a consent of that reference.")
    // The customer took it back, and sees it no more.
    case .revoked: return try view(asked.reference, provider, in: tx)
    case .none, .open: break
    }
    let items = try connections.map { (item: try core.item(shown, for: $0), expiresAt: end) }
    try consents.add(asked.reference, of: provider, user: user, items: items, in: tx)
    guard !items.isEmpty else {
      return ConsentView(reference: asked.reference, state: ConsentState.open.rawValue, devices: 0)
    }
    return try view(asked.reference, provider, in: tx)
  }

  func consent(_ reference: String, _ provider: SaltEdgeProvider) async throws -> ConsentView {
    try await core.database.look { try view(reference, provider, in: $0) }
  }

  func revokeConsent(_ reference: String, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> ConsentView
  {
    try ConsentService(core: core).revoke(
      reference, of: provider.id, on: .revokedByProvider, by: provider.actor, in: tx)
    return try view(reference, provider, in: tx)
  }

  private func view(_ reference: String, _ provider: SaltEdgeProvider, in tx: any SQLTransaction) throws -> ConsentView
  {
    let consents = try ConsentStore(tx, vault: core.vault).all(reference, of: provider.id)
    guard !consents.isEmpty else { throw Problem.notFound }
    let isOpen = consents.contains { $0.state == .open }
    return ConsentView(
      reference: reference, state: (isOpen ? ConsentState.open : .revoked).rawValue, devices: consents.count)
  }

  // MARK: Addresses

  func v1Base(_ provider: SaltEdgeProvider) -> String { policy.v1Base(provider) }

  private func configurationURL(_ provider: SaltEdgeProvider, version: Int) -> String {
    version == 1
      ? "\(v1Base(provider))/api/authenticator/v1/configuration"
      : "\(policy.publicURL)/api/authenticator/v2/configurations/\(provider.id)"
  }
}

extension SaltEdgePolicy {
  /// What devices of v1 prefix their calls with: every bank has a base of its own, as if it ran its own service.
  func v1Base(_ provider: SaltEdgeProvider) -> String { "\(publicURL)/saltedge/\(provider.code)" }
}

extension ConnectionView {
  init(_ connection: SaltEdgeConnection) {
    self.init(
      id: connection.id.rawValue, api_version: connection.apiVersion, state: connection.state.rawValue,
      platform: connection.platform, created_at: connection.createdAt.rfc3339,
      token_expires_at: connection.tokenExpiresAt?.rfc3339)
  }
}
