// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Synchronization
import PowerAuthPeer
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: factors that are changed from several sides", .timeLimit(.minutes(5)))
struct FactorRaceTests {
  /// Seconds in which anything that is not held up is done.
  private static let patience = 0.3

  @Test("persisted from two sides, the biometric key that is kept is the one of the record that is kept")
  func persisting() async throws {
    let phone = Phone()
    let sdk = phone.start()
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    let persist: @Sendable () -> Bool = {
      (try? sdk.persistActivation(with: .persistWithPasswordAndBiometry(password: Phone.pin))) != nil
    }
    let winners = Mutex(0)
    let group = DispatchGroup()
    phone.finger.once(.keeping) {
      DispatchQueue.global().async(group: group) { if persist() { winners.withLock { $0 += 1 } } }
      // The other cannot get between the key and the record, so this wait runs out.
      _ = group.wait(timeout: .now() + Self.patience)
    }
    if persist() { winners.withLock { $0 += 1 } }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(winners.withLock { $0 } == 1)
    try phone.sign(sdk, .possessionWithBiometry())
  }

  @Test(
    "biometry that is changed from another side while the guard keeps or forgets its key is there with its key",
    arguments: [Finger.Moment.kept, .forgetting])
  func guarded(moment: Finger.Moment) async throws {
    let phone = Phone()
    let sdk = try await phone.activated(biometry: moment == .forgetting)
    let (added, adding) = AsyncStream<Void>.makeStream()
    phone.finger.once(moment) {
      let end = DispatchSemaphore(value: 0)
      _ = sdk.addBiometryFactor(password: Phone.pin) { error in
        #expect(error == nil)
        adding.finish()
        end.signal()
      }
      // The other cannot get between the key and its lock, so this wait runs out.
      _ = end.wait(timeout: .now() + Self.patience)
    }
    switch moment {
    case .kept: try await sdk.addBiometryFactor(password: Phone.pin)
    default: #expect(sdk.removeBiometryFactor())
    }
    for await _ in added {}
    #expect(sdk.hasBiometryFactor())
    try phone.sign(sdk, .possessionWithBiometry())
    try phone.sign(phone.start(), .possessionWithBiometry())
  }

  @Test("of those who add or remove an external key at the same time one does, and the password still opens")
  func externalKey() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    for _ in 0..<25 {
      let added = Mutex(0)
      let removed = Mutex(0)
      await together(2) { index in
        let key = Data(repeating: UInt8(index + 1), count: 16)
        if (try? sdk.addExternalEncryptionKey(key)) != nil { added.withLock { $0 += 1 } }
      }
      try phone.sign(sdk)
      await together(2) { _ in
        if (try? sdk.removeExternalEncryptionKey()) != nil { removed.withLock { $0 += 1 } }
      }
      try phone.sign(sdk)
      #expect(added.withLock { $0 } == 1 && removed.withLock { $0 } == 1)
    }
  }
}
