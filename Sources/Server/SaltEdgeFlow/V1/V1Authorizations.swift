// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// What a customer has to decide, and their decisions, in v1 (saltedge-authenticator §4.6–4.9). Every device of the
/// customer sees everything that waits, encrypted for its own key.
struct V1Authorizations: Sendable {
  let core: CoreDependencies
  let gate: V1Gate

  func list(_ call: V1Call) async throws -> [SaltEdgeV1.Entity] {
    let (connection, now) = (try await gate.prove(call).connection, core.world.now())
    let pending = try await core.database.look { [core] tx in
      try OperationStore(tx, vault: core.vault).pending(
        user: connection.userDigest ?? "", at: now, limit: SaltEdgePolicy.listMax)
    }
    return try pending.map { try entity($0, for: connection) }
  }

  func show(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.Entity {
    let connection = try await gate.prove(call).connection
    let operation = try await core.database.look { try pending(id, of: connection, in: $0) }
    return try entity(operation, for: connection)
  }

  /// A wrong code changes nothing and is no error; whatever is decided, expired or another customer's is not there.
  func decide(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.Decided {
    let proof = try await gate.prove(call)
    guard let asked = try? WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Decision>.self, from: call.device.body).data,
      let code = asked.code, !code.isEmpty
    else { throw Problem.wrongFormat }
    let isDecided = try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(proof.connection.id, in: tx)
      let operation = try pending(id, of: connection, in: tx)
      guard operation.code.matches(code) else {
        // Once: a request that is sent again and again until it expires is one line of the audit log.
        guard try SpentStore(tx).spend(proof.digest, until: proof.expiresAt) else { return false }
        try core.note("authorization.wrongCode", connection.id, by: connection.actor, ["authorization": id], in: tx)
        return false
      }
      try OperationService(core: core).decide(
        operation, confirms: asked.confirm,
        .init(
          connection: connection.id.rawValue, apiVersion: 1, at: core.world.now(),
          shown: try operation.shownV1(on: connection.id), signed: proof.signed, signature: proof.signature,
          publicKey: try connection.deviceKey().pem, authorizationType: call.authorizationType?.bounded,
          geolocation: call.geolocation?.bounded), in: tx)
      return true
    }
    return .init(success: isDecided, id: .init(id))
  }

  /// Picks up an action that was started elsewhere.
  func submit(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.ActionSubmitted {
    let proof = try await gate.prove(call)
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(proof.connection.id, in: tx)
      let operation = try OperationService(core: core).pickUp(.init(rawValue: id), by: connection, in: tx)
      guard operation.state == .pending else { return .init(success: true) }
      return .init(
        success: true, connectionID: .init(connection.id.rawValue), authorizationID: .init(operation.id.rawValue))
    }
  }

  // MARK: Consents

  func consents(_ call: V1Call) async throws -> [SaltEdgeV1.Entity] {
    let (connection, now) = (try await gate.prove(call).connection, core.world.now())
    return try await core.database.look { [core] tx in
      try ConsentStore(tx, vault: core.vault).open(on: connection.id, at: now, limit: SaltEdgePolicy.listMax)
    }.map {
      SaltEdgeV1.Entity(
        id: .init($0.id.rawValue), connectionID: .init(connection.id.rawValue), payload: $0.payload)
    }
  }

  func revokeConsent(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.ConsentRevoked {
    let proof = try await gate.prove(call)
    try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(proof.connection.id, in: tx)
      try ConsentService(core: core).revoke(id, on: connection, in: tx)
    }
    return .init(success: true, consentID: .init(id))
  }

  private func pending(
    _ id: String, of connection: SaltEdgeConnection, in tx: any SQLTransaction
  ) throws -> Operation {
    guard let operation = try OperationStore(tx, vault: core.vault).find(.init(rawValue: id)),
      operation.state == .pending, operation.expiresAt > core.world.now(), operation.provider == connection.provider,
      operation.userDigest == connection.userDigest, connection.userDigest != nil
    else { throw Problem.saltEdge(.authorizationNotFound) }
    return operation
  }

  private func entity(_ operation: Operation, for connection: SaltEdgeConnection) throws -> SaltEdgeV1.Entity {
    let item = try core.item(Data(operation.shownV1(on: connection.id).utf8), for: connection)
    return .init(
      id: .init(operation.id.rawValue), connectionID: .init(connection.id.rawValue), payload: item.payload)
  }
}
