// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

/// A device that speaks v2, made of SaltEdgeCore.
struct DeviceV2: Sendable {
  let app: SaltEdgeTestApp
  let key: RSAPrivateKey
  let providerKey: RSAPublicKey
  let provider: String
  let connection: String
  var token: String

  /// Asks to be connected.
  static func ask(
    _ app: SaltEdgeTestApp, to provider: SaltEdgeProvider, key: RSAPrivateKey, query: String? = nil,
    returnURL: String = ReturnRedirect.returnURL, pushToken: String? = "push-token-1", source: String = "10.0.0.1"
  ) async throws -> SaltEdgeTestApp.Answer {
    let configuration = try await app.call(.get, "/api/authenticator/v2/configurations/\(provider.id)")
      .data(SaltEdgeV2.Configuration.self)
    let bundle = try EncryptedPayload(
      encrypting: Data(key.publicKey.pem.utf8), for: RSAPublicKey(pem: configuration.providerPublicKey),
      randomness: Randomness(app.clock.world.random))
    let body = SaltEdge.Body(
      data: SaltEdgeV2.Connect(
        providerID: .init(configuration.providerID.text), returnURL: returnURL, platform: "ios", pushToken: pushToken,
        connectQuery: query, encryptedPublicKey: .init(key: bundle.key, iv: bundle.iv, data: bundle.data)))
    return try await app.call(
      .post, "/api/authenticator/v2/connections", headers: ["X-Forwarded-For": source], body: try WireJSON.encode(body))
  }

  /// Connected to the bank that has a server: the bank signs its customer in and tells the service.
  static func connected(
    _ app: SaltEdgeTestApp, user: String = "u-1", key name: String = "device", token: String? = nil
  ) async throws -> DeviceV2 {
    let key = try TestKeys.named(name)
    let asked = try await ask(app, to: app.remote, key: key).data(SaltEdgeV2.Connected.self)
    let token = token ?? "token-of-\(asked.connectionID)"
    let told = try await app.bankCalls(
      .put, "connections/\(asked.connectionID)/success_authentication",
      SaltEdgeBank.Authenticated(userID: .init(user), accessToken: token, publicKey: key.publicKey.pem))
    #expect(told.json == #"{"data":{}}"#)
    return DeviceV2(
      app: app, key: key, providerKey: try RSAPublicKey(pem: app.remote.publicKey),
      provider: app.remote.id.rawValue, connection: asked.connectionID.text, token: token)
  }

  /// Connected, and asked about the bank's action `a-1`.
  static func asked(_ app: SaltEdgeTestApp) async throws -> (device: DeviceV2, waiting: SaltEdgeV2.Authorization) {
    let device = try await connected(app)
    let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
    _ = try await app.bankCalls(.post, "actions", action)
    return (device, try #require(try await device.authorizations().first))
  }

  /// Connected to the bank without a server, by a link that the bank made for its customer.
  static func hosted(_ app: SaltEdgeTestApp, user: String = "u-1", key name: String = "device") async throws -> DeviceV2
  {
    let key = try TestKeys.named(name)
    let link = try await app.api(.post, "connect-links", #"{"user_id":"\#(user)"}"#).view(LinkView.self)
    let asked = try await ask(app, to: app.hosted, key: key, query: link.connect_query)
      .data(SaltEdgeV2.Connected.self)
    guard case .authenticated(let sealed, nil) = try ReturnRedirect(url: asked.authenticationURL) else {
      throw SaltEdgeError.malformed(.redirect)
    }
    return DeviceV2(
      app: app, key: key, providerKey: try RSAPublicKey(pem: app.hosted.publicKey),
      provider: app.hosted.id.rawValue, connection: asked.connectionID.text,
      token: try EncryptedAccessToken.decrypt(sealed, with: key))
  }

  struct LinkView: Decodable {
    let link: String
    let connect_query: String
    let expires_at: String
  }

  // MARK: Calls

  func get(_ path: String, token other: String? = nil) async throws -> SaltEdgeTestApp.Answer {
    try await app.call(.get, "/api/authenticator/v2/\(path)", headers: ["Access-Token": other ?? token])
  }

  /// - Parameters:
  ///   - exp: seconds from now.
  ///   - change: what happens to the request on its way.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ content: some Codable & Sendable, exp: Int64 = 300,
    change: (inout [String: String], inout Data) -> Void = { _, _ in }
  ) async throws -> SaltEdgeTestApp.Answer {
    var body = try WireJSON.encode(SaltEdge.SignedBody(data: content, exp: app.clock.now.seconds + exp))
    var headers = ["Access-Token": token, DetachedJWS.header: try DetachedJWS.sign(body, with: key)]
    change(&headers, &body)
    return try await app.call(method, "/api/authenticator/v2/\(path)", headers: headers, body: body)
  }

  /// Picks up an action of the bank's that was started elsewhere.
  func submission(_ action: String) -> SaltEdgeV2.ActionSubmission {
    SaltEdgeV2.ActionSubmission(
      providerID: .init(provider), actionID: .init(action), connectionID: .init(connection))
  }

  func authorizations(_ query: String = "") async throws -> [SaltEdgeV2.Authorization] {
    try await get("authorizations\(query)").data()
  }

  func read(_ payload: SaltEdge.Ciphertext) throws -> String {
    try EncryptedPayload(key: payload.key, iv: payload.iv, data: payload.data).decrypted(with: key)
  }

  func content(_ authorization: SaltEdgeV2.Authorization) throws -> SaltEdgeV2.Content {
    try WireJSON.decode(SaltEdgeV2.Content.self, from: Data(read(authorization.payload).utf8))
  }

  /// What only the bank can read.
  func confirmation(_ code: String?) throws -> SaltEdge.Ciphertext {
    let plaintext = try WireJSON.encode(
      SaltEdgeV2.Confirmation(
        code: code, userAuthorizationType: "biometrics", geolocation: "GEO:52.506931;13.144558"))
    let payload = try EncryptedPayload(
      encrypting: plaintext, for: providerKey, randomness: Randomness(app.clock.world.random))
    return .init(key: payload.key, iv: payload.iv, data: payload.data)
  }

  func decide(
    _ id: SaltEdge.NumberID, confirms: Bool = true, code: String?, exp: Int64 = 300,
    change: (inout [String: String], inout Data) -> Void = { _, _ in }
  ) async throws -> SaltEdgeTestApp.Answer {
    try await send(
      .put, "authorizations/\(id)/\(confirms ? "confirm" : "deny")", confirmation(code), exp: exp, change: change)
  }
}
