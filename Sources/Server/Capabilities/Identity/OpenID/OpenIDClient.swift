// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import Foundation
import GatehouseWire
import Kit
import Synchronization

/// Gatehouse as the relying party of one provider: what it asks the provider, and what it remembers of the answers.
package final class OpenIDClient: Sendable {
  /// How long the provider's metadata and keys are taken as they were read.
  static let lifetime = Duration.hours(1)
  /// How long a provider whose metadata could not be read is not asked for it again: who only looks at the way to it
  /// makes no call each.
  static let failurePause = Duration.seconds(10)
  /// Between two readings of the keys for a key that is not known, so that tokens with invented ids cost one.
  static let rereadPause = Duration.minutes(1)
  /// What a PKCE verifier is made of (RFC 7636 §4.1).
  static let secretLength = 32

  package let provider: OpenIDProvider
  private let http: PeerHTTP
  private let world: World
  private let memory = Mutex(Memory())

  private struct Memory {
    var metadata: (value: Metadata, at: Instant)?
    /// The call that is under way.
    var call: Task<Metadata, any Error>?
    var failedAt: Instant?
    var keys: (value: OpenIDKeySet, at: Instant)?
    var rereadAt: Instant?
  }

  /// What the provider says of itself (OpenID Connect Discovery 1.0 §3, RFC 8414).
  struct Metadata: Decodable, Sendable {
    let issuer: String
    let authorization: String
    let token: String
    let keys: String
    let endSession: String?
    let authMethods: [String]?
    /// Whether answers name their issuer (RFC 9207 §3).
    let namesIssuer: Bool?

    enum CodingKeys: String, CodingKey {
      case issuer
      case authorization = "authorization_endpoint"
      case token = "token_endpoint"
      case keys = "jwks_uri"
      case endSession = "end_session_endpoint"
      case authMethods = "token_endpoint_auth_methods_supported"
      case namesIssuer = "authorization_response_iss_parameter_supported"
    }
  }

  package init(_ provider: OpenIDProvider, http: PeerHTTP, world: World) {
    (self.provider, self.http, self.world) = (provider, http, world)
  }

  // MARK: What is remembered

  /// Callers who come at once share a call, and a failure is remembered for `failurePause`.
  /// - Throws: `.provider`.
  func metadata() async throws(OpenIDRefusal) -> Metadata {
    let now = world.now()
    let (known, call) = memory.withLock { memory -> (Metadata?, Task<Metadata, any Error>?) in
      if let known = memory.metadata, now - known.at < Self.lifetime { return (known.value, nil) }
      if let failedAt = memory.failedAt, now - failedAt < Self.failurePause { return (nil, nil) }
      // A task of its own: a caller who goes away does not end the call of the others.
      let call = memory.call ?? Task { try await self.rereadMetadata() }
      memory.call = call
      return (nil, call)
    }
    if let known { return known }
    guard let call else { throw .provider }
    do { return try await call.value } catch { throw .provider }
  }

  private func rereadMetadata() async throws(OpenIDRefusal) -> Metadata {
    do {
      let value = try await readMetadata()
      memory.withLock { memory in
        (memory.metadata, memory.failedAt, memory.call) = ((value, world.now()), nil, nil)
      }
      return value
    } catch {
      memory.withLock { memory in (memory.failedAt, memory.call) = (world.now(), nil) }
      throw error
    }
  }

  private func readMetadata() async throws(OpenIDRefusal) -> Metadata {
    let base = provider.issuer.hasSuffix("/") ? String(provider.issuer.dropLast()) : provider.issuer
    let data = try await read(base + "/.well-known/openid-configuration")
    guard let value = try? WireJSON.decode(Metadata.self, from: data), value.issuer == provider.issuer,
      ([value.authorization, value.token, value.keys] + [value.endSession].compactMap(\.self))
        .allSatisfy(provider.allows)
    else { throw .provider }
    return value
  }

  /// The keys that are remembered, or those of now where they lack the one that a token names: a provider that changed
  /// its key is understood at once.
  private func keys(for token: OpenIDToken) async throws(OpenIDRefusal) -> OpenIDKeySet {
    let now = world.now()
    let known = memory.withLock { $0.keys }.flatMap { now - $0.at < Self.lifetime ? $0.value : nil }
    if let known {
      if known.has(token.keyID, for: token.algorithm) { return known }
      let mayReread = memory.withLock { memory in
        if let last = memory.rereadAt, now - last < Self.rereadPause { return false }
        memory.rereadAt = now
        return true
      }
      guard mayReread else { return known }
    }
    guard let value = OpenIDKeySet(try await read(metadata().keys)) else { throw .provider }
    memory.withLock { $0.keys = (value, now) }
    return value
  }

  private func read(_ url: String) async throws(OpenIDRefusal) -> Data {
    do {
      let answer = try await http.send(.init("GET", url, headers: ["Accept": "application/json"], body: Data()))
      guard answer.status == 200 else { throw OpenIDRefusal.provider }
      return answer.body
    } catch { throw .provider }
  }

  // MARK: The code flow

  /// Where the browser asks the provider for a code (§3.1.2.1), with PKCE's S256 (RFC 7636 §4.3).
  /// - Throws: `.provider`.
  func authorizationAddress(
    redirect: String, state: String, nonce: String, verifier: String
  ) async throws(OpenIDRefusal) -> String {
    let endpoint = try await metadata().authorization
    let challenge = Data(SHA256.hash(data: Data(verifier.utf8))).base64URL
    return endpoint + (endpoint.contains("?") ? "&" : "?")
      + Self.form([
        ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirect),
        ("scope", provider.scopes), ("state", state), ("nonce", nonce), ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
      ])
  }

  /// Exchanges a code for an ID token (§3.1.3), and checks it.
  /// - Throws: `OpenIDRefusal`.
  func claims(
    code: String, redirect: String, nonce: String, verifier: String
  ) async throws(OpenIDRefusal) -> OpenIDClaims {
    let metadata = try await metadata()
    var fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), ("code_verifier", verifier),
    ]
    var headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
    if let secret = provider.clientSecret {
      // The default of the metadata is `client_secret_basic` (Discovery §3).
      if metadata.authMethods?.contains("client_secret_basic") ?? true {
        let pair = "\(Self.encoded(provider.clientID)):\(Self.encoded(secret))"
        headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
      } else {
        fields += [("client_id", provider.clientID), ("client_secret", secret)]
      }
    } else {
      fields.append(("client_id", provider.clientID))
    }
    let answer: PeerHTTP.Answer
    do {
      answer = try await http.send(
        .init("POST", metadata.token, headers: headers, body: Data(Self.form(fields).utf8)))
    } catch { throw .provider }
    guard answer.status == 200 else { throw (400..<500).contains(answer.status) ? .code : .provider }
    guard let token = try? WireJSON.decode(TokenAnswer.self, from: answer.body).idToken else { throw .token }
    let read = try OpenIDToken(token)
    return try read.verified(by: try await keys(for: read), for: provider, nonce: nonce, at: world.now())
  }

  /// Checks a logout token, which anyone can send (Back-Channel Logout 1.0 §2.6).
  /// - Throws: `OpenIDRefusal`.
  func logout(_ token: String) async throws(OpenIDRefusal) -> OpenIDLogout {
    let read = try OpenIDToken(
      token, types: provider.allowsUntypedLogout ? OpenIDLogout.formerTypes : OpenIDLogout.types)
    return try read.logout(by: try await keys(for: read), for: provider, at: world.now())
  }

  private struct TokenAnswer: Decodable {
    let idToken: String

    enum CodingKeys: String, CodingKey { case idToken = "id_token" }
  }

  /// Where a browser ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0 §2); nil when there is no
  /// such place. The ID token is not sent as a hint: it would stand in the browser's history with a name in it.
  package func endSessionAddress(back: String) async -> String? {
    guard let endpoint = try? await metadata().endSession else { return nil }
    return endpoint + (endpoint.contains("?") ? "&" : "?")
      + Self.form([("client_id", provider.clientID), ("post_logout_redirect_uri", back)])
  }

  /// `application/x-www-form-urlencoded`, with `%20` for a space, which is read alike.
  private static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: String(UnicodeScalar(byte))
      default: "%" + [byte].hex.uppercased()
      }
    }.joined()
  }
}
