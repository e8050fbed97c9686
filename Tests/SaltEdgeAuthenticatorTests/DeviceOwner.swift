// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeAuthenticator
import Synchronization

/// A device that keeps what seals the keys, and its owner.
final class DeviceOwner: Sendable {
  private struct State {
    var answer = Answer.gives
    var questions: [KeyProtection.Question] = []
    var opened = 0
    var isLost = false
    /// The permits that ended.
    var ended: Set<Int> = []
    var permits = 0
    var interlude: (@Sendable () async -> Void)?
  }

  enum Answer: Sendable {
    case gives, refuses, isLockedOut
  }

  private static let seal = Data("sealed ".utf8)
  private let state = Mutex(State())

  /// How the owner was asked.
  var questions: [KeyProtection.Question] { state.withLock { $0.questions } }
  /// How often a key was opened.
  var opened: Int { state.withLock { $0.opened } }
  func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }
  /// What seals is gone, as when the device's passcode is turned off.
  func loseSeal() { state.withLock { $0.isLost = true } }
  /// Does something while the owner is asked.
  func once(_ interlude: @escaping @Sendable () async -> Void) { state.withLock { $0.interlude = interlude } }

  var protection: KeyProtection {
    KeyProtection(
      seal: { (key) throws(SecureStoreError) in Self.seal + Data(key.map { $0 ^ 0x55 }) },
      ask: { question, _ in
        let (answer, interlude) = self.state.withLock { state in
          state.questions.append(question)
          defer { state.interlude = nil }
          return (state.answer, state.interlude)
        }
        await interlude?()
        return switch answer {
        case .gives: .permitted(self.permit())
        case .refuses: .refused
        case .isLockedOut: .lockedOut
        }
      }, askLater: { _ in self.permit() })
  }

  private func permit() -> KeyProtection.Permit {
    let number = state.withLock { state in
      state.permits += 1
      return state.permits
    }
    return KeyProtection.Permit(
      open: { (sealed) throws(SecureStoreError) in
        let (isEnded, isLost) = self.state.withLock { state in
          state.opened += 1
          return (state.ended.contains(number), state.isLost)
        }
        if isEnded { throw SecureStoreError(.userAbsent) }
        if isLost || !sealed.starts(with: Self.seal) { throw SecureStoreError(.keyMissing) }
        return Data(sealed.dropFirst(Self.seal.count).map { $0 ^ 0x55 })
      }, end: { self.state.withLock { _ = $0.ended.insert(number) } })
  }
}
