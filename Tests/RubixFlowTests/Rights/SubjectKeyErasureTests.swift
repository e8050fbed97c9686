// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Screening
import Storage
import Testing
import TestSupport

@testable import Kit
@testable import RubixFlow

@Suite("Rubix: an erasure reaches copies that were made before")
struct SubjectKeyErasureTests {
  private static let columns =
    RubixModule.sealedColumns + SchedulingModule.sealedColumns + ScreeningModule.sealedColumns + [
      SealedColumn("dev_message", "sealed", of: "subject_id")
    ]

  @Test("everything sealed of a customer is sealed under the customer's own key", arguments: Engine.available)
  func everything(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: app.agent())
    let vault = app.core.vault
    let key = try #require(
      try await app.core.database.read { try vault.subjectKey(of: customer.id.keySubject, in: $0) })
    try await app.core.database.read { tx in
      let store = SealedColumnStore(tx)
      for column in Self.columns {
        #expect(try store.underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        let values = try store.count(column, of: customer.id.rawValue)
        #expect(try store.count(column, sealedBy: key.id) == values, "\(column.name)")
        #expect(values > 0 || column.name == "rubix_image.reading", "\(column.name)")
      }
      // The registration's answer is kept for the device, and is about the customer all the same.
      let answers = try tx.query(
        "SELECT answer FROM idempotency WHERE answer IS NOT NULL AND scope LIKE '%/auth/register'")
      #expect(!answers.isEmpty)
      for row in answers {
        let answer: Data = try row.get("answer")
        #expect(Vault.subjectKeyID(of: answer) == key.id)
      }
    }
    for name in app.blobKeys {
      let object = try #require(try await app.core.blobs.get(name))
      #expect(Vault.subjectKeyID(of: object) == key.id)
    }
  }

  @Test(
    "a copy with the key's row, the key ring and the epoch key opens nothing of an erased customer in the end",
    arguments: Engine.available)
  func copies(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let agent = try await app.agent()
    let gone = try await app.filled(agent: agent)
    let stays = try await app.filled(AgentTestApp.Person(name: "Bruno", number: 2), agent: agent)
    let (vault, database) = (app.core.vault, app.core.database)
    // What a backup holds.
    let (applicant, keys) = try await database.read { tx in
      let row = try tx.first("SELECT applicant FROM rubix_application WHERE id = \(gone.id)")
      return (
        try row?.get("applicant", as: Data.self) ?? Data(), try SubjectKeyStore(tx).wrapped(in: 0..<10, limit: 10)
      )
    }
    let context = "rubix_application.applicant:\(gone.id)"
    #expect(try await vault.open(applicant, context: context, in: database).isEmpty == false)

    _ = try await app.erasure.erase(
      gone.id, of: app.tenant, for: ErasureTests.reason, by: "operator", despiteDuty: true)
    await #expect(throws: VaultError.erased) { try await vault.open(applicant, context: context, in: database) }

    let epochs = try #require(SubjectKeyEpochs(database, vault: vault, world: app.clock.world))
    app.clock.advance(by: SubjectKeys.epochLength)
    try await epochs.run()
    app.clock.advance(by: SubjectKeys.epochKept)
    try await epochs.run()
    try await database.write { tx in for key in keys { try SubjectKeyStore(tx).insert(key) } }
    await #expect(throws: VaultError.erased) { try await vault.open(applicant, context: context, in: database) }
    let other = try await database.read { try ApplicationStore($0, vault: vault).find(stays.id, tenant: app.tenant.id) }
    #expect(other.applicant.email == "bruno@example.com")
  }

  @Test(
    "no value of an erased customer can be read in any table of a copy, with all keys of the installation at hand",
    arguments: Engine.available)
  func nothingReadable(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let gone = try await app.filled(AgentTestApp.Person(name: "Bruno", number: 2), agent: app.agent())
    let texts = ["bruno@example.com", "Bruno"]
    let copy = try await CopiedData.taken(of: app.core.database, engine)
    #expect(copy.places(of: texts) == [])
    #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets.union(CopiedData.answersOfOthers)) == [])
    _ = try await app.erasure.erase(
      gone.id, of: app.tenant, for: ErasureTests.reason, by: "operator", despiteDuty: true)
    let left = try await app.core.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
    #expect(!copy.subjectKeys.isEmpty && copy.subjectKeys.isDisjoint(with: left))
    let live = try await CopiedData.taken(of: app.core.database, engine)
    #expect(live.places(of: texts) == [] && live.subjectKeys.isDisjoint(with: left))
  }
}
