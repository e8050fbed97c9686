// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore
import Synchronization
import PowerAuthPeer
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: the device's identifier")
struct DeviceIdentifierTests {
  /// A store in which another process writes its identifier right after this one.
  private final class ContestedStore: DirectSecureStore {
    private static let name = "powerauth.device"
    private let store = MemorySecureStore()
    private let isContested = Mutex(true)

    func read(_ name: String) throws(SecureStoreError) -> Data? { store.read(name) }
    func remove(_ name: String) throws(SecureStoreError) { store.remove(name) }

    func write(_ secret: Data, as name: String) throws(SecureStoreError) {
      store.write(secret, as: name)
      let isNow = isContested.withLock { isContested in
        defer { if name == Self.name { isContested = false } }
        return isContested && name == Self.name
      }
      if isNow { store.write(Data("another process's".utf8), as: name) }
    }
  }

  @Test("no matter which call wrote last, what is stored is what locks the activation")
  func contested() async throws {
    let phone = Phone(store: ContestedStore())
    let sdk = try await phone.activated()
    try phone.sign(sdk)
    try phone.sign(phone.start())
    #expect(phone.peer.signatures.map(\.ahead) == [0, 0])
  }

  @Test("two instances that start at the same time take the same identifier")
  func twoInstances() async throws {
    let probe = try SecretKey(Data(repeating: 1, count: 16))
    for _ in 0..<50 {
      let store = MemorySecureStore()
      let locked = Mutex<Set<Data>>([])
      await together(2) { index in
        let storage = ActivationStorage(instanceId: "\(index)", store: store, randomness: .live)
        guard let key = try? storage.possession() else { return }
        locked.withLock { _ = $0.insert(key.lock(probe)) }
      }
      #expect(locked.withLock { $0.count } == 1)
    }
  }
}
