// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore

/// What the server shares with a device, as it is sealed: agreeing anew for every signature would cost ten times as
/// much as checking it.
struct ActivationSecrets: Sendable {
  let transport: TransportKey
  /// Nil once the activation is removed: all that is left to do then is to say so, under the transport key.
  let full: (signature: SignatureKeys, vault: SecretKey)?

  init(_ keys: ActivationKeys) {
    transport = keys.transport
    full = (keys.signature, keys.vault)
  }

  private init(_ transport: TransportKey) {
    self.transport = transport
    full = nil
  }

  /// What stays of a removed activation.
  var retired: ActivationSecrets { ActivationSecrets(transport) }

  private static func context(_ id: Activation.ID) -> String { "activation.sealed_keys:\(id)" }

  /// `KEY_TRANSPORT`, then the three keys of the factors and the vault's: 16 or 80 bytes.
  func sealed(for id: Activation.ID, by vault: Vault) throws -> Data {
    var bytes = transport.key.bytes
    if let full {
      for key in [full.signature.possession, full.signature.knowledge, full.signature.biometry, full.vault] {
        bytes += key?.bytes ?? Data()
      }
    }
    return try vault.seal(bytes, context: Self.context(id))
  }

  init(_ sealed: Data, of id: Activation.ID, by vault: Vault) throws {
    let bytes = try vault.open(sealed, context: Self.context(id))
    let keys = try stride(from: 0, to: bytes.count, by: SecretKey.byteCount).map { start in
      try SecretKey(Data(bytes.dropFirst(start).prefix(SecretKey.byteCount)))
    }
    guard let first = keys.first else { throw PowerAuthError.invalidKey }
    transport = TransportKey(first)
    full =
      keys.count == 5
      ? (SignatureKeys(possession: keys[1], knowledge: keys[2], biometry: keys[3]), keys[4]) : nil
  }

  /// Random keys that are not stored, for the arithmetic of answers about unknown activations.
  static func decoy(_ world: World) -> ActivationSecrets {
    ActivationSecrets(ActivationKeys(masterSecret: SecretKey(Randomness(world.random))))
  }
}
