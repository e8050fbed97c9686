// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: temporary keys")
struct TemporaryKeyTests {
  private static let activation = "40e178b9-902f-47aa-96d3-8369975856d6"
  private static let identifier = "D3D82A6B-47CF-4225-BBE5-BAD96FB84CA4"
  private let signer = ECPrivateKey(.seeded(1))
  private let publicKey = ECPrivateKey(.seeded(2)).publicKey
  private let secret = ApplicationSecret(.seeded(3))
  private let transportKey = TransportKey(SecretKey(.seeded(4)))

  private func request(
    _ seed: UInt64 = 5, activation: String? = activation, application: UInt64 = 6
  ) throws -> TemporaryKeyRequest {
    TemporaryKeyRequest(
      applicationKey: ApplicationKey(.seeded(application)),
      activationIdentifier: try activation.map(ActivationIdentifier.init(text:)), randomness: .seeded(seed))
  }

  private func key() throws -> TemporaryKey {
    try TemporaryKey(identifier: Self.identifier, publicKey: publicKey, issuedAt: 1_700_000_000_123)
  }

  @Test("a request is the token that an independent implementation makes, in both scopes")
  func requestTokens() throws {
    func request(_ activation: String?) throws -> TemporaryKeyRequest {
      TemporaryKeyRequest(
        applicationKey: try ApplicationKey(text: Data(counting: 16..<32).base64EncodedString()),
        activationIdentifier: try activation.map(ActivationIdentifier.init(text:)),
        randomness: Randomness { Array(repeating: 7, count: $0) })
    }
    let secret = try ApplicationSecret(text: Data(counting: 0..<16).base64EncodedString())
    let transportKey = TransportKey(try SecretKey(Data(counting: 32..<48)))
    #expect(
      try request(nil).token(key: TemporaryKeyRequest.key(applicationSecret: secret)) == """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbktleSI6IkVCRVNFeFFWRmhjWUdSb2JIQjBlSHc9PSIsImNoYWxsZW\
        5nZSI6IkJ3Y0hCd2NIQndjSEJ3Y0hCd2NIQndjSCJ9.rQ-zspsx7S2KBWE6Wjd6VrCtZnIdBMrqdBEnyfz3zxs
        """)
    #expect(
      try request(Self.activation)
        .token(key: TemporaryKeyRequest.key(applicationSecret: secret, transportKey: transportKey)) == """
          eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhY3RpdmF0aW9uSWQiOiI0MGUxNzhiOS05MDJmLTQ3YWEtOTZkMy04MzY5OTc1ODU2\
          ZDYiLCJhcHBsaWNhdGlvbktleSI6IkVCRVNFeFFWRmhjWUdSb2JIQjBlSHc9PSIsImNoYWxsZW5nZSI6IkJ3Y0hCd2NIQndjSEJ3Y0hCd2\
          NIQndjSCJ9.zDqtAD8LMR17nGuI5AGX_D1AHJX1mpbLEqO4feMqqeg
          """)
  }

  @Test("a server learns from the token whose key checks it, and checks it", arguments: [nil, activation])
  func requests(activation: String?) throws {
    let request = try request(activation: activation)
    let key =
      activation == nil
      ? TemporaryKeyRequest.key(applicationSecret: secret)
      : TemporaryKeyRequest.key(applicationSecret: secret, transportKey: transportKey)
    let read = try UnverifiedTemporaryKeyRequest(token: request.token(key: key))
    #expect(read.claimedApplicationKey == request.applicationKey)
    #expect(read.claimedActivationIdentifier == request.activationIdentifier)
    #expect(try read.verified(key: key) == request)
    #expect(throws: PowerAuthError.notAuthentic) { try read.verified(key: SecretKey(.seeded(9))) }
  }

  @Test("no character of a request can be changed")
  func requestTampering() throws {
    let key = TemporaryKeyRequest.key(applicationSecret: secret)
    let token = try request(activation: nil).token(key: key)
    for changed in Data(token.utf8).withEachByteChanged {
      #expect(throws: PowerAuthError.self) {
        try UnverifiedTemporaryKeyRequest(token: String(decoding: changed, as: UTF8.self)).verified(key: key)
      }
    }
  }

  @Test("the answer carries the key to the device that asked", arguments: [nil, activation])
  func answers(activation: String?) throws {
    let request = try request(activation: activation)
    let token = try key().token(answering: request, key: signer)
    #expect(try TemporaryKey(token: token, answering: request, key: signer.publicKey) == key())
    #expect(throws: PowerAuthError.notAuthentic) {
      try TemporaryKey(token: token, answering: request, key: publicKey)
    }
    #expect(throws: PowerAuthError.mismatched(.challenge)) {
      try TemporaryKey(
        token: token, answering: self.request(8, activation: activation), key: signer.publicKey)
    }
    #expect(throws: PowerAuthError.mismatched(.applicationKey)) {
      try TemporaryKey(
        token: token, answering: self.request(activation: activation, application: 7), key: signer.publicKey)
    }
    #expect(throws: PowerAuthError.mismatched(.activationIdentifier)) {
      try TemporaryKey(
        token: token, answering: self.request(activation: activation == nil ? Self.activation : nil),
        key: signer.publicKey)
    }
  }

  @Test("the answer has the claims and the header of the specification")
  func claims() throws {
    let request = try request()
    let parts = try key().token(answering: request, key: signer).split(separator: ".").map(String.init)
    #expect(parts[0] == "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9")
    let claims = try #require(
      Data(base64Encoded: parts[1] + String(repeating: "=", count: (4 - parts[1].count % 4) % 4)))
    #expect(
      String(decoding: claims, as: UTF8.self) == """
        {"activationId":"\(Self.activation)","applicationKey":"\(request.applicationKey.text)",\
        "challenge":"\(request.challenge)","exp":1700000300,"exp_ms":1700000300123,"iat":1700000000,\
        "iat_ms":1700000000123,"publicKey":"\(publicKey.uncompressed.base64EncodedString())",\
        "sub":"\(Self.identifier)"}
        """)
  }

  @Test("no character of an answer can be changed")
  func answerTampering() throws {
    let request = try request()
    let token = try key().token(answering: request, key: signer)
    for changed in Data(token.utf8).withEachByteChanged {
      #expect(throws: PowerAuthError.self) {
        try TemporaryKey(
          token: String(decoding: changed, as: UTF8.self), answering: request, key: signer.publicKey)
      }
    }
  }

  @Test(
    "a token with a member twice, in header or claims, is refused: another reader would take the other one",
    arguments: [
      (#"{"alg":"HS256","alg":"none"}"#, nil), (#"{"alg":"HS256","\u0061lg":"HS256"}"#, nil),
      (#"{"alg":"HS256","typ":"JWT","x":[{"y":1,"y":2}]}"#, nil),
      (nil, #""applicationKey":"x""#), (nil, #""application\u004bey":"x""#), (nil, #""x":{"y":1,"y":1}"#),
    ] as [(String?, String?)])
  func repeated(header: String?, member: String?) throws {
    let request = try request(activation: nil)
    let key = TemporaryKeyRequest.key(applicationSecret: secret)
    var parts = try request.token(key: key).split(separator: ".").map(String.init)
    _ = try UnverifiedTemporaryKeyRequest(token: parts.joined(separator: "."))
    if let header { parts[0] = Self.base64URL(Data(header.utf8)) }
    if let member {
      let padded = parts[1] + String(repeating: "=", count: (4 - parts[1].count % 4) % 4)
      let claims = String(decoding: try #require(Data(base64Encoded: padded)), as: UTF8.self)
      parts[1] = Self.base64URL(Data("{\(member),\(claims.dropFirst())".utf8))
    }
    #expect(throws: PowerAuthError.malformed(.temporaryKey)) {
      try UnverifiedTemporaryKeyRequest(token: parts.joined(separator: "."))
    }
  }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  @Test("a token of another algorithm is refused before anything else")
  func algorithms() throws {
    let request = try request()
    let token = try key().token(answering: request, key: signer)
    #expect(throws: PowerAuthError.malformed(.temporaryKey)) { try UnverifiedTemporaryKeyRequest(token: token) }
    let none = "eyJhbGciOiJub25lIn0." + token.split(separator: ".")[1] + "."
    #expect(throws: PowerAuthError.malformed(.temporaryKey)) {
      try TemporaryKey(token: none, answering: request, key: signer.publicKey)
    }
    #expect(throws: PowerAuthError.tooLong(.temporaryKey)) {
      try UnverifiedTemporaryKeyRequest(token: String(repeating: "a", count: 100_000))
    }
  }

  @Test("claims that are missing or have another form are refused before any key is looked for")
  func brokenClaims() throws {
    let key = ApplicationKey(.seeded(6)).text
    let challenge = Data(count: 18).base64EncodedString()
    func read(_ claims: String) throws -> UnverifiedTemporaryKeyRequest {
      let body = Data(claims.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
        .replacing("/", with: "_")
      return try UnverifiedTemporaryKeyRequest(token: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\(body).")
    }
    #expect(try read(#"{"applicationKey":"\#(key)","challenge":"\#(challenge)"}"#).claimedApplicationKey.text == key)
    let wrong = [
      "", "[]", "{}", #"{"applicationKey":"\#(key)"}"#, #"{"applicationKey":1,"challenge":"\#(challenge)"}"#,
      #"{"applicationKey":"","challenge":"\#(challenge)"}"#,
      #"{"applicationKey":"\#(key)","challenge":"\#(challenge)","activationId":"1"}"#,
      #"{"applicationKey":"\#(key)","challenge":"\#(Data(count: 17).base64EncodedString())"}"#,
      #"{"applicationKey":"\#(key)","challenge":"\#(String(repeating: "A", count: 24))="}"#,
    ]
    for claims in wrong { #expect(throws: PowerAuthError.self, "\(claims)") { try read(claims) } }
  }

  @Test("a key lives five minutes, and a device asks for another ten seconds before")
  func lifetime() throws {
    let key = try key()
    #expect(key.isFresh(at: key.issuedAt + 289_999) && !key.isFresh(at: key.issuedAt + 290_000))
    #expect(key.isValid(at: key.issuedAt + 299_999) && !key.isValid(at: key.issuedAt + 300_000))
    #expect(try TemporaryKey(identifier: Self.identifier, publicKey: publicKey, issuedAt: .max).isValid(at: 1))
    #expect(throws: PowerAuthError.malformed(.temporaryKey)) {
      try TemporaryKey(identifier: "1", publicKey: publicKey, issuedAt: 0)
    }
  }
}
