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
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names)
      var retries = Retries()
      guard retries.goesOn(try await applicant.documents(), expect.validateDocuments) else { return }
      let selfie = expect.second(or: expect.validateSelfie)
      guard retries.goesOn(try await applicant.selfie(), selfie) else { return }
      _ = retries.goesOn(try await applicant.application(), expect.validateApplication)
    }
  }

  @Test("kyc: selfie, documents, application", arguments: FinapticProfile.of("kyc"))
  func kycTurned(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.ready(in: app, profile.input.names)
      var retries = Retries()
      guard retries.goesOn(try await applicant.selfie(), expect.validateSelfie) else { return }
      let documents = expect.second(or: expect.validateDocuments)
      guard retries.goesOn(try await applicant.documents(), documents) else { return }
      _ = retries.goesOn(try await applicant.application(), expect.validateApplication)
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
          if let status = step.status { #expect(details.onboardingApplicationStatus.rawValue == status, place) }
          if let left = step.remainingAllowedRetries { #expect(details.remainingAllowedRetries == left, place) }
          if let codes = step.failureStatusCodes { #expect(details.failureStatusCodes == codes, place) }
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
      if let status = expected.status { #expect(details.onboardingApplicationStatus.rawValue == status) }
      if let codes = expected.failureStatusCodes { #expect(details.failureStatusCodes == codes) }
      if let left = expected.remainingAllowedRetries { #expect(details.remainingAllowedRetries == left) }
    }
  }
}

/// The retries that the rule leaves: the first failure is not one (finaptic §5.5).
private struct Retries {
  private var failures = 0

  /// Compares what the profile names.
  /// - Returns: false when the application is over.
  mutating func goesOn(_ details: OnboardingOperationResponseDetails, _ outcome: FinapticProfile.Outcome?) -> Bool {
    let isFailure = !details.failureStatusCodes.isEmpty
    if isFailure { failures += 1 }
    let isOver = details.onboardingApplicationStatus == .kycRejected
    let left = isOver ? 0 : failures == 0 ? 3 : max(0, 4 - failures)
    #expect(details.requestStatus == "OK")
    #expect(details.remainingAllowedRetries == outcome?.remainingAllowedRetries ?? left)
    if let status = outcome?.status { #expect(details.onboardingApplicationStatus.rawValue == status) }
    if let codes = outcome?.failureStatusCodes { #expect(details.failureStatusCodes == codes) }
    if let isCounted = outcome?.retryConsumed { #expect(isFailure == isCounted) }
    if let isFinal = outcome?.final { #expect(isOver == isFinal) }
    return !isOver
  }
}

extension FinapticProfile.Expectation {
  /// Of the call that completes the pair of documents and selfie: a failure of its own comes before the pair's.
  fileprivate func second(or own: FinapticProfile.Outcome?) -> FinapticProfile.Outcome? {
    own?.failureStatusCodes?.isEmpty == false ? own : secondOfDocumentsAndSelfie ?? own
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
