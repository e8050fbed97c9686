// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Delivery
import Foundation
import Kit
import Synchronization
import TestSupport

/// An identity provider in memory that keeps the rules of the code flow, but for what a test has it do wrong.
final class PlayedProvider: Sendable {
  static let issuer = "https://login.bank.example"
  static let client = "gatehouse"
  static let secret = "s3cret of: 100%"

  enum Signer: Sendable { case rs256, ps256, es256, none, hs256WithPublicKey, stranger }

  struct Script: Sendable {
    var signer = Signer.rs256
    /// Nil leaves it out of the header.
    var keyID: String? = "rsa-1"
    var edit: @Sendable (inout [String: Any]) -> Void = { _ in }
    var metadata: @Sendable (inout [String: Any]) -> Void = { _ in }
    /// Ids of the keys that are published.
    var published = ["rsa-1", "ec-1"]
    var isDown = false
    /// The client that the next code is given to.
    var codeClient = PlayedProvider.client
  }

  struct Account: Sendable {
    var subject = "subject-1"
    var email = "new@bank.example"
    var name = "Noor Haddad"
    var roles = ["agents"]
  }

  private struct Code {
    let client: String
    let redirect: String
    let challenge: String
    let nonce: String
    let account: Account
  }

  private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
  private static let strange = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
  private static let ec = P256.Signing.PrivateKey()

  let script = Mutex(Script())
  private let codes = Mutex<[String: Code]>([:])
  private let asked = Mutex<[String: Int]>([:])
  private let world: World

  init(_ world: World) { self.world = world }

  /// How often a path was asked for.
  func count(_ path: String) -> Int { asked.withLock { $0[path] ?? 0 } }

  /// What the browser of a person with this account brings back.
  func authorize(_ address: String, _ account: Account = Account()) throws -> (code: String, state: String) {
    let items = URLComponents(string: address)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { one, _ in one }
    guard address.hasPrefix("\(Self.issuer)/authorize?"), query["response_type"] == "code",
      query["client_id"] == Self.client, query["scope"]?.contains("openid") == true,
      query["code_challenge_method"] == "S256", let redirect = query["redirect_uri"], let state = query["state"],
      let nonce = query["nonce"], let challenge = query["code_challenge"], state.count == 43, nonce.count == 43
    else { throw PeerHTTP.Failure.failed }
    let code = world.uuid()
    let client = script.withLock { $0.codeClient }
    codes.withLock {
      $0[code] = Code(client: client, redirect: redirect, challenge: challenge, nonce: nonce, account: account)
    }
    return (code, state)
  }

  var http: PeerHTTP {
    PeerHTTP { [self] call in
      let path = call.url.replacing(Self.issuer, with: "")
      asked.withLock { $0[path, default: 0] += 1 }
      if script.withLock({ $0.isDown }) { throw PeerHTTP.Failure.unreachable }
      switch (call.method, path) {
      case ("GET", "/.well-known/openid-configuration"): return .init(status: 200, body: try json(metadata))
      case ("GET", "/keys"): return .init(status: 200, body: try json(["keys": try keys()]))
      case ("POST", "/token"): return try token(call)
      default: return .init(status: 404)
      }
    }
  }

  private var metadata: [String: Any] {
    var metadata: [String: Any] = [
      "issuer": Self.issuer, "authorization_endpoint": "\(Self.issuer)/authorize",
      "token_endpoint": "\(Self.issuer)/token", "jwks_uri": "\(Self.issuer)/keys",
      "end_session_endpoint": "\(Self.issuer)/leave?from=here",
    ]
    script.withLock { $0.metadata }(&metadata)
    return metadata
  }

  private func keys() throws -> [[String: Any]] {
    let published = script.withLock { $0.published }
    let primitives = try Self.rsa.get().publicKey.getKeyPrimitives()
    let point = Self.ec.publicKey.x963Representation.dropFirst()
    return published.map { id in
      id.hasPrefix("ec")
        ? [
          "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": point.prefix(32).base64URL,
          "y": point.suffix(32).base64URL,
        ]
        : [
          "kty": "RSA", "kid": id, "use": "sig", "n": primitives.modulus.base64URL,
          "e": primitives.publicExponent.base64URL,
        ]
    } + [["kty": "OKP", "crv": "Ed25519", "x": "AAAA"], ["kty": "oct", "k": "AAAA", "kid": "rsa-1-oct"]]
  }

