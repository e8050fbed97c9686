import Capabilities
import Foundation
import GatehouseWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: events for the tenant's server")
struct OnboardingNewsTests {
  typealias Wire = FinapticWire

  @Test("each event once, by its own id, with what belongs to it")
  func story() async throws {
    try await OnboardingHouse.run { house in
      _ = try await EventEndpoints(house.room).set(
        "https://bank.example/events", of: OnboardingHouse.sandbox, by: "test")
      var applicant = try await OnboardingApplicant(house)
      try await applicant.fill()
      _ = try await applicant.documents().details()
      _ = try await applicant.selfie().details()
      _ = try await applicant.validate().details()
      _ = try await applicant.call(.acceptApplication).details()
      let user = FinapticUser.ID(house.parts.world)
      applicant.token = try await house.token(user)
      let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      applicant.token = try await house.token(user, customer: made.customerId)
      _ = try await applicant.call(.finalizeApplicationCreateCustomer).details()
      let opened = try await applicant.call(.finalizeApplicationCreateProduct).view(Wire.ApplicationResponse.self)
      try await house.settle()
      let events = house.outside.now.events
      #expect(events.map(\.eventType).sorted() == ["CustomerOnboarded", "DataConfirmed", "ProductOnboarded"])
      #expect(Set(events.map(\.eventId)).count == 3)
      #expect(events.allSatisfy { $0.customerId == made.customerId && $0.tenantId == OnboardingHouse.sandbox })
      let data = try #require(events.first { $0.eventType == "DataConfirmed" }?.data)
      #expect(data.personalDetails?.lastName == "Tremblay")
      #expect(data.documentTypes == ["DOCUMENT_TYPE_CANADIAN_PASSPORT"])
      #expect(events.first { $0.eventType == "ProductOnboarded" }?.products == opened.products)
      #expect(events.first { $0.eventType == "CustomerOnboarded" }?.data == nil)
    }
  }

  @Test("failures are told with their codes, a rejection once, and a cancelling")
  func failures() async throws {
    try await OnboardingHouse.run { house in
      _ = try await EventEndpoints(house.room).set(
        "https://bank.example/events", of: OnboardingHouse.production, by: "test")
      let applicant = try await OnboardingApplicant(house, bundle: "kycV1", tenant: OnboardingHouse.production)
      try await applicant.fill()
      for _ in 0..<4 { _ = try await applicant.documents().details() }
      let other = try await OnboardingApplicant(house, bundle: "kycV1", tenant: OnboardingHouse.production)
      _ = try await other.call(.cancelApplication).details()
      try await house.settle()
      let events = house.outside.now.events
      #expect(events.filter { $0.eventType == "KYCFailed" }.count == 4)
      #expect(events.filter { $0.eventType == "Rejected" }.map(\.applicationId) == [applicant.id])
      #expect(events.filter { $0.eventType == "Canceled" }.map(\.applicationId) == [other.id])
      #expect(events.first { $0.eventType == "KYCFailed" }?.failureStatusCodes == ["FAILURE_CODE_ID_VERIFICATION"])
    }
  }

  @Test("an endpoint is HTTPS and of a tenant that exists; without one events are let go")
  func endpoints() async throws {
    try await OnboardingHouse.run { house in
      let endpoints = EventEndpoints(house.room)
      await #expect(throws: Problem.self) {
        try await endpoints.set("http://bank.example", of: OnboardingHouse.sandbox, by: "test")
      }
      await #expect(throws: Problem.self) { try await endpoints.set("https://bank.example", of: 99, by: "test") }
      await #expect(throws: Problem.self) { try await endpoints.remove(of: OnboardingHouse.sandbox, by: "test") }
      let applicant = try await OnboardingApplicant(house)
      _ = try await applicant.call(.cancelApplication).details()
      try await house.settle()
      #expect(house.outside.now.events.isEmpty)
    }
  }
}
