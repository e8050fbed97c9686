// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import FinapticWire
import Foundation
import Kit
import Testing
import TestSupport

/// Plays the sandbox's profiles: every file `finaptic-test-profiles*.json` of the folder GATEHOUSE_SPEC.
@Suite("Finaptic onboarding: what becomes of whom in a sandbox")
struct SandboxProfileTests {
  /// A profile as the file has it.
  struct Profile: Sendable, Decodable, CustomTestStringConvertible {
    struct Outcome: Sendable, Decodable {
      var status: String?
      var failureStatusCodes: [String]?
      var retryConsumed: Bool?
      var remainingAllowedRetries: Int?
      var final: Bool?
    }

    struct Expect: Sendable, Decodable {
      var validateDocuments: Outcome?
      var validateSelfie: Outcome?
      var secondOfDocumentsAndSelfie: Outcome?
      var validateApplication: Outcome?
    }

    struct Name: Sendable, Decodable {
      var firstName: String
      var middleName: String?
      var lastName: String
    }

    struct Birth: Sendable, Decodable {
      var yearsBeforeToday: Int
      var plusDays: Int
    }

    struct Input: Sendable, Decodable {
      var profile: Name?
      var firstName: String?
      var middleName: String?
      var lastName: String?
      var dateOfBirth: Birth?
      var address: FinapticAPI.Address?

      enum CodingKeys: String, CodingKey { case profile, firstName, middleName, lastName, dateOfBirth, address }

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        profile = try values.decodeIfPresent(Name.self, forKey: .profile)
        firstName = try values.decodeIfPresent(String.self, forKey: .firstName)
        middleName = try values.decodeIfPresent(String.self, forKey: .middleName)
        lastName = try values.decodeIfPresent(String.self, forKey: .lastName)
        dateOfBirth = try values.decodeIfPresent(Birth.self, forKey: .dateOfBirth)
        address = try values.decodeIfPresent(PublishedProfiles.Value.self, forKey: .address)?.address
      }
    }

    struct Step: Sendable, Decodable {
      var call: String
      var updatePersonalDetailsTo: Name?
      var status: String?
      var remainingAllowedRetries: Int?
      var failureStatusCodes: [String]?
      var expectError: String?
    }

