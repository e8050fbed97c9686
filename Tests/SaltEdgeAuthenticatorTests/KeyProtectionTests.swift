// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeCore
import SaltEdgeWire
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: private keys are bound to the device's user")
struct KeyProtectionTests {
  private let phone = Phone()
  private let owner = DeviceOwner()

  /// With a passcode, unlocked, and a connection.
  private func connected(_ link: ConnectLink = FakeService.v1Link) async throws -> (Authenticator, Connection) {
    let authenticator = try await phone.ready { $0.keyProtection = owner.protection }
    return (authenticator, try await authenticator.connect(link))
  }

  private var leaksKey: Bool {
    phone.store.contents.values.contains { String(decoding: $0, as: UTF8.self).contains("PRIVATE KEY") }
  }

  @Test("at rest there is the public key and a sealed private one, which nothing opens without the user")
  func atRest() async throws {
    let (_, connection) = try await connected()
    #expect(!leaksKey)
    let (keys, tag) = (ConnectionKeys(phone.store, protection: owner.protection), KeyTag.pair(connection.guid))
    #expect(try keys.publicKey(tag) == TestKeys.named("device 1").publicKey && owner.opened == 0)
    #expect(throws: AuthenticatorError(.outOfOrder, .userPresenceMissing)) { try keys.privateKey(tag) }
    // Nor for someone who leaves the protection out.
    #expect(throws: AuthenticatorError(.outOfOrder, .userPresenceMissing)) {
      try ConnectionKeys(phone.store).privateKey(tag)
    }
  }

  @Test("the device asks when the app is opened; each signature and each answer opens the key once")
  func signatures() async throws {
    let (authenticator, _) = try await connected()
    #expect(owner.questions == [.owner])
    _ = try await authenticator.authorizations()
    #expect(owner.opened == 1, "an empty list is not decrypted")
    for id in ["1", "2", "3"] { phone.service.put(FakeService.v1Entry(id, created: phone.now)) }
    #expect(try await authenticator.authorizations().authorizations.count == 3)
    #expect(owner.opened == 3 && owner.questions == [.owner])
  }

  @Test("a confirmation is signed after the device has asked its user once more", arguments: [1, 2])
  func confirmation(version: Int) async throws {
    let (authenticator, _) = try await connected(version == 1 ? FakeService.v1Link : FakeService.v2Link)
    let entry =
      version == 1
      ? FakeService.v1Entry("100", created: phone.now) : FakeService.v2Entry("100", created: phone.now)
    phone.service.put(entry)
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    phone.service.forget()
    owner.answer(.refuses)
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .deviceRefused)
    #expect(phone.service.heard.isEmpty)
    owner.answer(.gives)
    let (before, proof) = (owner.opened, try await authenticator.present())
    _ = try await authenticator.confirm(shown, by: proof)
    #expect(owner.questions.count == 3 && owner.opened == before + 1)
  }

  @Test("locking ends the permit: what is asked then is not signed")
  func locked() async throws {
    let (authenticator, connection) = try await connected(FakeService.v2Link)
    await authenticator.lock()
    phone.service.forget()
    let failures = try await authenticator.updatePushToken("push-2")
    #expect(failures[connection.guid] == AuthenticatorError(.outOfOrder, .userPresenceMissing))
    _ = try await authenticator.present()
    phone.advance(.seconds(61))
    let idle = try await authenticator.updatePushToken("push-3")
    #expect(idle[connection.guid]?.errorClass == .userPresenceMissing && phone.service.heard.isEmpty)
    #expect(try await authenticator.lockState() == .locked)
  }

  @Test("a right passcode on a device whose user puts its question off opens nothing")
  func refused() async throws {
    let (authenticator, _) = try await connected()
    await authenticator.lock()
    owner.answer(.refuses)
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .deviceRefused)
    #expect(try await authenticator.lockState() == .locked)
    owner.answer(.isLockedOut)
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .biometricsLockedOut)
    #expect(try await authenticator.lockState() == .locked)
    owner.answer(.gives)
    _ = try await authenticator.present()
  }

  @Test("biometrics are asked for once, by what holds the keys")
  func biometrics() async throws {
    let (authenticator, _) = try await connected()
    try await authenticator.useBiometrics(true)
    phone.face(.refused)
    guard case .passed(let proof) = try await authenticator.unlock(with: .biometrics) else {
      Issue.record("not opened")
      return
    }
    #expect(proof.method == .biometrics && owner.questions == [.owner, .biometrics])
    owner.answer(.refuses)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsRefused)
    owner.answer(.isLockedOut)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsLockedOut)
    phone.face(.recognised, isAvailable: false)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsRefused)
    #expect(owner.questions.count == 4)
  }

  @Test("what was erased while the user was asked stays erased")
  func erased() async throws {
    let (authenticator, _) = try await connected()
    owner.once { _ = try? await authenticator.wipe() }
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .noPasscode)
    #expect(try await authenticator.lockState() == .noPasscode && phone.store.contents.isEmpty)
  }

  @Test("a key that an earlier version kept unsealed is sealed at its first use, and works on")
  func upgrade() async throws {
    let before = try await phone.ready()
    let connection = try await before.connect(FakeService.v1Link)
    #expect(leaksKey)
    let authenticator = phone.start { $0.keyProtection = owner.protection }
    _ = try await authenticator.present()
    phone.service.put(FakeService.v1Entry("1", created: phone.now))
    #expect(try await authenticator.authorizations().authorizations.count == 1)
    #expect(!leaksKey)
    #expect(
      try ConnectionKeys(phone.store).publicKey(KeyTag.pair(connection.guid)) == TestKeys.named("device 1").publicKey)
  }

  @Test("when what seals is gone the connection has to be made again, and can be")
  func lost() async throws {
    let (authenticator, connection) = try await connected()
    owner.loseSeal()
    let snapshot = try await authenticator.authorizations()
    #expect(snapshot.failures[connection.guid]?.kind == .keyMissing)
    #expect(try await authenticator.connections().first?.status == .inactive)
  }

  @Test("a user who erases the open app takes leave of services; from the locked app nothing can be signed")
  func farewell() async throws {
    let (authenticator, _) = try await connected()
    #expect(try await authenticator.wipe() == 1)
    let (again, _) = try await connected()
    await again.lock()
    #expect(try await again.wipe() == 0 && phone.store.contents.isEmpty)
  }

  @Test("an entry whose two keys do not belong together is damaged")
  func swapped() async throws {
    let (authenticator, first) = try await connected()
    let second = try await authenticator.connect(FakeService.v1Link)
    let (one, other) = ("\(KeyTag.pair(first.guid)).private", "\(KeyTag.pair(second.guid)).private")
    let text = String(decoding: try #require(phone.store.read(one)), as: UTF8.self)
    let foreign = String(decoding: try #require(phone.store.read(other)), as: UTF8.self)
    // The members stand in the order of their names: the public key of the one, the sealed key of the other.
    let (mine, theirs) = (text.components(separatedBy: #""sealed""#), foreign.components(separatedBy: #""sealed""#))
    phone.store.write(Data("\(mine[0])\"sealed\"\(theirs[1])".utf8), as: one)
    let failures = try await authenticator.authorizations().failures
    #expect(failures[first.guid] == AuthenticatorError(SecureStoreError(.tampered)) && failures[second.guid] == nil)
  }
}
