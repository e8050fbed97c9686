// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import PowerAuthCore
import Storage
import WultraWire

/// Whether the person is there (wultra-onboarding.md §3 #9, #10): a session that a library of the app uses, and its
/// end. Judging is the worker's.
package struct PresenceCommands: Sendable {
  /// How long a session takes pictures.
  static let sessionLifetime = Duration.minutes(10)
  /// Pictures that a session may send, those that cannot be used included: decoding one costs.
  static let captureTries = RateLimit("wultra-capture", 20, per: .hours(1))

  let dossiers: Dossiers
  let provider: PresenceProvider
  private var core: CoreDependencies { dossiers.core }

  /// Opens a session; the one before it ends.
  /// - Throws: `Problem` PRESENCE_CHECK_NOT_ENABLED, PRESENCE_CHECK_FAILED out of order, PRESENCE_CHECK_LIMIT_REACHED
  ///   after too many.
  package func initiate(
    _ process: String, by caller: VerificationCaller
  ) async throws -> Wultra.PresenceSession<[String: JSONValue]> {
    guard dossiers.policy.checksPresence else { throw Problem.presenceCheckNotEnabled }
    let token = core.world.random(32).base64URL
    let session = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      try open(process, token: token, by: caller, in: tx)
    }.get()
    return Wultra.PresenceSession(
      sessionAttributes: try await dossiers.asking { try await provider.start(session) })
  }

  private func open(
    _ process: String, token: String, by caller: VerificationCaller, in tx: any SQLTransaction
  ) throws -> Decided<PresenceSession> {
    guard var dossier = try dossiers.open(process, of: caller, in: tx) else { return .refused(.onboardingFailed) }
    guard var verification = dossier.verification,
      verificationFlow.allows(.presenceInitiated, from: verification.state), try dossiers.hasConsent(dossier, in: tx)
    else { throw Problem.presenceCheckFailed }
    guard verification.presenceChecks < dossiers.policy.presenceChecksMax else {
      try dossiers.fail(&dossier, .maxFailedAttemptsPresenceCheck, in: tx)
      try dossiers.save(&dossier, in: tx)
      return .refused(.presenceCheckLimitReached)
    }
    verification.presenceChecks += 1
    verification.presence = nil
    verification.sessionDigest = digest(token)
    verification.sessionEndsAt = core.world.now() + Self.sessionLifetime
    dossier.verification = verification
    try dossiers.move(&dossier, on: .presenceInitiated, by: "customer", in: tx)
    try dossiers.save(&dossier, in: tx)
    let portraits = try dossiers.portraits(of: verification.id, in: tx)
    return .answer(
      PresenceSession(
        check: dossier.process.check(verification.presenceChecks, of: verification.id), token: token,
        lifetime: Self.sessionLifetime, widthMin: dossiers.policy.selfieWidthMin
      ) { [dossiers] in try await dossiers.blobs(portraits, SubmittedDocument.context) })
  }

  /// Whether a session takes another picture, before any of it is read. Each asking counts as a try.
  /// - Throws: `Problem` unauthenticated for a token that is not, or no more, of a session; PRESENCE_CHECK_FAILED when
  ///   the session has its pictures; rate-limited after too many tries.
  package func admitCapture(token: String) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let dossier = try live(token, in: tx)
      try core.limits.spend(Self.captureTries, by: digest(token), isTold: false, in: tx)
      _ = try takesAnother(dossier, in: tx)
    }
  }

  /// Takes a picture of a session that admitted it.
  /// - Throws: `Problem` unauthenticated for a token that is not, or no more, of a session; PRESENCE_CHECK_FAILED for a
  ///   picture that cannot be used, or one too many.
  package func capture(_ image: Data, token: String) async throws {
    let id = core.world.uuid()
    let (verification, key, announced) = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let dossier = try live(token, in: tx)
      return (
        try takesAnother(dossier, in: tx), try dossiers.key(of: dossier.process, in: tx),
        try OrphanedPictures(core: core).announce([id], in: tx)
      )
    }
    let picture: Data
    do { picture = try await provider.take(image, dossiers.policy.selfieWidthMin) } catch is ImageProblem {
      throw Problem.presenceCheckFailed
    } catch is EvidenceQueue.Busy {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
    try await core.blobs.put(id, core.vault.seal(picture, context: CaptureStore.context(id), under: key))
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      var dossier = try live(token, in: tx)
      guard let current = dossier.verification, current.id == verification.id,
        current.presenceChecks == verification.presenceChecks
      else { throw Problem.presenceSessionUnknown }
      _ = try takesAnother(dossier, in: tx)
      try OrphanedPictures(core: core).requireTimely(announced)
      try CaptureStore(tx).insert(id, of: current.id, presenceCheck: current.presenceChecks, at: core.world.now())
      // The row of the process counts up, so that of racing pictures none is one too many.
      try dossiers.save(&dossier, in: tx)
      try dossiers.audit(
        "presence.captured", dossier.process, by: "customer", facts: ["verification": current.id.rawValue], in: tx)
    }
  }

  private func takesAnother(_ dossier: Dossier, in tx: any SQLTransaction) throws -> IdentityVerification {
    guard let verification = dossier.verification else { throw Problem.presenceSessionUnknown }
    let count = try CaptureStore(tx).ids(of: verification.id, presenceCheck: verification.presenceChecks).count
    guard count < CaptureStore.capturesMax else { throw Problem.presenceCheckFailed }
    return verification
  }

  private func live(_ token: String, in tx: any SQLTransaction) throws -> Dossier {
    guard let found = try IdentityVerificationStore(tx).find(sessionDigest: digest(token)),
      let dossier = try dossiers.dossier(found.id, in: tx), dossier.process.status == .verifying,
      found.state == .checkingPresence, let end = found.sessionEndsAt, core.world.now() < end,
      try dossiers.hasConsent(dossier, in: tx)
    else { throw Problem.presenceSessionUnknown }
    return dossier
  }

  /// The app's library is done.
  /// - Throws: `Problem` PRESENCE_CHECK_FAILED out of order.
  package func submit(_ process: String, by caller: VerificationCaller) async throws {
    guard dossiers.policy.checksPresence else { throw Problem.presenceCheckNotEnabled }
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try dossiers.open(process, of: caller, in: tx) else { return .refused(.onboardingFailed) }
      guard let state = dossier.verification?.state, verificationFlow.allows(.presenceSubmitted, from: state) else {
        throw Problem.presenceCheckFailed
      }
      dossier.verification?.sessionDigest = nil
      dossier.verification?.sessionEndsAt = nil
      try dossiers.move(&dossier, on: .presenceSubmitted, by: "customer", in: tx)
      try dossiers.save(&dossier, in: tx)
      return .answer(())
    }.get()
  }

  private func digest(_ token: String) -> String { core.vault.digest(token, for: "wultra presence session") }
}

