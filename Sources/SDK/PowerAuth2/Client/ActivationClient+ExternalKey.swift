// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// A key of the app's own that locks knowledge and biometry once more (powerauth.md §3.5).
extension ActivationClient {
  /// The key that the app gave, at the start or since.
  var externalKey: UnlockKey? { givenExternalKey ?? setup.externalKey }

  /// Hands in the key, without changing what is locked with it.
  /// - Throws: `wrongParameter`; `invalidActivationState` when the activation is not locked with one.
  func setExternalKey(_ bytes: Data) throws {
    let key = try UnlockKey(external: bytes)
    if let activation = session.activation, !activation.record.usesExternalKey {
      throw CallFailure(.invalidActivationState, "The activation is not locked with an external key.")
    }
    givenExternalKey = key
  }

  /// Locks the factors of the activation with a key, too.
  func addExternalKey(_ bytes: Data) throws {
    let key = try UnlockKey(external: bytes)
    try session.update(session.requireActivation().identifier) { record in
      guard !record.usesExternalKey else {
        throw CallFailure(.invalidActivationState, "The activation is locked with an external key already.")
      }
      try record.relock { try key.relock($0) }
      record.usesExternalKey = true
    } finish: {
      givenExternalKey = key
    }
  }

  /// Locks the factors of the activation with this key no more.
  func removeExternalKey() throws {
    try session.update(session.requireActivation().identifier) { record in
      guard let key = try externalKey(of: record) else {
        throw CallFailure(.invalidActivationState, "The activation is not locked with an external key.")
      }
      try record.relock { try key.unlock($0).bytes }
      record.usesExternalKey = false
    } finish: {
      givenExternalKey = nil
    }
  }
}

extension ActivationRecord {
  /// Changes the outer lock of knowledge and biometry.
  fileprivate mutating func relock(_ change: (Data) throws -> Data) rethrows {
    lockedKnowledgeKey = try change(lockedKnowledgeKey)
    lockedBiometryKey = try lockedBiometryKey.map(change)
  }
}

extension UnlockKey {
  /// Locks a key that is locked already.
  fileprivate func relock(_ locked: Data) throws -> Data { lock(try SecretKey(locked)) }
}
