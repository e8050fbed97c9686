// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import FinapticWire
import Kit
import Storage
import Synchronization
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: events for the tenant's server")
struct OnboardingEventTests {
  typealias Wire = FinapticAPI

  @Test("each event once, by its own id, with what belongs to it")
  func story() async throws {
    try await OnboardingTestApp.run { app in
      var applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      _ = try await applicant.documents().details()
      _ = try await applicant.selfie().details()
      _ = try await applicant.validate().details()
      _ = try await applicant.call(.acceptApplication).details()
      let user = FinapticUser.ID(app.dependencies.core.world)
      applicant.token = try await app.token(user)
      let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      applicant.token = try await app.token(user, customer: made.customerId)
      _ = try await applicant.call(.finalizeApplicationCreateCustomer).details()
      let opened = try await applicant.call(.finalizeApplicationCreateProduct).view(Wire.ApplicationResponse.self)
      try await app.settle()
      let events = app.outside.now.events
      #expect(events.map(\.eventType).sorted() == ["CustomerOnboarded", "DataConfirmed", "ProductOnboarded"])
      #expect(Set(events.map(\.eventId)).count == 3)
      #expect(events.allSatisfy { $0.customerId == made.customerId && $0.tenantId == OnboardingTestApp.sandbox })
      let data = try #require(events.first { $0.eventType == "DataConfirmed" }?.data)
      #expect(data.personalDetails?.lastName == "Tremblay")
      #expect(data.documentTypes == ["DOCUMENT_TYPE_CANADIAN_PASSPORT"])
      #expect(events.first { $0.eventType == "ProductOnboarded" }?.products == opened.products)
      #expect(events.first { $0.eventType == "CustomerOnboarded" }?.data == nil)
    }
  }

  @Test("failures are told with their codes, a rejection once, and a cancelling")
  func failures() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app, bundle: "kycV1", tenant: OnboardingTestApp.production)
      try await applicant.fill()
      for _ in 0..<4 { _ = try await applicant.documents().details() }
      let other = try await OnboardingApplicant(app, bundle: "kycV1", tenant: OnboardingTestApp.production)
      _ = try await other.call(.cancelApplication).details()
      try await app.settle()
      let events = app.outside.now.events
      #expect(events.filter { $0.eventType == "KYCFailed" }.count == 4)
      #expect(events.filter { $0.eventType == "Rejected" }.map(\.applicationId) == [applicant.id])
      #expect(events.filter { $0.eventType == "Canceled" }.map(\.applicationId) == [other.id])
      #expect(events.first { $0.eventType == "KYCFailed" }?.failureStatusCodes == ["FAILURE_CODE_ID_VERIFICATION"])
    }
  }

  @Test("an event reaches its tenant's endpoint only")
  func endpoints() async throws {
    let heard = Mutex<[PeerHTTP.Call]>([])
    try await OnboardingTestApp.run { app in
      let webhooks = Webhooks(
        database: app.database, vault: app.vault, world: app.clock.world,
        http: PeerHTTP { call in
          heard.withLock { $0.append(call) }
          return .init(status: 200)
        })
      let publisher = EventPublisher.webhooks(webhooks, database: app.database)
      let mine = FinapticTenant.webhooks(OnboardingTestApp.sandbox)
      _ = try await webhooks.add("https://bank.example/events", tenant: mine, by: "test")
      let event = OnboardingEvent(
        eventId: "e-1", eventType: "Canceled", eventTime: .init(millisecondsSince1970: 0), tenantId: 7,
        applicationId: "a", bundleId: "kycV1")
      try await publisher.publish(OnboardingTestApp.sandbox, event)
      try await publisher.publish(OnboardingTestApp.sandbox, event)
      try await publisher.publish(OnboardingTestApp.production, event)
      try await app.settle(webhooks.handlers)
      let calls = heard.withLock { $0 }
      #expect(calls.map(\.url) == ["https://bank.example/events"])
      #expect(calls.first?.headers["webhook-id"] == "e-1")
      #expect(try JSONDecoder().decode(OnboardingEvent.self, from: #require(calls.first).body) == event)
    }
  }

  @Test("an event that was read before an erasure and is published after it tells nothing of who was erased")
  func erasedMeanwhile() async throws {
    try await OnboardingTestApp.run(hasSubjectKeys: true) { app in
      let webhooks = Webhooks(
        database: app.database, vault: app.vault, world: app.clock.world, http: PeerHTTP { _ in .init(status: 200) })
      let publisher = EventPublisher.webhooks(webhooks, database: app.database)
      let tenant = FinapticTenant.webhooks(OnboardingTestApp.sandbox)
      _ = try await webhooks.add("https://bank.example/events", tenant: tenant, by: "test")
      func published() async throws -> Int {
        try await app.database.read { try $0.query("SELECT id FROM webhook_message").count }
      }
      var applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      _ = try await applicant.documents().details()
      _ = try await applicant.selfie().details()
      _ = try await applicant.validate().details()
      _ = try await applicant.call(.acceptApplication).details()
      let user = FinapticUser.ID(app.dependencies.core.world)
      applicant.token = try await app.token(user)
      _ = try await applicant.call(.finalizeApplicationCreateCustomer).details()
      try await app.settle()
      let event = try #require(app.outside.now.events.first { $0.eventType == "DataConfirmed" })
      #expect(event.data?.personalDetails?.lastName == "Tremblay")
      try await publisher.publish(OnboardingTestApp.sandbox, event)
      #expect(try await published() == 1)
      _ = try await app.dependencies.erasure.erase(
        user.rawValue, tenant: OnboardingTestApp.sandbox, reason: .ended, by: "test", despiteDuty: true)
      #expect(try await published() == 0)
      try await publisher.publish(OnboardingTestApp.sandbox, event)
      #expect(try await published() == 0)
    }
  }
}
