// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// Biometric sessions, selfies and liveness (rubix-onboarding §6.4–6.6).
package struct CaptureCommands: Sendable {
  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let steps: Steps
  let evidence: EvidenceReader
  let liveness: Liveness

  package func createSession(_ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.createSession, request)
    if let earlier = step.earlier { return earlier }
    do {
      let body = try step.body.decode(as: CreateSessionRequest.self)
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        if let session = dossier.session, body.restart != true {
          return try steps.keep(.ok(view(session, dossier.looks)), for: step, in: tx)
        }
        let session = try open(&dossier, in: tx)
        return try steps.keep(.created(view(session, dossier.looks)), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// Opens a session, in the place of the one before it.
  private func open(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> CaptureSession {
    let store = ImageStore(tx, vault: core.vault)
    if let session = dossier.session {
      guard applicationFlow.allows(.sessionRestarted, from: dossier.application.phase) else {
        throw Problem.stepAlreadyCompleted.with { $0.lastStep = dossier.application.lastStep.rawValue }
      }
      try applications.replace(dossier.images, of: dossier, in: tx)
      try store.archive(session.id)
      dossier.application.beginCaptureAnew()
    }
    dossier.application.record(.registrationInitiated)
    let event: ApplicationEvent = dossier.session == nil ? .sessionOpened : .sessionRestarted
    try applications.move(&dossier, on: event, in: tx)
    let session = CaptureSession(
      id: .init(core.world), application: dossier.application.id, createdAt: core.world.now())
    try store.insert(session)
    (dossier.session, dossier.images) = (session, [])
    try applications.save(&dossier, in: tx)
    return session
  }

  package func uploadSelfie(_ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.uploadSelfie, request)
    if let earlier = step.earlier { return earlier }
    let id = CapturedImage.ID(core.world)
    do {
      let (subType, kept) = try await Deadline.run(Steps.workLimit) {
        try await keepSelfie(of: step, as: id)
      }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        let meant = dossier.meant(by: subType)
        var selfie = kept.image(.selfie, meant, of: dossier, in: session, at: core.world.now())
        try applications.take(&selfie, on: .accepted, of: &dossier, in: tx)
        if dossier.application.phase == .recapturing {
          dossier.application.retaken(.selfie)
          dossier.application.record(.selfieUploaded)
          try applications.move(&dossier, on: .selfieRetaken, in: tx)
        } else if dossier.selfies.count == SelfieSubType.known.count {
          dossier.application.record(.selfieUploaded)
          try applications.move(&dossier, on: .selfiesCompleted, in: tx)
        }
        try applications.save(&dossier, in: tx)
        let view = SelfieUploadResponse(
          sessionID: session.id.rawValue, subType: subType, accepted: true,
          remaining: SelfieSubType.known.filter { !dossier.selfies.contains($0) }, quality: kept.quality)
        return try steps.keep(.created(view), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, storing: id, after: error) }
  }

  /// Understands megabytes of base64 outside of a transaction, because there is only one writer.
  private func keepSelfie(
    of step: Step, as id: CapturedImage.ID
  ) async throws -> (SelfieSubType, KeptImage) {
    let (body, dossier) = (try SelfieUploadRequest(step.takeBody()), step.dossier)
    guard body.subType.isKnown else {
      throw Problem.validation([.init("/sub_type", "unknown-value", "A sub-type that the session lists.")])
    }
    let due = dossier.selfies + SelfieSubType.known.filter { !dossier.selfies.contains($0) }.prefix(1)
    guard due.contains(body.subType) else {
      throw Problem.stepOutOfOrder.with { $0.expectedSteps = [RubixCall.uploadSelfie.path] }
    }
    let look = dossier.look(of: dossier.meant(by: body.subType))
    let (image, quality) = try await inspectFace(body.file, look: look)
    let application = dossier.application.id
    return (body.subType, try await KeptImage.keep(image, quality: quality, as: id, of: application, core))
  }

  package func uploadLiveness(_ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.uploadLiveness, request)
    if let earlier = step.earlier { return earlier }
    let id = CapturedImage.ID(core.world)
    do {
      let capture = try await Deadline.run(Steps.workLimit) { try await keepLiveness(of: step, as: id) }
      let (answer, isStored) = try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let (reply, isStored) = try judge(capture, &dossier, in: tx)
        return (try steps.keep(reply, for: step, in: tx), isStored)
      }
      if !isStored { await steps.discard(id) }
      return answer
    } catch { throw await steps.abandon(step, storing: id, after: error) }
  }

  private struct LivenessCapture: Sendable {
    /// The challenge, and until when it is open.
    let challenge: (id: String, end: Instant)?
    let kept: KeptImage
    let result: Evidence.LivenessResult
    let attemptsLeft: Int?
  }

  private func keepLiveness(of step: Step, as id: CapturedImage.ID) async throws -> LivenessCapture {
    let body = try step.takeBody().decode(as: LivenessUploadRequest.self)
    // Short videos need a decoder that is not installed: said at once instead of stored unread.
    guard ["image/jpeg", "image/png"].contains(body.mediaType) else { throw Problem.unsupportedMedia }
    let challenges = LivenessChallenges(vault: core.vault, world: core.world)
    let challenge = try body.challengeID.map { id in
      guard let end = challenges.end(of: id, for: step.dossier.application.id) else {
        throw Problem.validation([.init("/challenge_id", "expired", "Ask for a new challenge.")])
      }
      return (id: id, end: end)
    }
    let (image, quality) = try await inspectFace(body.file)
    // What is kept: models run in this process, and no decoder has what was sent here.
    let result = try await liveness.check(image.bytes)
    let usage = try await steps.countPicture(of: step)
    return LivenessCapture(
      challenge: challenge,
      kept: try await KeptImage.keep(image, quality: quality, as: id, of: step.dossier.application.id, core),
      result: result, attemptsLeft: usage?.remaining)
  }

  /// - Returns: also whether the picture has a row.
  private func judge(
    _ capture: LivenessCapture, _ dossier: inout Dossier, in tx: any SQLTransaction
  ) throws -> (StepReply, isStored: Bool) {
    if let challenge = capture.challenge {
      guard try core.limits.useUp("liveness challenge", challenge.id, until: challenge.end, in: tx) else {
        throw Problem.validation([.init("/challenge_id", "used", "Ask for a new challenge.")])
      }
    }
    guard let session = dossier.session else { throw Problem.stepOutOfOrder }
    let result = capture.result
    let outcome = LivenessOutcome(result: .init(rawValue: result.result.rawValue), score: result.score)
    // A capture that the model cannot judge may be tried again; without a model a person judges it.
    let isRefused = result.result == .spoof || result.result == .undetermined && result.code != .noModel
    var image = capture.kept.image(
      .liveness, nil, liveness: outcome, of: dossier, in: session, at: core.world.now())
    // An earlier good capture stays in force.
    let isStored = !isRefused || !dossier.images.contains { $0.type == .liveness && $0.state == .processed }
    if isStored {
      try applications.take(&image, on: isRefused ? .refused : .accepted, of: &dossier, in: tx)
    }
    if isRefused {
      try core.audit.append(
        "liveness.\(result.result.rawValue)", to: dossier.application.id.rawValue, by: "system", in: tx)
      let problem = Problem(.unprocessable, "image-quality", "The picture could not be accepted. Take a new one.")
      return (
        .problem(
          problem.with {
            $0.fields = [.init("/file", "liveness-failed", "Take a new picture.")]
            $0.attemptsLeft = capture.attemptsLeft
          }), isStored
      )
    }
    if dossier.application.phase == .recapturing { dossier.application.retaken(.liveness) }
    dossier.application.record(.livenessUploaded)
    try applications.move(&dossier, on: .livenessAccepted, in: tx)
    try applications.save(&dossier, in: tx)
    return (.created(image.view(showingScore: false)), isStored)
  }

  /// A challenge that binds the next liveness capture to this application and this moment.
  package func challenge(_ customer: Customer) async throws -> LivenessChallenge {
    try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      return LivenessChallenges(vault: core.vault, world: core.world).make(for: customer.id)
    }
  }

  private func view(_ session: CaptureSession, _ looks: [FaceDirection]?) -> SessionView {
    let limits = evidence.settings.limits
    return SessionView(
      id: session.id.rawValue, status: .active, createdOn: session.createdAt.wire,
      captureRequirements: CaptureRequirements(
        maxBytes: limits.bytesMax, minSidePixels: limits.shortSideMin, maxSidePixels: limits.longSideMax,
        maxTotalPixels: limits.pixelsMax, mediaTypes: ["image/jpeg", "image/png"]),
      selfieSubTypes: SelfieSubType.known, selfieLooks: looks?.wire)
  }

  /// Takes a picture of a face in and measures it.
  /// - Parameter look: how the face should look; nil when that does not matter. A face that certainly looks another way
  ///   is refused with a hint; one of which that cannot be told is taken, and an agent looks at it.
  private func inspectFace(
    _ bytes: Data, look: FaceDirection? = nil
  ) async throws -> (EvidenceImage, Evidence.ImageQuality) {
    let (image, measured, _) = try await Problem.ofImages { try await evidence.inspectFace(bytes) }
    var quality = measured
    if let look, let looks = liveness.looks {
      let seen = try await Problem.ofImages { try await looks.read(image.bytes) }
      if let shown = seen.look, shown != look {
        throw Problem(.unprocessable, "image-quality", "The picture could not be accepted. Take a new one.").with {
          $0.fields = [.init("/file", "other-look", look.hint)]
        }
      }
      // The detector that measures the picture knows faces from before alone.
      if seen.yaw != nil { quality.issues.removeAll { $0.code == .noFace } }
    } else if let look, look != .straight {
      // The check would refuse customers who turn their face as asked, and no other check can see turned faces, so an
      // agent looks at them.
      quality.issues.removeAll { $0.code == .noFace }
    }
    guard quality.passes else { throw Problem.imageQuality(quality) }
    return (image, quality)
  }
}

