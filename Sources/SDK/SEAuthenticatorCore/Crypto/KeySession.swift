// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
internal import SaltEdgeAuthenticator
internal import Locks

/// The permit for what an app shows. It asks when it is first needed; after a refusal it does not ask again, or an app
/// that polls would do so every few seconds.
final class KeySession: Sendable {
  private struct State {
    var permit: KeyProtection.Permit?
    var isRefused = false
  }

  private let state = Guarded(State())

  init() {}

  /// Opens by the permit of this session, whichever it is then.
  func permit(from protection: KeyProtection, reason: String) -> KeyProtection.Permit {
    KeyProtection.Permit(
      open: { [self] (sealed) throws(SecureStoreError) in
        let permit = state.withLock { state in
          if state.permit == nil, !state.isRefused { state.permit = protection.askLater(reason) }
          return state.permit
        }
        guard let permit else { throw SecureStoreError(.userAbsent) }
        do throws(SecureStoreError) { return try permit.open(sealed) } catch {
          if error.code == .userAbsent {
            state.withLock { $0 = State(permit: nil, isRefused: true) }
          }
          throw error
        }
      }, end: { [self] in end() })
  }

  /// The user is asked again at the next use.
  func end() {
    state.withLock { state in
      state.permit?.end()
      state = State()
    }
  }
}
