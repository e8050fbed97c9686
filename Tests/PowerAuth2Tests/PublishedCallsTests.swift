// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import PowerAuthCore
import Testing

import PowerAuth2

/// What the names that published apps call do here. Without `@testable`: what apps see must do.
@Suite("PowerAuth client: the calls of the published documentation")
struct PublishedCallsTests {
  @Test("the shared instance is the one that was made first; before one was made, its calls fail")
  func shared() async throws {
    // No other test makes one.
    #expect(await failure { try await PowerAuthSDK.sharedInstance().fetchServerStatus() } == .wrongParameter)
    for name in ["one", "two"] {
      PowerAuthSDK.initSharedInstance(
        PowerAuthConfiguration(
          instanceId: "shared-\(name)", baseEndpointUrl: "https://bank.example/pa",
          configuration: "not read by this test"))
      #expect(PowerAuthSDK.sharedInstance().configuration.instanceId == "shared-one")
    }
    #expect(PowerAuthSDK.sharedInstance() === PowerAuthSDK.sharedInstance())
  }

  @Test("interceptors add their headers to every request, the later one of two, and show no secret")
  func interceptors() async throws {
    let peer = Peer(clock: MovableClock())
    let client = PowerAuthClientConfiguration()
    let basic = PowerAuthBasicHttpAuthenticationRequestInterceptor(username: "Aladdin", password: "open sesame")
    let custom = PowerAuthCustomHeaderRequestInterceptor(headerKey: "X-Stage", value: "secret-stage")
    client.requestInterceptors = [
      PowerAuthCustomHeaderRequestInterceptor(headerKey: "x-stage", value: "earlier"), basic, custom,
    ]
    let transport = HTTPTransport { (request, _) async throws(TransportError) in
      // The example of RFC 7617 §2.
      #expect(request.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
      #expect(request.headers["X-Stage"] == "secret-stage" && request.headers["Content-Type"] == "application/json")
      return TransportResponse(
        status: 200, body: Data(#"{"status":"OK","responseObject":{"serverTime":1000}}"#.utf8))
    }
    let sdk = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        baseEndpointUrl: "https://b.example", configuration: peer.configuration.text),
      clientConfiguration: client, platform: PowerAuthPlatform(store: MemorySecureStore(), transport: transport))
    #expect(try await sdk.fetchServerStatus().serverTime.timeIntervalSince1970 == 1)
    var dumped = ""
    dump(client.requestInterceptors, to: &dumped)
    #expect(!"\(basic) \(custom) \(dumped)".contains("secret-stage") && !"\(basic) \(dumped)".contains("QWxhZGRpbj"))
  }

  @Test("an interceptor stands in for no proof and no type of a body")
  func interceptedProof() async throws {
    let phone = Phone()
    _ = try await phone.activated(on: phone.store)
    let client = PowerAuthClientConfiguration()
    client.requestInterceptors = ["x-powerauth-authorization", "X-PowerAuth-Encryption", "Content-Type", "Accept"].map {
      PowerAuthCustomHeaderRequestInterceptor(headerKey: $0, value: "text/plain")
    }
    let network = phone.peer.transport
    let transport = HTTPTransport { (request, _) async throws(TransportError) in
      #expect(request.headers["Content-Type"] == "application/json" && request.headers["Accept"] == "text/plain")
      return try await network.send(request)
    }
    let sdk = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        instanceId: phone.instanceId, baseEndpointUrl: "https://bank.example",
        configuration: phone.peer.configuration.text),
      clientConfiguration: client,
      platform: PowerAuthPlatform(store: phone.store, transport: transport, clock: phone.clock.client))
    try await sdk.validatePassword(password: Phone.pin)
    #expect(phone.peer.signatures.count == 1)
  }

  @Test("a password that was typed persists an activation and signs")
  func typed() async throws {
    let phone = Phone()
    let sdk = phone.start()
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    let pin = PowerAuthCoreMutablePassword()
    for digit in Phone.pin.unicodeScalars { pin.addCharacter(digit.value) }
    try sdk.persistActivation(withPassword: pin)
    try phone.sign(sdk, .possessionWithPassword(Phone.pin))
    try phone.sign(sdk, .possessionWithPassword(password: pin))
  }

  @Test("a call goes on with the password that it was given, whatever is typed meanwhile")
  func typedMeanwhile() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let pin = PowerAuthCoreMutablePassword()
    for digit in Phone.pin.unicodeScalars { pin.addCharacter(digit.value) }
    let factors = PowerAuthAuthentication.possessionWithPassword(password: pin)
    pin.removeLastCharacter()
    try phone.sign(sdk, factors)

    func heard(
      _ call: (@escaping @MainActor @Sendable ((any Error)?) -> Void) -> (any PowerAuthOperationTask)?
    ) async -> (any Error)? {
      await withCheckedContinuation { done in _ = call { done.resume(returning: $0) } }
    }
    let (old, new) = (PowerAuthCoreMutablePassword(), PowerAuthCoreMutablePassword())
    for digit in Phone.pin.unicodeScalars { old.addCharacter(digit.value) }
    for digit in "864297".unicodeScalars { new.addCharacter(digit.value) }
    let change = await heard { callback in
      defer { for typed in [old, new] { typed.removeLastCharacter() } }
      return sdk.changePassword(from: old, to: new, callback: callback)
    }
    #expect(change == nil)
    new.addCharacter(0x37)
    let check = await heard { callback in
      defer { new.clear() }
      return sdk.validatePassword(password: new, callback: callback)
    }
    #expect(check == nil)
    try phone.sign(sdk, .possessionWithPassword("864297"))
  }

  @Test("the index of the next PUK is in the server's object, where published apps look for it")
  func pukIndex() async throws {
    let sdk = Phone().start()
    do {
      _ = try await sdk.createActivation(
        PowerAuthActivation(recoveryCode: "R:\(Peer.codeText)", recoveryPuk: "1111111111"))
      Issue.record("a wrong PUK activates")
    } catch {
      let answer = (error as NSError).userInfo[PowerAuthErrorDomain] as? PowerAuthRestApiErrorResponse
      #expect(answer?.responseObject?.currentRecoveryPukIndex == 2)
    }
  }

  @Test("a typed character is corrected under its published name as under ours")
  func corrected() {
    for value in UInt32(0)..<0x300 {
      #expect(
        PowerAuthActivationCodeUtil.validateAndCorrectTypedCharacter(value)
          == PowerAuthActivationCodeUtil.correctTypedCharacter(value))
    }
  }

  #if !canImport(LocalAuthentication)
    @Test("a system without biometry says so")
    func noBiometry() {
      #expect(!PowerAuthKeychain.canUseBiometricAuthentication)
      #expect(PowerAuthKeychain.supportedBiometricAuthentication == .none)
      #expect(PowerAuthKeychain.biometricAuthenticationInfo.currentStatus == .notSupported)
    }
  #endif
}
