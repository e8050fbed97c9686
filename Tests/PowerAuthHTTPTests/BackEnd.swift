// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import PowerAuthCore
import PowerAuthHTTP

/// Another server of an institution, calling.
struct BackEnd: Sendable {
  let app: PowerAuthTestApp
  let issued: IssuedSecret

  init(
    _ app: PowerAuthTestApp, tenant: String = "acme", name: String = "core",
    scopes: Set<ServiceClient.Scope> = [.manage, .verify]
  ) async throws {
    self.app = app
    issued = try await app.clients.add(name, tenant: tenant, scopes: scopes, by: "test")
  }

  var authorization: String {
    "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
  }

  func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, key: String? = nil,
    authorization: String? = nil
  ) async throws -> Answer {
    var headers: HTTPFields = [.authorization: authorization ?? self.authorization]
    if let key { headers[HTTPField.Name("Idempotency-Key")!] = key }
    if body != nil { headers[.contentType] = "application/json" }
    let bytes = try body.map { try WireJSON.encode($0) } ?? Data()
    let place = "\(BackEndDialect.base)/\(path)"
    let answer = Answer(
      try await app.client.execute(uri: place, method: method, headers: headers, body: ByteBuffer(bytes: bytes)))
    app.description.check(place, method, headers, bytes, answer)
    return answer
  }

  func post(_ path: String, _ body: [String: JSONValue] = [:], key: String? = nil) async throws -> Answer {
    try await call(.post, path, .object(body), key: key)
  }

  /// A device that joined by a code of this server's, waiting to be committed.
  func join(_ more: [String: JSONValue] = [:]) async throws -> Phone {
    let wish: [String: JSONValue] = [
      "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
    ]
    let initiated = try await post("activations", wish.merging(more) { $1 })
    guard let code = initiated.json?["activation_code"]?.stringValue else {
      throw Answer.NotWell(answer: initiated.text)
    }
    var phone = app.phone()
    try await phone.activate(.code, ["code": code])
    return phone
  }
}

extension Answer {
  /// The code of a problem document.
  var problem: String? { json?["code"]?.stringValue }
}