extension Problem {
  static let presenceSessionUnknown = Problem(
    .unauthenticated, Wultra.ErrorCode.authenticationFailed.rawValue, "There is no such session.")
}

extension OnboardingProcess {
  /// - Parameter number: from 1.
  func check(_ number: Int, of verification: IdentityVerification.ID) -> PresenceCheck {
    PresenceCheck(
      tenant: tenant, processId: id.rawValue, userId: person.user, verification: verification.rawValue, number: number)
  }
}

extension Dossiers {
  /// The keys of the portraits that were cut out of a verification's documents.
  func portraits(of verification: IdentityVerification.ID, in tx: any SQLTransaction) throws -> [String] {
    try SubmittedDocumentStore(tx, vault: core.vault).used(of: verification)
      .filter { $0.hasPortrait && $0.status == .accepted }.map(\.portraitKey)
  }

  /// Pictures in clear, in order.
  /// - Parameter context: what each one is sealed for.
  func blobs(_ keys: [String], _ context: (String) -> String) async throws -> [Data] {
    var blobs: [Data] = []
    for key in keys { blobs.append(try await blob(key, context(key))) }
    return blobs
  }

  /// Goes on after a presence check was judged, the same way whatever came of it: a code is asked for, and only its
  /// check tells (wultra-onboarding.md §5). Without codes the result shows at once. The caller saves.
  func judged(
    _ dossier: inout Dossier, _ result: PresenceResult, by actor: String = "system", codes: [String] = [],
    in tx: any SQLTransaction
  ) throws {
    dossier.verification?.presence = result
    let facts = ["presence": result.rawValue, "codes": codes.joined(separator: " ")]
    if policy.asksOTP {
      _ = try promiseOTP(&dossier, resend: false, in: tx)
      try move(&dossier, on: .otpRequired, by: actor, facts: facts, in: tx)
    } else if result == .accepted {
      try complete(&dossier, in: tx)
    } else {
      let isRejection = result == .rejected
      try move(
        &dossier, on: isRejection ? .presenceRejected : .presenceFailed,
        failure: isRejection ? .presenceCheckRejected : .presenceCheckFailed, by: actor, facts: facts, in: tx)
    }
  }
}
