// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import TestSupport
import Testing

@testable import GatehouseTransport
@testable import PowerAuth2

@Suite("PowerAuth2: the activation belongs to one installation of the app")
struct ReinstallationTests {
  /// The app's folder, which goes with it.
  private let folder: TestFolder
  /// The Keychain, which stays.
  private let keychain = MemorySecureStore()

  init() throws { folder = try TestFolder() }

  private func installation(_ name: String) -> InstallationStore {
    InstallationStore(
      keychain, of: AppInstallation(folder: folder.url(name), data: folder.url(name)), claims: .init())
  }

  @Test("after a re-installation no activation is left, nor a token, and the device can be activated anew")
  func wiped() async throws {
    let phone = Phone(store: installation("first"))
    let sdk = try await phone.activated()
    try phone.sign(sdk)
    #expect(phone.start().hasValidActivation())

    let again = Phone(store: installation("second"))
    #expect(!again.start().hasValidActivation() && again.start().canStartActivation())
    #expect(keychain.contents.keys.allSatisfy { $0 == AppInstallation.markName })
    try again.sign(try await again.activated())
  }

  @Test("an update keeps it: the version before wrote no mark")
  func updated() async throws {
    let before = Phone(store: keychain)
    _ = try await before.activated()
    let after = Phone(store: installation("first"), peer: before.peer)
    #expect(after.start().hasValidActivation())
    try after.sign(after.start())
  }
}
