// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: ECIES")
struct ECIESTests {
  static let temporaryKey = "D3D82A6B-47CF-4225-BBE5-BAD96FB84CA4"
  static let identifiers: [EncryptorIdentifier] = [
    .genericApplication, .genericActivation, .activationLayer2, .upgrade, .vaultUnlock, .createToken,
    .confirmRecoveryCode,
  ]
  private static let server = ECPrivateKey(.seeded(1))
  private static let now: UInt64 = 1_700_000_000_123

  private static func parameters(
    _ version: ProtocolVersion, _ identifier: EncryptorIdentifier = .genericActivation,
    temporaryKey: String? = temporaryKey, activation: String = "40e178b9-902f-47aa-96d3-8369975856d6",
    transport: UInt64 = 4
  ) throws -> ECIESParameters {
    let temporaryKey = version.hasTemporaryKey ? temporaryKey : nil
    let (key, secret) = (ApplicationKey(.seeded(2)), ApplicationSecret(.seeded(3)))
    guard identifier.scope == .activation else {
      return try ECIESParameters(
        version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
        temporaryKeyIdentifier: temporaryKey)
    }
    return try ECIESParameters(
      version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
      activationIdentifier: ActivationIdentifier(text: activation),
      transportKey: TransportKey(SecretKey(.seeded(transport))), temporaryKeyIdentifier: temporaryKey)
  }

  private static func encrypt(
    _ plaintext: Data, _ parameters: ECIESParameters, seed: UInt64 = 5
  ) throws -> (request: ECIESRequest, answer: ECIESResponseDecryptor) {
    try ECIESEncryptor(parameters: parameters, serverKey: server.publicKey)
      .encrypt(plaintext, timestamp: now, randomness: .seeded(seed))
  }

  private static func decrypt(
    _ request: ECIESRequest, _ parameters: ECIESParameters, key: ECPrivateKey = server
  ) throws -> (plaintext: Data, answer: ECIESResponseEncryptor) {
    try ECIESDecryptor(parameters: parameters, privateKey: key).decrypt(request)
  }

  @Test("request and answer, in every version for every purpose", arguments: ProtocolVersion.allCases, identifiers)
  func roundTrip(version: ProtocolVersion, identifier: EncryptorIdentifier) throws {
    let parameters = try Self.parameters(version, identifier)
    for count in [0, 1, 15, 16, 17, 1000] {
      let plaintext = Data(repeating: 7, count: count)
      let (request, opener) = try Self.encrypt(plaintext, parameters)
      let sent = try JSONDecoder().decode(ECIESRequest.self, from: JSONEncoder().encode(request))
      let (read, answer) = try Self.decrypt(sent, parameters)
      #expect(read == plaintext)
      let response = try answer.encrypt(read + [1], timestamp: Self.now + 1, randomness: .seeded(6))
      let received = try JSONDecoder().decode(ECIESResponse.self, from: JSONEncoder().encode(response))
      #expect(try opener.decrypt(received) == plaintext + [1])
    }
  }

