// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// What a bank's server asks of the service (saltedge-authenticator §7.3). A request that comes a second time, byte for
/// byte, has happened already.
struct BankCommands: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let gate: BankGate

  func authenticated(_ id: String, _ call: BankCall) async throws {
    let (provider, signed) = try gate.signed(call, SaltEdgeBank.Authenticated.self)
    guard let key = try? RSAPublicKey(pem: signed.content.publicKey) else { throw Problem.wrongFormat }
    do {
      try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
        guard try isFirst(signed, "connection \(id) authenticated", isNamed: false, in: tx) else { return }
        let connection = try connection(id, of: provider, in: tx)
        try ConnectionService(core: core, policy: policy).authenticate(
          connection,
          .init(user: signed.content.userID.text, token: signed.content.accessToken, publicKey: key),
          by: provider.actor, in: tx)
      }
    } catch let problem as Problem where problem.code == Problem.noSuchConnection.code {
      try await endLate(id, of: provider)
      throw problem
    }
  }

  /// The customer signed in when the connection did not wait for it any more. The published banks only log what they
  /// are answered and keep the connection as authorized, so they are told that it is gone (§7.2), once.
  private func endLate(_ id: String, of provider: SaltEdgeProvider) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let connection = try ConnectionStore(tx, vault: core.vault).find(.init(rawValue: id)),
        connection.provider == provider.id, connection.state != .valid
      else { return }
      if connectionFlow.allows(.lapsed, from: connection.state) {
        try ConnectionService(core: core, policy: policy).move(connection, on: .lapsed, by: "system", in: tx)
      }
      let digest = Data("late connection \(id)".utf8).sha256Hex
      guard try SpentStore(tx).spend(digest, until: core.world.now() + policy.failedRetention) else { return }
      try core.outbox.enqueue("saltedge.\(ConnectionEffect.tellRevocation.rawValue)", subject: id, in: tx)
    }
  }

  func authenticationFailed(_ id: String, _ call: BankCall) async throws {
    let (provider, signed) = try gate.signed(call, SaltEdgeBank.AuthenticationFailed.self)
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "connection \(id) failed", isNamed: false, in: tx) else { return }
      let connection = try connection(id, of: provider, in: tx)
      guard connection.state != .failed else { return }
      guard connectionFlow.allows(.authenticationFailed, from: connection.state) else {
        throw Problem.noSuchConnection
      }
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .authenticationFailed, by: provider.actor, in: tx)
    }
  }

  func revokeConnection(_ id: String, _ call: BankCall) async throws {
    let (provider, signed) = try gate.signedName("connection_id", id, call)
    let isNamed = !signed.content.isEmpty
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "connection \(id) revoked", isNamed: isNamed, in: tx) else { return }
      let connection = try connection(id, of: provider, in: tx)
      guard connectionFlow.allows(.revokedByProvider, from: connection.state) else { return }
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .revokedByProvider, by: provider.actor, in: tx)
    }
  }

  func open(_ call: BankCall) async throws -> SaltEdgeBank.Shown {
    let (provider, signed) = try gate.signed(call, SaltEdgeBank.Action.self)
    let opening = try core.opening(signed.content, of: provider, policy)
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "actions", isNamed: true, in: tx) else { return }
      _ = try ActionService(core: core).open(opening, in: tx)
    }
    return try await shown(opening.items, of: provider)
  }

  func add(_ reference: String, _ call: BankCall) async throws -> SaltEdgeBank.Shown {
    let (provider, signed) = try gate.signed(call, SaltEdgeBank.Action.self)
    let opening = try core.opening(signed.content, of: provider, policy)
    guard opening.reference == reference else { throw Problem.wrongFormat }
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "action \(reference)", isNamed: true, in: tx) else { return }
      var action = try action(reference, of: provider, in: tx)
      guard action.isOpen else { throw Problem.saltEdge(.actionClosed) }
      action.isMultiple = signed.content.isMultiple ?? action.isMultiple
      guard action.expiresAt > core.world.now() else { throw Problem.saltEdge(.actionExpired) }
      try ActionService(core: core).add(opening.items, to: action, in: tx)
    }
    return try await shown(opening.items, of: provider)
  }

  func close(_ reference: String, _ call: BankCall) async throws {
    let (provider, signed) = try gate.signedName("action_id", reference, call)
    let isNamed = !signed.content.isEmpty
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "action \(reference) closed", isNamed: isNamed, in: tx) else { return }
      let action = try action(reference, of: provider, in: tx)
      try ActionService(core: core).close(action.id, by: provider.actor, in: tx)
    }
  }

  func addConsent(_ call: BankCall) async throws -> SaltEdgeBank.Shown {
    let (provider, signed) = try gate.signed(call, SaltEdgeBank.Consent.self)
    let (consent, now) = (signed.content, core.world.now())
    let reference = try EnrolmentRules.reference(consent.consentID.text)
    guard (1...SaltEdgePolicy.itemsMax).contains(consent.consents.count) else { throw Problem.wrongFormat }
    let items = try consent.consents.map { item in
      try EnrolmentRules.payload(item.payload)
      guard let text = item.expiresAt else { throw Problem.wrongFormat }
      return (
        item: item, expiresAt: try EnrolmentRules.expiry(text, after: now, atMost: policy.consentLifetimeMax)
      )
    }
    let user = consent.userID.map { core.digest(user: $0.text, of: provider.id) }
    // Alone: two at once for different customers would both find no consent.
    try await core.database.write(retrying: .outdatedOrDuplicate, .serializable) { [self] tx in
      guard try isFirst(signed, "consents", isNamed: true, in: tx) else { return }
      try ConsentService(core: core).add(reference, of: provider, user: user, items: items, in: tx)
    }
    return try await shown(consent.consents, of: provider)
  }

  func revokeConsent(_ reference: String, _ call: BankCall) async throws {
    let (provider, signed) = try gate.signedName("consent_id", reference, call)
    let isNamed = !signed.content.isEmpty
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isFirst(signed, "consent \(reference) revoked", isNamed: isNamed, in: tx) else { return }
      guard try !ConsentStore(tx, vault: core.vault).all(reference, of: provider.id).isEmpty else {
        throw Problem.saltEdge(.consentNotFound)
      }
      try ConsentService(core: core).revoke(
        reference, of: provider.id, on: .revokedByProvider, by: provider.actor, in: tx)
    }
  }

  /// Whom it does not reach, as of now: also when the same request comes again, which does nothing.
  private func shown(_ items: [SaltEdgeBank.Item], of provider: SaltEdgeProvider) async throws -> SaltEdgeBank.Shown {
    let reach = try await core.database.read { [core] tx in
      try ConnectionStore(tx, vault: core.vault).reach(items.map(\.connection), of: provider.id, at: core.world.now())
    }
    return SaltEdgeBank.Shown(unreached: reach.unreached.isEmpty ? nil : reach.unreached)
  }

  /// Notes that a signed request is carried out, in the transaction of its work.
  /// - Parameters:
  ///   - act: what it asks and of what, as its path says.
  ///   - isNamed: whether the signed content names that, too. Paths are not signed, so that a bank that asks the same of
  ///     two things within a second signs the same bytes twice. What comes later and asks it of another thing is a
  ///     recorded request.
  /// - Returns: false when it was carried out before.
  /// - Throws: `Problem` InvalidSignature for a recorded request.
  private func isFirst<Content>(
    _ signed: SignedCall<Content>, _ act: String, isNamed: Bool, in tx: any SQLTransaction
  ) throws -> Bool {
    let (store, now) = (SpentStore(tx), core.world.now())
    func digest(_ use: String) -> String { Data("\(signed.digest) \(use)".utf8).sha256Hex }
    guard try store.spend(digest(act), until: signed.expiresAt) else { return false }
    guard !isNamed else { return true }
    if try store.spend(digest("for any act"), until: signed.expiresAt) {
      _ = try store.spend(digest("for other acts"), until: now + Self.twinsMax)
    } else if try !store.isSpent(digest("for other acts"), at: now) {
      throw Problem.saltEdge(.invalidSignature)
    }
    return true
  }

  /// How long after a signed request one of the same bytes may ask it of another thing.
  private static let twinsMax = Duration.seconds(10)

  private func connection(
    _ id: String, of provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    guard let connection = try ConnectionStore(tx, vault: core.vault).find(.init(rawValue: id)),
      connection.provider == provider.id
    else { throw Problem.noSuchConnection }
    return connection
  }

  private func action(
    _ reference: String, of provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> SaltEdgeAction {
    guard let action = try AuthorizationStore(tx, vault: core.vault).action(reference, of: provider.id) else {
      throw Problem.saltEdge(.actionNotFound)
    }
    return action
  }
}

