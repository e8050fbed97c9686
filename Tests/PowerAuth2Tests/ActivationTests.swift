// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import TestSupport
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: activation")
struct ActivationTests {
  @Test("a code makes an activation whose fingerprint both ends compute alike", arguments: [ProtocolVersion.v32, .v33])
  func code(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    let sdk = phone.start()
    #expect(sdk.canStartActivation() && !sdk.hasPendingActivation() && !sdk.hasValidActivation())
    #expect(sdk.activationIdentifier == nil && sdk.activationFingerprint == nil)

    let activation = try PowerAuthActivation(activationCode: Peer.codeText, name: "Ann's phone")
      .with(extras: "extra").with(additionalActivationOtp: "99").with(customAttributes: ["a": [1, "b"]])
    let result = try await sdk.createActivation(activation)

    let made = try #require(phone.peer.activation(sdk.activationIdentifier))
    let fingerprint = ActivationFingerprint(
      devicePublicKey: made.devicePublicKey, activationIdentifier: made.identifier.text,
      serverPublicKey: made.privateKey.publicKey
    ).text
    #expect(result.activationFingerprint == fingerprint && sdk.activationFingerprint == fingerprint)
    #expect((result.customAttributes?["a"] as? [Any])?.last as? String == "b")
    #expect(result.userInfo?.subject == "user-1" && sdk.lastFetchedUserInfo?.subject == "user-1")
    #expect(result.activationRecovery == nil)
    let order = try #require(phone.peer.state.withLock { $0.lastOrder })
    #expect(order.type == .code && order.identity == ["code": Peer.codeText])
    #expect(order.device.activationName == "Ann's phone" && order.device.extras == "extra")
    #expect(order.device.activationOtp == "99" && order.device.platform == "iOS")
    #expect(order.device.deviceInfo == "iPhone12,3")

    #expect(!sdk.canStartActivation() && sdk.hasPendingActivation() && !sdk.hasValidActivation())
    try sdk.persistActivation(withPassword: Phone.pin)
    #expect(!sdk.canStartActivation() && !sdk.hasPendingActivation() && sdk.hasValidActivation())
    #expect(sdk.activationFingerprint == fingerprint)
    try phone.sign(sdk)
  }

