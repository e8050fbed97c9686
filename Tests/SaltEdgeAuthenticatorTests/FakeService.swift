// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeCore
import SaltEdgeWire
import Synchronization
import TestSupport
import Testing

/// A bank of v1 and an SCA service of v2 behind one transport. Both check every proof that they get.
final class FakeService: Sendable {
  static let v1Base = "https://bank.example/base"
  static let v2Base = "https://sca.example"
  static let v1Link = link("\(v1Base)/api/authenticator/v1/configuration")
  static let v2Link = link("\(v2Base)/api/authenticator/v2/configurations/7")

  private static func link(_ configuration: String) -> ConnectLink {
    ConnectLink(configuration: URL(string: configuration) ?? URL(filePath: "/"), connectQuery: "query-1")
  }

  struct Entry: Sendable {
    var id: String
    /// v1 or v2.
    var version: Int
    /// The decrypted text.
    var json: String
    var status = "pending"
    var code = "code-1"
  }

  private struct State: Sendable {
    var devices: [String: RSAPublicKey] = [:]
    var versions: [String: Int] = [:]
    var entries: [Entry] = []
    var consents: [Int: [String]] = [:]
    var heard: [TransportRequest] = []
    var instead: [(part: String, outcome: Result<TransportResponse, TransportError>)] = []
    var geolocation: [Int: String] = [:]
    var pushTokens: [String: String] = [:]
    var revoked: Set<String> = []
    var v1Answer = #""access_token":"v1-token-%""#
    var page: String?
    var confirmations: [SaltEdgeV2.Confirmation] = []
    var nextConnection = 333
  }

  private let state = Mutex(State())

  var heard: [TransportRequest] { state.withLock { $0.heard } }
  var confirmations: [SaltEdgeV2.Confirmation] { state.withLock { $0.confirmations } }
  var pushTokens: [String: String] { state.withLock { $0.pushTokens } }
  var revoked: Set<String> { state.withLock { $0.revoked } }
  func forget() { state.withLock { $0.heard = [] } }

  /// What a request whose method and address hold the part gets next, instead of an answer.
  func instead(_ part: String, _ outcome: Result<TransportResponse, TransportError>) {
    state.withLock { $0.instead.append((part, outcome)) }
  }

