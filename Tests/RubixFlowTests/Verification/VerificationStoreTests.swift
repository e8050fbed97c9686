// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseWire
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: the store of verifications")
struct VerificationStoreTests {
  @Test("verifications come back in their order, each with its whole outcome")
  func roundTrip() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification)
    let other = try await app.customer(at: .awaitingVerification)
    let first = try Self.verification(1, "MISMATCH", of: customer, app)
    app.clock.advance(by: .seconds(1))
    let second = try Self.verification(2, "MATCH", of: customer, app)
    let (kept, others) = try await app.core.database.write { [app] tx in
      let store = VerificationStore(tx, vault: app.core.vault)
      try store.insert(second)
      try store.insert(first)
      return (try store.all(of: customer.id), try store.all(of: other.id))
    }
    #expect(kept.map(\.id) == [first.id, second.id])
    #expect(kept.map(\.attempt) == [1, 2])
    #expect(kept.map(\.outcome) == [first.outcome, second.outcome])
    #expect(others.isEmpty)
  }

  @Test("why a rule failed is not on disk in clear")
  func sealed() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification)
    let verification = try Self.verification(1, "MISMATCH", of: customer, app)
    try await app.core.database.write { [app] tx in
      try VerificationStore(tx, vault: app.core.vault).insert(verification)
    }
    let disk = try await app.store.bytesOnDisk()
    for text in ["QUUXMANN", "name-across-documents", "MISMATCH", "MUSTERMANN"] {
      #expect(disk.range(of: Data(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("customers see scores only where their institution shows them, and never the reasons")
  func views() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification)
    let verification = try Self.verification(2, "MISMATCH", of: customer, app)
    let plain = verification.view(revealsScores: false)
    #expect(plain.rules.allSatisfy { $0.score == nil && $0.threshold == nil })
    #expect(plain.attempt == 2 && plain.attemptsLeft == 1 && plain.reupload == [.passport])
    #expect(verification.view(revealsScores: true).rules.map(\.score) == [0.4])
    #expect(!String(decoding: try WireJSON.encode(plain), as: UTF8.self).contains("QUUXMANN"))
  }

  private static func verification(
    _ attempt: Int, _ status: String, of customer: Customer, _ app: AgentTestApp
  ) throws -> Verification {
    let outcome = """
      {"status":"\(status)","reupload":["PASSPORT"],"agent_required":false,"rules":[
      {"code":"of-a-newer-release","result":"fail"},
      {"code":"name-across-documents","result":"fail","score":0.4,"threshold":0.8,"reasons":["QUUXMANN"]}]}
      """
    return Verification(
      id: .init(app.core.world), application: customer.id, attempt: attempt,
      outcome: try JSONDecoder().decode(VerificationOutcome.self, from: Data(outcome.utf8)),
      createdAt: app.clock.now)
  }
}
