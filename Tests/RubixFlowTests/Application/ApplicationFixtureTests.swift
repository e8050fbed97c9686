import Fixtures
import Kit
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
}
