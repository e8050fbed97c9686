// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// A request of a device of v1, as it came.
struct V1Call: Sendable {
  let method: String
  /// Path and query, below the bank's base.
  let target: String
  let bank: String
  let expiresAt: String?
  let geolocation: String?
  let authorizationType: String?
  let device: DeviceCall
}

/// Proves devices of v1 by token and request signature (saltedge-authenticator §4.4). A request can come again until it
/// expires: whatever is signed changes something once, or changes nothing the second time.
struct V1Gate: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let devices: DeviceGate

  /// What a device asked for, and how it is known.
  struct Proof: Sendable {
    let connection: SaltEdgeConnection
    let provider: SaltEdgeProvider
    /// The bytes that the signature covers: evidence.
    let signed: Data
    let signature: String
    /// Until when the request could be sent again.
    let expiresAt: Instant

    /// Names this request among all that were signed.
    var digest: String { (Data("device \(connection.id) ".utf8) + signed).sha256Hex }
  }

  /// - Throws: `Problem` AccessTokenMissing, ConnectionNotFound, SignatureMissing, SignatureExpired, InvalidSignature,
  ///   TooManyRequests.
  func prove(_ call: V1Call) async throws -> Proof {
    let connection = try await devices.connection(call.device, apiVersion: 1)
    let found = try await core.database.look { [core] tx in
      try ProviderStore(tx, vault: core.vault).find(connection.provider)
    }
    // A token counts at its own bank only.
    guard let provider = found, provider.code == call.bank else {
      throw devices.refused(.saltEdge(.connectionNotFound), call.device)
    }
    // As the device asked for it: through whatever proxies, below the public address.
    let request = SignedRequest(
      method: call.method, url: policy.v1Base(provider) + call.target, expiresAt: call.expiresAt,
      body: call.device.body)
    var signed = Data()
    try devices.check(connection) {
      try request.verify(
        call.device.signature, with: connection.deviceKey(), nowSeconds: core.world.wall().seconds)
      signed = try request.signedBytes()
    }
    return Proof(
      connection: connection, provider: provider, signed: signed, signature: call.device.signature ?? "",
      expiresAt: Instant(milliseconds: (Int64(call.expiresAt ?? "") ?? 0) * 1000))
  }
}
