// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import PowerAuthHTTP
import Storage
import Testing
import TestSupport

@Suite("PowerAuth: writes of other servers that are sent again")
struct BackEndRepetitionTests {
  @Test("the same key and body get the same code again; another body under the key is refused")
  func repetition() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let key = "0195a1b2-aaaa-4bbb-8ccc-0000000000ff"
      var wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
      ]
      let first = try await bank.post("activations", wish, key: key)
      #expect(first.status == 201)
      let second = try await bank.post("activations", wish, key: key)
      #expect(second.status == 201 && second.body == first.body)
      #expect(try await app.activations.list(user: "ada", tenant: "acme").count == 1)
      wish["user_id"] = .string("grace")
      #expect(try await bank.post("activations", wish, key: key).problem == "idempotency-conflict")
      for key in ["no uuid", "0195a1b2- aaa-4bbb-8ccc-0000000000ff"] {
        #expect(try await bank.post("activations", wish, key: key).problem == "missing-header")
      }
      // A refusal is not remembered: the key may try again.
      let unknown = "activations/0195a1b2-aaaa-4bbb-8ccc-0000000000aa/block"
      let other = "0195a1b2-aaaa-4bbb-8ccc-0000000000fe"
      #expect(try await bank.post(unknown, key: other).problem == "not-found")
      #expect(try await bank.post(unknown, key: other).problem == "not-found")
    }
  }

  @Test(
    "a path that is written otherwise and routed alike is the same call: its key counts there too",
    arguments: ["/activations", "activations/", "//activations//"])
  func spelling(_ path: String) async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let key = "0195a1b2-aaaa-4bbb-8ccc-0000000000ff"
      let wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
      ]
      let first = try await bank.post("activations", wish, key: key)
      // The description has no such path, so that nothing is compared with it.
      let headers: HTTPFields = [
        .authorization: bank.authorization, .contentType: "application/json", HTTPField.Name("Idempotency-Key")!: key,
      ]
      let second = Answer(
        try await app.client.execute(
          uri: "\(BackEndDialect.base)/\(path)", method: .post, headers: headers,
          body: ByteBuffer(bytes: WireJSON.encode(JSONValue.object(wish)))))
      #expect(first.status == 201 && second.status == 201 && second.body == first.body)
      #expect(try await app.activations.list(user: "ada", tenant: "acme").count == 1)
    }
  }

  @Test("what is kept of an answer that names a user is sealed under that user's key, and goes with it")
  func sealedAnswers() async throws {
    try await PowerAuthTestApp.run(hasSubjectKeys: true) { app in
      let bank = try await BackEnd(app)
      let (made, flagged) = ("0195a1b2-aaaa-4bbb-8ccc-0000000000ff", "0195a1b2-aaaa-4bbb-8ccc-0000000000fe")
      let wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
      ]
      let first = try await bank.post("activations", wish, key: made)
      let id = try #require(first.json?["activation"]?["activation_id"]?.stringValue)
      let flags: [String: JSONValue] = ["flags": .array([.string("VIP")])]
      #expect(try await bank.post("activations/\(id)/flags/add", flags, key: flagged).status == 200)
      let kept = try await app.database.read { tx in
        try tx.query("SELECT answer FROM idempotency WHERE answer IS NOT NULL").map {
          Vault.subjectKeyID(of: try $0.get("answer", as: Data.self))
        }
      }
      #expect(kept.count == 2 && kept.first != .some(nil) && Set(kept).count == 1)
      #expect(try await bank.post("activations", wish, key: made).body == first.body)
      // An erasure of the user destroys the key.
      let subject = app.activations.keySubject(of: "ada", tenant: "acme")
      let destroyed = try await app.database.write { [vault = app.vault] in
        try vault.destroySubjectKey(of: subject.id, in: $0)
      }
      #expect(destroyed != nil)
      #expect(try await bank.post("activations", wish, key: made).problem == "not-found")
      #expect(try await bank.post("activations/\(id)/flags/add", flags, key: flagged).problem == "not-found")
    }
  }

  @Test("a refusal that counted is the answer to its repetition, and counts once; without an OTP nothing counts")
  func countedRefusal() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let phone = try await bank.join(["otp": .string("1234"), "otp_check": .string("ON_COMMIT")])
      let place = "activations/\(try phone.id)"
      #expect(try await bank.post("\(place)/commit").problem == "validation-failed")
      let key = "0195a1b2-aaaa-4bbb-8ccc-0000000000fc"
      let first = try await bank.post("\(place)/commit", ["otp": .string("9999")], key: key)
      #expect(first.problem == "otp-invalid" && first.json?["attempts_left"] == .integer(4))
      let second = try await bank.post("\(place)/commit", ["otp": .string("9999")], key: key)
      #expect(second.status == first.status && second.body == first.body)
      #expect(second.headers[.contentType] == first.headers[.contentType])
      #expect(try await bank.call(.get, place).json?["failed_attempts"] == .integer(1))
    }
  }

  @Test("an answer to work that cannot be repeated is kept with it: without the one the other did not happen")
  func oneTransaction() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let token = try TokenHeader(value: phone.tokenHeader(try await phone.createToken()).1)
      let header = try SignatureHeader(value: phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1)
      let wish = InitiateActivation(application: app.release.application.id, user: "ada")
      let before = try await app.traces()
      struct Killed: Error {}
      struct NothingToWrite: Error {}
      let activations = app.activations
      let offered = try await activations.offer(
        header, method: "POST", uriID: "/pay", body: Data(), allowed: [.possessionKnowledge], for: nil)
      guard case .pending(let signature) = try await activations.judge(offered),
        case .pending(let digest) = try await activations.check(token, allowed: [.possession])
      else { throw NothingToWrite() }
      let prepared = try await activations.prepare(wish)
      await #expect(throws: Killed.self) {
        try await app.database.write { tx in
          guard case .valid = try activations.enter(signature, in: tx) else { return }
          throw Killed()
        }
      }
      await #expect(throws: Killed.self) {
        try await app.database.write { tx in
          guard case .valid = try activations.use(digest, in: tx) else { return }
          throw Killed()
        }
      }
      await #expect(throws: Killed.self) {
        try await app.database.write { tx in
          try activations.insert(prepared, by: .system, in: tx)
          throw Killed()
        }
      }
      #expect(try await app.traces() == before)
      #expect(
        try await app.activations.verify(
          header, method: "POST", uriID: "/pay", body: Data(), allowed: [.possessionKnowledge]
        ).require().type == .possessionKnowledge)
      _ = try await app.activations.verify(token, allowed: [.possession]).require()
    }
  }

  @Test("of eight that race under one key one does the work; the others get its answer or are told to wait")
  func race() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let wish: [String: JSONValue] = [
        "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
      ]
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<8 {
          group.addTask { try await bank.post("activations", wish, key: "0195a1b2-aaaa-4bbb-8ccc-0000000000fd") }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 201 || $0.problem == "step-in-progress" })
      #expect(Set(answers.filter { $0.status == 201 }.map(\.body)).count == 1)
      #expect(try await app.activations.list(user: "ada", tenant: "acme").count == 1)
    }
  }
}
