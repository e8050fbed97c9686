// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing
import WultraWire

@testable import WultraFlow

@Suite("Wultra: a verification that the institution asks for anew")
struct AnewTests {
  /// How far the verification is that goes on when the institution sets the flag.
  enum Stage: CaseIterable, Sendable { case begun, uploading, awaitingPresence, awaitingOTP }

  private static func reach(_ stage: Stage, _ person: Person) async throws {
    switch stage {
    case .begun: try await person.begin()
    case .uploading:
      try await person.begin()
      try await person.submit([(.idCard, .front, FakePicture.good)])
    case .awaitingPresence: try await person.documentsAccepted()
    case .awaitingOTP:
      try await person.documentsAccepted()
      try await person.checkPresence()
    }
  }

  @Test("it begins, and ends the one before it, wherever that one stands", arguments: Stage.allCases)
  func begins(stage: Stage) async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await Self.reach(stage, person)
    _ = try await app.activations.setFlags(
      [Wultra.ActivationFlag.pending, "VIP"], of: person.activation, by: .init("operator"))
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")

    try await app.verifications.initiate(person.process, by: person.caller)
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    #expect(try await person.flags() == ["VIP", Wultra.ActivationFlag.inProgress])
    #expect(try await person.documents().documents.isEmpty)
    // What is still owed to the one before it changes nothing.
    try await app.settle()
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")

    // A code is sent again after half a minute only.
    app.clock.advance(by: .minutes(1))
    try await person.submitAll()
    try await person.checkPresence()
    #expect(try await person.verify(app.lastCode()).verified)
    #expect(try await person.state() == "COMPLETED/ACCEPTED")
    #expect(try await person.flags() == ["VIP"])
    #expect(try await app.auditFaults().isEmpty)
  }

  @Test("it needs the consent, and counts among those that a process may begin")
  func bounds() async throws {
    let app = try await WultraTestApp { $0.verificationsMax = 1 }
    let person = try await app.activated()
    try await person.begin()
    _ = try await app.activations.setFlags(
      [Wultra.ActivationFlag.pending], of: person.activation, by: .init("operator"))
    try await app.consents.decide(
      .init(processId: person.process, approved: false, consentType: .gdpr), by: person.caller)
    #expect(
      try await refusal { try await app.verifications.initiate(person.process, by: person.caller) }
        == "IDENTITY_VERIFICATION_FAILED")
    try await person.approve()
    #expect(
      try await refusal { try await app.verifications.initiate(person.process, by: person.caller) }
        == "ONBOARDING_PROCESS_LIMIT_REACHED")
    #expect(try await app.process(person.process).failure == .maxFailedAttemptsIdentityVerification)
  }
}
