// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import RubixWire
import Kit
import Testing

@testable import RubixFlow

@Suite("Rubix: evidence that changes while it is compared")
struct VerificationRaceTests {
  @Test("a result is not written for pictures that were replaced meanwhile")
  func replaced() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification, verified: false)
    let session = try await Self.capture(for: customer, app)
    let commands = app.rubix.verification(
      faces: FaceComparison { _, _ in
        // Another capture comes in between reading and deciding.
        try await Self.put(.liveness, of: customer, in: session, app)
        return FaceComparisonResult(result: .match, score: 0.9, threshold: 0.5)
      })
    let refusal = try await problem { try await commands.verify(app.request(customer)) }
    let verifications = try await app.count("SELECT COUNT(*) AS n FROM rubix_verification")
    #expect(refusal?.category == .conflict)
    #expect(verifications == 0)
  }

  @Test("the same evidence judged twice at once counts once")
  func twice() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification, verified: false)
    _ = try await Self.capture(for: customer, app)
    let quick = app.rubix.verification(faces: .inconclusive)
    let slow = app.rubix.verification(
      faces: FaceComparison { one, other in
        _ = try await quick.verify(app.request(customer))
        return try await FaceComparison.inconclusive.compare(one, other)
      })
    _ = try await problem { try await slow.verify(app.request(customer)) }
    let application = try await app.application(of: customer)
    let verifications = try await app.count("SELECT COUNT(*) AS n FROM rubix_verification")
    #expect(application.verificationAttempts + application.undeterminedCount == 1)
    #expect(verifications == 1)
  }

  @Test("an undetermined result says when to ask again, while no agent decides")
  func askAgain() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingVerification, verified: false)
    _ = try await Self.capture(for: customer, app)
    let commands = app.rubix.verification(faces: .inconclusive)
    let first = try await commands.verify(app.request(customer))
    let second = try await commands.verify(app.request(customer))
    for answer in [first, second] {
      #expect(answer.status == 200)
      #expect(try answer.view(DocumentVerification.self).status == .undetermined)
    }
    #expect(first.retryAfterSeconds == 5)
    #expect(second.retryAfterSeconds == nil)
    #expect(try await app.application(of: customer).phase == .awaitingReviewAppointment)
  }

  /// A selfie and a liveness capture, as the app leaves them.
  private static func capture(for customer: Customer, _ app: AgentTestApp) async throws -> CaptureSession {
    let session = CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: app.clock.now)
    try await app.core.database.write { [app] tx in
      try ImageStore(tx, vault: app.core.vault).insert(session)
    }
    try await put(.selfie, of: customer, in: session, app)
    try await put(.liveness, of: customer, in: session, app)
    return session
  }

  private static func put(
    _ type: DocumentType, of customer: Customer, in session: CaptureSession, _ app: AgentTestApp
  ) async throws {
    let image = RubixFlow.CapturedImage(
      id: .init(app.core.world), application: customer.id, session: session.id, type: type,
      subType: type == .selfie ? .faceEnrollment : nil, state: .processed, width: 1200, height: 1600, sha256: "ab",
      quality: RubixWire.ImageQuality(sharpness: 0.5, glare: 0.1, crop: .ok),
      liveness: LivenessOutcome(result: .init(rawValue: "live"), score: 0.9), isRead: false, hasPortrait: false,
      createdAt: app.clock.now)
    let sealed = try app.core.vault.seal(
      Data("picture".utf8), context: RubixFlow.CapturedImage.context(image.blobKey))
    try await app.core.blobs.put(image.blobKey, sealed)
    try await app.core.database.write { [app] tx in
      let (applications, store) = (app.rubix.applications, ImageStore(tx, vault: app.core.vault))
      let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
      try applications.replace(dossier.images.filter { $0.type == type }, of: dossier, in: tx)
      try store.insert(image, clientHints: nil)
    }
  }
}