/// Challenges that bind a liveness capture to an application and a moment. They are not stored: the id carries its
/// expiry and a keyed digest over both.
struct LivenessChallenges {
  static let lifetime = Duration.minutes(10)

  let vault: Vault
  let world: World

  func make(for application: Application.ID) -> LivenessChallenge {
    let expiry = world.now() + Self.lifetime
    let stem = "\(world.uuid()).\(expiry.milliseconds)"
    return LivenessChallenge(
      challengeID: "\(stem).\(digest(stem, application))", kind: .passive, expiresOn: expiry.wire)
  }

  /// Until when a challenge is open; nil for one that is not, or is another application's.
  func end(of id: String, for application: Application.ID) -> Instant? {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let end = Int64(parts[1]).map(Instant.init(milliseconds:)), end > world.now(),
      Array(digest("\(parts[0]).\(parts[1])", application).utf8).isEqualInConstantTime(to: Array(parts[2].utf8))
    else { return nil }
    return end
  }

  private func digest(_ stem: String, _ application: Application.ID) -> String {
    vault.digest("\(application) \(stem)", for: "liveness challenge")
  }
}

extension SelfieUploadRequest {
  /// Reads JSON, or `multipart/form-data` with the parts `file` and `sub_type` (rubix-onboarding §6.5), which the
  /// published text calls `sub_step`.
  init(_ body: RequestContent) throws {
    guard body.mediaType == "multipart/form-data" else {
      self = try body.decode(as: SelfieUploadRequest.self)
      return
    }
    let form = try MultipartForm(body)
    guard let file = form["file"] else {
      throw Problem.validation([.init("/file", "required", "This part is required.")])
    }
    let name = form["sub_type"] == nil && form["sub_step"] != nil ? "sub_step" : "sub_type"
    guard let subType = form.text(name) else {
      throw Problem.validation([.init("/\(name)", "required", "This part is required.")])
    }
    try form.refuseParts(except: ["file", name])
    self.init(file: file, subType: SelfieSubType(rawValue: subType))
  }
}
