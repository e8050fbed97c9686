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

/// A device that speaks v1, made of SaltEdgeCore.
struct DeviceV1: Sendable {
  static let base = "/saltedge/hosted"

  let app: SaltEdgeTestApp
  let key: RSAPrivateKey
  let connection: String
  let token: String

  static func ask(
    _ app: SaltEdgeTestApp, key: RSAPrivateKey, query: String? = nil, body: String? = nil
  ) async throws -> SaltEdgeTestApp.Answer {
    let content = SaltEdgeV1.Connect(
      publicKey: key.publicKey.pem, returnURL: ReturnRedirect.returnURL, platform: "ios", pushToken: "",
      providerCode: "hosted", connectQuery: query)
    let bytes = try body.map { Data($0.utf8) } ?? WireJSON.encode(SaltEdge.Body(data: content))
    return try await app.call(.post, "\(base)/api/authenticator/v1/connections", body: bytes)
  }

  /// Connected by a link that the bank made for its customer.
  static func connected(_ app: SaltEdgeTestApp, user: String = "u-1", key name: String = "device") async throws
    -> DeviceV1
  {
    let key = try TestKeys.named(name)
    let link = try await app.api(.post, "connect-links", #"{"user_id":"\#(user)","api_version":1}"#)
      .view(DeviceV2.LinkView.self)
    let answer = try await ask(app, key: key, query: link.connect_query).data(SaltEdgeV1.Connected.self)
    return DeviceV1(
      app: app, key: key, connection: answer.id.text, token: try #require(answer.accessToken))
  }

  /// - Parameter change: what happens to the request on its way.
  func send(
    _ method: HTTPRequest.Method, _ path: String, body: String = "", exp: Int64 = 300,
    signedMethod: String? = nil, signedURL: String? = nil,
    change: (inout [String: String], inout Data) -> Void = { _, _ in }
  ) async throws -> SaltEdgeTestApp.Answer {
    var bytes = Data(body.utf8)
    let target = "\(Self.base)/api/authenticator/v1/\(path)"
    let request = SignedRequest(
      method: signedMethod ?? method.rawValue, url: signedURL ?? "\(SaltEdgeTestApp.address)\(target)",
      expiresAtSeconds: app.clock.now.seconds + exp, body: bytes)
    var headers = [
      "Access-Token": token, "Expires-At": request.expiresAt ?? "", "Signature": try request.signature(with: key),
      "GEO-Location": "GEO:52.506931;13.144558", "Authorization-Type": "passcode",
    ]
    change(&headers, &bytes)
    return try await app.call(method, target, headers: headers, body: bytes)
  }

  func authorizations() async throws -> [SaltEdgeV1.Entity] { try await send(.get, "authorizations").data() }

  func read(_ entity: SaltEdgeV1.Entity) throws -> SaltEdgeV1.Authorization {
    let payload = EncryptedPayload(key: entity.payload.key, iv: entity.payload.iv, data: entity.payload.data)
    return try WireJSON.decode(SaltEdgeV1.Authorization.self, from: Data(payload.decrypted(with: key).utf8))
  }

  func decide(_ id: String, confirms: Bool = true, code: String) async throws -> SaltEdgeTestApp.Answer {
    try await send(
      .put, "authorizations/\(id)", body: #"{"data":{"confirm":\#(confirms),"authorization_code":"\#(code)"}}"#)
  }
}
