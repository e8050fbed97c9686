// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import Testing
import TestSupport

typealias Samples = SaltEdgeSamples

extension SaltEdgeSamples {
  static func messages(_ prefix: String) -> [String] { files(prefix).filter { $0.hasSuffix(".json") } }

  static func object(_ path: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: content(path)) as? [String: Any])
  }

  static let areThere: any SuiteTrait & TestTrait = .enabled(if: index != nil, "saltedge-samples is not there")
}

/// Reads a sample as a message of ours and writes it again: nothing is lost and nothing is spelt otherwise.
private func expectRoundTrip<Message: Codable>(
  _ type: Message.Type, _ sample: Any?, _ name: String, looselyTyped: Bool = false
) throws {
  let sample = withoutNulls(try #require(sample, "\(name) is not there"), looselyTyped)
  let data = try JSONSerialization.data(withJSONObject: sample, options: [.sortedKeys, .fragmentsAllowed])
  let message = try WireJSON.decode(Message.self, from: data)
  let written = withoutNulls(
    try JSONSerialization.jsonObject(with: WireJSON.encode(message), options: .fragmentsAllowed), looselyTyped)
  let again = try JSONSerialization.data(withJSONObject: written, options: [.sortedKeys, .fragmentsAllowed])
  #expect(again == data, "\(name)")
}

/// - Parameter looselyTyped: peers write ids as numbers and as texts: as texts, they are the same.
private func withoutNulls(_ value: Any, _ looselyTyped: Bool) -> Any {
  switch value {
  case let object as [String: Any]:
    return object.filter { !($0.value is NSNull) }.mapValues { withoutNulls($0, looselyTyped) }
  case let list as [Any]: return list.map { withoutNulls($0, looselyTyped) }
  case let number as NSNumber where looselyTyped && !isBool(number): return number.stringValue
  default: return value
  }
}

private func isBool(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

@Suite("Salt Edge wire: the samples of both versions", .storeless, Samples.areThere)
struct WireSampleTests {
  private func member(_ object: [String: Any], _ path: String) -> Any? {
    path.split(separator: ".").reduce(object as Any?) { ($0 as? [String: Any])?[String($1)] }
  }

  @Test(
    "every message of v1 is read and written as it stands", arguments: Samples.messages("v1/messages"))
  func v1(file: String) throws {
    typealias Body = SaltEdge.Body
    let all = try Samples.object(file)
    func check<Message: Codable>(_ type: Message.Type, _ path: String) throws {
      try expectRoundTrip(type, member(all, path), path)
    }
    try check(Body<SaltEdgeV1.Configuration>.self, "configuration.response")
    try check(Body<SaltEdgeV1.Connect>.self, "create_connection_redirect.request")
    try check(Body<SaltEdgeV1.Connected>.self, "create_connection_redirect.response")
    try check(Body<SaltEdgeV1.Connected>.self, "create_connection_instant_via_connect_url.response")
    try check(Body<SaltEdgeV1.Connected>.self, "create_connection_instant_via_access_token.response")
    try check(Body<SaltEdgeV1.ConnectionRevoked>.self, "revoke_connection.response")
    try check(SaltEdgeV1.Authorization.self, "authorization_decrypted")
    for decision in ["confirm", "deny"] {
      try check(Body<SaltEdgeV1.Decision>.self, "\(decision).request")
      try check(Body<SaltEdgeV1.Decided>.self, "\(decision).response")
    }
    for answer in ["response_with_authorization", "response_without", "response_refused"] {
      try check(Body<SaltEdgeV1.ActionSubmitted>.self, "action.\(answer)")
    }
    try check(SaltEdge.Consent.self, "consent_decrypted")
    try check(Body<SaltEdgeV1.ConsentRevoked>.self, "revoke_consent.response")
    try check(SaltEdge.ErrorBody.self, "error.body")
  }

  @Test(
    "every message of v2 is read and written as it stands", arguments: Samples.messages("v2/messages"))
  func v2(file: String) throws {
    typealias Body = SaltEdge.Body
    typealias Signed = SaltEdge.SignedBody
    let all = try Samples.object(file)
    func check<Message: Codable>(_ type: Message.Type, _ path: String) throws {
      try expectRoundTrip(type, member(all, path), path)
    }
    try check(Body<SaltEdgeV2.Configuration>.self, "configuration")
    try check(Body<SaltEdgeV2.Connected>.self, "create_connection_response")
    try check(Body<SaltEdgeV2.Connection>.self, "show_connection_response")
    try check(Signed<SaltEdgeV2.PushTokenUpdate>.self, "update_connection.request")
    try check(Body<SaltEdgeV2.ConnectionChanged>.self, "update_connection.response")
    try check(Signed<EmptyBody>.self, "revoke_connection.request")
    try check(Body<SaltEdgeV2.ConnectionChanged>.self, "revoke_connection.response")
    try check(Body<SaltEdgeV2.Decided>.self, "confirm_or_deny_response")
    try check(Signed<SaltEdgeV2.ActionSubmission>.self, "instant_action.request")
    try check(Body<SaltEdgeV2.ActionSubmitted>.self, "instant_action.response")
    try check(Body<[SaltEdgeV2.ConsentEntity]>.self, "consents_response")
    try check(Signed<EmptyBody>.self, "revoke_consent.request")
    try check(Body<SaltEdgeV2.ConsentRevoked>.self, "revoke_consent.response")
    try check(SaltEdge.ErrorBody.self, "error")
  }

  @Test(
    "every authorization of v2 and what it says is read and written as it stands",
    arguments: Samples.messages("v2/authorizations"))
  func authorizations(file: String) throws {
    let items = try #require(try Samples.object(file)["items"] as? [[String: Any]])
    for (index, item) in items.enumerated() {
      try expectRoundTrip(SaltEdgeV2.Authorization.self, item["wire"], "\(file) \(index)")
      guard let text = item["plaintext"] as? String else { continue }
      try expectRoundTrip(
        SaltEdgeV2.Content.self, try JSONSerialization.jsonObject(with: Data(text.utf8)), "\(file) \(index) content")
    }
    let statuses = items.compactMap { ($0["wire"] as? [String: Any])?["status"] as? String }
    #expect(statuses.allSatisfy { SaltEdgeV2.AuthorizationStatus(rawValue: $0).isKnown })
  }

  @Test(
    "entities of a real service of v1 are read and written as they stand",
    arguments: Samples.messages("v1/encrypted_entities"))
  func entities(file: String) throws {
    let entities = try #require(try Samples.object(file)["entities"] as? [[String: Any]])
    for (index, item) in entities.enumerated() {
      try expectRoundTrip(SaltEdgeV1.Entity.self, item["entity"], "\(file) \(index)")
    }
  }

  @Test(
    "a device's request to connect in v2 is read and written as it stands",
    arguments: Samples.messages("v2/create_connection"))
  func connect(file: String) throws {
    try expectRoundTrip(SaltEdge.Body<SaltEdgeV2.Connect>.self, try Samples.object(file)["request"], file)
  }

  @Test(
    "what a real bank and a service said to each other is read",
    arguments: Samples.messages("v2/provider_peer_transcript")
  )
  func bank(file: String) throws {
    typealias Signed = SaltEdge.SignedBody
    let all = try Samples.object(file)
    var read = 0
    func check<Message: Codable>(_ type: Message.Type, _ text: Any?, _ name: String) throws {
      let sample = try JSONSerialization.jsonObject(with: Data(try #require(text as? String).utf8))
      let data = try JSONSerialization.data(withJSONObject: sample)
      _ = try WireJSON.decode(Message.self, from: data)
      read += 1
    }
    for exchange in try #require(all["service_to_provider_and_bank_pages"] as? [[String: Any]]) {
      guard let request = exchange["request"] as? [String: Any], let response = exchange["response"] as? [String: Any],
        let path = request["path"] as? String, path.hasPrefix("/api/sca/v1/"), response["status"] as? Int == 200
      else { continue }
      let steps = path.split(separator: "/").dropFirst(3)
      switch (steps.first, steps.count, steps.last) {
      case ("connections", 1, _):
        try check(Signed<SaltEdgeBank.Connect>.self, request["body"], path)
        try check(SaltEdge.Body<SaltEdgeBank.Connecting>.self, response["body"], path)
      case ("actions", 2, _):
        try check(Signed<SaltEdgeBank.ActionSubmission>.self, request["body"], path)
        try check(SaltEdge.Body<SaltEdgeBank.Action>.self, response["body"], path)
      case ("actions", 3, _):
        try check(Signed<SaltEdgeBank.Decision>.self, request["body"], path)
        try check(SaltEdge.Body<SaltEdgeBank.Decided>.self, response["body"], path)
      default: try check(Signed<EmptyBody>.self, request["body"], path)
      }
    }
    for callback in try #require(all["provider_to_service_callbacks"] as? [[String: Any]]) {
      let path = try #require(callback["path"] as? String)
      let body = callback["body"]
      switch path {
      case _ where path.hasSuffix("success_authentication"):
        try check(Signed<SaltEdgeBank.Authenticated>.self, body, path)
      case _ where path.hasSuffix("fail_authentication"):
        try check(Signed<SaltEdgeBank.AuthenticationFailed>.self, body, path)
      case "/api/sca/v1/consents": try check(Signed<SaltEdgeBank.Consent>.self, body, path)
      case _ where path.hasSuffix("revoke"): try check(Signed<EmptyBody>.self, body, path)
      case _ where path.hasSuffix("close"): continue
      default: try check(Signed<SaltEdgeBank.Action>.self, body, path)
      }
    }
    #expect(read > 0)
  }

  @Test(
    "what a real service of v1 answered is read, and so is what it was asked",
    arguments: Samples.messages("v1/transcript_"))
  func service(file: String) throws {
    var read = 0
    for exchange in try #require(try Samples.object(file)["exchanges"] as? [[String: Any]]) {
      guard let request = exchange["request"] as? [String: Any], let response = exchange["response"] as? [String: Any],
        let url = (request["url"] as? String).flatMap(URL.init(string:)), let method = request["method"] as? String,
        let place = url.path().range(of: "/api/authenticator/v1/"), let status = response["status"] as? Int,
        let answer = (response["body"] as? String).map({ Data($0.utf8) })
      else { continue }
      func check<Message: Codable & Sendable>(_ type: Message.Type) throws {
        _ = try WireJSON.decode(SaltEdge.Body<Message>.self, from: answer)
        read += 1
      }
      guard status == 200 else {
        if status == 400 {
          _ = try WireJSON.decode(SaltEdge.ErrorBody.self, from: answer)
          read += 1
        }
        continue
      }
      let steps = url.path()[place.upperBound...].split(separator: "/")
      switch (method, steps.first, steps.count) {
      case ("GET", "configuration", _): try check(SaltEdgeV1.Configuration.self)
      case ("POST", "connections", _): try check(SaltEdgeV1.Connected.self)
      case ("DELETE", "connections", _): try check(SaltEdgeV1.ConnectionRevoked.self)
      case ("GET", "authorizations", 1): try check([SaltEdgeV1.Entity].self)
      case ("GET", "authorizations", 2): try check(SaltEdgeV1.Entity.self)
      case ("PUT", "authorizations", _):
        try check(SaltEdgeV1.Decided.self)
        let body = Data((request["body"] as? String ?? "").utf8)
        _ = try WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Decision>.self, from: body)
      case ("PUT", "actions", _): try check(SaltEdgeV1.ActionSubmitted.self)
      default: continue
      }
    }
    #expect(read > 0)
  }

  /// An id that is a number is tolerated, as the specification asks of our clients (§12.2).
  private static let tolerated = ["invalid_create_connection_data.json"]

  @Test(
    "of the fixtures of the iOS app, what is valid is read, and what is not is refused",
    arguments: Samples.messages("repo-fixtures/ios/"))
  func fixtures(file: String) throws {
    let name = String(file.split(separator: "/").last ?? "")
    let decoder = JSONDecoder()
    // The app's own fixtures have commas too many.
    decoder.allowsJSON5 = true
    let data = try #require(Samples.data(file))
    func isRead<Message: Codable & Sendable>(_ type: Message.Type) -> Bool {
      (try? decoder.decode(SaltEdge.Body<Message>.self, from: data)) != nil
    }
    let isFine: Bool
    switch name.replacing(#/^(in)?valid_|^(in)?correct_/#, with: "") {
    case "confirm_authorization_data.json": isFine = isRead(SaltEdgeV1.Decided.self)
    case "create_connection_data.json": isFine = isRead(SaltEdgeV1.Connected.self)
    case "revoke_connection_data.json": isFine = isRead(SaltEdgeV1.ConnectionRevoked.self)
    case "submit_action_data.json": isFine = isRead(SaltEdgeV1.ActionSubmitted.self)
    case "provider_response.json": isFine = isRead(SaltEdgeV1.Configuration.self)
    case "encrypted_authorization_data.json": isFine = isRead(SaltEdgeV1.Entity.self)
    case "encrypted_authorizations_data.json": isFine = isRead([SaltEdgeV1.Entity].self)
    case "encrypted_data_response.json": isFine = isRead(SaltEdgeV1.Entity.self)
    // For SaltEdgeCore, or for people.
    case "encrypted_data.json", "encrypted_data.expected.json", "providers_response.json", "NOTES.json": return
    default:
      Issue.record("\(name) is a fixture that no test reads.")
      return
    }
    #expect(isFine == (name.hasPrefix("valid") || Self.tolerated.contains(name)), "\(name)")
  }
}
