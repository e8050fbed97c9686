// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: password, biometry, external key")
struct FactorTests {
  @Test("the password is changed once the server has confirmed the old one")
  func change() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    #expect(await failure { try await sdk.changePassword(from: Phone.wrongPin, to: "8642") } == .networkError)
    #expect(await failure { try await sdk.changePassword(from: Phone.pin, to: "86") } == .wrongParameter)
    try await sdk.validatePassword(password: Phone.pin)
    try await sdk.changePassword(from: Phone.pin, to: "8642")
    #expect(await failure { try await sdk.validatePassword(password: Phone.pin) } == .networkError)
    try await phone.start().validatePassword(password: "8642")
  }

  @Test("changed without asking: right with the right old password, lost with a wrong one")
  func unsafe() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    #expect(sdk.unsafeChangePassword(from: Phone.pin, to: "8642"))
    try await sdk.validatePassword(password: "8642")
    #expect(!sdk.unsafeChangePassword(from: "8642", to: "1"))
    #expect(sdk.unsafeChangePassword(from: Phone.wrongPin, to: "1111"))
    #expect(await failure { try await sdk.validatePassword(password: "1111") } == .networkError)
    #expect(!Phone().start().unsafeChangePassword(from: "1234", to: "5678"))
  }

  @Test("a password that was changed while another change was on its way to the server stays")
  func twoChanges() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let gate = Gate()
    phone.peer.next(.validateSignature, .held(gate))
    async let slower = failure { try await sdk.changePassword(from: Phone.pin, to: "1111") }
    await gate.reached()
    #expect(sdk.unsafeChangePassword(from: Phone.pin, to: "2222"))
    gate.open()
    #expect(await slower == .invalidActivationState)
    try await sdk.validatePassword(password: "2222")
  }

  @Test("the same password is never locked in the same way twice")
  func salt() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let record = { try #require(sdk.access.client).session.requireActivation().record }
    let before = try record()
    #expect(sdk.unsafeChangePassword(from: Phone.pin, to: Phone.pin))
    let after = try record()
    #expect(before.knowledgeSalt != after.knowledgeSalt && before.lockedKnowledgeKey != after.lockedKnowledgeKey)
    try phone.sign(sdk)
  }

  @Test("biometry is added with the server's help, used, taken away, and added again")
  func biometry() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    #expect(!sdk.hasBiometryFactor() && !sdk.removeBiometryFactor())
    #expect(await failure { try await sdk.addBiometryFactor(password: Phone.wrongPin) } == .networkError)
    #expect(!sdk.hasBiometryFactor())
    for _ in 0..<2 {
      try await sdk.addBiometryFactor(password: Phone.pin)
      #expect(sdk.hasBiometryFactor() && phone.start().hasBiometryFactor())
      try phone.sign(sdk, .possessionWithBiometry())
    }
    #expect(sdk.removeBiometryFactor() && !sdk.hasBiometryFactor() && phone.finger.keys.isEmpty)
    #expect(failureNow { try phone.sign(sdk, .possessionWithBiometry()) } == .biometryFailed)
  }

  @Test(
    "what the guard says instead of a key is told as it is, and uses up no counter",
    arguments: [
      (PowerAuthBiometryGuard.Answer.cancelled, PowerAuthErrorCode.biometryCancel), (.fallback, .biometryFallback),
      (.failed, .biometryFailed), (.notAvailable, .biometryNotAvailable), (.key(Data(count: 16)), .biometryFailed),
      (.key(Data([1])), .biometryFailed),
    ])
  func refusals(answer: PowerAuthBiometryGuard.Answer, code: PowerAuthErrorCode) async throws {
    let phone = Phone()
    let sdk = try await phone.activated(biometry: true)
    phone.finger.answer(answer)
    #expect(failureNow { try phone.sign(sdk, .possessionWithBiometry()) } == code)
    #expect(await failure { try await sdk.fetchEncryptionKey(.possessionWithBiometry(), index: 1) } == code)
    #expect(await failure { try await sdk.authenticateUsingBiometry(withPrompt: "Pay") } == code)
    phone.finger.answer(nil)
    try phone.sign(sdk, .possessionWithBiometry())
    #expect(phone.peer.signatures == [SeenSignature(type: .possessionBiometry, counter: 0, ahead: 0)])
  }

  @Test("issue 29: a guard that locked itself signs nothing, and uses up neither counter nor attempt")
  func lockOut() async throws {
    let phone = Phone()
    let sdk = try await phone.activated(biometry: true)
    phone.finger.answer(.lockedOut)
    #expect(failureNow { try phone.sign(sdk, .possessionWithBiometry()) } == .biometryFailed)
    #expect(
      await failure { try await sdk.fetchEncryptionKey(.possessionWithBiometry(), index: 1) } == .biometryFailed)
    #expect(await failure { try await sdk.authenticateUsingBiometry(withPrompt: "Pay") } == .biometryFailed)
    #expect(phone.peer.activation(sdk.activationIdentifier)?.failedAttempts == 0)
    phone.finger.answer(nil)
    try phone.sign(sdk, .possessionWithBiometry())
    #expect(phone.peer.signatures == [SeenSignature(type: .possessionBiometry, counter: 0, ahead: 0)])
  }

  @Test("one look at the user is good for several signatures")
  func several() async throws {
    let phone = Phone()
    let sdk = try await phone.activated(biometry: true)
    let authentication = try await sdk.authenticateUsingBiometry(withPrompt: "Pay twice")
    try phone.sign(sdk, authentication)
    try phone.sign(sdk, authentication)
    #expect(phone.finger.prompts == ["Pay twice"])
  }

  @Test("a device without biometry activates without it, and is told when it wants it")
  func unavailable() async throws {
    let phone = Phone()
    phone.finger.set(.notEnrolled)
    let sdk = phone.start()
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    #expect(
      failureNow { try sdk.persistActivation(with: .persistWithPasswordAndBiometry(password: Phone.pin)) }
        == .biometryNotAvailable)
    #expect(sdk.hasPendingActivation())
    phone.finger.set(.available)
    phone.finger.refuseToKeep()
    #expect(
      failureNow { try sdk.persistActivation(with: .persistWithPasswordAndBiometry(password: Phone.pin)) }
        == .biometryFailed)
    try sdk.persistActivation(withPassword: Phone.pin)
    phone.finger.set(.notAvailable)
    #expect(await failure { try await sdk.addBiometryFactor(password: Phone.pin) } == .biometryNotAvailable)
    #expect(phone.peer.count(of: .unlockVault) == 0)
  }

  @Test("an external key locks password and biometry, and without it neither opens")
  func externalKey() async throws {
    let phone = Phone()
    let external = Data(repeating: 9, count: 16)
    let sdk = try await phone.activated(biometry: true) { $0.externalEncryptionKey = external }
    #expect(sdk.hasExternalEncryptionKey)
    try phone.sign(sdk)
    try phone.sign(sdk, .possessionWithBiometry())

    let without = phone.start()
    #expect(failureNow { try phone.sign(without) } == .wrongParameter)
    try phone.sign(without, .possession())
    #expect(failureNow { try without.setExternalEncryptionKey(Data([1])) } == .wrongParameter)
    try without.setExternalEncryptionKey(Data(repeating: 8, count: 16))
    #expect(throws: Refusal.self) { try phone.sign(without) }
    try without.setExternalEncryptionKey(external)
    try phone.sign(without)
    try await without.addBiometryFactor(password: Phone.pin)
    try await without.changePassword(from: Phone.pin, to: "8642")
    try phone.sign(without, .possessionWithBiometry())
    try without.removeExternalEncryptionKey()
    #expect(!without.hasExternalEncryptionKey)

    let plain = phone.start()
    try phone.sign(plain, .possessionWithPassword("8642"))
    try phone.sign(plain, .possessionWithBiometry())
    #expect(failureNow { try plain.removeExternalEncryptionKey() } == .invalidActivationState)
    #expect(failureNow { try plain.setExternalEncryptionKey(external) } == .invalidActivationState)
    try plain.addExternalEncryptionKey(external)
    #expect(failureNow { try plain.addExternalEncryptionKey(external) } == .invalidActivationState)
    try phone.sign(plain, .possessionWithPassword("8642"))
    try phone.sign(plain, .possessionWithBiometry())
    #expect(plain.hasExternalEncryptionKey && phone.start().hasExternalEncryptionKey)
  }
}
