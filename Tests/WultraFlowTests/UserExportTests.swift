// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import PowerAuthCore
import Storage
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the right of access")
struct UserExportTests {
  /// A user with a named phone, who is verified after an agent looked at their face.
  private func verified(_ app: WultraTestApp, _ number: String) async throws -> Person {
    let person = try await app.activated(number)
    _ = try await app.activations.rename(person.activation, to: "Phone \(number)", by: .device)
    try await person.documentsAccepted()
    try await person.checkPresence(FakePicture.doubt)
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    try await app.reviews.decide(
      review.id, .accepted, reason: " The same scar. ", tenant: "acme", by: "agent:clara")
    try await app.settle()
    #expect(try await person.verify(app.lastCode()).verified)
    return person
  }

  private func read(_ app: WultraTestApp, _ user: String = "user-1") async throws -> ReadExport {
    let exporter = UserExporter(dossiers: app.dossiers)
    var export = try await exporter.export(user, tenant: "acme", by: .init("operator"))
    var pictures: [String: Data] = [:]
    try await exporter.addPictures(to: &export) { file, bytes in pictures[file.path] = bytes }
    return try ReadExport(export, pictures: pictures)
  }

  private func lines(_ app: WultraTestApp) async throws -> Int {
    try await app.database.read { tx in try tx.first("SELECT COUNT(*) AS n FROM audit_line")?.get("n") ?? 0 }
  }

  @Test("everything that is kept of a user is in it, opened, and nothing of anybody else")
  func whole() async throws {
    let app = try await WultraTestApp()
    let (person, other) = (try await verified(app, "1"), try await verified(app, "2"))
    let export = try await read(app)
    for text in [
      "gatehouse-wultra-user-export/1", "user-1", person.process, person.activation.rawValue, "Phone 1", "COMPLETED",
      "ID_CARD", "DRIVING_LICENSE", "img good", "face-no-model", "wultra-activation", "wultra-verification",
      "wultra.review.opened", "wultra.consent.given", "wultra.process.exported", "activation.exported",
    ] { #expect(export.text.contains(text), "\(text)") }
    for text in [other.process, other.activation.rawValue, "user-2", "Phone 2"] {
      #expect(!export.text.contains(text), "\(text)")
    }
    for (part, count) in [
      ("processes", 1), ("verifications", 1), ("documents", 3), ("captures", 1), ("consents", 1), ("reviews", 1),
      ("passcodes", 2), ("activations", 1), ("recovery_codes", 0),
    ] { #expect(export.list(part).count == count, "\(part)") }
    #expect(export.list("consents").first?["decided_version"] as? String == "7")
    #expect(export.list("reviews").first?["verdict"] as? String == "accepted")
    #expect(export.list("reviews").first?["reason"] as? String == "The same scar.")
    #expect((export.list("reviews").first?["checks"] as? [Any])?.count == 1)
    // Each picture of a document has a portrait.
    #expect(export.listed == export.beside && export.pictures.count == 7)
    #expect(Set(export.pictures.values) == [FakePicture.good, Data("img face".utf8), FakePicture.doubt])

    #expect(try await app.actions(person.process).last == "wultra.process.exported")
    #expect(try await app.activations.history(person.activation).last?.action == "activation.exported")
    #expect(try await app.actions(other.process).last != "wultra.process.exported")
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("no code, no key, no digest and no colleague is in it")
  func withheld() async throws {
    let app = try await WultraTestApp()
    let person = try await verified(app, "1")
    let text = try await read(app).text
    let keys = try #require(try await app.activations.find(person.activation).publicKeys)
    let consent = Data(FakeBank.State().consent.consentText.utf8).sha256Hex
    let digest = try await app.process(person.process).identificationDigest
    #expect(!digest.isEmpty && app.bank.messages.count == 2)
    for secret in app.bank.messages.map(\.otpCode) + [
      digest, consent, keys.device.base64EncodedString(), keys.device.hex, keys.server.base64EncodedString(), "clara",
      "clientNumber",
    ] { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test("a recovery code is in it without the code and its numbers")
  func recovery() async throws {
    let app = try await WultraTestApp()
    let issued = try await app.activations.issueRecoveryCode(
      user: "user-9", application: app.release.application.id, puks: 2, by: .system)
    let export = try await read(app, "user-9")
    #expect(export.list("recovery_codes").count == 1 && export.list("activations").isEmpty)
    for secret in issued.puks.map(\.text) + [issued.code.text] { #expect(!export.text.contains(secret)) }
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("a picture that is gone is left out; once evidence is erased, that there was some is all that is left")
  func erasedPictures() async throws {
    let app = try await WultraTestApp()
    _ = try await verified(app, "1")
    try await app.blobs.blobs.delete(try #require(app.blobs.keys.sorted().first))
    let torn = try await read(app)
    #expect(torn.listed == torn.beside && torn.pictures.count == 6)
    app.clock.advance(by: .hours(1))
    try await app.settle()
    let export = try await read(app)
    #expect(export.pictures.isEmpty && export.listed.isEmpty && export.list("captures").isEmpty)
    let documents = export.list("documents")
    #expect(documents.count == 3 && documents.allSatisfy { $0["erased_at"] is String && $0["filename"] == nil })
    #expect(!export.text.contains("img good"))
  }

  @Test("of a process that was forgotten only the activation that came of it is given out")
  func forgotten() async throws {
    let app = try await WultraTestApp()
    let person = try await verified(app, "1")
    app.clock.advance(by: .days(31))
    try await app.erasure.sweepEnded()
    let export = try await read(app)
    #expect(export.list("processes").isEmpty && !export.text.contains(person.process))
    #expect(export.list("activations").map { $0["id"] as? String } == [person.activation.rawValue])
  }

  @Test("of whom a key alone is kept, the name is given out, with a line in the tenant's story")
  func keyAlone() async throws {
    let app = try await WultraTestApp()
    let subject = app.activations.keySubject(of: "user-8", tenant: "acme")
    _ = try await app.database.write { [vault = app.dossiers.core.vault] tx in
      try vault.subjectKey(of: subject, in: tx)?.id
    }
    let export = try await read(app, "user-8")
    #expect(export.text.contains("user-8") && export.list("processes").isEmpty && export.list("activations").isEmpty)
    #expect(try await app.actions("wultra-tenant-acme") == ["wultra.user.exported"])
  }

  @Test("an unknown user, one of another institution and an erased one are refused alike, and no line is written")
  func refused() async throws {
    let app = try await WultraTestApp()
    _ = try await verified(app, "1")
    let exporter = UserExporter(dossiers: app.dossiers)
    let before = try await lines(app)
    for (user, tenant) in [("nobody", "acme"), ("user-1", "other")] {
      await #expect(throws: Problem.notFound) {
        _ = try await exporter.export(user, tenant: tenant, by: .init("operator"))
      }
    }
    #expect(try await lines(app) == before)
    _ = try await app.erasure.erase(
      "user-1", tenant: "acme", for: .ended, by: .init("operator"))
    let after = try await lines(app)
    await #expect(throws: Problem.notFound) {
      _ = try await exporter.export("user-1", tenant: "acme", by: .init("operator"))
    }
    #expect(try await lines(app) == after)
  }
}