  @Test("the JSON has the members of its version and no others", arguments: ProtocolVersion.allCases)
  func members(version: ProtocolVersion) throws {
    let parameters = try Self.parameters(version)
    let (request, _) = try Self.encrypt(Data(), parameters)
    let response = try Self.decrypt(request, parameters).answer
      .encrypt(Data(), timestamp: Self.now, randomness: .seeded(6))
    func names(_ value: some Encodable) throws -> Set<String> {
      let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
      return Set(try #require(object as? [String: Any]).keys)
    }
    let always: Set = ["encryptedData", "mac"]
    let both: Set = version.hasTimestamp ? ["nonce", "timestamp"] : []
    let nonce: Set = version.hasRequestNonce ? ["nonce"] : []
    let key: Set = version.hasTemporaryKey ? ["temporaryKeyId"] : []
    #expect(try names(request) == always.union(["ephemeralPublicKey"]).union(both).union(nonce).union(key))
    #expect(try names(response) == always.union(both))
  }

  @Test("no byte of a request can be changed", arguments: ProtocolVersion.allCases)
  func requestTampering(version: ProtocolVersion) throws {
    let parameters = try Self.parameters(version)
    let (request, _) = try Self.encrypt(Data("a plaintext of more than a block".utf8), parameters)
    var wrong: [ECIESRequest] = []
    func change(_ member: WritableKeyPath<ECIESRequest, Data>) {
      wrong += request[keyPath: member].withEachByteChanged.map {
        var changed = request
        changed[keyPath: member] = $0
        return changed
      }
    }
    change(\.ephemeralPublicKey)
    change(\.encryptedData)
    change(\.mac)
    for place in 0..<64 where version.hasTimestamp {
      var changed = request
      changed.timestamp? ^= 1 << UInt64(place)
      wrong.append(changed)
    }
    // 3.1 covers its nonce with no MAC: a change garbles the first block, and only 3.2 put an end to it.
    for nonce in request.nonce?.withEachByteChanged ?? [] where version.hasAssociatedData {
      var changed = request
      changed.nonce = nonce
      wrong.append(changed)
    }
    for changed in wrong { #expect(throws: PowerAuthError.self) { try Self.decrypt(changed, parameters) } }
  }

  @Test("no byte of an answer can be changed", arguments: ProtocolVersion.allCases)
  func responseTampering(version: ProtocolVersion) throws {
    let parameters = try Self.parameters(version)
    let (request, opener) = try Self.encrypt(Data(), parameters)
    let response = try Self.decrypt(request, parameters).answer
      .encrypt(Data("an answer of more than a block".utf8), timestamp: Self.now, randomness: .seeded(6))
    var wrong = response.encryptedData.withEachByteChanged.map {
      ECIESResponse(encryptedData: $0, mac: response.mac, nonce: response.nonce, timestamp: response.timestamp)
    }
    wrong += response.mac.withEachByteChanged.map {
      ECIESResponse(
        encryptedData: response.encryptedData, mac: $0, nonce: response.nonce, timestamp: response.timestamp)
    }
    wrong += (response.nonce?.withEachByteChanged ?? []).map {
      ECIESResponse(encryptedData: response.encryptedData, mac: response.mac, nonce: $0, timestamp: response.timestamp)
    }
    if let time = response.timestamp {
      wrong += (0..<64).map {
        ECIESResponse(
          encryptedData: response.encryptedData, mac: response.mac, nonce: response.nonce, timestamp: time ^ 1 << $0)
      }
    }
    for changed in wrong { #expect(throws: PowerAuthError.self) { try opener.decrypt(changed) } }
  }

  @Test("members that a version lacks or does not have are refused", arguments: ProtocolVersion.allCases)
  func shapes(version: ProtocolVersion) throws {
    let parameters = try Self.parameters(version)
    let (request, opener) = try Self.encrypt(Data(), parameters)
    func refused(_ change: (inout ECIESRequest) -> Void) {
      var changed = request
      change(&changed)
      #expect(throws: PowerAuthError.malformed(.cryptogram)) { try Self.decrypt(changed, parameters) }
    }
    refused { $0.nonce = version.hasRequestNonce ? nil : Data(count: 16) }
    refused { $0.nonce = Data(count: 15) }
    refused { $0.timestamp = version.hasTimestamp ? nil : 1 }
    refused { $0.temporaryKeyIdentifier = version.hasTemporaryKey ? nil : Self.temporaryKey }
    refused { $0.mac = Data() }
    refused { $0.mac.removeLast() }
    let response = try Self.decrypt(request, parameters).answer
      .encrypt(Data(), timestamp: 1, randomness: .seeded(6))
    for change in [
      { $0.nonce = $0.nonce == nil ? Data(count: 16) : nil }, { $0.timestamp = $0.timestamp == nil ? 1 : nil },
    ]
      as [(inout ECIESResponse) -> Void]
    {
      var changed = response
      change(&changed)
      #expect(throws: PowerAuthError.malformed(.cryptogram)) { try opener.decrypt(changed) }
    }
  }

  @Test("a request for another purpose, activation, application, version or key is refused")
  func mixing() throws {
    let (request, _) = try Self.encrypt(Data(), try Self.parameters(.v32))
    let wrong = [
      try Self.parameters(.v32, .createToken), try Self.parameters(.v32, .genericApplication),
      try Self.parameters(.v32, activation: "40e178b9-902f-47aa-96d3-8369975856d7"),
      try Self.parameters(.v32, activation: "40E178B9-902F-47AA-96D3-8369975856D6"),
      try Self.parameters(.v32, transport: 9),
    ]
    for parameters in wrong {
      #expect(throws: PowerAuthError.notAuthentic) { try Self.decrypt(request, parameters) }
    }
    #expect(throws: PowerAuthError.notAuthentic) {
      try Self.decrypt(request, try Self.parameters(.v32), key: ECPrivateKey(.seeded(9)))
    }
    let (recent, _) = try Self.encrypt(Data(), try Self.parameters(.v33))
    #expect(throws: PowerAuthError.mismatched(.temporaryKey)) {
      try Self.decrypt(recent, try Self.parameters(.v33, temporaryKey: "1221CD15-9092-4779-A157-04DC229A63F7"))
    }
  }

  @Test("an answer belongs to its request", arguments: ProtocolVersion.allCases)
  func answers(version: ProtocolVersion) throws {
    let parameters = try Self.parameters(version)
    let (_, first) = try Self.encrypt(Data(), parameters, seed: 5)
    let (second, _) = try Self.encrypt(Data(), parameters, seed: 6)
    let response = try Self.decrypt(second, parameters).answer
      .encrypt(Data(), timestamp: Self.now, randomness: .seeded(7))
    #expect(throws: PowerAuthError.notAuthentic) { try first.decrypt(response) }
  }

  @Test("a scope needs its keys, and 3.3 a temporary one")
  func scopes() throws {
    let (key, secret) = (ApplicationKey(.seeded(2)), ApplicationSecret(.seeded(3)))
    #expect(throws: PowerAuthError.mismatched(.activationIdentifier)) {
      try ECIESParameters(
        version: .v32, identifier: .createToken, applicationKey: key, applicationSecret: secret)
    }
    #expect(throws: PowerAuthError.unsupportedVersion) {
      try ECIESParameters(
        version: .v33, identifier: .genericApplication, applicationKey: key, applicationSecret: secret)
    }
    #expect(throws: PowerAuthError.unsupportedVersion) {
      try ECIESParameters(
        version: .v32, identifier: .genericApplication, applicationKey: key, applicationSecret: secret,
        temporaryKeyIdentifier: Self.temporaryKey)
    }
  }

  @Test("plaintexts and ciphertexts have a largest size")
  func sizes() throws {
    let parameters = try Self.parameters(.v33)
    #expect(throws: PowerAuthError.tooLong(.cryptogram)) {
      try Self.encrypt(Data(count: ECIES.plaintextMax + 1), parameters)
    }
    var (request, _) = try Self.encrypt(Data(), parameters)
    request.encryptedData = Data(count: ECIES.plaintextMax + 32)
    #expect(throws: PowerAuthError.tooLong(.cryptogram)) { try Self.decrypt(request, parameters) }
  }
}
