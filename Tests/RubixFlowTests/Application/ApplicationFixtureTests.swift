import Fixtures
import Kit
import Storage
import Testing

@testable import RubixFlow

@Suite("Stock: applications without pictures")
struct ApplicationStockTests {
  @Test("what is matched without pictures stands where pictures would have brought it, audited, and only once")
  func match() async throws {
    let house = try await DeskHouse()
    let customer = try await house.customer(at: .capturingSelfies, verified: false)
    let stock = ApplicationFixture(house.rubix)
    try await stock.match(customer.id, tenant: house.tenant)
    try await stock.match(customer.id, tenant: house.tenant)
    let application = try await house.application(of: customer)
    // Both contacts of this customer are confirmed, so the next phase follows by itself.
    #expect(application.phase == .awaitingScreening && application.applicant.verified == ApplicationFixture.person)
    #expect(try await house.actions(of: customer).filter { $0 == "application.matched" }.count == 1)
  }

  @Test("an application that was filled in is one that a customer can read")
  func fill() async throws {
    let house = try await DeskHouse()
    let families = try await ApplicationFixture(house.rubix).fill(0..<25, tenant: house.tenant)
    #expect(families.count == 25)
    for family in families {
      let application = try await house.core.database.read {
        try ApplicationStore($0, vault: house.core.vault).find(
          .init(rawValue: family.subject), tenant: house.tenant.id)
      }
      #expect(application.applicant.verified == ApplicationFixture.person)
    }
    #expect(try await house.core.database.read { try AuditStore($0).verify() }.faults == [])
  }
}
