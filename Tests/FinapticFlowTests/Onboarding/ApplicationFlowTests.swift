// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import Kit
import TestSupport
import Testing

@Suite("Finaptic onboarding: the life of an application", .storeless)
struct ApplicationFlowTests {
  typealias Status = ApplicationStatus
  typealias Event = ApplicationEvent

  private static let open: Set<Status> = [.newApplication, .dataCollection, .kycInProgress, .kycFailed]
  private static let validatable: Set<Status> = [.dataCollection, .kycInProgress, .kycFailed]

  /// The table of finaptic §5.2, written down a second time: nil is a refusal.
  private static func specified(_ status: Status, _ event: Event) -> Status? {
    switch event {
    case .identityUpdated: open.contains(status) ? .dataCollection : nil
    case .detailsUpdated: open.contains(status) ? .dataCollection : status == .kycSuccess ? .kycSuccess : nil
    case .evidencePassed: open.contains(status) ? .kycInProgress : nil
    case .evidenceFailed: open.contains(status) ? .dataCollection : nil
    case .evidenceRefused: open.contains(status) ? .kycRejected : nil
    case .applicationPassed: validatable.contains(status) ? .kycSuccess : nil
    case .applicationFailed: validatable.contains(status) ? .kycFailed : nil
    case .applicationRefused: validatable.contains(status) ? .kycRejected : nil
    case .accepted: status == .kycSuccess ? .applicationAccepted : nil
    case .acceptedUnverified: [.dataCollection, .kycInProgress].contains(status) ? .applicationAccepted : nil
    case .policyRefused:
      [.dataCollection, .kycInProgress, .kycSuccess].contains(status) ? .applicationRejected : nil
    case .customerCreated: status == .applicationAccepted ? .applicationAccepted : nil
    case .customerCompleted, .productsOpened: status == .applicationAccepted ? .applicationProcessed : nil
    case .cancelled: status.isTerminal ? nil : .applicationCancelled
    }
  }

  @Test("every status knows exactly the events of the specification", arguments: Status.allCases, Event.allCases)
  func everyMove(status: Status, event: Event) {
    #expect((try? applicationFlow.move(from: status, on: event))?.to == Self.specified(status, event))
  }

  @Test("every status can be reached, and every open one can be cancelled")
  func reachable() {
    var reached: Set<Status> = [.newApplication]
    while true {
      let next = reached.union(applicationFlow.rows.filter { reached.contains($0.from) }.map(\.to))
      if next == reached { break }
      reached = next
    }
    #expect(reached == Set(Status.allCases))
  }

  @Test("whatever ends an application lets its pictures go")
  func forgets() {
    for row in applicationFlow.rows {
      #expect(row.effects.contains(.forgetFiles) == row.to.isTerminal)
    }
  }

  @Test("the diagram is the one in docs")
  func diagram() throws {
    #expect(
      try GoldenFile.difference(
        of: applicationFlow.diagram(initial: .newApplication), from: "docs/flows/finaptic-application.mmd") == nil)
  }

  @Test("the first failure is no retry, the fourth is one too many")
  func retries() {
    let rule = RetryRule()
    #expect((0...5).map(rule.remaining) == [3, 3, 2, 1, 0, 0])
    #expect((0...5).map(rule.isExhausted) == [false, false, false, false, true, true])
  }

  @Test("of several failures those that come first are named, all of the same rank")
  func order() {
    #expect(FailureCode.first(of: []) == [])
    #expect(FailureCode.first(of: [.unspecified, .selfieValidation, .ageOfMajority]) == [.ageOfMajority])
    #expect(
      FailureCode.first(of: [.idSelfieMatch, .idBirthDateMatch, .idNameMatch]) == [.idNameMatch, .idBirthDateMatch])
    #expect(FailureCode.first(of: [.idSelfieMatch, .selfieValidation]) == [.selfieValidation])
    #expect(FailureCode.allCases.filter(\.isFinal) == [.ageOfMajority, .unspecified])
  }

  @Test("after a check of identity only what it does not rest on may change")
  func permitted() {
    #expect(UpdateKind.permitted(in: .newApplication) == UpdateKind.allCases)
    #expect(
      UpdateKind.permitted(in: .kycSuccess) == [
        .accountDetails, .consents, .disclosures, .employment, .communicationPreferences,
      ])
    for status in ApplicationStatus.allCases where status.isTerminal || status == .applicationAccepted {
      #expect(UpdateKind.permitted(in: status).isEmpty)
    }
  }

  @Test("bundles are those of the specification, the misspelt one among them")
  func bundles() throws {
    let bundles = ProductBundleFile.standard
    #expect(ProductBundle.named("despositV1", in: bundles)?.id == "depositV1")
    #expect(ProductBundle.named("prepaidv1", in: bundles) == nil)
    let prepaid = try #require(ProductBundle.named("prepaidV1", in: bundles))
    #expect(prepaid.products.map(\.sourceDomain) == ["core-banking", "core-card"])
    #expect(prepaid.verifications.last?.requiredUpdates == [.accountDetails, .consents, .disclosures])
    #expect(bundles.filter(\.needsKYC).map(\.id) == ["depositV1", "prepaidV1", "creditcardV1", "kycV1"])
  }
}
