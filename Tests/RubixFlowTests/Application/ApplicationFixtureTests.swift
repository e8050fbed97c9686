// SPDX-License-Identifier: Apache-2.0

import Evidence
import Fixtures
import Foundation
import Kit
import RubixWire
import Storage
import Testing

@testable import RubixFlow

@Suite("Fixture: applications without pictures")
struct ApplicationFixtureTests {
  @Test("what is matched without pictures stands where pictures would have brought it, audited, and only once")
  func match() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .capturingSelfies, verified: false)
    let fixture = ApplicationFixture(app.rubix)
    try await fixture.match(customer.id, tenant: app.tenant)
    try await fixture.match(customer.id, tenant: app.tenant)
    let application = try await app.application(of: customer)
    // Both contacts of this customer are confirmed, so the next phase follows by itself.
    #expect(application.phase == .awaitingScreening && application.applicant.verified == ApplicationFixture.person)
    #expect(try await app.actions(of: customer).filter { $0 == "application.matched" }.count == 1)
  }

  @Test("an application that was filled in is one that a customer can read")
  func fill() async throws {
    let app = try await AgentTestApp()
    let families = try await ApplicationFixture(app.rubix).fill(0..<25, tenant: app.tenant)
    #expect(families.count == 25)
    for family in families {
      let application = try await app.core.database.read {
        try ApplicationStore($0, vault: app.core.vault).find(
          .init(rawValue: family.subject), tenant: app.tenant.id)
      }
      #expect(application.applicant.verified == ApplicationFixture.person)
    }
    #expect(try await app.core.database.read { try AuditStore($0).verify(by: app.core.vault) }.faults == [])
  }

  @Test("evidence that was filled in is read, kept in force or forgotten as its own is, and those who wait have a case")
  func evidence() async throws {
    let app = try await AgentTestApp()
    let ids = try await ApplicationFixture(app.rubix).fill(0..<10, tenant: app.tenant).map(\.subject)
    try await EvidenceFixture(app.rubix).add(to: ids, tenant: app.tenant, keeping: 1, pictureBytes: 64)
    #expect(try await EvidenceFixture(app.rubix).applications() == 10)
    let kept = try await app.core.database.read {
      try ImageStore($0, vault: app.core.vault).current(of: .init(rawValue: ids[0]))
    }
    #expect(kept.count == 4)
    for image in kept { #expect(try await app.core.openImage(image.blobKey).sha256Hex == image.sha256) }
    let passport = try #require(kept.first { $0.type == .passport })
    let reading = try await app.core.database.read {
      try ImageStore($0, vault: app.core.vault).reading(of: passport.id)
    }
    #expect(reading?.detected == .passport && reading?.quality.passes == true)
    let (gone, left, cases) = try await app.core.database.read { tx in
      let store = ImageStore(tx, vault: app.core.vault)
      return (
        try store.all(of: .init(rawValue: ids[1])).count, try store.ids(of: .init(rawValue: ids[1])).count,
        try tx.query("SELECT subject_id FROM casework_case WHERE kind = 'rubix-call'").count
      )
    }
    #expect(gone == 0 && left == 4 && cases == 1)
  }
}
