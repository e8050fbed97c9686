import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// What a customer has to decide, and their decisions, in v1 (saltedge-authenticator §4.6–4.9). Every device of the
/// customer sees everything that waits, encrypted for its own key.
struct V1Authorizations: Sendable {
  let parts: SaltEdgeDependencies
  let gate: V1Gate

  func list(_ call: V1Call) async throws -> [SaltEdgeV1.Entity] {
    let (connection, now) = (try await gate.prove(call).connection, parts.world.now())
    let pending = try await parts.database.read { [parts] tx in
      try OperationStore(tx, vault: parts.vault).pending(
        user: connection.userDigest ?? "", at: now, limit: SaltEdgePolicy.listMax)
    }
    return try pending.map { try entity($0, for: connection) }
  }

  func show(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.Entity {
    let connection = try await gate.prove(call).connection
    let operation = try await parts.database.read { try pending(id, of: connection, in: $0) }
    return try entity(operation, for: connection)
  }

  /// A wrong code changes nothing and is no error; whatever is decided, expired or somebody else's is not there.
  func decide(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.Decided {
    let proof = try await gate.prove(call)
    guard let asked = try? WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Decision>.self, from: call.device.body).data,
      let code = asked.code, !code.isEmpty
    else { throw Problem.wrongFormat }
    let isDecided = try await parts.database.write(retrying: .outdated) { [parts] tx in
      let connection = try parts.usable(proof.connection.id, in: tx)
      let operation = try pending(id, of: connection, in: tx)
      guard operation.code.matches(code) else {
        // Once: a request that is sent again and again until it expires is one line of the audit log.
        guard try SpentStore(tx).spend(proof.digest, until: proof.expiresAt) else { return false }
        try parts.note("authorization.wrongCode", connection.id, by: connection.actor, ["authorization": id], in: tx)
        return false
      }
      try OperationService(parts: parts).decide(
        operation, confirms: asked.confirm,
        .init(
          connection: connection.id.rawValue, apiVersion: 1, at: parts.world.now(),
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
    return try await parts.database.write(retrying: .outdated) { [parts] tx in
      let connection = try parts.usable(proof.connection.id, in: tx)
      let operation = try OperationService(parts: parts).pickUp(.init(rawValue: id), by: connection, in: tx)
      guard operation.state == .pending else { return .init(success: true) }
      return .init(
        success: true, connectionID: .init(connection.id.rawValue), authorizationID: .init(operation.id.rawValue))
    }
  }

  // MARK: Consents

  func consents(_ call: V1Call) async throws -> [SaltEdgeV1.Entity] {
    let (connection, now) = (try await gate.prove(call).connection, parts.world.now())
    return try await parts.database.read { [parts] tx in
      try ConsentStore(tx, vault: parts.vault).open(on: connection.id, at: now, limit: SaltEdgePolicy.listMax)
    }.map {
      SaltEdgeV1.Entity(
        id: .init($0.id.rawValue), connectionID: .init(connection.id.rawValue), payload: $0.payload)
    }
  }

  func revokeConsent(_ id: String, _ call: V1Call) async throws -> SaltEdgeV1.ConsentRevoked {
    let proof = try await gate.prove(call)
    try await parts.database.write(retrying: .outdated) { [parts] tx in
      let connection = try parts.usable(proof.connection.id, in: tx)
      try ConsentService(parts: parts).revoke(id, on: connection, in: tx)
    }
    return .init(success: true, consentID: .init(id))
  }

  private func pending(
    _ id: String, of connection: SaltEdgeConnection, in tx: any SQLTransaction
  ) throws -> Operation {
    guard let operation = try OperationStore(tx, vault: parts.vault).find(.init(rawValue: id)),
      operation.state == .pending, operation.expiresAt > parts.world.now(), operation.provider == connection.provider,
      operation.userDigest == connection.userDigest, connection.userDigest != nil
    else { throw Problem.saltEdge(.authorizationNotFound) }
    return operation
  }

  private func entity(_ operation: Operation, for connection: SaltEdgeConnection) throws -> SaltEdgeV1.Entity {
    let item = try parts.item(Data(operation.shownV1(on: connection.id).utf8), for: connection)
    return .init(
      id: .init(operation.id.rawValue), connectionID: .init(connection.id.rawValue), payload: item.payload)
  }
}