  private func token(_ call: PeerHTTP.Call) throws -> PeerHTTP.Answer {
    let items = URLComponents(string: "?\(String(decoding: call.body, as: UTF8.self))")?.queryItems ?? []
    let form = Dictionary(items.map { ($0.name, $0.value ?? "") }) { one, _ in one }
    let basic = Data("gatehouse:s3cret%20of%3A%20100%25".utf8).base64EncodedString()
    guard call.headers["Authorization"] == "Basic \(basic)" else { return .init(status: 401) }
    guard let code = codes.withLock({ $0.removeValue(forKey: form["code"] ?? "") }), code.client == Self.client,
      code.redirect == form["redirect_uri"], form["grant_type"] == "authorization_code",
      Data(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))).base64URL == code.challenge
    else { return .init(status: 400, body: Data(#"{"error":"invalid_grant"}"#.utf8)) }
    let now = Int(world.now().milliseconds / 1000)
    var claims: [String: Any] = [
      "iss": Self.issuer, "sub": code.account.subject, "aud": Self.client, "exp": now + 300, "iat": now,
      "nonce": code.nonce, "email": code.account.email, "name": code.account.name, "gender": "female",
      "locale": "ar-KW", "roles": code.account.roles,
    ]
    script.withLock { $0.edit }(&claims)
    return .init(
      status: 200, body: try json(["access_token": "a", "token_type": "Bearer", "id_token": try signed(claims)]))
  }

  /// A logout token of the account's subject (Back-Channel Logout 1.0 §2.4).
  func logoutToken(
    _ id: String, by signer: Signer, type: String?, _ edit: (inout [String: Any]) -> Void
  ) throws -> String {
    let now = Int(world.now().milliseconds / 1000)
    var claims: [String: Any] = [
      "iss": Self.issuer, "sub": Account().subject, "aud": Self.client, "exp": now + 120, "iat": now, "jti": id,
      "events": ["http://schemas.openid.net/event/backchannel-logout": [String: Any]()],
    ]
    edit(&claims)
    return try signed(claims, by: signer, keyID: signer == .es256 ? "ec-1" : "rsa-1", type: type)
  }

  private func signed(_ claims: [String: Any]) throws -> String {
    let (signer, keyID) = script.withLock { ($0.signer, $0.keyID) }
    return try signed(claims, by: signer, keyID: keyID, type: "JWT")
  }

  private func signed(_ claims: [String: Any], by signer: Signer, keyID: String?, type: String?) throws -> String {
    var header: [String: Any] = [:]
    (header["typ"], header["kid"]) = (type, keyID)
    switch signer {
    case .rs256, .stranger: header["alg"] = "RS256"
    case .ps256: header["alg"] = "PS256"
    case .es256: header["alg"] = "ES256"
    case .none: header["alg"] = "none"
    case .hs256WithPublicKey: header["alg"] = "HS256"
    }
    let text = try "\(json(header).base64URL).\(json(claims).base64URL)"
    let bytes = Data(text.utf8)
    let digest = SHA256.hash(data: bytes)
    let signature: Data =
      switch signer {
      case .rs256: try Self.rsa.get().signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
      case .stranger: try Self.strange.get().signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
      case .ps256: try Self.rsa.get().signature(for: digest, padding: .PSS).rawRepresentation
      case .es256: try Self.ec.signature(for: digest).rawRepresentation
      case .none: Data()
      case .hs256WithPublicKey:
        Data(
          HMAC<SHA256>.authenticationCode(
            for: bytes, using: SymmetricKey(data: Data(try Self.rsa.get().publicKey.pemRepresentation.utf8))))
      }
    return "\(text).\(signature.base64URL)"
  }

  private func json(_ value: Any) throws -> Data { try JSONSerialization.data(withJSONObject: value) }
}
