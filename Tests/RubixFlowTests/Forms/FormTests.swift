// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: compliance forms")
struct FormTests {
  @Test("all three forms, in any order, lead to the appointment")
  func anyOrder() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    let kyc = try await app.forms.submit(.kyc, app.request(customer, ComplianceSamples.kyc))
    #expect(kyc.status == 200)
    #expect(try await app.application(of: customer).lastStep == .kycSubmitted)
    _ = try await app.forms.submit(.fatca, app.request(customer, ComplianceSamples.fatca))
    #expect(try await app.application(of: customer).phase == .submittingForms)
    _ = try await app.forms.submit(.crs, app.request(customer, ComplianceSamples.crs()))
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
  }

  @Test("a W-8BEN says until when it counts")
  func validUntil() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    let answer = try await app.forms.submit(.fatca, app.request(customer, ComplianceSamples.fatca))
    #expect(try answer.view(ComplianceReceipt.self).validUntil == ComplianceSamples.date("2029-12-31"))
  }

  @Test("a later submission is another revision, also while the appointment is still to be made")
  func revisions() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingAppointment)
    let first = try await app.forms.submit(.crs, app.request(customer, ComplianceSamples.crs()))
    let second = try await app.forms.submit(.crs, app.request(customer, ComplianceSamples.crs()))
    #expect(try first.view(ComplianceReceipt.self).revision == 1)
    #expect(try second.view(ComplianceReceipt.self).revision == 2)
    let kept = try await app.core.database.read { tx in
      try tx.query("SELECT id FROM rubix_form").count
    }
    #expect(kept == 2)
    let booked = try await app.customer(at: .awaitingCall)
    let late = try await problem { try await app.forms.submit(.crs, app.request(booked, ComplianceSamples.crs())) }
    #expect(late?.code == "step-already-completed")
  }

  @Test("a refused form names the member and stores nothing")
  func refused() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    let wrong = ComplianceSamples.crs([.init(country: "DE", tin: "86095742718")])
    let refusal = try await problem { try await app.forms.submit(.crs, app.request(customer, wrong)) }
    #expect(refusal?.code == "validation-failed")
    #expect(refusal?.fields.map(\.pointer) == ["/results/tax_residences/0/tin"])
    #expect(try await app.application(of: customer).completedSteps == [.registrationInitiated])
  }

  @Test("what the CRS form says of the United States must agree with the stored FATCA form")
  func counterpart() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    _ = try await app.forms.submit(.fatca, app.request(customer, ComplianceSamples.fatca))
    let american = ComplianceSamples.crs([
      .init(country: "DE", tin: "86095742719"), .init(country: "US", tin: "123-45-6789"),
    ])
    let refusal = try await problem { try await app.forms.submit(.crs, app.request(customer, american)) }
    #expect(refusal?.code == "validation-failed")
  }

  @Test("a form before its turn is out of order, whatever is in it")
  func early() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    let refusal = try await problem { try await app.forms.submit(.crs, app.request(customer, ["bad": "body"])) }
    #expect(refusal?.code == "step-out-of-order")
    #expect(refusal?.expectedSteps == ["/aml/screening"])
  }

  @Test("answers are not on disk in clear")
  func sealed() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    _ = try await app.forms.submit(.crs, app.request(customer, ComplianceSamples.crs()))
    #expect(try await app.store.bytesOnDisk().range(of: Data("Musterallee".utf8)) == nil)
  }
}