    var id: String
    var input: Input
    var expect: Expect?
    var steps: [Step]?
    var testDescription: String { id }
  }

  private struct Loose: Decodable {
    struct Entry: Decodable {
      let category: String
      let profile: Profile?

      init(from decoder: any Decoder) throws {
        category = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .category)
        let isOurs = ["kyc", "retryScript", "ageOfMajority"].contains(category)
        profile = isOurs ? try Profile(from: decoder) : nil
      }

      enum CodingKeys: String, CodingKey { case category }
    }

    let profiles: [Entry]
  }

  static let files = SpecificationFolder.finapticProfiles.map(\.path)

  static func profiles(_ category: String) -> [Profile] {
    files.flatMap { file -> [Profile] in
      guard let bytes = FileManager.default.contents(atPath: file),
        let read = try? JSONDecoder().decode(Loose.self, from: bytes)
      else { return [] }
      return read.profiles.filter { $0.category == category }.compactMap(\.profile)
    }
  }

  @Test("every file is read, and each profile of it", .enabled(if: !files.isEmpty), arguments: files)
  func readable(file: String) throws {
    let bytes = try #require(FileManager.default.contents(atPath: file))
    _ = try JSONDecoder().decode(Loose.self, from: bytes)
    #expect(try !PublishedProfiles.read(URL(fileURLWithPath: file)).isEmpty, "the file has no profiles")
  }

  private static func person(_ name: Profile.Name) -> OnboardingApplicant.Person {
    .init(first: name.firstName, middle: name.middleName, last: name.lastName)
  }

  @Test(
    "documents, selfie and the whole come out as the profile says", .enabled(if: !files.isEmpty),
    arguments: profiles("kyc"), [false, true])
  func kyc(profile: Profile, selfieFirst: Bool) async throws {
    let name = Profile.Name(
      firstName: profile.input.firstName ?? "", middleName: profile.input.middleName,
      lastName: profile.input.lastName ?? "")
    try await OnboardingTestApp.run(profiles: try SandboxProfiles(paths: Self.files)) { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill(Self.person(name))
      var failures = 0
      func check(_ answer: OnboardingTestApp.Answer, _ outcome: Profile.Outcome?) throws -> Bool {
        let details = try answer.details()
        let isFailure = details.failureStatusCodes?.isEmpty == false
        if isFailure { failures += 1 }
        #expect(details.requestStatus == "OK")
        let isOver = details.onboardingApplicationStatus == "KYC Rejected"
        #expect(details.remainingAllowedRetries == (isOver ? 0 : RetryRule().remaining(after: failures)))
        if let status = outcome?.status { #expect(details.onboardingApplicationStatus == status) }
        if let codes = outcome?.failureStatusCodes { #expect(details.failureStatusCodes == codes) }
        if let isCounted = outcome?.retryConsumed { #expect(isFailure == isCounted) }
        if let isFinal = outcome?.final { #expect(isOver == isFinal) }
        return !isOver
      }
      let (documents, selfie) = (profile.expect?.validateDocuments, profile.expect?.validateSelfie)
      let first = selfieFirst ? try await applicant.selfie() : try await applicant.documents()
      guard try check(first, selfieFirst ? selfie : documents) else { return }
      let own = selfieFirst ? documents : selfie
      let fails = own?.failureStatusCodes?.isEmpty == false
      let pair = fails ? own : profile.expect?.secondOfDocumentsAndSelfie ?? own
      let second = selfieFirst ? try await applicant.documents() : try await applicant.selfie()
      guard try check(second, pair) else { return }
      _ = try check(try await applicant.validate(), profile.expect?.validateApplication)
    }
  }

  @Test(
    "a script of failures and retries ends where it says", .enabled(if: !files.isEmpty),
    arguments: profiles("retryScript"))
  func script(profile: Profile) async throws {
    try await OnboardingTestApp.run(profiles: try SandboxProfiles(paths: Self.files)) { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill(Self.person(try #require(profile.input.profile)))
      // Made before: a terminal status takes none.
      let files = try await [applicant.upload(), applicant.upload()]
      for step in profile.steps ?? [] {
        let answer =
          switch step.call {
          case "validateDocuments": try await applicant.documents(file: files[0])
          case "validateSelfie": try await applicant.selfie(file: files[1])
          case "validateApplication": try await applicant.validate()
          case "acceptApplication": try await applicant.call(.acceptApplication)
          case "updatePersonalDetails":
            try await applicant.personal(Self.person(try #require(step.updatePersonalDetailsTo)))
          default: throw UnknownCall(name: step.call)
          }
        if let error = step.expectError {
          #expect(answer.code == Self.wire(error), "\(step.call)")
          continue
        }
        let details = try answer.details()
        if let status = step.status { #expect(details.onboardingApplicationStatus == status, "\(step.call)") }
        if let left = step.remainingAllowedRetries {
          #expect(details.remainingAllowedRetries == left, "\(step.call)")
        }
        if let codes = step.failureStatusCodes { #expect(details.failureStatusCodes == codes, "\(step.call)") }
      }
    }
  }

  @Test(
    "a person may apply from the day on which they come of age", .enabled(if: !files.isEmpty),
    arguments: profiles("ageOfMajority"))
  func age(profile: Profile) async throws {
    try await OnboardingTestApp.run(profiles: try SandboxProfiles(paths: Self.files)) { app in
      let birth = try #require(profile.input.dateOfBirth)
      let today = try AgeOfMajority().today(at: app.clock.now)
      let day = try #require(today.adding(years: -birth.yearsBeforeToday)?.adding(days: birth.plusDays))
      var person = Self.person(
        .init(
          firstName: profile.input.firstName ?? "", middleName: profile.input.middleName,
          lastName: profile.input.lastName ?? ""))
      person.birth = day.isoText
      person.address = profile.input.address ?? person.address
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill(person)
      let details = try await applicant.documents().details()
      let expected = try #require(profile.expect?.validateDocuments)
      if let status = expected.status { #expect(details.onboardingApplicationStatus == status) }
      if let codes = expected.failureStatusCodes { #expect(details.failureStatusCodes == codes) }
      if let remaining = expected.remainingAllowedRetries { #expect(details.remainingAllowedRetries == remaining) }
    }
  }

  private struct UnknownCall: Error { let name: String }

  /// `failedPrecondition` as the wire writes it.
  private static func wire(_ code: String) -> String {
    code.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_\(letter)" : letter.uppercased()
    }
  }
}
