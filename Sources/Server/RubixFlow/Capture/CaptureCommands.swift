import Evidence
import Foundation
import HTTP
import Kit
import RubixWire
import Storage

/// Biometric sessions, selfies and liveness (rubix-onboarding §6.4–6.6).
package struct CaptureCommands: Sendable {
  /// Liveness captures of one application, whatever came of them.
  static let livenessAttempts = RateLimit("liveness attempt", 5, per: .days(1))

  let runner: StepRunner
  let evidence: EvidenceReader
  let liveness: Liveness
  var parts: RubixDependencies { runner.parts }

  package init(runner: StepRunner, evidence: EvidenceReader, liveness: Liveness) {
    self.runner = runner
    self.evidence = evidence
    self.liveness = liveness
  }

  package func createSession(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(.createSession, request, body: CreateSessionRequest.self) { dossier, body, tx in
      let store = ImageStore(tx, vault: parts.vault)
      if let session = dossier.session {
        guard body.restart == true else { return .ok(view(session)) }
        guard applicationFlow.allows(.sessionRestarted, from: dossier.application.phase) else {
          throw Problem.stepAlreadyCompleted.with { $0.lastStep = dossier.application.lastStep.rawValue }
        }
        try store.archive(session.id)
        dossier.application.beginCaptureAnew()
      }
      dossier.application.record(.registrationInitiated)
      let event: ApplicationEvent = dossier.session == nil ? .sessionOpened : .sessionRestarted
      try runner.move(&dossier, on: event, in: tx)
      let session = CaptureSession(
        id: .init(parts.world), application: dossier.application.id, createdAt: parts.world.now())
      try store.insert(session)
      dossier.session = session
      dossier.images = []
      try runner.save(&dossier, in: tx)
      return .created(view(session))
    }
  }

  package func uploadSelfie(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(
      .uploadSelfie, request,
      admit: { dossier, _ in dossier.selfies },
      // Megabytes of base64 are understood here and not in the transaction, which is the only writer there is.
      work: { selfies in
        let body = try SelfieUploadRequest(request.body)
        guard body.subType.isKnown else {
          throw Problem.validation([.init("/sub_type", "unknown-value", "A sub-type that the session lists.")])
        }
        let due = selfies + SelfieSubType.known.filter { !selfies.contains($0) }.prefix(1)
        guard due.contains(body.subType) else {
          throw Problem.stepOutOfOrder.with { $0.expectedSteps = [RubixCall.uploadSelfie.path] }
        }
        return (body.subType, try await keepFace(body.file))
      },
      commit: { dossier, taken, tx in
        let (subType, kept) = taken
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        var selfie = kept.image(.selfie, subType, of: dossier, in: session, parts)
        try judge(&selfie, .accepted, of: &dossier, in: tx)
        if dossier.application.phase == .recapturing {
          dossier.application.retaken(.selfie)
          dossier.application.record(.selfieUploaded)
          try runner.move(&dossier, on: .selfieRetaken, in: tx)
        } else if dossier.selfies.count == SelfieSubType.known.count {
          dossier.application.record(.selfieUploaded)
          try runner.move(&dossier, on: .selfiesCompleted, in: tx)
        }
        try runner.save(&dossier, in: tx)
        return .created(
          SelfieUploadResponse(
            sessionID: session.id.rawValue, subType: subType, accepted: true,
            remaining: SelfieSubType.known.filter { !dossier.selfies.contains($0) }, quality: kept.quality))
      })
  }

  package func uploadLiveness(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(
      .uploadLiveness, request,
      admit: { dossier, _ in dossier.application.id },
      work: { application in
        let body = try request.body.decode(as: LivenessUploadRequest.self)
        // Short videos need a decoder that is not installed: said at once instead of stored unread.
        guard ["image/jpeg", "image/png"].contains(body.mediaType) else { throw Problem.unsupportedMedia }
        if let id = body.challengeID {
          guard LivenessChallenges(vault: parts.vault, world: parts.world).isOpen(id, for: application) else {
            throw Problem.validation([.init("/challenge_id", "expired", "Ask for a new challenge.")])
          }
        }
        let kept = try await keepFace(body.file)
        return (body.challengeID, kept, try await liveness.check(body.file))
      },
      commit: { dossier, taken, tx in
        let (challenge, kept, result) = taken
        let standing = try parts.limits.count(Self.livenessAttempts, by: dossier.application.id.rawValue, in: tx)
        guard !standing.isExceeded else { throw Problem.rateLimited(standing) }
        if let challenge {
          let use = RateLimit("liveness challenge", 1, per: .days(1))
          guard try !parts.limits.count(use, by: challenge, isTold: false, in: tx).isExceeded else {
            throw Problem.validation([.init("/challenge_id", "used", "Ask for a new challenge.")])
          }
        }
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        let outcome = LivenessOutcome(result: .init(rawValue: result.result.rawValue), score: result.score)
        let isSpoof = result.result == .spoof
        // A capture that the model cannot judge may be tried again; without a model a person judges it.
        let isDoubtful = result.result == .undetermined && result.code != .noModel
        var image = kept.image(.liveness, nil, liveness: outcome, of: dossier, in: session, parts)
        if isSpoof || isDoubtful, dossier.images.contains(where: { $0.type == .liveness && $0.state == .processed }) {
          // An earlier good capture stays in force.
        } else {
          try judge(&image, isSpoof || isDoubtful ? .refused : .accepted, of: &dossier, in: tx)
        }
        if isSpoof || isDoubtful {
          try parts.audit.append(
            "liveness.\(result.result.rawValue)", to: dossier.application.id.rawValue, by: "system", in: tx)
          return .problem(
            Problem(.unprocessable, "image-quality", "The picture could not be accepted. Take a new one.").with {
              $0.fields = [.init("/file", "liveness-failed", "Take a new picture.")]
              $0.attemptsLeft = standing.remaining
            })
        }
        if dossier.application.phase == .recapturing { dossier.application.retaken(.liveness) }
        dossier.application.record(.livenessUploaded)
        try runner.move(&dossier, on: .livenessAccepted, in: tx)
        try runner.save(&dossier, in: tx)
        return .created(image.view(showingScore: false))
      })
  }

  /// Stores a picture of a face with what was made of it.
  private func judge(
    _ image: inout CapturedImage, _ event: ImageEvent, of dossier: inout Dossier, in tx: any SQLTransaction
  ) throws {
    let machine = ImageMachine(image, of: dossier.tenant, vault: parts.vault)
    try parts.mover.move(&image, on: event, of: machine, by: "customer", in: tx)
    dossier.images = try ImageStore(tx, vault: parts.vault).current(of: dossier.application.id)
  }

  /// A challenge that binds the next liveness capture to this application and this moment.
  package func challenge(_ customer: Customer) async throws -> LivenessChallenge {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      return LivenessChallenges(vault: parts.vault, world: parts.world).make(for: customer.id)
    }
  }

  private func view(_ session: CaptureSession) -> SessionView {
    let limits = evidence.settings.limits
    return SessionView(
      id: session.id.rawValue, status: .active, createdOn: session.createdAt.wire,
      captureRequirements: CaptureRequirements(
        maxBytes: limits.bytesMax, minSidePixels: limits.shortSideMin, maxSidePixels: limits.longSideMax,
        maxTotalPixels: limits.pixelsMax, mediaTypes: ["image/jpeg", "image/png"]),
      selfieSubTypes: SelfieSubType.known)
  }

  /// Takes a picture of a face in, measures it and stores it sealed.
  private func keepFace(_ bytes: Data) async throws -> KeptImage {
    let (image, quality, _) = try await Problem.ofImages { try await evidence.inspectFace(bytes) }
    guard quality.passes else { throw Problem.imageQuality(quality) }
    return try await KeptImage.keep(image, quality: quality, parts)
  }
}

extension Application {
  /// Forgets everything that the archived session showed.
  mutating func beginCaptureAnew() {
    completedSteps.removeAll { step in
      [.selfieUploaded, .livenessUploaded, .documentsMatched, .documentsMismatched].contains(step)
        || DocumentKind.allCases.contains { $0.uploadedStep == step || $0.processedStep == step }
    }
    evaluation = nil
    retake = []
  }

  /// Something that the verification was about has changed: its result no longer holds.
  mutating func retaken(_ type: DocumentType) {
    evaluation = nil
    retake.removeAll { $0 == type }
    drop(.documentsMatched, .documentsMismatched)
  }
}
