// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: a verified customer stays who was verified")
struct VerifiedCustomerTests {
  typealias Wire = FinapticAPI

  private struct Customer {
    let user: FinapticUser.ID
    let id: String
    let token: String

    func profile(_ app: OnboardingTestApp) async throws -> ClientProfile? {
      try await app.database.read { [vault = app.vault] in try ClientProfileStore($0, vault: vault).find(id) }
    }
  }

  /// Accepts and finishes an application; nil is a new customer.
  private static func finish(
    _ applicant: OnboardingApplicant, _ customer: Customer? = nil
  ) async throws -> Customer {
    var applicant = applicant
    let app = applicant.app
    _ = try await applicant.call(.acceptApplication).details()
    let user = customer?.user ?? FinapticUser.ID(app.dependencies.core.world)
    if customer == nil { applicant.token = try await app.token(user) }
    let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
    let id = try #require(made.customerId)
    return Customer(user: user, id: id, token: try await app.token(user, customer: id))
  }

  private static func verified(_ app: OnboardingTestApp) async throws -> Customer {
    let applicant = try await OnboardingApplicant(app)
    try await applicant.fill()
    _ = try await applicant.documents().details()
    _ = try await applicant.selfie().details()
    _ = try await applicant.validate().details()
    return try await finish(applicant)
  }

  private static let other = OnboardingApplicant.Person(
    first: "Boris", last: "Petrov", birth: "1970-01-02",
    address: Wire.Address(
      type: "HOME", line1: "1 Rue Notre-Dame", locality: "Montréal", area: "Quebec", postalCode: "H2Y 1C6",
      country: "Canada"))

  @Test(
    "another name, date of birth, home or residency without a check changes nothing, and no event is sent",
    arguments: ["productlessV1", "depositV1"])
  func unchecked(bundle: String) async throws {
    try await OnboardingTestApp.run { app in
      let customer = try await Self.verified(app)
      let before = try #require(try await customer.profile(app))
      let second = try await OnboardingApplicant(app, bundle: bundle, token: customer.token)
      _ = try await second.personal(Self.other).details()
      _ = try await second.contact(number: "+15149990000", email: "boris@example.ca").details()
      _ = try await second.addresses(Self.other).details()
      _ = try await second.residency(.init(isCanadianTaxResident: true, citizenship: "FR")).details()
      if bundle == "depositV1" {
        _ = try await second.usage().details()
        _ = try await second.consents().details()
      }
      let same = try await Self.finish(second, customer)
      #expect(same.id == customer.id)
      let after = try #require(try await customer.profile(app))
      #expect(after.isVerified && after.legalName == "Marie Tremblay")
      #expect(after.personal == before.personal && after.addresses == before.addresses)
      #expect(after.residency == before.residency && after.contact?.customerEmail == "marie@example.ca")
      // A telephone number needs no check.
      #expect(after.contact?.contactPhoneNumber?.number == "+15149990000")
      try await app.settle()
      let told = app.outside.now.events.filter { $0.applicationId == second.id && $0.eventType == "DataConfirmed" }
      #expect(told.map { $0.data?.personalDetails } == [before.personal])
      #expect(told.map { $0.data?.addresses } == [before.addresses])
      #expect(told.map { $0.data?.contactDetails?.customerEmail } == ["marie@example.ca"])
    }
  }

  @Test("with a check of identity they change")
  func checked() async throws {
    try await OnboardingTestApp.run { app in
      let customer = try await Self.verified(app)
      // Begun before signing in, so that the check is made again.
      var second = try await OnboardingApplicant(app, bundle: "kycV1")
      try await second.fill(Self.other)
      _ = try await second.documents().details()
      _ = try await second.selfie().details()
      _ = try await second.validate().details()
      second.token = customer.token
      _ = try await Self.finish(second, customer)
      let after = try #require(try await customer.profile(app))
      #expect(after.isVerified && after.legalName == "Boris Petrov")
      #expect(after.addresses == [Self.other.address])
    }
  }

  @Test("a person who was never verified may say something else each time")
  func never() async throws {
    try await OnboardingTestApp.run { app in
      let first = try await OnboardingApplicant(app, bundle: "productlessV1")
      _ = try await first.personal().details()
      _ = try await first.contact().details()
      let customer = try await Self.finish(first)
      let second = try await OnboardingApplicant(app, bundle: "productlessV1", token: customer.token)
      _ = try await second.personal(Self.other).details()
      _ = try await second.contact().details()
      _ = try await Self.finish(second, customer)
      let after = try #require(try await customer.profile(app))
      #expect(!after.isVerified && after.legalName == "Boris Petrov")
    }
  }
}
