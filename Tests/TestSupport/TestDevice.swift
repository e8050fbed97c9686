// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore

/// A device as PowerAuth knows it, made of the pure parts: what an app does, without a network and without storage.
package struct TestDevice: Sendable {
  package let configuration: SDKConfiguration
  package var version: ProtocolVersion
  package let randomness: Randomness
  package private(set) var privateKey: ECPrivateKey
  package private(set) var activation: Joined?

  /// What a device knows once the server let it in.
  package struct Joined: Sendable {
    package let identifier: ActivationIdentifier
    package let serverPublicKey: ECPublicKey
    package let keys: ActivationKeys
    package var counter: DeviceCounter
    package let recovery: ActivationRecovery?
  }

  package init(
    configuration: SDKConfiguration, version: ProtocolVersion = .standard,
    random: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.configuration = configuration
    self.version = version
    randomness = Randomness(random)
    privateKey = ECPrivateKey(randomness)
  }

  package struct NotJoined: Error {}

  package func joined() throws -> Joined {
    guard let activation else { throw NotJoined() }
    return activation
  }

  // MARK: Joining

  /// The inner layer of an activation.
  package func introduction(name: String? = "My phone", otp: String? = nil) -> ActivationDevice {
    ActivationDevice(
      devicePublicKey: privateKey.publicKey.compressed.base64EncodedString(), activationName: name,
      activationOtp: otp, platform: "iOS", deviceInfo: "iPhone12,3")
  }

  /// Both layers of `/pa/v3/activation/create`, encrypted.
  /// - Parameter temporaryKey: of the application; 3.3 needs one.
  package func join(
    _ type: ActivationType, _ identity: [String: String], attributes: [String: JSONValue]? = nil,
    otp: String? = nil, temporaryKey: TemporaryKey? = nil, now: UInt64
  ) throws -> (request: ECIESRequest, answer: JoiningAnswer) {
    let inner = try encrypt(
      JSONEncoder().encode(introduction(otp: otp)), .activationLayer2, temporaryKey: temporaryKey, now: now)
    let outer = try encrypt(
      JSONEncoder().encode(
        ActivationRequest(
          type: type, identityAttributes: identity, customAttributes: attributes, activationData: inner.request)),
      .genericApplication, temporaryKey: temporaryKey, now: now)
    return (outer.request, JoiningAnswer(outer: outer.answer, inner: inner.answer))
  }

  /// Opens both layers of the answer.
  package struct JoiningAnswer: Sendable {
    let outer: ECIESResponseDecryptor
    let inner: ECIESResponseDecryptor

    package func open(_ response: ECIESResponse) throws -> (device: ActivatedDevice, response: ActivationResponse) {
      let response = try JSONDecoder().decode(ActivationResponse.self, from: outer.decrypt(response))
      let device = try JSONDecoder().decode(ActivatedDevice.self, from: inner.decrypt(response.activationData))
      return (device, response)
    }
  }

  /// Learns what the server answered.
  package mutating func complete(_ answer: ActivatedDevice) throws {
    let server = try ECPublicKey(base64: answer.serverPublicKey)
    guard let counter = Data(base64Encoded: answer.ctrData) else { throw NotJoined() }
    activation = Joined(
      identifier: try ActivationIdentifier(text: answer.activationId), serverPublicKey: server,
      keys: try ActivationKeys(privateKey: privateKey, publicKey: server),
      counter: DeviceCounter(byte: 0, data: try CounterData(counter)), recovery: answer.activationRecovery)
  }

  // MARK: Proving

  /// Signs with the counter as it is, and moves it on.
  /// - Parameter spoiling: the keys of these factors are wrong, as after a wrong PIN.
  package mutating func sign(
    _ type: SignatureType, method: String = "POST", uriID: String, body: Data = Data(),
    spoiling: [SignatureFactor] = []
  ) throws -> SignatureHeader {
    let joined = try joined()
    let nonce = randomness.nonce()
    let data = try NormalizedData(
      method: method, uriIdentifier: uriID, nonce: nonce, body: body,
      applicationSecret: configuration.applicationSecret)
    let signature = try signature(type, data, format: version.onlineSignatureFormat, spoiling: spoiling)
    return try SignatureHeader(
      version: version, activationIdentifier: joined.identifier, applicationKey: configuration.applicationKey,
      nonce: nonce, type: type, signature: signature)
  }

  /// The digits for what was scanned.
  package mutating func signOffline(
    _ type: SignatureType, uriID: String, nonce: Data, data: Data, spoiling: [SignatureFactor] = []
  ) throws -> String {
    try signature(
      type, NormalizedData(offline: "POST", uriIdentifier: uriID, nonce: nonce, body: data),
      format: .decimal(.standard), spoiling: spoiling)
  }

  private mutating func signature(
    _ type: SignatureType, _ data: NormalizedData, format: SignatureFormat, spoiling: [SignatureFactor]
  ) throws -> String {
    var joined = try joined()
    var keys = joined.keys.signature
    for factor in spoiling {
      let wrong = SecretKey(randomness)
      switch factor {
      case .possession: keys.possession = wrong
      case .knowledge: keys.knowledge = wrong
      case .biometry: keys.biometry = wrong
      }
    }
    let signature = try Signature(type, of: data, keys: keys, counter: joined.counter.data, format: format)
    joined.counter = joined.counter.next
    activation = joined
    return signature.text
  }

  /// Throws the counter forward or puts another in its place.
  package mutating func setCounter(_ counter: DeviceCounter) { activation?.counter = counter }

  // MARK: Encrypting

  package func temporaryKeyRequest(ofActivation: Bool) throws -> (request: TemporaryKeyRequest, token: String) {
    let secret = configuration.applicationSecret
    guard ofActivation else {
      let request = TemporaryKeyRequest(applicationKey: configuration.applicationKey, randomness: randomness)
      return (request, try request.token(key: TemporaryKeyRequest.key(applicationSecret: secret)))
    }
    let joined = try joined()
    let request = TemporaryKeyRequest(
      applicationKey: configuration.applicationKey, activationIdentifier: joined.identifier, randomness: randomness)
    return (
      request,
      try request.token(
        key: TemporaryKeyRequest.key(applicationSecret: secret, transportKey: joined.keys.transport))
    )
  }

  /// Reads the server's answer.
  package func temporaryKey(_ token: String, answering request: TemporaryKeyRequest) throws -> TemporaryKey {
    let key = try request.activationIdentifier == nil ? configuration.masterPublicKey : joined().serverPublicKey
    return try TemporaryKey(token: token, answering: request, key: key)
  }

  package func encrypt(
    _ plaintext: Data, _ identifier: EncryptorIdentifier, temporaryKey: TemporaryKey? = nil, now: UInt64
  ) throws -> (request: ECIESRequest, answer: ECIESResponseDecryptor) {
    let (key, secret) = (configuration.applicationKey, configuration.applicationSecret)
    let parameters: ECIESParameters
    let serverKey: ECPublicKey
    switch identifier.scope {
    case .application:
      serverKey = temporaryKey?.publicKey ?? configuration.masterPublicKey
      parameters = try ECIESParameters(
        version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
        temporaryKeyIdentifier: temporaryKey?.identifier)
    case .activation:
      let joined = try joined()
      serverKey = temporaryKey?.publicKey ?? joined.serverPublicKey
      parameters = try ECIESParameters(
        version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
        activationIdentifier: joined.identifier, transportKey: joined.keys.transport,
        temporaryKeyIdentifier: temporaryKey?.identifier)
    }
    return try ECIESEncryptor(parameters: parameters, serverKey: serverKey).encrypt(
      plaintext, timestamp: now, randomness: randomness)
  }
}
