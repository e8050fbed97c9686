// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import Storage

/// Compares everything that was captured, by the tenant's rules (rubix-onboarding §6.9, identity-documents §8).
package struct VerificationCommands: Sendable {
  /// When to ask again for an undetermined result.
  static let retrySeconds = 5

  let core: CoreDependencies
  let applications: Applications
  let steps: Steps
  let faces: FaceComparison
  let looks: FaceDirectionDetector?

  /// Readings and the keys of the pictures that are compared.
  private struct Material: Sendable {
    var readings: [Evidence.DocumentKind: DocumentReading] = [:]
    var portraits: [Evidence.DocumentKind: String] = [:]
    var selfie: String?
    /// Selfies with the looks that they were asked for.
    var looks: [(look: FaceDirection, key: String?)] = []
    var livenessImage: String?
    var liveness: Evidence.LivenessResult?
    var application: ApplicationData
    var policy: VerificationPolicy
    var identity: Applicant.Verified?
    /// What the judgement is about; when it is another at the commit, the judgement is about something else.
    let basis: Basis
  }

  private struct Basis: Sendable, Equatable {
    let images: [RubixFlow.CapturedImage.ID]
    let applicant: Applicant
    /// Judgements passed so far: the same evidence is judged once.
    let judgements: Int

    init(_ dossier: Dossier) {
      images = dossier.images.map(\.id)
      applicant = dossier.application.applicant
      judgements = dossier.application.verificationAttempts + dossier.application.undeterminedCount
    }
  }

  package func verify(_ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.verifyDocuments, request)
    if let earlier = step.earlier { return earlier }
    do {
      _ = try step.body.decode(as: EmptyBody.self)
      let application = step.dossier.application
      // A result holds until an image changes; MATCHED is final.
      if application.evaluation != nil || application.phase != .awaitingVerification {
        return try await core.database.write(retrying: .outdated) { tx in
          let dossier = try steps.resume(step, in: tx)
          guard let last = try VerificationStore(tx, vault: core.vault).all(of: application.id).last else {
            throw Problem.stepOutOfOrder.with { $0.expectedSteps = dossier.nextSteps.map(\.path) }
          }
          return try steps.keep(.ok(last.view(revealsScores: dossier.tenant.revealsScores)), for: step, in: tx)
        }
      }
      let material = try await core.database.read { try self.material(of: step.dossier, in: $0) }
      let outcome = try await Deadline.run(Steps.workLimit) {
        try await Problem.ofImages { try await evaluate(material) }
      }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        guard dossier.application.phase == .awaitingVerification else { throw Problem.stepOutOfOrder }
        guard Basis(dossier) == material.basis else {
          throw Problem(.conflict, "step-in-progress", "The evidence changed meanwhile; ask again.")
        }
        let verification = try conclude(outcome, material, &dossier, in: tx)
        // Nothing was decided, and no agent decides yet: the customer asks again, as of a service that was busy.
        let isOpen = verification.status == .undetermined && dossier.application.phase == .awaitingVerification
        return try steps.keep(
          .view(status: 200, verification, retryAfterSeconds: isOpen ? Self.retrySeconds : nil), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  // MARK: Evidence

  private func material(of dossier: Dossier, in tx: any SQLTransaction) throws -> Material {
    let applicant = dossier.application.applicant
    let today = dossier.tenant.today(at: core.world.now())
    var material = Material(
      application: ApplicationData(
        name: applicant.lastName.map {
          PersonName(
            primary: $0,
            secondary: [applicant.firstName, applicant.middleName].compactMap(\.self).joined(separator: " "))
        }, birthDate: applicant.dateOfBirth.flatMap { CalendarDate($0.description) }),
      policy: VerificationPolicy(
        today: CalendarDate(year: today.year, month: today.month, day: today.day) ?? .epoch,
        minimumAge: dossier.tenant.minimumAge, acceptsSpecimens: dossier.tenant.acceptsSpecimens),
      basis: Basis(dossier))
    let store = ImageStore(tx, vault: core.vault)
    for image in dossier.documents where image.state == .processed {
      guard let kind = Evidence.DocumentKind(rawValue: image.type.rawValue) else { continue }
      material.readings[kind] = try store.reading(of: image.id)
      if image.hasPortrait { material.portraits[kind] = image.portraitKey }
    }
    func selfie(_ subType: SelfieSubType) -> RubixFlow.CapturedImage? {
      dossier.images.last { $0.type == .selfie && $0.subType == subType }
    }
    // The enrolled picture is the one the template would be made of.
    material.selfie = (selfie(dossier.comparedSelfie) ?? dossier.images.last { $0.type == .selfie })?.blobKey
    material.looks = zip(dossier.looks ?? [], SelfieSubType.known).map { ($0, selfie($1)?.blobKey) }
    if let capture = dossier.images.last(where: { $0.type == .liveness && $0.state == .processed }) {
      material.livenessImage = capture.blobKey
      let result =
        capture.liveness.flatMap { Evidence.LivenessResult.Result(rawValue: $0.result.rawValue) } ?? .undetermined
      material.liveness = Evidence.LivenessResult(
        result: result, code: result == .undetermined ? .noModel : nil, score: capture.liveness?.score)
    }
    material.identity = Applicant.Verified(material.readings, documents: dossier.documents)
    return material
  }

  private func evaluate(_ material: Material) async throws -> VerificationOutcome {
    var evidence = VerificationEvidence(
      documents: material.readings, application: material.application, liveness: material.liveness)
    evidence.looks = try await sequence(of: material)
    let selfie = try await face(material.selfie, .selfie)
    var portraits: [Evidence.DocumentKind: FaceImage] = [:]
    for (kind, key) in material.portraits { portraits[kind] = try await face(key, .portrait) }
    if let selfie {
      for (kind, portrait) in portraits { evidence.selfieVsPortrait[kind] = await compare(selfie, portrait) }
      if let live = try await face(material.livenessImage, .liveness) {
        evidence.selfieVsLiveness = await compare(selfie, live)
      }
    }
    let pair = portraits.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    if pair.count >= 2 { evidence.portraitVsPortrait = await compare(pair[0], pair[1]) }
    // A comparison that was given up is no doubt about the faces.
    try Task.checkCancellation()
    return CrossDocumentRules(policy: material.policy).decide(evidence)
  }

  /// - Returns: nil where no looks are asked for.
  private func sequence(of material: Material) async throws -> SelfieLooks? {
    guard !material.looks.isEmpty else { return nil }
    var seen: [FaceDirectionReading] = []
    for (_, key) in material.looks { seen.append(try await look(of: key)) }
    var liveness: FaceDirectionReading?
    if let key = material.livenessImage { liveness = try await look(of: key) }
    return SelfieLooks(asked: material.looks.map(\.look), seen: seen, liveness: liveness)
  }

  private func look(of key: String?) async throws -> FaceDirectionReading {
    guard let looks, let key else { return FaceDirectionReading(code: looks == nil ? .noModel : .noFace) }
    let picture = try await core.openImage(key)
    do { return try await looks.read(picture) } catch { return FaceDirectionReading(code: .providerError) }
  }

  private func face(_ key: String?, _ origin: FaceImage.Origin) async throws -> FaceImage? {
    guard let key else { return nil }
    return FaceImage(try await core.openImage(key), origin)
  }

  /// A provider that fails says nothing about the faces: undetermined, never a pass.
  private func compare(_ one: FaceImage, _ other: FaceImage) async -> FaceComparisonResult {
    do { return try await faces.compare(one, other) } catch {
      return FaceComparisonResult(result: .undetermined, code: .providerError)
    }
  }

  // MARK: Conclusion

  private func conclude(
    _ outcome: VerificationOutcome, _ material: Material, _ dossier: inout Dossier, in tx: any SQLTransaction
  ) throws -> DocumentVerification {
    if outcome.status != .undetermined { dossier.application.verificationAttempts += 1 }
    dossier.application.applicant.retakeWords = nil
    let verification = Verification(
      id: .init(core.world), application: dossier.application.id, attempt: dossier.application.verificationAttempts,
      outcome: outcome, createdAt: core.world.now())
    try VerificationStore(tx, vault: core.vault).insert(verification)
    try TraitStore(tx, vault: core.vault).note(
      (material.identity?.documents ?? []).compactMap(Trait.document), of: dossier.application, at: core.world.now())
    let facts = [
      "status": outcome.status.rawValue,
      "not_passed": outcome.rules.filter { $0.result != .pass }.map(\.code.rawValue).joined(separator: " "),
    ]
    switch outcome.status {
    case .match:
      dossier.application.evaluation = .matched
      dossier.application.applicant.verified = material.identity
      dossier.application.callRequired = dossier.application.callRequired || outcome.agentRequired
      dossier.application.drop(.documentsMismatched)
      dossier.application.record(.documentsMatched)
      try applications.move(&dossier, on: .matched, by: "system", facts: facts, in: tx)
    case .mismatch:
      dossier.application.evaluation = .mismatched
      dossier.application.retake = verification.view(revealsScores: false).reupload
      dossier.application.record(.documentsMismatched)
      if dossier.application.verificationAttempts >= Verification.attemptsMax {
        try review(&dossier, material, reason: .documentsMismatched, event: .mismatchedFinally, facts, in: tx)
      } else {
        try applications.move(&dossier, on: .mismatched, by: "system", facts: facts, in: tx)
      }
    case .undetermined:
      dossier.application.undeterminedCount += 1
      if dossier.application.undeterminedCount > 1 {
        try review(&dossier, material, reason: .inconclusive, event: .undecidable, facts, in: tx)
      } else {
        try applications.save(&dossier, in: tx)
        try core.audit.append(
          "application.undetermined", to: dossier.application.id.rawValue, by: "system", facts: facts, in: tx)
      }
    }
    try applications.save(&dossier, in: tx)
    return verification.view(revealsScores: dossier.tenant.revealsScores)
  }

  /// A person decides, in a call.
  private func review(
    _ dossier: inout Dossier, _ material: Material, reason: ReviewReason, event: ApplicationEvent,
    _ facts: [String: String], in tx: any SQLTransaction
  ) throws {
    dossier.application.reviewReason = reason
    dossier.application.callRequired = true
    dossier.application.retake = []
    dossier.application.applicant.verified = material.identity
    try applications.move(&dossier, on: event, by: "system", facts: facts, in: tx)
  }
}

extension CalendarDate {
  static let epoch = CalendarDate(dayNumber: 0) ?? { preconditionFailure("1970-01-01 is a date") }()
}