extension SaltEdgeProvider {
  /// How audit lines name the bank.
  var actor: String { "provider:\(id)" }
}

extension CoreDependencies {
  /// A bank's action, checked.
  /// - Throws: `Problem` WrongRequestFormat.
  func opening(
    _ action: SaltEdgeBank.Action, of provider: SaltEdgeProvider, _ policy: SaltEdgePolicy
  ) throws -> ActionService.Opening {
    guard (1...SaltEdgePolicy.itemsMax).contains(action.authorizations.count),
      Set(action.authorizations.map(\.connectionID)).count == action.authorizations.count || action.isMultiple == true
    else { throw Problem.wrongFormat }
    for item in action.authorizations { try EnrolmentRules.payload(item.payload) }
    // Not of the whole body, in which the expiry of the signature differs when a bank asks again.
    let content = try WireJSON.encode(action)
    return ActionService.Opening(
      provider: provider.id, reference: try EnrolmentRules.reference(action.actionID.text),
      userDigest: action.userID.map { digest(user: $0.text, of: provider.id) }, isMultiple: action.isMultiple ?? false,
      expiresAt: try EnrolmentRules.expiry(action.expiresAt, after: world.now(), atMost: policy.actionLifetimeMax),
      contentDigest: content.sha256Hex, items: action.authorizations)
  }
}
