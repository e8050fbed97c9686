// SPDX-License-Identifier: Apache-2.0
import Activations
import Foundation
import Kit
import PowerAuthCore
import Storage
import TestSupport
import Testing

@Suite("PowerAuth: what was signed, as evidence")
struct SignedTextTests {
  private static func verify(
    _ bank: BackEnd, _ header: String, _ body: Data, keep: JSONValue = .bool(true), types: JSONValue = .null
  ) async throws -> Answer {
    try await bank.post(
      "signatures/verify",
      [
        "method": .string("POST"), "uri_id": .string("/pay"), "body": .string(body.base64EncodedString()),
        "header": .string(header), "keep": keep, "signature_types": types,
      ])
  }

  private static func kept(_ app: PowerAuthTestApp) async throws -> [Data] {
    try await app.database.query("SELECT sealed_text FROM activation_signed_text").map { try $0.get("sealed_text") }
  }

  @Test("it is kept where the bank asks for it, sealed, for the record and the export, and goes with the person")
  func kept() async throws {
    try await PowerAuthTestApp.run(hasSubjectKeys: true) { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone()
      for (text, keep) in [("A1*kept", JSONValue.bool(true)), ("A1*other", .bool(false)), ("A1*third", .null)] {
        let body = Data(text.utf8)
        let header = try phone.signatureHeader("/pay", .possessionKnowledge, over: body).1
        #expect(try await Self.verify(bank, header, body, keep: keep).json?["valid"] == .bool(true))
      }
      // Nothing is left by one factor alone, by what the bank is told is not valid, and by a wrong signature; what is
      // no text is refused unseen.
      for type in [SignatureType.possession, .knowledge] {
        let header = try phone.signatureHeader("/pay", type, over: Data("A1*one".utf8)).1
        let single = try await Self.verify(
          bank, header, Data("A1*one".utf8), types: .array([.string(type.rawValue)]))
        #expect(single.json?["valid"] == .bool(true), "\(type)")
      }
      let pending = JSONValue.array([.string("VERIFICATION_PENDING")])
      _ = try await bank.post("activations/\(try phone.id)/flags/set", ["flags": pending])
      let early = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data("A1*early".utf8)).1
      let flagged = try await Self.verify(bank, early, Data("A1*early".utf8))
      #expect(flagged.json?["reason"] == .string("ACTIVATION_FLAGGED"))
      let header = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data("A1*x".utf8)).1
      let wrong = try await Self.verify(bank, header, Data("A1*y".utf8))
      #expect(wrong.json?["valid"] == .bool(false))
      for body in [Data(), Data([0xFF]), Data(repeating: 65, count: 4097)] {
        let refused = try await Self.verify(bank, header, body)
        #expect(refused.status == 422 && refused.problem == "validation-failed", "\(body.count)")
      }
      let sealed = try await Self.kept(app)
      #expect(sealed.count == 1 && sealed.allSatisfy { $0.range(of: Data("A1*kept".utf8)) == nil })

      let repository = ProofRepository(
        CoreDependencies(
          database: app.database, world: app.clock.world, vault: app.vault, blobs: MemoryBlobs(app.clock.world).blobs),
        [.powerAuth(app.activations)])
      let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only("acme"))
      func shown() async throws -> [String] {
        var texts: [String] = []
        for row in try await repository.page(.init(), for: reader).rows {
          texts += try await repository.record(row.id, for: reader).texts.filter { $0.code == "signed_text" }.map(
            \.text)
        }
        return texts
      }
      #expect(try await shown() == ["A1*kept"])
      let export = try await app.database.read { tx in
        try app.activations.exported(user: "ada", tenant: "acme", in: tx)
      }
      let text = String(decoding: try JSONEncoder().encode(export), as: UTF8.self)
      #expect(text.contains("A1*kept") && !text.contains("A1*other"))
      // What the digest of the audit line is not of is no evidence, no matter who sealed it.
      let (vault, ada) = (app.vault, app.activations.keySubject(of: "ada", tenant: "acme"))
      try await app.database.write { tx in
        let id: String = try #require(try tx.first("SELECT id FROM activation_signed_text")).get("id")
        let other = try vault.seal(
          Data("POST&L3BheQ==&AA==&QTEqb3RoZXI=&AA==".utf8), context: "activation_signed_text.sealed_text:\(id)",
          of: ada, in: tx)
        try tx.execute("UPDATE activation_signed_text SET sealed_text = \(other)")
      }
      #expect(try await shown().isEmpty)

      app.clock.advance(by: .days(401))
      _ = try await app.activations.sweep()
      #expect(try await Self.kept(app).isEmpty)
      // The same signed again is kept anew, and so is what the bank accepts by the flag's name.
      var sealings: Set<[Data]> = []
      for _ in 0..<2 {
        let nonce = Data(count: 16)
        let digits = try phone.device.signOffline(
          .possessionKnowledge, uriID: "/operation/authorize/offline", nonce: nonce, data: Data("A1*typed".utf8))
        let typed = try await bank.post(
          "offline/verify",
          [
            "activation_id": .string(try phone.id), "nonce": .string(nonce.base64EncodedString()),
            "data": .string("A1*typed"), "signature": .string(digits), "keep": .bool(true), "accepted_flags": pending,
          ])
        #expect(typed.json?["valid"] == .bool(true))
        sealings.insert(try await Self.kept(app))
      }
      #expect(sealings.count == 2 && sealings.allSatisfy { $0.count == 1 })
      let gone = try await app.database.write { tx in
        try app.activations.forget(user: "ada", tenant: "acme", reason: "ended", by: .init("operator"), in: tx)
      }
      #expect(gone == 1)
      #expect(try await Self.kept(app).isEmpty)
    }
  }
}
