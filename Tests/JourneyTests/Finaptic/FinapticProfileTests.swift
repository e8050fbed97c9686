// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import Testing

/// What becomes of an applicant in the sandbox, by their name.
@Suite(
  "Finaptic profiles: validation", .onOneEngine,
  .enabled(if: !FinapticProfile.files.isEmpty, "no profiles beside the checkout"))
struct FinapticProfileValidationTests {
  @Test("kyc: documents, selfie, application", arguments: FinapticProfile.of("kyc"))
  func kyc(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    let documents = try #require(expect.validateDocuments)
    let selfie = try #require(expect.secondOfDocumentsAndSelfie ?? expect.validateSelfie)
    let application = try #require(expect.validateApplication)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names)
      var retries = Retries()
      retries.expect(try await applicant.documents(), documents)
      retries.expect(try await applicant.selfie(), selfie)
      retries.expect(try await applicant.application(), application)
    }
  }

  @Test("kyc: selfie, documents, application", arguments: FinapticProfile.of("kyc"))
  func kycTurned(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    let selfie = try #require(expect.validateSelfie)
    let documents = try #require(expect.secondOfDocumentsAndSelfie ?? expect.validateDocuments)
    let application = try #require(expect.validateApplication)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names)
      var retries = Retries()
      retries.expect(try await applicant.selfie(), selfie)
      retries.expect(try await applicant.documents(), documents)
      retries.expect(try await applicant.application(), application)
    }
  }

  @Test("retry scripts, call by call", arguments: FinapticProfile.of("retryScript"))
  func retries(profile: FinapticProfile) async throws {
    let steps = try #require(profile.steps)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names)
      for (number, step) in steps.enumerated() {
        let place: Comment = "step \(number): \(step.call)"
        let outcome = await applicant.outcome(of: step)
        if let word = step.expectError {
          #expect(outcome.error?.code.word == word, place)
        } else {
          let details = try #require(outcome.details, place)
          #expect(details.onboardingApplicationStatus.rawValue == step.status, place)
          #expect(details.remainingAllowedRetries == step.remainingAllowedRetries, place)
          #expect(details.failureStatusCodes == step.failureStatusCodes, place)
        }
      }
    }
  }

  @Test("age of majority, to the day", arguments: FinapticProfile.of("ageOfMajority"))
  func ages(profile: FinapticProfile) async throws {
    let birth = try #require(profile.input.dateOfBirth)
    let home = try #require(profile.input.address)
    let expected = try #require(profile.expect?.validateDocuments)
    try await FinapticTestApp.run { app in
      let born = FinapticApplicant.day(yearsBefore: app.now, birth.yearsBeforeToday, plusDays: birth.plusDays)
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names, born: born, home: home)
      let details = try await applicant.documents()
      #expect(details.onboardingApplicationStatus.rawValue == expected.status)
      #expect(details.failureStatusCodes == expected.failureStatusCodes)
      if let left = expected.remainingAllowedRetries { #expect(details.remainingAllowedRetries == left) }
    }
  }
}

/// The retries that the rule leaves: the first failure is not one (finaptic §5.5).
private struct Retries {
  private var failures = 0

  mutating func expect(_ details: OnboardingOperationResponseDetails, _ outcome: FinapticProfile.Outcome) {
    if outcome.retryConsumed == true { failures += 1 }
    let left = outcome.final == true ? 0 : failures == 0 ? 3 : max(0, 4 - failures)
    #expect(details.requestStatus == "OK")
    #expect(details.onboardingApplicationStatus.rawValue == outcome.status)
    #expect(details.failureStatusCodes == outcome.failureStatusCodes)
    #expect(details.remainingAllowedRetries == outcome.remainingAllowedRetries ?? left)
  }
}

extension FinapticApplicant {
  /// Makes the call of a step.
  func outcome(
    of step: FinapticProfile.Step
  ) async -> (details: OnboardingOperationResponseDetails?, error: FinapticError?) {
    do {
      switch step.call {
      case "validateDocuments": return (try await documents(), nil)
      case "validateSelfie": return (try await selfie(), nil)
      case "validateApplication": return (try await application(), nil)
      case "acceptApplication": return (try await accept(), nil)
      case "updatePersonalDetails":
        return (try await name(try #require(step.updatePersonalDetailsTo)), nil)
      default:
        Issue.record("this test knows no call \(step.call)")
        return (nil, nil)
      }
    } catch { return (nil, error as? FinapticError) }
  }
}
