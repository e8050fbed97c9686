// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import SaltEdgeWire
import Storage

/// A customer's consents on one device, in v2 (saltedge-authenticator §5.9).
struct V2Consents: Sendable {
  let core: CoreDependencies
  let gate: DeviceGate

  func list(_ call: DeviceCall) async throws -> [SaltEdgeV2.ConsentEntity] {
    let connection = try await gate.connection(call, apiVersion: 2)
    let now = core.world.now()
    return try await core.database.look { [core] tx in
      try ConsentStore(tx, vault: core.vault).open(on: connection.id, at: now, limit: SaltEdgePolicy.listMax)
    }.map {
      SaltEdgeV2.ConsentEntity(
        id: .init($0.id.rawValue), connectionID: .init(connection.id.rawValue), algorithm: nil, payload: $0.payload)
    }
  }

  /// Takes a consent back, on every device of the customer.
  /// - Returns: the id that the device named; of a name that is no integer, which released apps cannot read here
  ///   (saltedge-authenticator §5.9), that of the entity.
  func revoke(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.ConsentRevoked {
    let (caller, signed) = try await gate.signedNothing(call)
    let entity = try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(caller.id, in: tx)
      let entity = try ConsentService(core: core).revoke(id, on: connection, in: tx)
      try core.spend(signed, in: tx)
      return entity
    }
    let isInteger = Int64(id).map { String($0) } == id
    return SaltEdgeV2.ConsentRevoked(id: .init(isInteger ? id : entity.rawValue))
  }
}