  @Test("a scanned code must bear the server's signature, or none")
  func scanned() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let code = try ActivationCode(text: Peer.codeText)
    let forged = try ScannedCode(code, signedBy: ECPrivateKey(.seeded(9))).text
    #expect(
      await failure { try await sdk.createActivation(PowerAuthActivation(activationCode: forged)) }
        == .invalidActivationData)
    #expect(sdk.canStartActivation() && phone.peer.count(of: .createActivation) == 0)
    let signed = try ScannedCode(code, signedBy: phone.peer.masterKey).text
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: signed))
    #expect(sdk.hasPendingActivation())
  }

  @Test("custom attributes and recovery codes activate, too, and the server's hint at the next PUK arrives")
  func otherTypes() async throws {
    let phone = Phone()
    let sdk = phone.start()
    _ = try await sdk.createActivation(
      PowerAuthActivation(identityAttributes: ["processId": "p", "otpCode": "1234"], name: "phone"))
    #expect(phone.peer.state.withLock { $0.lastOrder?.type } == .custom)
    sdk.removeActivationLocal()

    let wrong = try PowerAuthActivation(recoveryCode: "R:\(Peer.codeText)", recoveryPuk: "1111111111")
    do {
      _ = try await sdk.createActivation(wrong)
      Issue.record("a wrong PUK activates")
    } catch {
      let answer = try #require((error as NSError).userInfo[PowerAuthErrorDomain] as? PowerAuthRestApiErrorResponse)
      #expect(answer.currentRecoveryPukIndex == 2 && answer.httpStatusCode == 400)
      #expect(answer.responseObject?.code == "ERR_RECOVERY")
    }
    let right = try PowerAuthActivation(recoveryCode: Peer.codeText, recoveryPuk: "0123456789", name: nil)
    _ = try await sdk.createActivation(right)
    let order = try #require(phone.peer.state.withLock { $0.lastOrder })
    #expect(order.type == .recovery && order.identity == ["recoveryCode": Peer.codeText, "puk": "0123456789"])
  }

  @Test("what is no code, no PUK and no attributes is refused before anything is sent")
  func malformed() async throws {
    #expect(failureNow { try PowerAuthActivation(activationCode: "AAAAA") } == .invalidActivationCode)
    #expect(failureNow { try PowerAuthActivation(activationCode: "\(Peer.codeText)#") } == .invalidActivationCode)
    #expect(
      failureNow { try PowerAuthActivation(recoveryCode: Peer.codeText, recoveryPuk: "12") } == .invalidActivationCode)
    #expect(failureNow { try PowerAuthActivation(identityAttributes: [:]) } == .invalidActivationData)
    let sdk = Phone().start()
    let noJSON = try PowerAuthActivation(activationCode: Peer.codeText).with(customAttributes: ["d": Data([1])])
    #expect(await failure { try await sdk.createActivation(noJSON) } == .invalidActivationData)
    let noOTP = try PowerAuthActivation(activationCode: Peer.codeText).with(additionalActivationOtp: "")
    #expect(await failure { try await sdk.createActivation(noOTP) } == .invalidActivationData)
    #expect(sdk.canStartActivation())
  }

  @Test("there is one activation at a time, and one that fails leaves room for the next")
  func oneAtATime() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let unknown = try PowerAuthActivation(activationCode: ActivationCode(.seeded(3)).text)
    #expect(await failure { try await sdk.createActivation(unknown) } == .networkError)
    #expect(sdk.canStartActivation())
    #expect(failureNow { try sdk.persistActivation(withPassword: "1234") } == .invalidActivationState)

    let activation = try PowerAuthActivation(activationCode: Peer.codeText)
    _ = try await sdk.createActivation(activation)
    #expect(await failure { try await sdk.createActivation(activation) } == .activationPending)
    #expect(failureNow { try phone.sign(sdk) } == .activationPending)
    #expect(await failure { try await sdk.fetchActivationStatus() } == .activationPending)
    #expect(failureNow { try sdk.persistActivation(withPassword: "123") } == .wrongParameter)
    #expect(failureNow { try sdk.persistActivation(with: .possession()) } == .wrongParameter)
    try sdk.persistActivation(withPassword: "1234")
    #expect(await failure { try await sdk.createActivation(activation) } == .invalidActivationState)
    #expect(failureNow { try sdk.persistActivation(withPassword: "1234") } == .invalidActivationState)
  }

  @Test("removed here: signatures and tokens are gone, the server is not told, and another can be made")
  func removedLocally() async throws {
    let phone = Phone()
    let sdk = try await phone.activated(biometry: true)
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    let identifier = sdk.activationIdentifier
    sdk.removeActivationLocal()
    #expect(sdk.canStartActivation() && !sdk.hasValidActivation() && !sdk.hasBiometryFactor())
    #expect(sdk.activationIdentifier == nil && !sdk.tokenStore.hasLocalToken(withName: "t"))
    #expect(phone.finger.keys.isEmpty)
    #expect(failureNow { try phone.sign(sdk) } == .missingActivation)
    #expect(phone.peer.activation(identifier)?.state == .active)
    _ = try await sdk.createActivation(PowerAuthActivation(identityAttributes: ["otpCode": "1234"]))
    try sdk.persistActivation(withPassword: Phone.pin)
    #expect(sdk.activationIdentifier != identifier)
    try phone.sign(sdk)
  }

  @Test("removed at the server: then here, too; refused there: nothing happens here")
  func removedRemotely() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let identifier = sdk.activationIdentifier
    #expect(
      await failure { try await sdk.removeActivation(with: .possessionWithPassword(password: Phone.wrongPin)) }
        == .networkError)
    #expect(sdk.hasValidActivation())
    try await sdk.removeActivation(with: .possessionWithPassword(password: Phone.pin))
    #expect(phone.peer.activation(identifier)?.state == .removed)
    #expect(sdk.canStartActivation() && !sdk.hasValidActivation())
  }

  @Test("instances of other names know nothing of each other")
  func instances() async throws {
    let phone = Phone()
    let first = try await phone.activated()
    let second = Phone(store: phone.store, peer: phone.peer, instanceId: "second").start()
    #expect(second.canStartActivation() && !second.hasValidActivation())
    _ = try await second.createActivation(PowerAuthActivation(identityAttributes: ["otpCode": "1234"]))
    try second.persistActivation(withPassword: "9999")
    second.removeActivationLocal()
    #expect(first.hasValidActivation())
    try phone.sign(first)
  }

  @Test(
    "an answer that is not the server's makes no activation",
    arguments: ["", "{}", "[1]", #"{"encryptedData":"AA=="}"#])
  func strangeAnswers(body: String) async throws {
    let phone = Phone()
    let sdk = phone.start()
    phone.peer.next(.createActivation, .body(body, status: 200))
    let code = await failure { try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText)) }
    #expect(code == .networkError || code == .encryption)
    #expect(sdk.canStartActivation())
  }
}
