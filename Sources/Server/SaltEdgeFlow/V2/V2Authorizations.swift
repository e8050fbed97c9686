// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire
import Storage

/// What a device has to decide, and its decisions, in v2 (saltedge-authenticator §5.6–5.8). The service can read
/// neither.
struct V2Authorizations: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let gate: DeviceGate
  let bank: BankClient

  /// What waits, what the bank has not answered yet, and for a minute what came to its end.
  func list(_ action: String?, _ call: DeviceCall) async throws -> [SaltEdgeV2.Authorization] {
    let connection = try await gate.connection(call, apiVersion: 2)
    let now = core.world.now()
    let since = now - policy.finalsListed
    let found = try await core.database.look { [core] tx in
      let store = AuthorizationStore(tx, vault: core.vault)
      return try store.unfinished(on: connection.id, limit: SaltEdgePolicy.listMax)
        + store.finished(on: connection.id, since: since, limit: SaltEdgePolicy.listMax)
    }
    return found.map { $0.seen(at: now) }
      .filter { ($0.finishedAt.map { $0 > since } ?? true) && (action == nil || $0.reference == action) }
      .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
      .prefix(SaltEdgePolicy.listMax).map(\.view)
  }

  func show(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.Authorization {
    let connection = try await gate.connection(call, apiVersion: 2)
    let now = core.world.now()
    let found = try await core.database.look { [core] tx in
      try AuthorizationStore(tx, vault: core.vault).find(.init(rawValue: id))
    }
    guard let authorization = found?.seen(at: now), authorization.connection == connection.id,
      authorization.finishedAt.map({ $0 > now - policy.finalsListed }) ?? true
    else { throw Problem.saltEdge(.authorizationNotFound) }
    return authorization.view
  }

  /// Keeps what the device signed and owes it to the bank. A second decision, or one that comes too late, finds
  /// nothing to decide.
  func decide(_ id: String, confirms: Bool, _ call: DeviceCall) async throws -> SaltEdgeV2.Decided {
    let (caller, signed) = try await gate.signed(call, SaltEdge.Ciphertext.self)
    try EnrolmentRules.payload(signed.content)
    // The bank gets it as a text.
    guard String(validating: call.body, as: UTF8.self) != nil else { throw Problem.wrongFormat }
    let moved = try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(caller.id, in: tx)
      guard var authorization = try AuthorizationStore(tx, vault: core.vault).find(.init(rawValue: id)),
        authorization.connection == connection.id,
        authorization.seen(at: core.world.now()).state == .pending
      else { throw Problem.saltEdge(.authorizationNotFound) }
      try core.spend(signed, in: tx)
      try AuthorizationStore(tx, vault: core.vault).touch(authorization.action)
      authorization.decision = SignedDecision(
        body: call.body, signature: call.signature ?? "", at: core.world.now())
      return try ActionService(core: core).move(
        authorization, on: confirms ? .confirmed : .denied, by: connection.actor,
        facts: ["signed": call.body.sha256Hex], in: tx)
    }
    return SaltEdgeV2.Decided(id: .init(id), status: .init(rawValue: moved.state.rawValue))
  }

  /// Hands an action that was started elsewhere to the bank; what the customer has to confirm comes back.
  func submit(_ call: DeviceCall) async throws -> SaltEdgeV2.ActionSubmitted {
    let (connection, signed) = try await gate.signed(call, SaltEdgeV2.ActionSubmission.self)
    let asked = signed.content
    guard asked.connectionID.text == connection.id.rawValue, asked.providerID.text == connection.provider.rawValue
    else {
      throw Problem.wrongFormat
    }
    let reference = try EnrolmentRules.reference(asked.actionID.text)
    let provider = try await core.database.write(retrying: .outdated) { [core] tx in
      try core.spend(signed, in: tx)
      guard let provider = try ProviderStore(tx, vault: core.vault).find(connection.provider) else {
        throw Problem.saltEdge(.connectionNotFound)
      }
      return provider
    }
    let action: SaltEdgeBank.Action?
    do {
      action = try await bank.submit(
        provider, reference,
        .init(connectionID: .init(connection.id.rawValue), accessToken: call.token ?? ""))
    } catch let failure as BankFailure {
      // Nothing happened: the same request may come again.
      try await core.database.write(retrying: .outdated) { try SpentStore($0).giveBack(signed.digest) }
      throw failure.problem
    }
    guard let action else { return SaltEdgeV2.ActionSubmitted() }
    let authorization = try await keep(action, reference: reference, of: provider, on: connection)
    return SaltEdgeV2.ActionSubmitted(
      connectionID: .init(connection.id.rawValue), authorizationID: .init(authorization.id.rawValue))
  }

  /// What the bank answered, once: the same action submitted again leads to the same authorization while that can be
  /// decided, and after that to what the bank says now.
  private func keep(
    _ action: SaltEdgeBank.Action, reference: String, of provider: SaltEdgeProvider, on connection: SaltEdgeConnection
  ) async throws -> SaltEdgeAuthorization {
    guard let opening = try? core.opening(action, of: provider, policy), opening.items.count == 1,
      opening.items.allSatisfy({ $0.connectionID.text == connection.id.rawValue })
    else { throw BankFailure.unintelligible.problem }
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let (actions, store) = (ActionService(core: core), AuthorizationStore(tx, vault: core.vault))
      guard let known = try store.action(opening.reference, of: provider.id) else {
        guard let made = try actions.open(opening, announcing: false, in: tx).first else {
          throw BankFailure.unintelligible.problem
        }
        return made
      }
      let now = core.world.now()
      let earlier = try store.all(of: known.id).last { $0.connection == connection.id }?.seen(at: now)
      if let earlier, earlier.state == .pending || earlier.isProcessing { return earlier }
      guard known.isOpen else { throw Problem.saltEdge(.actionClosed) }
      var action = known
      action.expiresAt = max(known.expiresAt, opening.expiresAt)
      guard let made = try actions.add(opening.items, to: action, announcing: false, in: tx).first else {
        throw BankFailure.unintelligible.problem
      }
      return made
    }
  }
}

extension SaltEdgeAuthorization {
  /// Without its content when it is final or closed: there is nothing to decide any more.
  var view: SaltEdgeV2.Authorization {
    let status = SaltEdgeV2.AuthorizationStatus(rawValue: state.rawValue)
    let isOver = status.isFinal || status.isClosed
    return SaltEdgeV2.Authorization(
      id: .init(id.rawValue), connectionID: .init(connection.rawValue), status: status,
      payload: isOver ? .none : payload, finishedAt: finishedAt?.rfc3339)
  }
}
