// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Casework

@Suite("Casework: the receipt of a decision")
struct DecisionReceiptTests {
  private static let basis = DecisionBasis(
    evidence: [.init("PASSPORT", "image-1", digest: "0af1"), .init("screening", "screening-1")],
    versions: ["list OFAC_SDN": "2026-11-20"])

  /// A decided case and its receipt.
  /// - Parameter looks: how often a colleague looked before.
  private func decided(
    _ app: CaseworkTestApp, after looks: Int = 0
  ) async throws -> (Case, CaseWorker, CaseReceipt) {
    let noor = try await app.agent()
    let work = CaseworkTestApp.work("a", risk: 50) { $0.reasons = ["inconclusive"] }
    let item = try await app.open(work)
    app.clock.advance(by: .minutes(1))
    _ = try await app.commands.claim(item.id, by: noor)
    try await app.database.write { [audit = app.caseService.audit] tx in
      for _ in 0..<looks { try audit.append("case.seen", to: item.chain, by: "agent:omar", in: tx) }
    }
    _ = try await app.commands.file(item.id, for: noor)
    try await app.conclude(work, "agentAccepted", on: Self.basis, by: noor.actor)
    let receipt = try #require(try await app.commands.file(item.id, for: noor).receipts.last)
    return (item, noor, receipt)
  }

  @Test(
    "it says what was shown, however much colleagues looked, on which evidence and versions, who decided and when",
    arguments: [0, 501])
  func content(looks: Int) async throws {
    let app = try await CaseworkTestApp()
    let (item, noor, kept) = try await decided(app, after: looks)
    let document = try SignedDocument(document: kept.document)
    try document.verify(for: .decisionReceipt, by: app.vault)
    let receipt = try DecisionReceipt(document)
    #expect(receipt.outcome == "agentAccepted" && receipt.decidedBy == noor.actor)
    #expect(receipt.decidedAt == app.clock.now.rfc3339)
    #expect(receipt.item.id == item.id.rawValue && receipt.item.risk == 50 && receipt.item.reasons == ["inconclusive"])
    #expect(receipt.evidence == Self.basis.evidence)
    #expect(receipt.versions == ["list OFAC_SDN": "2026-11-20", "gatehouse": "1.2.3"])
    #expect(receipt.shown.map(\.action) == ["case.claimed", "case.seen", "case.decided"])
    let line = try await app.database.read { try AuditStore($0).lines(of: item.chain, after: receipt.auditSequence) }
    #expect(line.first?.previous == receipt.auditDigest, "it names the line of the audit that decided")
    let last = try await app.commands.file(item.id, for: noor).history.suffix(4)
    #expect(last.map(\.actor) == Array(repeating: noor.actor, count: 4) && last.last?.action == "case.seen")
  }

  @Test("the public key checks it without the key ring; any change and any other key is found")
  func offline() async throws {
    let app = try await CaseworkTestApp()
    let (_, _, kept) = try await decided(app)
    let document = try SignedDocument(document: kept.document)
    try document.verify(publicKey: app.vault.publicKey(for: .decisionReceipt))
    let text = String(decoding: kept.document, as: UTF8.self)
    let changed = text.replacing("agentAccepted", with: "agentRefused")
    #expect(changed != text)
    let forged = try SignedDocument(document: Data(changed.utf8))
    #expect(throws: Problem.self) { try forged.verify(publicKey: app.vault.publicKey(for: .decisionReceipt)) }
    #expect(throws: Problem.self) { try forged.verify(for: .decisionReceipt, by: app.vault) }
    let stranger = try await CaseworkTestApp(seed: 2)
    #expect(throws: Problem.self) { try document.verify(for: .decisionReceipt, by: stranger.vault) }
    #expect(throws: Problem.self) { try document.verify(publicKey: Data(repeating: 1, count: 32)) }
  }

  @Test("bytes that are no receipt are refused, whatever they are")
  func bytes() async throws {
    let app = try await CaseworkTestApp()
    let (_, _, kept) = try await decided(app)
    for seed in UInt64(1)...64 {
      var generator = SeededGenerator(seed: seed)
      var bytes = [UInt8](kept.document)
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      // A changed byte is no document, another signature, or outside of what was signed and of no account.
      do {
        let document = try SignedDocument(document: Data(bytes))
        try document.verify(for: .decisionReceipt, by: app.vault)
        #expect(document == (try SignedDocument(document: kept.document)), "seed \(seed)")
      } catch let problem as Problem {
        #expect(["not-signed", "wrong-signature"].contains(problem.code), "seed \(seed)")
      }
    }
  }

  @Test("what is withdrawn has no receipt; what is decided again has another; both go with the person")
  func life() async throws {
    let app = try await CaseworkTestApp()
    let (item, noor, _) = try await decided(app)
    let work = CaseworkTestApp.work("a")
    try await app.open(work)
    try await app.conclude(work, "lapsed", by: "system")
    #expect(try await app.commands.file(item.id, for: noor).receipts.count == 1)
    try await app.open(work)
    app.clock.advance(by: .seconds(1))
    try await app.conclude(work, "agentRefused", by: noor.actor)
    let outcomes = try await app.commands.file(item.id, for: noor).receipts.map(\.outcome)
    #expect(outcomes == ["agentAccepted", "agentRefused"])
    try await app.database.write { try app.caseService.forget(person: "person-a", in: $0) }
    let left: Int = try await app.database.read {
      try $0.first("SELECT COUNT(*) AS n FROM casework_receipt")?.get("n") ?? -1
    }
    #expect(left == 0)
  }
}
