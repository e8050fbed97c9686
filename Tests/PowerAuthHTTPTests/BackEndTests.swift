// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import PowerAuthCore
import Testing
import TestSupport

@Suite("PowerAuth: the back-end API")
struct BackEndTests {
  @Test("a bank's server prepares a device's activation, changes and ends it, and reads who did what")
  func lifecycle() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await bank.join(["flags": .array([.string("NEW")]), "external_id": .string("x-1")])
      let place = "activations/\(try phone.id)"
      let pending = try await bank.call(.get, place)
      #expect(pending.json?["state"] == .string("PENDING_COMMIT") && pending.json?["user_id"] == .string("ada"))
      #expect(pending.json?["fingerprint"] == .string(try Self.fingerprint(phone)))
      #expect(try await bank.post("\(place)/commit").json?["state"] == .string("ACTIVE"))
      #expect(try await phone.validate(.possessionKnowledge).status == 200)

      let blocked = try await bank.post("\(place)/block", ["reason": .string("STOLEN")])
      #expect(blocked.json?["state"] == .string("BLOCKED") && blocked.json?["blocked_reason"] == .string("STOLEN"))
      #expect(try await phone.validate(.possession).refusal == Refusal.signature)
      #expect(try await bank.post("\(place)/unblock").json?["state"] == .string("ACTIVE"))
      #expect(try await bank.post("\(place)/unblock").problem == "activation-state")

      #expect(try await bank.post("\(place)/flags/add", ["flags": .array([.string("VIP")])]).status == 200)
      #expect(try await phone.status().flags == ["NEW", "VIP"])
      _ = try await bank.post("\(place)/flags/remove", ["flags": .array([.string("NEW")])])
      #expect(try await phone.status().flags == ["VIP"])
      _ = try await bank.post("\(place)/flags/set", ["flags": .array([])])
      #expect(try await phone.status().flags == [])

