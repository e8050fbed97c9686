// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import PowerAuthCore
import TestSupport
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: encryption")
struct EncryptionTests {
  /// A request of an application's, encrypted as published networking code does it, and its answer.
  private func exchange(
    _ encryptor: PowerAuthCoreEciesEncryptor, _ peer: Peer, _ activation: PeerActivation?,
    version: ProtocolVersion? = nil
  ) throws -> String? {
    let sent = try #require(encryptor.encryptRequest(Data("question".utf8)))
    let identifier: EncryptorIdentifier = activation == nil ? .genericApplication : .genericActivation
    let (plaintext, answer) = try peer.open(bytes: try posted(sent), identifier, activation, version: version)
    #expect(plaintext == Data("question".utf8))
    let sealed = try answer.encrypt(Data("answer".utf8), timestamp: peer.now, randomness: peer.randomness)
    let received = PowerAuthCoreEciesCryptogram()
    received.bodyBase64 = sealed.encryptedData.base64EncodedString()
    received.macBase64 = sealed.mac.base64EncodedString()
    received.nonceBase64 = sealed.nonce?.base64EncodedString()
    received.timestamp = sealed.timestamp ?? 0
    for part in [\PowerAuthCoreEciesCryptogram.body, \.mac, \.nonce] {
      let right = received[keyPath: part]
      received[keyPath: part] = right.map { Data([$0[0] ^ 1]) + $0.dropFirst() }
      #expect(encryptor.decryptResponse(received) == nil, "a changed byte is accepted")
      received[keyPath: part] = right
    }
    return encryptor.decryptResponse(received).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The body that published networking code posts.
  private func posted(_ sent: PowerAuthCoreEciesCryptogram) throws -> Data {
    let request = ECIESRequest(
      temporaryKeyIdentifier: sent.temporaryKeyId, ephemeralPublicKey: try #require(sent.key),
      encryptedData: try #require(sent.body), mac: try #require(sent.mac), nonce: sent.nonce,
      timestamp: sent.timestamp)
    return try JSONEncoder().encode(request)
  }

  @Test("an application's requests are encrypted in both scopes", arguments: [ProtocolVersion.v32, .v33])
  func scopes(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    let sdk = try await phone.activated()
    let made = try #require(phone.peer.activation(sdk.activationIdentifier))
    let application = try await sdk.eciesEncryptorForApplicationScope()
    let activation = try await sdk.eciesEncryptorForActivationScope()
    #expect(try exchange(application, phone.peer, nil) == "answer")
    #expect(try exchange(activation, phone.peer, made) == "answer")
    let header = try #require(activation.associatedMetaData)
    #expect(header.httpHeaderKey == "X-PowerAuth-Encryption")
    #expect(
      try EncryptionHeader(value: header.httpHeaderValue)
        == EncryptionHeader(
          version: version, applicationKey: phone.peer.configuration.applicationKey,
          activationIdentifier: made.identifier))
    #expect(application.associatedMetaData?.activationIdentifier == nil)
    #expect(
      phone.peer.count(of: .createTemporaryKey) == (version == .v33 ? 2 : 0))
  }

  @Test("an encryptor decrypts nothing before it encrypted something")
  func unused() async throws {
    let encryptor = try await Phone().start().eciesEncryptorForApplicationScope()
    #expect(encryptor.decryptResponse(PowerAuthCoreEciesCryptogram()) == nil)
  }

  /// The factories of SDK 1.8, which are not asynchronous.
  private func factories(_ sdk: PowerAuthSDK) -> [PowerAuthCoreEciesEncryptor?] {
    [sdk.eciesEncryptorForApplicationScope(), sdk.eciesEncryptorForActivationScope()]
  }

  @Test(
    "the factories of 1.8 answer at once, by 3.2 whatever is configured, and their encryptors encrypt from the first call",
    arguments: [ProtocolVersion.v32, .v33])
  func atOnce(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    #expect(factories(phone.start()).map { $0 == nil } == [false, true])
    let sdk = try await phone.activated()
    let made = try #require(phone.peer.activation(sdk.activationIdentifier))
    let keys = phone.peer.count(of: .createTemporaryKey)
    let (application, activation) = (try #require(factories(sdk)[0]), try #require(factories(sdk)[1]))
    #expect(try exchange(application, phone.peer, nil, version: .v32) == "answer")
    #expect(try exchange(activation, phone.peer, made, version: .v32) == "answer")
    #expect(phone.peer.count(of: .createTemporaryKey) == keys)
    let scopes: [(PowerAuthCoreEciesEncryptor, ActivationIdentifier?)] = [
      (application, nil), (activation, made.identifier),
    ]
    for (encryptor, identifier) in scopes {
      let header = try #require(encryptor.associatedMetaData)
      #expect(
        try EncryptionHeader(value: header.httpHeaderValue)
          == EncryptionHeader(
            version: .v32, applicationKey: phone.peer.configuration.applicationKey, activationIdentifier: identifier))
    }
  }

  @Test("without the server's time they take the device's: nothing is left to be sent in the clear")
  func atOnceWithoutTime() async throws {
    let phone = Phone()
    let gate = Gate()
    phone.peer.next(.serverStatus, .held(gate))
    let sdk = phone.start()
    let early = try #require(factories(sdk)[0])
    #expect(!sdk.timeSynchronizationService.isTimeSynchronized)
    let sent = try #require(early.encryptRequest(Data("secret".utf8)))
    #expect(sent.temporaryKeyId == nil && sent.timestamp > 0)
    #expect(sent.body?.range(of: Data("secret".utf8)) == nil)
    gate.open()
    try await sdk.timeSynchronizationService.synchronizeTime()
    #expect(try exchange(early, phone.peer, nil, version: .v32) == "answer")
  }

  @Test("with an invalid configuration they encrypt to a key that is thrown away; nothing leaves in the clear")
  func atOnceMisconfigured() throws {
    let configuration = PowerAuthConfiguration(baseEndpointUrl: "https://bank.example", configuration: "rubbish")
    func factory() -> PowerAuthCoreEciesEncryptor? {
      factories(PowerAuthSDK(configuration: configuration, platform: PowerAuthPlatform(store: MemorySecureStore())))[0]
    }
    let encryptor = try #require(factory())
    let sent = try #require(encryptor.encryptRequest(Data("secret".utf8)))
    #expect(sent.body?.isEmpty == false && sent.body?.range(of: Data("secret".utf8)) == nil)
    #expect(sent.key != nil && sent.mac != nil && encryptor.associatedMetaData != nil)
    let again = try #require(factory())
    #expect(again.associatedMetaData?.httpHeaderValue != encryptor.associatedMetaData?.httpHeaderValue)
  }

  @Test("in place of what is too long they give what no server can decrypt; nothing leaves in the clear")
  func tooLong() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let data = Data(count: ECIES.plaintextMax + 1)
    let encryptor = try #require(factories(sdk)[0])
    let sent = try #require(encryptor.encryptRequest(data))
    #expect(sent.body?.count == 16)
    #expect(throws: PowerAuthError.self) {
      try phone.peer.open(bytes: try posted(sent), .genericApplication, nil, version: .v32)
    }
    #expect(try exchange(encryptor, phone.peer, nil, version: .v32) == "answer")
    let current = try await sdk.eciesEncryptorForApplicationScope()
    #expect(current.encryptRequest(data) == nil)
  }

  @Test("when the activation went, their encryptor still encrypts, and the request is for the server to refuse")
  func goneAtOnce() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let encryptor = try #require(factories(sdk)[1])
    sdk.removeActivationLocal()
    #expect(encryptor.encryptRequest(Data()) != nil)
    #expect(factories(sdk)[1] == nil)
  }

  @Test("an encryptor of an activation that went encrypts nothing")
  func gone() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let encryptor = try await sdk.eciesEncryptorForActivationScope()
    sdk.removeActivationLocal()
    #expect(encryptor.encryptRequest(Data()) == nil)
    #expect(await failure { try await sdk.eciesEncryptorForActivationScope() } == .missingActivation)
  }

  @Test("a temporary key is used until ten seconds before it ends", arguments: [(289.0, 1), (291.0, 2)])
  func renewal(seconds: Double, keys: Int) async throws {
    let phone = Phone()
    let sdk = phone.start()
    _ = try await sdk.eciesEncryptorForApplicationScope()
    phone.clock.advance(by: seconds)
    let encryptor = try await sdk.eciesEncryptorForApplicationScope()
    #expect(phone.peer.count(of: .createTemporaryKey) == keys)
    #expect(try exchange(encryptor, phone.peer, nil) == "answer")
  }

  @Test("many who need a key at once ask for it once")
  func asksOnce() async throws {
    let phone = Phone()
    let sdk = phone.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { _ = try await sdk.eciesEncryptorForApplicationScope() } }
      try await group.waitForAll()
    }
    #expect(phone.peer.count(of: .createTemporaryKey) == 1)
  }

  @Test("a key that the server forgot is replaced without the app's notice; signed calls sign anew")
  func forgotten() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    _ = try await sdk.fetchUserInfo()
    phone.peer.state.withLock { $0.temporaryKeys = [:] }
    _ = try await sdk.fetchUserInfo()
    phone.peer.state.withLock { $0.temporaryKeys = [:] }
    _ = try await sdk.fetchEncryptionKey(.possessionWithPassword(Phone.pin), index: 1)
    #expect(phone.peer.signatures.compactMap(\.counter) == [0, 1])
    sdk.removeActivationLocal()
    phone.peer.state.withLock { $0.temporaryKeys = [:] }
    _ = try await sdk.createActivation(PowerAuthActivation(identityAttributes: ["otpCode": "1234"]))
  }

  @Test("a key with a foreign signature is not used")
  func forgedKey() async throws {
    let phone = Phone()
    let other = Peer(clock: phone.clock, seed: 5)
    let sdk = phone.start()
    let request = TemporaryKeyRequest(applicationKey: phone.peer.configuration.applicationKey, randomness: .seeded(1))
    let key = try TemporaryKey(
      identifier: UUID().uuidString, publicKey: other.masterKey.publicKey, issuedAt: phone.peer.now)
    let token = try key.token(answering: request, key: other.masterKey)
    phone.peer.next(
      .createTemporaryKey, .body(#"{"status":"OK","responseObject":{"jwt":"\#(token)"}}"#, status: 200))
    #expect(await failure { try await sdk.eciesEncryptorForApplicationScope() } == .encryption)
    #expect(!sdk.timeSynchronizationService.isTimeSynchronized)
  }

  @Test("an answer with a changed byte is refused")
  func changedAnswer() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let zeros = Data(count: 32).base64EncodedString()
    let nonce = Data(count: 16).base64EncodedString()
    phone.peer.next(
      .userInfo,
      .body(#"{"encryptedData":"\#(zeros)","mac":"\#(zeros)","nonce":"\#(nonce)","timestamp":1}"#, status: 200))
    #expect(await failure { try await sdk.fetchUserInfo() } == .encryption)
  }
}
