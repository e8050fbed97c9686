// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore

/// What the server makes for one device: a key pair of its own, the keys that follow from both, and where the counter
/// starts. Made before the transaction that may use it, because it is the costly part.
struct KeyAgreement: Sendable {
  let devicePublicKey: ECPublicKey
  let serverPublicKey: ECPublicKey
  let secrets: ActivationSecrets
  let counter: CounterData
  private let serverKey: ECPrivateKey

  /// - Throws: `invalidKey`.
  init(with device: ECPublicKey, world: World) throws(PowerAuthError) {
    let randomness = Randomness(world.random)
    serverKey = ECPrivateKey(randomness)
    devicePublicKey = device
    serverPublicKey = serverKey.publicKey
    secrets = ActivationSecrets(try ActivationKeys(privateKey: serverKey, publicKey: device))
    counter = CounterData(randomness)
  }

  /// Writes everything into the activation's row, sealed.
  func enter(_ row: inout ActivationRow, by vault: Vault) throws {
    row.publicKeys = ActivationPublicKeys(device: devicePublicKey.compressed, server: serverPublicKey.compressed)
    row.sealedServerKey = try vault.seal(serverKey.scalar, context: Self.context(row.id))
    row.sealedKeys = try secrets.sealed(for: row.id, by: vault)
    row.counter = SignatureCounter(data: counter)
  }

  /// The server's private key of an activation; nil when it has none any more.
  static func serverKey(of row: ActivationRow, by vault: Vault) throws -> ECPrivateKey? {
    try row.sealedServerKey.map { try ECPrivateKey(try vault.open($0, context: context(row.id))) }
  }

  private static func context(_ id: Activation.ID) -> String { "activation.sealed_server_key:\(id)" }
}
