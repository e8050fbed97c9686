// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore
internal import Locks

/// Where the activation of one instance is kept, and the device's identifier that it is locked with.
struct ActivationStorage: Sendable {
  private static let deviceName = "powerauth.device"
  /// One instance at a time asks for the identifier, which all instances of a store have in common.
  private static let identification = Guarded(())

  private let store: any DirectSecureStore
  private let activationName: String
  private let randomness: ClientRandomness
  /// Computed once: it is asked for with every signature.
  private let cached = CachedKey()

  init(instanceId: String, store: any DirectSecureStore, randomness: ClientRandomness) {
    self.store = store
    self.randomness = randomness
    activationName = "powerauth.\(instanceId).activation"
  }

  /// - Returns: nil when it is absent. What cannot be read any more counts as absent: it could not be used.
  /// - Throws: when the store does not answer now.
  func load() throws(SecureStoreError) -> ActiveActivation? {
    do throws(SecureStoreError) {
      guard let data = try store.read(activationName) else { return nil }
      let possession = try possession()
      return (try? ActivationRecord(reading: data)).flatMap { try? ActiveActivation($0, possession: possession) }
    } catch {
      guard error.code == .tampered else { throw error }
      return nil
    }
  }

  func save(_ record: ActivationRecord) throws { try store.write(record.data, as: activationName) }

  func remove() { try? store.remove(activationName) }

  /// What locks the possession factor. The identifier is made once and stays, also when activations go.
  func possession() throws(SecureStoreError) -> UnlockKey {
    if let key = cached.key { return key }
    let outcome = Self.identification.withLock { _ in Result { () throws(SecureStoreError) in try identifier() } }
    let key = UnlockKey(deviceIdentifier: try outcome.get())
    cached.key = key
    return key
  }

  /// What is stored, also when another process wrote it in the meantime.
  private func identifier() throws(SecureStoreError) -> String {
    if let stored = try store.read(Self.deviceName) { return String(decoding: stored, as: UTF8.self) }
    try store.write(Data(randomness.uuid().uuidString.utf8), as: Self.deviceName)
    guard let stored = try store.read(Self.deviceName) else { throw SecureStoreError(.unavailable) }
    return String(decoding: stored, as: UTF8.self)
  }

  private final class CachedKey: Sendable {
    private let value = Guarded<UnlockKey?>(nil)

    var key: UnlockKey? {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }
}
