import GatehouseWire
import Kit
import SaltEdgeWire
import Storage

/// A customer's consents on one device, in v2 (saltedge-authenticator §5.9).
struct V2Consents: Sendable {
  let room: SaltEdgeService
  private var parts: SaltEdgeDependencies { room.parts }

  func list(_ call: DeviceCall) async throws -> [SaltEdgeV2.ConsentEntity] {
    let connection = try await room.gate.connection(call, apiVersion: 2)
    let now = parts.world.now()
    return try await parts.database.read { [parts] tx in
      try ConsentStore(tx, vault: parts.vault).open(on: connection.id, at: now, limit: SaltEdgePolicy.listMax)
    }.map {
      SaltEdgeV2.ConsentEntity(
        id: .init($0.id.rawValue), connectionID: .init(connection.id.rawValue), algorithm: nil, payload: $0.payload)
    }
  }

  /// Takes a consent back, on every device of the customer.
  func revoke(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.ConsentRevoked {
    let (caller, signed) = try await room.gate.signed(call, EmptyBody.self)
    try await parts.database.write(retrying: .outdated) { [parts] tx in
      let connection = try parts.usable(caller.id, in: tx)
      try ConsentService(parts: parts).revoke(id, on: connection, in: tx)
      try parts.spend(signed, in: tx)
    }
    return SaltEdgeV2.ConsentRevoked(id: .init(id))
  }
}
