// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: vault and recovery")
struct VaultTests {
  private let pin = PowerAuthAuthentication.possessionWithPassword(Phone.pin)

  @Test("an app's key is the vault's own, by its index", arguments: [ProtocolVersion.v32, .v33])
  func encryptionKey(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    let sdk = try await phone.activated(biometry: true)
    let vault = try #require(phone.peer.activation(sdk.activationIdentifier)).keys.vault
    #expect(
      try await sdk.fetchEncryptionKey(pin, index: 7) == SecureVault.applicationKey(vault, index: 7).bytes)
    #expect(
      try await sdk.fetchEncryptionKey(.possessionWithBiometry(prompt: "Open"), index: 8)
        == SecureVault.applicationKey(vault, index: 8).bytes)
    #expect(await failure { try await sdk.fetchEncryptionKey(.possession(), index: 7) } == .wrongParameter)
    let wrong = PowerAuthAuthentication.possessionWithPassword(Phone.wrongPin)
    #expect(await failure { try await sdk.fetchEncryptionKey(wrong, index: 7) } == .networkError)
    #expect(phone.peer.activation(sdk.activationIdentifier)?.failedAttempts == 1)
  }

  @Test("the device's key signs, and the server's copy of its public half confirms")
  func deviceKey() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let data = Data("a contract".utf8)
    let signature = try await sdk.signData(withDevicePrivateKey: pin, data: data)
    let key = try #require(phone.peer.activation(sdk.activationIdentifier)).devicePublicKey
    #expect(key.isValidSignature(signature, for: data) && !key.isValidSignature(signature, for: Data()))
  }

  @Test("neither the vault's key nor any other secret is in the store in the clear")
  func atRest() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    phone.peer.state.withLock { $0.recovery = ActivationRecovery(recoveryCode: Peer.codeText, puk: "0123456789") }
    let sdk = try await phone.activated(biometry: true)
    _ = try await sdk.fetchEncryptionKey(pin, index: 1)
    let keys = try #require(phone.peer.activation(sdk.activationIdentifier)).keys
    let secrets = [
      keys.vault.bytes, keys.transport.key.bytes, keys.signature.possession?.bytes, keys.signature.knowledge?.bytes,
      keys.signature.biometry?.bytes, Data(Phone.pin.utf8), Data("0123456789".utf8), Data(Peer.codeText.utf8),
    ].compactMap { $0 }
    #expect(secrets.count == 8)
    for stored in store.contents.values {
      for secret in secrets {
        #expect(stored.range(of: secret) == nil && stored.range(of: secret.base64EncodedData()) == nil)
      }
    }
  }

  @Test("the recovery code that came with the activation is the user's to see, for a second factor")
  func recovery() async throws {
    let phone = Phone()
    phone.peer.state.withLock { $0.recovery = ActivationRecovery(recoveryCode: Peer.codeText, puk: "0123456789") }
    let sdk = try await phone.activated()
    #expect(sdk.hasActivationRecoveryData())
    let recovery = try await phone.start().activationRecoveryData(pin)
    #expect(recovery.recoveryCode == Peer.codeText && recovery.puk == "0123456789")
    #expect(!"\(recovery)".contains("0123456789"))
    #expect(await failure { try await sdk.activationRecoveryData(.possession()) } == .wrongParameter)

    let plain = try await Phone().activated()
    #expect(!plain.hasActivationRecoveryData())
    #expect(await failure { try await plain.activationRecoveryData(pin) } == .invalidActivationState)
  }

  @Test("a recovery code that came by mail is confirmed, and again")
  func confirm() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    #expect(try await sdk.confirmRecoveryCode("R:\(Peer.codeText)", authentication: pin) == false)
    #expect(try await sdk.confirmRecoveryCode(Peer.codeText, authentication: pin) == true)
    #expect(await failure { try await sdk.confirmRecoveryCode("XYZ", authentication: pin) } == .invalidActivationCode)
  }

  @Test("claims about the user arrive, and the last ones are remembered until the activation goes")
  func userInfo() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let info = try await sdk.fetchUserInfo()
    #expect(info.subject == "user-1" && info.isEmailVerified && info.name == nil)
    #expect(info.allClaims["name"] is NSNull && sdk.lastFetchedUserInfo === info)
    sdk.removeActivationLocal()
    #expect(sdk.lastFetchedUserInfo == nil)
    #expect(await failure { try await sdk.fetchUserInfo() } == .missingActivation)
  }
}
