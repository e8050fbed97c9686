// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization

/// A store that remembers what it held after each change, as a killed app would find it, and refuses changes when told.
package final class FaultyStore: DirectSecureStore {
  private struct State {
    var secrets: [String: Data]
    var moments: [[String: Data]]
    var changes = 0
    var refusedChange: Int?
    var isLocked = false
  }

  private let state: Mutex<State>

  package init(_ secrets: [String: Data] = [:]) {
    state = Mutex(State(secrets: secrets, moments: [secrets]))
  }

  /// What was stored at first and after each change.
  package var moments: [[String: Data]] { state.withLock { $0.moments } }
  package var contents: [String: Data] { state.withLock { $0.secrets } }
  /// Changes that were tried.
  package var changes: Int { state.withLock { $0.changes } }

  /// Refuses the change of this number from now on, counted from zero; nil for none.
  package func refuse(_ change: Int?) {
    state.withLock { state in
      state.changes = 0
      state.refusedChange = change
    }
  }

  /// Refuses to be read, as a keychain before the device is unlocked.
  package func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

  package func read(_ name: String) throws(SecureStoreError) -> Data? {
    let (secret, isLocked) = state.withLock { ($0.secrets[name], $0.isLocked) }
    if isLocked { throw SecureStoreError(.locked) }
    return secret
  }

  package func write(_ secret: Data, as name: String) throws(SecureStoreError) { try change { $0[name] = secret } }
  package func remove(_ name: String) throws(SecureStoreError) { try change { $0[name] = nil } }

  private func change(_ edit: @Sendable (inout [String: Data]) -> Void) throws(SecureStoreError) {
    let isRefused = state.withLock { state in
      defer { state.changes += 1 }
      guard state.refusedChange != state.changes, !state.isLocked else { return true }
      edit(&state.secrets)
      state.moments.append(state.secrets)
      return false
    }
    if isRefused { throw SecureStoreError(.unavailable, status: 28) }
  }
}
