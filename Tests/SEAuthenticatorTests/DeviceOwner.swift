// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeAuthenticator
import Synchronization

/// A device that keeps what seals the keys, and its owner, who is asked at the first use of a permit at the latest.
final class DeviceOwner: Sendable {
  private let state = Mutex((asked: 0, opened: 0, refuses: false))

  var asked: Int { state.withLock { $0.asked } }
  var opened: Int { state.withLock { $0.opened } }
  func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

  /// - Returns: whether the owner shows to be there.
  private func ask() -> Bool {
    state.withLock { state in
      state.asked += 1
      return !state.refuses
    }
  }

  var protection: KeyProtection {
    KeyProtection(
      seal: { (key) throws(SecureStoreError) in Data(key.map { $0 ^ 0x55 }) },
      ask: { _, _ in self.ask() ? .permitted(self.permit(isGiven: true)) : .refused },
      askLater: { _ in self.permit(isGiven: false) })
  }

  private func permit(isGiven: Bool) -> KeyProtection.Permit {
    let permit = Permit(isGiven: isGiven)
    return KeyProtection.Permit(
      open: { (sealed) throws(SecureStoreError) in
        guard permit.isOpen(asking: self.ask) else { throw SecureStoreError(.userAbsent) }
        self.state.withLock { $0.opened += 1 }
        return Data(sealed.map { $0 ^ 0x55 })
      }, end: { permit.end() })
  }

  private final class Permit: Sendable {
    private let state: Mutex<(isGiven: Bool, isEnded: Bool)>

    init(isGiven: Bool) { state = Mutex((isGiven, false)) }

    func isOpen(asking ask: () -> Bool) -> Bool {
      state.withLock { state in
        if !state.isEnded, !state.isGiven { state.isGiven = ask() }
        return state.isGiven && !state.isEnded
      }
    }

    func end() { state.withLock { $0.isEnded = true } }
  }
}
