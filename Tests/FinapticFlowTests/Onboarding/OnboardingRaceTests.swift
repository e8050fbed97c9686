// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: at the same time, and killed in between")
struct OnboardingRaceTests {
  typealias Wire = FinapticAPI

  private static func accepted(_ app: OnboardingTestApp) async throws -> OnboardingApplicant {
    let applicant = try await OnboardingApplicant(app)
    try await applicant.fill()
    _ = try await applicant.documents().details()
    _ = try await applicant.selfie().details()
    _ = try await applicant.validate().details()
    return applicant
  }

  private static func at<Value: Sendable>(
    once count: Int, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      for _ in 0..<count { group.addTask { try await work() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("of several acceptances one moves the application, and all are answered alike")
  func accept() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await Self.accepted(app)
      let answers = try await Self.at(once: 5) { try await applicant.call(.acceptApplication) }
      for answer in answers { #expect(try answer.details().onboardingApplicationStatus == "Application Accepted") }
      let story = try await app.story(applicant.id)
      #expect(story.filter { $0 == "finaptic.application.accepted" }.count == 1)
    }
  }

  @Test("a user who finishes two applications at once becomes one customer")
  func customers() async throws {
    try await OnboardingTestApp.run { app in
      var (one, two) = (try await Self.accepted(app), try await Self.accepted(app))
      _ = try await one.call(.acceptApplication).details()
      _ = try await two.call(.acceptApplication).details()
      let token = try await app.token(FinapticUser.ID(app.dependencies.core.world))
      (one.token, two.token) = (token, token)
      let applicants = [one, two, one, two]
      var customers: Set<String> = []
      let answers = try await withThrowingTaskGroup(of: OnboardingTestApp.Answer.self) { group in
        for applicant in applicants { group.addTask { try await applicant.call(.finalizeApplicationCreateCustomer) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for answer in answers where answer.status == 200 {
        customers.insert(try #require(try answer.view(Wire.ApplicationResponse.self).customerId))
      }
      // The loser gets a conflict, and the same answer when it asks again.
      #expect(answers.allSatisfy { $0.status == 200 || $0.code == "UNAVAILABLE" || $0.code == "ABORTED" })
      for applicant in [one, two] {
        let again = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
        customers.insert(try #require(again.customerId))
      }
      #expect(customers.count == 1)
    }
  }

  @Test("products are opened once, however often they are asked for at once")
  func products() async throws {
    try await OnboardingTestApp.run { app in
      var applicant = try await Self.accepted(app)
      _ = try await applicant.call(.acceptApplication).details()
      let user = FinapticUser.ID(app.dependencies.core.world)
      applicant.token = try await app.token(user)
      let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      applicant.token = try await app.token(user, customer: made.customerId)
      let answers = try await Self.at(once: 5) { [applicant] in
        try await applicant.call(.finalizeApplicationCreateProduct)
      }
      let ids = try answers.filter { $0.status == 200 }.map {
        try $0.view(Wire.ApplicationResponse.self).products ?? []
      }
      #expect(!ids.isEmpty && Set(ids).count == 1)
      let stored = try await app.database.read {
        try $0.query("SELECT id FROM finaptic_product").count
      }
      #expect(stored == 2)
    }
  }

  @Test("two failing validations at once count as two")
  func failures() async throws {
    guard let profiles = try? SandboxProfiles(paths: SandboxProfileTests.files), profiles.count > 0 else { return }
    try await OnboardingTestApp.run(profiles: profiles) { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill(.init(first: "John", middle: "dob-match", last: "Doe"))
      let file = try await applicant.upload()
      let answers = try await Self.at(once: 2) { try await applicant.documents(file: file) }
      #expect(try answers.map { try $0.details().remainingAllowedRetries }.sorted() == [2, 3])
      // The same call again under its key counts once.
      let key = app.dependencies.core.world.randomUUID()
      let first = try await applicant.documents(file: file, key: key)
      #expect(try first.details().remainingAllowedRetries == 1)
      #expect(try await applicant.documents(file: file, key: key).body == first.body)
    }
  }

  @Test("another process, with nothing but the store, continues at every stage")
  func restarted() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      func restart(_ status: String, _ play: @escaping @Sendable (OnboardingApplicant) async throws -> Void)
        async throws
      {
        try await app.restarted { again in
          let applicant = applicant.at(again)
          #expect(try await applicant.status().details().onboardingApplicationStatus == status)
          try await play(applicant)
        }
      }
      try await restart("New Application") { try await $0.fill() }
      try await restart("Data Collection") { _ = try await $0.documents().details() }
      try await restart("KYC In Progress") { _ = try await $0.selfie().details() }
      try await restart("KYC In Progress") { _ = try await $0.validate().details() }
      try await restart("KYC Success") { _ = try await $0.call(.acceptApplication).details() }
      try await restart("Application Accepted") { applicant in
        var applicant = applicant
        let user = FinapticUser.ID(applicant.app.dependencies.core.world)
        applicant.token = try await applicant.app.token(user)
        let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
        applicant.token = try await applicant.app.token(user, customer: made.customerId)
        _ = try await applicant.call(.finalizeApplicationCreateProduct).details()
      }
      // Pictures that the dead process owed.
      #expect(app.blobs.keys.count == 2)
      try await app.settle()
      #expect(app.blobs.keys.isEmpty)
    }
  }
}