      #expect(try await bank.post("\(place)/remove").json?["state"] == .string("REMOVED"))
      let lines = try await bank.call(.get, "\(place)/history").json?["lines"]?.arrayValue ?? []
      let actor = JSONValue.string(bank.issued.client.actor)
      #expect(lines.filter { $0["actor"] == actor }.count == 8)
      #expect(lines.contains { $0["action"] == .string("activation.blocked") && $0["actor"] == actor })
    }
  }

  private static func fingerprint(_ phone: Phone) throws -> String {
    let joined = try phone.device.joined()
    return ActivationFingerprint(
      devicePublicKey: phone.device.privateKey.publicKey, activationIdentifier: joined.identifier.text,
      serverPublicKey: joined.serverPublicKey
    ).text
  }

  @Test("a user's activations are found by POST, of one application or of all")
  func search() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let phone = try await bank.join()
      let other = try await app.activations.applications.add("Other", tenant: "acme", by: .system)
      func found(_ more: [String: JSONValue]) async throws -> [JSONValue] {
        try await bank.post("activations/search", ["user_id": .string("ada")].merging(more) { $1 })
          .json?["activations"]?.arrayValue?.compactMap { $0["activation_id"] } ?? []
      }
      #expect(try await found([:]) == [.string(phone.id)])
      #expect(try await found(["application_id": .string(other.application.id.rawValue)]) == [])
      // Ids are UUIDs, which are the same in upper case (RFC 9562 §4).
      let shouted = app.release.application.id.rawValue.uppercased()
      #expect(try await found(["application_id": .string(shouted)]) == [.string(phone.id)])
      #expect(try await found(["user_id": .string("grace")]) == [])
      let names = try await bank.call(.get, "applications").json?["applications"]?.arrayValue?.compactMap { $0["name"] }
      #expect(Set(names ?? []) == [.string("Bank"), .string("Other")])
    }
  }

  @Test("a signature is verified for the bank's own API; a wrong one is counted and its verdict says what is left")
  func signatures() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone()
      let body = Data("pay".utf8)
      func verify(_ header: String, _ more: [String: JSONValue] = [:]) async throws -> Answer {
        try await bank.post(
          "signatures/verify",
          [
            "method": .string("POST"), "uri_id": .string("/pay"), "body": .string(body.base64EncodedString()),
            "header": .string(header),
          ].merging(more) { $1 })
      }
      let right = try phone.signatureHeader("/pay", .possessionKnowledge, over: body).1
      let valid = try await verify(right)
      #expect(valid.json?["valid"] == .bool(true) && valid.json?["signature_type"] == .string("possession_knowledge"))
      #expect(valid.json?["activation"]?["user_id"] == .string("ada"))
      let repeated = try await verify(right)
      #expect(repeated.json?["valid"] == .bool(false) && repeated.json?["remaining_attempts"] == .integer(4))
      // Possession alone is no consent unless the caller asks for it.
      let possession = try phone.signatureHeader("/pay", .possession, over: body).1
      #expect(try await verify(possession).json == .object(["valid": .bool(false)]))
      let types = JSONValue.array([.string("possession")])
      #expect(try await verify(possession, ["signature_types": types]).json?["valid"] == .bool(true))
      #expect(try await verify("PowerAuth nonsense").json == .object(["valid": .bool(false)]))
      #expect(try await verify(right, ["signature_types": .array([.string("blood")])]).problem == "validation-failed")
      #expect(try await verify(right, ["signature_types": .array([])]).problem == "validation-failed")
      let again = try phone.signatureHeader("/pay", .possessionKnowledge, over: body).1
      let answered = try await bank.post(
        "signatures/verify",
        [
          "method": .string("POST"), "uri_id": .string("/pay"), "body": .string(body.base64EncodedString()),
          "header": .string(again),
        ], key: "0195a1b2-aaaa-4bbb-8ccc-000000000001")
      #expect(answered.json?["valid"] == .bool(true))
      let replayed = try await bank.post(
        "signatures/verify",
        [
          "method": .string("POST"), "uri_id": .string("/pay"), "body": .string(body.base64EncodedString()),
          "header": .string(again),
        ], key: "0195a1b2-aaaa-4bbb-8ccc-000000000001")
      #expect(replayed.body == answered.body)
      #expect(replayed.headers[HTTPField.Name("Idempotency-Replayed")!] == "true")
    }
  }

  @Test("a token is verified once; offline signatures and those of the device's key are verified too")
  func others() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone()
      let token = JSONValue.string(try phone.tokenHeader(try await phone.createToken()).1)
      #expect(try await bank.post("tokens/verify", ["header": token]).json?["valid"] == .bool(true))
      #expect(try await bank.post("tokens/verify", ["header": token]).json == .object(["valid": .bool(false)]))

      for owner in ["activation_id": try phone.id, "application_id": app.release.application.id.rawValue] {
        let payload = try await bank.post(
          "offline/payloads", [owner.key: .string(owner.value), "data": .string("pay 10 EUR")])
        let scanned = try #require(payload.json?["offline_data"]?.stringValue)
        let nonce = try #require(payload.json?["nonce"]?.stringValue)
        #expect(scanned.hasPrefix("pay 10 EUR\n\(nonce)\n"))
        let digits = try phone.device.signOffline(
          .possessionKnowledge, uriID: "/operation/authorize/offline",
          nonce: try #require(Data(base64Encoded: nonce)), data: Data("pay 10 EUR".utf8))
        func verify(_ text: String) async throws -> JSONValue? {
          try await bank.post(
            "offline/verify",
            [
              "activation_id": .string(phone.id), "nonce": .string(nonce), "data": .string("pay 10 EUR"),
              "signature": .string(text),
            ]
          ).json?["valid"]
        }
        #expect(try await verify("00000000-00000000") == .bool(false))
        #expect(try await verify(digits) == .bool(true))
        #expect(try await verify(digits) == .bool(false))
      }
      #expect(try await bank.post("offline/payloads", ["data": .string("x")]).problem == "validation-failed")
      let forged = try await bank.post(
        "device-signatures/verify",
        ["activation_id": .string(phone.id), "data": .string("AAAA"), "signature": .string("AAAA")])
      #expect(forged.json == .object(["valid": .bool(false)]))
    }
  }

  @Test("another tenant's activations and applications are not there, and its devices' counters do not move")
  func tenants() async throws {
    try await PowerAuthTestApp.run { app in
      let (stranger, owner) = (try await BackEnd(app, tenant: "other"), try await BackEnd(app))
      var phone = try await app.activePhone()
      let token = try phone.tokenHeader(try await phone.createToken()).1
      let before = try await app.traces()
      let place = "activations/\(try phone.id)"
      #expect(try await stranger.call(.get, place).problem == "not-found")
      #expect(try await stranger.call(.get, "\(place)/history").problem == "not-found")
      for call in ["commit", "block", "unblock", "remove"] {
        #expect(try await stranger.post("\(place)/\(call)").problem == "not-found")
      }
      for change in ["set", "add", "remove"] {
        let flags: [String: JSONValue] = ["flags": .array([.string("X")])]
        #expect(try await stranger.post("\(place)/flags/\(change)", flags).problem == "not-found")
      }
      let wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
      ]
      #expect(try await stranger.post("activations", wish).problem == "not-found")
      let found = try await stranger.post("activations/search", ["user_id": .string("ada")])
      #expect(found.json?["activations"] == .array([]))
      #expect(try await stranger.call(.get, "applications").json?["applications"] == .array([]))
      let signature = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
      let verdict = try await stranger.post(
        "signatures/verify",
        ["method": .string("POST"), "uri_id": .string("/pay"), "header": .string(signature)])
      #expect(verdict.json == .object(["valid": .bool(false)]))
      #expect(
        try await stranger.post("tokens/verify", ["header": .string(token)]).json == .object(["valid": .bool(false)]))
      let still = try await owner.post("tokens/verify", ["header": .string(token)])
      #expect(still.json?["valid"] == .bool(true))
      let offline: [String: JSONValue] = [
        "activation_id": .string(try phone.id), "data": .string("x"), "signature": .string("AAAA"),
        "nonce": .string(Data(count: 16).base64EncodedString()),
      ]
      #expect(try await stranger.post("offline/verify", offline).problem == "not-found")
      #expect(try await app.traces() == before)
    }
  }

  @Test("calls without credentials, with wrong or revoked ones, or beyond their scopes are refused")
  func credentials() async throws {
    try await PowerAuthTestApp.run { app in
      let (manager, verifier) = (
        try await BackEnd(app, name: "m", scopes: [.manage]), try await BackEnd(app, name: "v", scopes: [.verify])
      )
      let id = manager.issued.client.id
      for authorization in [
        "", "Basic", "Basic !!!", "Bearer \(manager.issued.secret)",
        "Basic " + Data("\(id):wrong".utf8).base64EncodedString(),
        "Basic " + Data("\(verifier.issued.client.id):\(manager.issued.secret)".utf8).base64EncodedString(),
        "Basic " + Data("\(id)".utf8).base64EncodedString(),
        "Basic " + Data("\(String(id.rawValue.dropLast()))\u{0}:\(manager.issued.secret)".utf8).base64EncodedString(),
      ] {
        let answer = try await manager.call(.get, "applications", authorization: authorization)
        #expect(answer.status == 401 && answer.problem == "credentials-invalid")
        #expect(answer.headers[.wwwAuthenticate] == #"Basic realm="powerauth""#)
      }
      #expect(try await manager.call(.get, "applications").status == 200)
      #expect(try await verifier.call(.get, "applications").problem == "forbidden")
      // Of the Authenticator: every bank of a tenant has credentials.
      let bank = try await BackEnd(app, name: "b", scopes: [.bank])
      #expect(try await bank.call(.get, "applications").problem == "forbidden")
      #expect(try await bank.post("activations/search", ["user_id": .string("u-1")]).problem == "forbidden")
      #expect(try await bank.post("tokens/verify", ["header": .string("x")]).problem == "forbidden")
      #expect(try await manager.post("tokens/verify", ["header": .string("x")]).problem == "forbidden")
      #expect(try await verifier.post("tokens/verify", ["header": .string("x")]).status == 200)
      try await app.clients.revoke(id, by: "test")
      #expect(try await manager.call(.get, "applications").status == 401)
    }
  }

  @Test("a history is read page by page")
  func pages() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let place = "activations/\(try await app.activePhone().id)/history"
      let all = try await bank.call(.get, place).json?["lines"]?.arrayValue ?? []
      #expect(all.count == 2)
      #expect(try await bank.call(.get, "\(place)?limit=1").json?["lines"] == .array([all[0]]))
      #expect(try await bank.call(.get, "\(place)?after=1&limit=500").json?["lines"] == .array([all[1]]))
      #expect(try await bank.call(.get, "\(place)?after=2").json?["lines"] == .array([]))
      for query in ["limit=0", "limit=501", "limit=x", "after=-1", "after="] {
        #expect(try await bank.call(.get, "\(place)?\(query)").problem == "validation-failed", "\(query)")
      }
    }
  }

  @Test("a recovery code for paper is issued once under its key, and its user takes it into use")
  func recoveryOnPaper() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone()
      let wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
        "puk_count": .integer(2),
      ]
      let key = "0195a1b2-aaaa-4bbb-8ccc-0000000000fb"
      let issued = try await bank.post("recovery-codes", wish, key: key)
      #expect(issued.status == 201)
      #expect(try await bank.post("recovery-codes", wish, key: key).body == issued.body)
      let code = try #require(issued.json?["recovery_code"]?.stringValue)
      let puk = try #require(issued.json?["puks"]?.arrayValue?.first?.stringValue)
      let (_, confirmed) = try await phone.own(
        .confirmRecovery, .confirmRecoveryCode, .possessionKnowledge,
        JSONEncoder().encode(ConfirmRecoveryRequest(recoveryCode: code)), as: ConfirmRecoveryResponse.self)
      #expect(confirmed?.alreadyConfirmed == false)
      var new = app.phone()
      try await new.activate(.recovery, ["recoveryCode": code, "puk": puk])
      let many = wish.merging(["puk_count": .integer(101)]) { $1 }
      #expect(try await bank.post("recovery-codes", many).problem == "validation-failed")
      let stranger = try await BackEnd(app, tenant: "other")
      #expect(try await stranger.post("recovery-codes", wish).problem == "not-found")
    }
  }

  @Test("what is sent wrongly is refused with its place, and changes nothing")
  func validation() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let application = JSONValue.string(app.release.application.id.rawValue)
      let before = try await app.traces()
      for (change, code) in [
        (["application_id": nil], "validation-failed"), (["oops": .bool(true)], "unknown-field"),
        (["user_id": .string("")], "validation-failed"), (["otp_check": .string("LATER")], "validation-failed"),
        (["max_failed_attempts": .integer(0)], "validation-failed"),
        (["validity_seconds": .integer(-1)], "validation-failed"), (["application_id": .string("x")], "not-found"),
      ] as [([String: JSONValue?], String)] {
        var wish: [String: JSONValue] = ["application_id": application, "user_id": .string("ada")]
        for (member, value) in change { wish[member] = value }
        #expect(try await bank.post("activations", wish).problem == code, "\(change)")
      }
      let never: [[String: JSONValue]] = [
        ["otp_check": .string("ON_COMMIT")], ["otp_check": .string("ON_KEY_EXCHANGE")],
        ["otp": .string("1234"), "otp_check": .string("ON_COMMIT"), "auto_commit": .bool(true)],
      ]
      for change in never {
        let wish: [String: JSONValue] = ["application_id": application, "user_id": .string("ada")]
        let refused = try await bank.post("activations", wish.merging(change) { $1 })
        #expect(refused.json?["errors"]?.arrayValue?.compactMap { $0["field"] } == [.string("/otp_check")])
      }
      #expect(try await bank.call(.post, "activations", .array([])).problem == "validation-failed")
      #expect(try await app.traces() == before)
    }
  }
}
