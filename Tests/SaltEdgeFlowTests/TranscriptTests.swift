// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Testing

/// What a real v1 service answered to a device, played again to ours (saltedge-authenticator §15.2).
@Suite("Salt Edge v1: recorded devices", Samples.areThere)
struct TranscriptTests {
  /// Every recording of a v1 service in the folder.
  private static let recordings = Samples.messages("v1/").filter {
    (try? Samples.object($0))?["client_key"] is String
  }

  @Test(
    "a recorded device gets what the real service gave it, but for what is decided otherwise", arguments: recordings)
  func replay(path: String) async throws {
    let recording = try Recording(Samples.object(path))
    let key = try RSAPrivateKey(
      pem: String(decoding: try #require(Samples.data("keys/\(recording.clientKey)_private.pem")), as: UTF8.self))
    try await SaltEdgeTestApp.run { app in
      app.clock.set(Instant(milliseconds: recording.clock * 1000))
      var replay = Replay(app: app, key: key)
      for exchange in recording.exchanges { try await replay.play(exchange) }
      #expect(replay.compared > 0 && !replay.tokens.isEmpty)
    }
  }
}

/// A recording, as the samples write it.
private struct Recording {
  struct Exchange {
    let name: String
    let method: String
    let url: URL
    let headers: [String: String]
    let body: String
    let status: Int
    let location: String?
    let answer: String

    /// Nil when it is a page of the bank.
    var resource: [String]? {
      let parts = url.pathComponents
      guard let version = parts.firstIndex(of: "v1"), parts.contains("authenticator") else { return nil }
      return Array(parts[(version + 1)...])
    }

    var data: Any? { ((try? JSONSerialization.jsonObject(with: Data(answer.utf8))) as? [String: Any])?["data"] }
    var errorClass: String? {
      ((try? JSONSerialization.jsonObject(with: Data(answer.utf8))) as? [String: Any])?["error_class"] as? String
    }
  }

  let clientKey: String
  let exchanges: [Exchange]
  /// Seconds since 1970, at which its device signed: it signs for `SignatureExpiry.secondsByDefault`.
  let clock: Int64

  init(_ object: [String: Any]) throws {
    clientKey = try #require(object["client_key"] as? String)
    exchanges = try (#require(object["exchanges"] as? [[String: Any]])).map { exchange in
      let request = try #require(exchange["request"] as? [String: Any])
      let response = try #require(exchange["response"] as? [String: Any])
      return Exchange(
        name: exchange["name"] as? String ?? "", method: try #require(request["method"] as? String),
        url: try #require(URL(string: request["url"] as? String ?? "")),
        headers: request["headers"] as? [String: String] ?? [:], body: request["body"] as? String ?? "",
        status: try #require(response["status"] as? Int), location: response["location"] as? String,
        answer: response["body"] as? String ?? "")
    }
    let expiries = exchanges.compactMap { $0.headers["Expires-At"] }.compactMap { Int64($0) }
    let usual = Dictionary(grouping: expiries) { $0 }.max { $0.value.count < $1.value.count }
    clock = try #require(usual).key - SignatureExpiry.secondsByDefault
  }
}

/// Plays exchanges to our service. Tokens, ids and codes are its own, so those of the recording are put in their places.
private struct Replay {
  private static let user = "u-1"
  private static let returnURL = ReturnRedirect.returnURL

  let app: SaltEdgeTestApp
  let key: RSAPrivateKey
  /// The recording's, and ours.
  private(set) var tokens: [String: String] = [:]
  private var connections: [String: String] = [:]
  private var authorizations: [String: String] = [:]
  private var codes: [String: String] = [:]
  private var actions: [String: String] = [:]
  /// Signatures of decisions that were taken.
  private var decided: Set<String> = []
  /// What our bank's page is asked to end.
  private var session = ""
  /// Answers that were held against the recording.
  private(set) var compared = 0
  private var references = 0

  init(app: SaltEdgeTestApp, key: RSAPrivateKey) {
    (self.app, self.key) = (app, key)
  }

  mutating func play(_ exchange: Recording.Exchange) async throws {
    guard let resource = exchange.resource else { return try await actAsBank(exchange) }
    switch (exchange.method, resource.first) {
    case ("GET", "configuration"):
      let answer = try await app.call(.get, "\(DeviceV1.base)/api/authenticator/v1/configuration")
      compare(answer, exchange, expected: nil)
    case ("POST", "connections"): try await connect(exchange)
    // Only the recorded service has it, and no app calls it (§4).
    case ("GET", "connections"): break
    default: try await send(exchange, resource)
    }
  }

  // MARK: The bank's side

  private mutating func actAsBank(_ exchange: Recording.Exchange) async throws {
    if let location = exchange.location, location.hasPrefix(Self.returnURL) {
      struct Redirect: Decodable { let redirect_url: String }
      let redirect: Redirect = try await app.api(
        .post, "sessions/authenticate", #"{"session":"\#(session)","user_id":"\#(Self.user)"}"#
      ).view()
      try learn(recorded: location, ours: redirect.redirect_url)
    } else if exchange.method == "POST", exchange.url.path.hasSuffix("authorizations/create") {
      _ = try await open(#""user_id":"\#(Self.user)","#)
    } else if exchange.url.path.hasSuffix("connections/revoke"), let id = connections[form(exchange, "id") ?? ""] {
      #expect(try await app.api(.post, "connections/\(id)/revoke").status == 200)
    }
  }

  private mutating func open(_ members: String) async throws -> String {
    references += 1
    return try await app.api(
      .post, "authorizations",
      #"{"reference":"recorded-\#(references)",\#(members)"title":"Payment","text":"Recorded"}"#
    ).view(ProviderAPITests.Opened.self).authorization.id
  }

  private func form(_ exchange: Recording.Exchange, _ name: String) -> String? {
    URLComponents(string: "?\(exchange.body)")?.queryItems?.first { $0.name == name }?.value
  }

  private mutating func learn(recorded: String, ours: String) throws {
    guard case .authenticated(let theirs, let theirID) = try ReturnRedirect(url: recorded),
      case .authenticated(let token, let id) = try ReturnRedirect(url: ours)
    else {
      Issue.record("the redirect has no token")
      return
    }
    tokens[theirs] = token
    if let theirID { connections[theirID] = id }
  }

  // MARK: The device's side

  private mutating func connect(_ exchange: Recording.Exchange) async throws {
    var body = exchange.body
    let recorded = exchange.data as? [String: Any]
    let redirect = (recorded?["connect_url"] as? String).flatMap { $0.hasPrefix(Self.returnURL) ? $0 : nil }
    let content = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: [String: Any]]
    if redirect != nil, let query = content?["data"]?["connect_query"] as? String {
      let link = try await app.api(
        .post, "connect-links", #"{"user_id":"\#(Self.user)","api_version":1}"#
      ).view(DeviceV2.LinkView.self)
      body = body.replacing(query, with: link.connect_query)
    }
    let answer = try await app.call(
      .post, "\(DeviceV1.base)/api/authenticator/v1/connections", body: Data(body.utf8))
    compare(answer, exchange, expected: nil)
    guard exchange.status == 200, answer.status == 200 else { return }
    let ours = try answer.data(SaltEdgeV1.Connected.self)
    if let id = recorded?["id"] as? String { connections[id] = ours.id.text }
    if let redirect {
      try learn(recorded: redirect, ours: ours.connectURL ?? "")
    } else {
      session = String(ours.connectURL?.split(separator: "session=").last ?? "")
    }
  }

  private mutating func send(_ exchange: Recording.Exchange, _ resource: [String]) async throws {
    var (resource, body, headers) = (resource, exchange.body, exchange.headers)
    if resource.first == "actions", resource.count == 2, actions[resource[1]] == nil, exchange.status == 200 {
      let needsConfirmation = (exchange.data as? [String: Any])?["authorization_id"] != nil
      actions[resource[1]] = try await open(#""needs_confirmation":\#(needsConfirmation),"#)
    }
    if resource.count == 2 {
      let known = resource[0] == "actions" ? actions : authorizations
      resource[1] = known[resource[1]] ?? resource[1]
    }
    for (recorded, ours) in codes { body = body.replacing(recorded, with: ours) }
    if let token = headers["Access-Token"] { headers["Access-Token"] = tokens[token] ?? token }
    let path =
      "\(DeviceV1.base)/api/authenticator/v1/\(resource.joined(separator: "/"))"
      + (exchange.url.query.map { "?\($0)" } ?? "")
    if let signature = headers["Signature"], isRight(signature, exchange) {
      headers["Signature"] = try SignedRequest(
        method: exchange.method, url: "\(SaltEdgeTestApp.address)\(path)", expiresAt: headers["Expires-At"],
        body: Data(body.utf8)
      ).signature(with: key)
    }
    let answer = try await app.call(
      try #require(.init(exchange.method)), path, headers: headers, body: Data(body.utf8))
    let isRepeated = exchange.method == "PUT" && !decided.insert("\(path) \(headers["Signature"] ?? "")").inserted
    compare(answer, exchange, expected: expected(exchange, resource, isRepeated: isRepeated))
    try learn(exchange, answer)
  }

  /// Whether the recorded device signed what it sent.
  private func isRight(_ signature: String, _ exchange: Recording.Exchange) -> Bool {
    let request = SignedRequest(
      method: exchange.method, url: exchange.url.absoluteString, expiresAt: exchange.headers["Expires-At"],
      body: Data(exchange.body.utf8))
    guard let bytes = Data(base64Encoded: signature), let signed = try? request.signedBytes() else { return false }
    return key.publicKey.isValidSignature(bytes, for: signed)
  }

  /// Learns ids and codes from what both services showed.
  private mutating func learn(_ exchange: Recording.Exchange, _ answer: SaltEdgeTestApp.Answer) throws {
    if let recorded = (exchange.data as? [String: Any])?["authorization_id"] as? String {
      authorizations[recorded] = try answer.data(SaltEdgeV1.ActionSubmitted.self).authorizationID?.text
    }
    let listed = exchange.data as? [[String: Any]]
    let theirs = (listed ?? (exchange.data as? [String: Any]).map { [$0] } ?? []).filter { $0["iv"] is String }
    guard !theirs.isEmpty, answer.status == 200 else { return }
    let ours: [SaltEdgeV1.Entity] = try listed == nil ? [answer.data()] : answer.data()
    for (entity, mine) in zip(theirs, ours) {
      let payload = EncryptedPayload(
        key: entity["key"] as? String ?? "", iv: entity["iv"] as? String ?? "", data: entity["data"] as? String ?? "")
      guard let text = try? payload.decrypted(with: key) else { continue }
      let shown = try WireJSON.decode(SaltEdgeV1.Authorization.self, from: Data(text.utf8))
      if let id = entity["id"] as? String { authorizations[id] = mine.id?.text }
      if let code = shown.code {
        let open = EncryptedPayload(key: mine.payload.key, iv: mine.payload.iv, data: mine.payload.data)
        codes[code] = try WireJSON.decode(SaltEdgeV1.Authorization.self, from: Data(open.decrypted(with: key).utf8))
          .code
      }
    }
  }

  // MARK: What to expect

  /// Where we decided otherwise than the recorded service did: status and class, or `200`.
  private func expected(_ exchange: Recording.Exchange, _ resource: [String], isRepeated: Bool) -> String? {
    // Nothing may be signed for longer than an hour ahead (§4.4).
    if let expiry = exchange.headers["Expires-At"].flatMap({ Int64($0) }), exchange.status == 200,
      expiry > app.clock.now.seconds + SignatureExpiry.secondsAheadMax
    {
      return "400 SignatureExpired"
    }
    // The recorded service has no consents.
    if resource.first == "consents", exchange.status == 404, exchange.errorClass == nil { return "200" }
    if isRepeated, resource.first == "actions" { return "400 ActionClosed" }
    return nil
  }

  /// What the table of §6 has for a class of the recorded service.
  private static func documented(_ recorded: String) -> String {
    switch recorded {
    case "BadRequest", "JSON::ParserError": "400 WrongRequestFormat"
    case "AuthorizationRequired": "400 AccessTokenMissing"
    case "ActionNotValid": "400 ActionExpired"
    case "ConnectionNotFound", "UserNotFound": "401 \(recorded)"
    case "AuthorizationNotFound", "ActionNotFound", "ConsentNotFound": "404 \(recorded)"
    default: "400 \(recorded)"
    }
  }

  private mutating func compare(
    _ answer: SaltEdgeTestApp.Answer, _ exchange: Recording.Exchange, expected: String?
  ) {
    compared += 1
    let comment = Comment("\(exchange.name): \(answer.status) \(answer.json.prefix(200))")
    if let expected {
      #expect(expected == "200" ? answer.status == 200 : answer.refusal == expected, comment)
    } else if exchange.status == 200 {
      #expect(answer.status == 200, comment)
      let ours = (try? JSONSerialization.jsonObject(with: answer.body)) as? [String: Any]
      #expect(Self.lacks(ours?["data"], exchange.data) == [], comment)
    } else if let recorded = exchange.errorClass {
      #expect(answer.refusal == Self.documented(recorded), comment)
    } else {
      // The recorded service broke: a refusal that names its reason is all that can be asked.
      #expect((400..<500).contains(answer.status), comment)
      #expect((try? WireJSON.decode(SaltEdge.ErrorBody.self, from: answer.body)) != nil, comment)
    }
  }

  /// Members of the recorded answer that ours lacks or types otherwise.
  private static func lacks(_ ours: Any?, _ recorded: Any?, at path: String = "data") -> [String] {
    switch (ours, recorded) {
    case (let ours as [String: Any], let recorded as [String: Any]):
      recorded.flatMap { lacks(ours[$0.key], $0.value, at: "\(path).\($0.key)") }
    case (let ours as [Any], let recorded as [Any]):
      (ours.count == recorded.count ? [] : ["\(path): \(ours.count)"])
        + zip(ours, recorded).flatMap { lacks($0, $1, at: "\(path)[]") }
    case (is String, is String), (is NSNumber, is NSNumber): []
    default: ["\(path): \(ours.map { "\(type(of: $0))" } ?? "nothing")"]
    }
  }
}