  func refuse(_ part: String, _ status: Int, _ errorClass: String) {
    instead(
      part,
      .success(.init(status: status, body: Data(#"{"error_class":"\#(errorClass)","error_message":"m"}"#.utf8))))
  }

  func put(_ entry: Entry) {
    state.withLock {
      $0.entries.removeAll { $0.id == entry.id && $0.version == entry.version }
      $0.entries.append(entry)
    }
  }

  func take(_ id: String) { state.withLock { $0.entries.removeAll { $0.id == id } } }
  func put(consents: [String], version: Int) { state.withLock { $0.consents[version] = consents } }
  /// `true`, `false` or `null`.
  func ask(geolocation: String, version: Int) { state.withLock { $0.geolocation[version] = geolocation } }
  /// What v1 answers to a device; `%` is the connection's id.
  func answerV1(_ members: String) { state.withLock { $0.v1Answer = members } }
  func showPage(_ url: String) { state.withLock { $0.page = url } }

  static func v1Entry(
    _ id: String, created: WireInstant, seconds: Int64 = 300, description: String = "Pay 5 EUR", code: String = "code-1"
  ) -> Entry {
    let end = WireInstant(millisecondsSince1970: created.millisecondsSince1970 + seconds * 1000)
    return Entry(
      id: id, version: 1,
      json: """
        {"id":"\(id)","connection_id":"333","title":"Title \(id)","description":\(quoted(description)),
         "authorization_code":"\(code)","created_at":"\(created)","expires_at":"\(end)"}
        """, code: code)
  }

  static func v2Entry(
    _ id: String, created: WireInstant, seconds: Int64 = 300, description: String = #"{"text":"Pay 5 EUR"}"#
  ) -> Entry {
    let end = WireInstant(millisecondsSince1970: created.millisecondsSince1970 + seconds * 1000)
    return Entry(
      id: id, version: 2,
      json: """
        {"title":"Title \(id)","description":\(description),"authorization_code":"code-1",
         "created_at":"\(created)","expires_at":"\(end)"}
        """)
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  var transport: HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      let instead = self.state.withLock { state -> Result<TransportResponse, TransportError>? in
        state.heard.append(request)
        let line = "\(request.method) \(request.url.absoluteString)"
        return state.instead.firstIndex { line.contains($0.part) }.map { state.instead.remove(at: $0).outcome }
      }
      if let instead { return try instead.get() }
      do { return try self.answer(request) } catch let error as Refusal {
        return .init(
          status: error.status, body: Data(#"{"error_class":"\#(error.name)","error_message":"m"}"#.utf8))
      } catch {
        Issue.record("\(request.method) \(request.url): \(error)")
        throw TransportError(.unexpectedCall)
      }
    }
  }

  private struct Refusal: Error {
    let status: Int
    let name: String
  }

  private func answer(_ request: TransportRequest) throws -> TransportResponse {
    let address = request.url.absoluteString
    let isV2 = address.hasPrefix("\(Self.v2Base)/api/authenticator/v2/")
    let prefix = isV2 ? "\(Self.v2Base)/api/authenticator/v2/" : "\(Self.v1Base)/api/authenticator/v1/"
    try #require(address.hasPrefix(prefix))
    let path = request.url.absoluteString.dropFirst(prefix.count).prefix { $0 != "?" }
    let steps = path.split(separator: "/").map(String.init)
    let json = isV2 ? try v2(request, steps) : try v1(request, steps)
    return TransportResponse(
      status: 200, headers: ["content-type": "text/html"], body: Data(#"{"data":\#(json)}"#.utf8))
  }

  // MARK: v1

  private func v1(_ request: TransportRequest, _ steps: [String]) throws -> String {
    if steps == ["configuration"] {
      let place = state.withLock { $0.geolocation[1] }.map { #","geolocation_required":\#($0)"# } ?? ""
      return #"{"connect_url":"\#(Self.v1Base)","code":"demo","name":"Demobank","support_email":"a@b.example","#
        + #""logo_url":"https://bank.example/l.png","consent_management":true,"version":"1"\#(place)}"#
    }
    if request.method == "POST", steps == ["connections"] {
      let asked = try WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Connect>.self, from: request.body ?? Data()).data
      let key = try RSAPublicKey(pem: asked.publicKey)
      return state.withLock { state in
        let id = state.nextConnection
        state.nextConnection += 1
        (state.devices["v1-token-\(id)"], state.versions["v1-token-\(id)"]) = (key, 1)
        let answer = state.page.map { #""connect_url":"\#($0)""# } ?? state.v1Answer
        return #"{"id":"\#(id)",\#(answer.replacing("%", with: String(id)))}"#
      }
    }
    let token = request.headers["access-token"] ?? ""
    guard let key = state.withLock({ $0.versions[token] == 1 && !$0.revoked.contains(token) ? $0.devices[token] : nil })
    else { throw Refusal(status: 401, name: "ConnectionNotFound") }
    let signed = SignedRequest(
      method: request.method, url: request.url.absoluteString, expiresAt: request.headers["expires-at"],
      body: request.body ?? Data())
    // The phone's clock is the test's; how long a signature holds is not.
    let expiry = Int64(request.headers["expires-at"] ?? "") ?? 0
    try signed.verify(request.headers["signature"], with: key, nowSeconds: expiry - 300)
    switch (request.method, steps.first ?? "", steps.dropFirst().first) {
    case ("GET", "authorizations", nil):
      return try list(1).filter { $0.status == "pending" }.map { try v1Entity($0, key) }.joined(separator: ",").inList
    case ("GET", "authorizations", let id?): return try v1Entity(try pending(id, 1), key)
    case ("PUT", "authorizations", let id?):
      let decision = try WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Decision>.self, from: request.body ?? Data()).data
      let entry = try pending(id, 1)
      guard decision.code == entry.code else { return #"{"success":false,"id":"\#(id)"}"# }
      set(id, 1, decision.confirm ? "confirmed" : "denied")
      return #"{"success":true,"id":"\#(id)"}"#
    case ("PUT", "actions", "needs-confirmation"?):
      return #"{"success":true,"authorization_id":"444","connection_id":"333"}"#
    case ("PUT", "actions", "refused"?): return #"{"success":false}"#
    case ("PUT", "actions", _?): return #"{"success":true}"#
    case ("GET", "consents", nil): return try consents(1, key)
    case ("DELETE", "consents", let id?): return #"{"success":true,"consent_id":"\#(id)"}"#
    case ("DELETE", "connections", nil):
      state.withLock { _ = $0.revoked.insert(token) }
      return #"{"success":true,"access_token":"\#(token)"}"#
    default: throw Refusal(status: 404, name: "WrongRequestFormat")
    }
  }

  private func v1Entity(_ entry: Entry, _ key: RSAPublicKey) throws -> String {
    try #"{"id":"\#(entry.id)","connection_id":"333","algorithm":"AES-256-CBC",\#(sealed(entry.json, key))}"#
  }

  // MARK: v2

  private func v2(_ request: TransportRequest, _ steps: [String]) throws -> String {
    let bank = try TestKeys.named("bank")
    if steps == ["configurations", "7"] {
      let pem = Self.quoted(bank.publicKey.pem)
      let place = state.withLock { $0.geolocation[2] }.map { #","geolocation_required":\#($0)"# } ?? ""
      return #"{"sca_service_url":"\#(Self.v2Base)","api_version":"2","provider_id":"7","provider_name":"Demobank","#
        + #""provider_support_email":"a@b.example","provider_public_key":\#(pem)\#(place)}"#
    }
    if request.method == "POST", steps == ["connections"] {
      let asked = try WireJSON.decode(SaltEdge.Body<SaltEdgeV2.Connect>.self, from: request.body ?? Data()).data
      let key = try RSAPublicKey(pem: try #require(asked.encryptedPublicKey.text(with: bank)))
      let id = state.withLock { state in
        let id = state.nextConnection
        state.nextConnection += 1
        (state.devices["v2-token-\(id)"], state.versions["v2-token-\(id)"]) = (key, 2)
        state.pushTokens["v2-token-\(id)"] = asked.pushToken
        return id
      }
      let token = try EncryptedAccessToken.encrypt("v2-token-\(id)", for: key)
      let end = ReturnRedirect.authenticated(accessToken: token, connectionID: nil).url(returnURL: asked.returnURL)
      // As a text, where the service of the specification has a number.
      return #"{"connection_id":"\#(id)","authentication_url":\#(Self.quoted(state.withLock { $0.page } ?? end))}"#
    }
    let token = request.headers["access-token"] ?? ""
    guard let key = state.withLock({ $0.versions[token] == 2 && !$0.revoked.contains(token) ? $0.devices[token] : nil })
    else { throw Refusal(status: 401, name: "ConnectionNotFound") }
    if request.method != "GET" {
      try DetachedJWS.verify(request.headers["x-jws-signature"], body: request.body ?? Data(), with: key)
    }
    switch (request.method, steps.first ?? "", steps.last ?? "", steps.count) {
    case ("GET", "authorizations", _, 1):
      return try list(2).map { try v2Entity($0, key) }.joined(separator: ",").inList
    case ("GET", "authorizations", let id, 2):
      guard let entry = list(2).first(where: { $0.id == id }) else {
        throw Refusal(status: 404, name: "AuthorizationNotFound")
      }
      return try v2Entity(entry, key)
    case ("POST", "authorizations", _, 1):
      let asked = try WireJSON.decode(
        SaltEdge.SignedBody<SaltEdgeV2.ActionSubmission>.self, from: request.body ?? Data())
      return asked.data.actionID.text == "77" ? #"{"connection_id":"333","authorization_id":"100"}"# : "{}"
    case ("PUT", "authorizations", let verb, 3):
      let body = try WireJSON.decode(SaltEdge.SignedBody<SaltEdge.Ciphertext>.self, from: request.body ?? Data())
      let text = try #require(body.data.text(with: bank))
      let confirmation = try WireJSON.decode(SaltEdgeV2.Confirmation.self, from: Data(text.utf8))
      _ = try pending(steps[1], 2)
      state.withLock { $0.confirmations.append(confirmation) }
      set(steps[1], 2, verb == "confirm" ? "confirm_processing" : "deny_processing")
      return #"{"id":"\#(steps[1])","status":"\#(verb)_processing"}"#
    case ("GET", "consents", _, 1): return try consents(2, key)
    case ("PUT", "consents", "revoke", 3): return #"{"id":"\#(steps[1])"}"#
    case ("PATCH", "connections", "update", 3):
      let update = try WireJSON.decode(
        SaltEdge.SignedBody<SaltEdgeV2.PushTokenUpdate>.self, from: request.body ?? Data())
      state.withLock { $0.pushTokens[token] = update.data.pushToken }
      return #"{"connection_id":\#(steps[1])}"#
    case ("PUT", "connections", "revoke", 3):
      state.withLock { _ = $0.revoked.insert(token) }
      return #"{"connection_id":"\#(steps[1])"}"#
    default: throw Refusal(status: 404, name: "WrongRequestFormat")
    }
  }

  private func v2Entity(_ entry: Entry, _ key: RSAPublicKey) throws -> String {
    let isOver = !["pending", "confirm_processing", "deny_processing"].contains(entry.status)
    let payload = isOver ? #""key":"","iv":"","data":"""# : try sealed(entry.json, key)
    return #"{"id":"\#(entry.id)","connection_id":"333","status":"\#(entry.status)",\#(payload)}"#
  }

  // MARK: Both

  private func list(_ version: Int) -> [Entry] { state.withLock { $0.entries.filter { $0.version == version } } }

  private func pending(_ id: String, _ version: Int) throws -> Entry {
    guard let entry = list(version).first(where: { $0.id == id && $0.status == "pending" }) else {
      throw Refusal(status: 404, name: "AuthorizationNotFound")
    }
    return entry
  }

  func set(_ id: String, _ version: Int, _ status: String) {
    state.withLock { state in
      for place in state.entries.indices where state.entries[place].id == id && state.entries[place].version == version
      {
        state.entries[place].status = status
      }
    }
  }

  private func consents(_ version: Int, _ key: RSAPublicKey) throws -> String {
    let texts = state.withLock { $0.consents[version] ?? [] }
    return try texts.enumerated().map { place, text in
      try #"{"id":\#(555 + place),"connection_id":333,\#(sealed(text, key))}"#
    }.joined(separator: ",").inList
  }

  private func sealed(_ text: String, _ key: RSAPublicKey) throws -> String {
    let payload = try EncryptedPayload(
      encrypting: Data(text.utf8), for: key, randomness: Randomness(ClientRandomness.live.bytes))
    return #""key":"\#(payload.key)","iv":"\#(payload.iv)","data":"\#(payload.data)""#
  }
}

extension String {
  fileprivate var inList: String { "[\(self)]" }
}
