// SPDX-License-Identifier: Apache-2.0

import Activations
import Delivery
import DocumentCore
import Evidence
import Foundation
import Kit
import Storage

/// What the worker does for this flow. Every effect is idempotent: it looks first whether it is still wanted.
package struct WultraEffects: Sendable {
  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  let adapter: OnboardingAdapter
  let documents: DocumentProvider
  let presence: PresenceProvider

  package init(
    dossiers: Dossiers, adapter: OnboardingAdapter, documents: DocumentProvider, presence: PresenceProvider
  ) {
    (self.dossiers, self.adapter, self.documents, self.presence) = (dossiers, adapter, documents, presence)
  }

  static func topic(_ effect: VerificationEffect) -> String { "wultra.\(effect.rawValue)" }
  static func topic(_ effect: ProcessEffect) -> String { "wultra.\(effect.rawValue)" }
  static func topic(_ effect: DocumentEffect) -> String { "wultra.\(effect.rawValue)" }

  package var handlers: [String: OutboxWorker.Handler] {
    let documents = DocumentEffects(dossiers: dossiers, provider: documents)
    return [
      Self.topic(DocumentEffect.readDocument): documents.read,
      Self.topic(VerificationEffect.verifyDocuments): documents.verify,
      Self.topic(VerificationEffect.crossCheckDocuments): documents.crossCheck,
      Self.topic(VerificationEffect.endIdleUpload): documents.endIdleUpload,
      Self.topic(VerificationEffect.advance): advance,
      Self.topic(VerificationEffect.evaluateClient): evaluate,
      Self.topic(VerificationEffect.judgePresence): judgePresence,
      Self.topic(VerificationEffect.eraseEvidence): EvidenceErasure(dossiers: dossiers).perform,
      Self.topic(ProcessEffect.removeActivation): removeActivation,
      Self.topic(ProcessEffect.tellInstitution): tell,
      PasscodeDelivery.topic: PasscodeDelivery(dossiers: dossiers, adapter: adapter).perform,
      OrphanedPictures.topic: OrphanedPictures(core: core).perform,
      ConsentCommands.topic: ConsentCommands(dossiers: dossiers, adapter: adapter).store,
    ]
  }

  // MARK: Steps

  /// The step that follows by itself (NEXT, wultra-onboarding.md §5).
  private func advance(_ item: OutboxItem) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(item.subject, in: tx) else { return }
      switch dossier.verification?.state {
      case .documentsAccepted: try dossiers.move(&dossier, on: .crossCheckBegun, in: tx)
      case .crossChecked: try dossiers.move(&dossier, on: .evaluationBegun, in: tx)
      case .clientAccepted where dossiers.policy.checksPresence:
        try dossiers.move(&dossier, on: .presenceRequired, in: tx)
      case .clientAccepted where dossiers.policy.asksOTP:
        _ = try dossiers.promiseOTP(&dossier, resend: false, in: tx)
        try dossiers.move(&dossier, on: .otpRequired, in: tx)
      case .clientAccepted: try dossiers.complete(&dossier, in: tx)
      default: return
      }
      try dossiers.save(&dossier, in: tx)
    }
  }

  /// Asks the institution, at most `evaluationsMax` times; each try counts before it is made.
  private func evaluate(_ item: OutboxItem) async throws {
    let id = IdentityVerification.ID(rawValue: item.subject)
    let asked = try await core.database.write(retrying: .outdatedOrDuplicate) {
      tx -> (query: ClientQuery, isLast: Bool)? in
      guard var dossier = try dossiers.dossier(id, in: tx), let verification = dossier.verification,
        dossier.process.status == .verifying, verification.state == .evaluatingClient,
        let user = dossier.process.person.user
      else { return nil }
      dossier.verification?.evaluations += 1
      try dossiers.save(&dossier, in: tx)
      return (
        ClientQuery(processId: dossier.process.id.rawValue, userId: user, verificationId: id.rawValue),
        verification.evaluations + 1 >= dossiers.policy.evaluationsMax
      )
    }
    guard let asked else { return }
    let verdict: ClientVerdict
    do { verdict = try await adapter.evaluate(asked.query, item.id.rawValue) } catch {
      // An interruption is not counted against the institution; a final refusal is not tried again.
      guard !(error is CancellationError), asked.isLast || error is any FinalFailure else { throw error }
      return try await conclude(id, .clientFailed, .maxFailedAttemptsClientEvaluation)
    }
    switch verdict {
    case .accepted: try await conclude(id, .clientAccepted, nil)
    case .rejected: try await conclude(id, .clientRejected, .clientEvaluationRejected)
    }
  }

  private func conclude(
    _ id: IdentityVerification.ID, _ event: VerificationEvent, _ failure: ProcessFailure?
  ) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(id.rawValue, in: tx) else { return }
      guard dossier.verification?.state == .evaluatingClient else { return }
      try dossiers.move(&dossier, on: event, failure: failure, in: tx)
      try dossiers.save(&dossier, in: tx)
    }
  }

  private func judgePresence(_ item: OutboxItem) async throws {
    let id = IdentityVerification.ID(rawValue: item.subject)
    let material = try await core.database.read {
      tx -> (captures: [String], portraits: [String], check: PresenceCheck)? in
      guard let dossier = try dossiers.dossier(id, in: tx), let verification = dossier.verification,
        verification.state == .judgingPresence, try !ReviewStore(tx).isOpen(id)
      else { return nil }
      return (
        try CaptureStore(tx).ids(of: id, presenceCheck: verification.presenceChecks),
        try dossiers.portraits(of: id, in: tx), dossier.process.check(verification.presenceChecks, of: id)
      )
    }
    guard let material else { return }
    let verdict = try await presence.judge(
      PresenceEvidence(
        check: material.check, captures: try await dossiers.blobs(material.captures, CaptureStore.context),
        portraits: try await dossiers.blobs(material.portraits, SubmittedDocument.context)))
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(item.subject, in: tx) else { return }
      guard dossier.verification?.state == .judgingPresence,
        dossier.verification?.presenceChecks == material.check.number
      else {
        return
      }
      switch verdict {
      case .accepted: try dossiers.judged(&dossier, .accepted, in: tx)
      case .rejected(let codes): try dossiers.judged(&dossier, .rejected, codes: codes, in: tx)
      case .inconclusive(let codes, let checks):
        try dossiers.ask(.presence, codes, checks, about: &dossier, in: tx)
      }
      try dossiers.save(&dossier, in: tx)
    }
  }

  // MARK: Ends

  private func removeActivation(_ item: OutboxItem) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: item.subject)),
        process.status == .failed
      else { return }
      try dossiers.removeActivation(of: process, in: tx)
    }
  }

  private func tell(_ item: OutboxItem) async throws {
    let process = try await core.database.read { tx in
      try ProcessStore(tx, vault: core.vault).findRemembered(.init(rawValue: item.subject))
    }
    guard let process else { return }
    try await adapter.tell(
      ProcessStatusNotice(
        processId: process.id.rawValue, userId: process.person.user, status: item.payload,
        reason: process.failure?.rawValue), item.id.rawValue)
    // An erasure that ended meanwhile did not know of this change; one that goes on runs again and finds it.
    try await core.database.write { tx in
      let store = ProcessStore(tx, vault: core.vault)
      if try store.touch(process.id), try !store.isForgotten(process.id) { return }
      try Webhooks.forget(about: process.id.rawValue, in: tx)
    }
  }

  /// Ends processes whose time has run out. Run regularly by the worker.
  package func sweepLapsed() async throws {
    let now = core.world.now()
    try await core.database.writeEachDue(paging: .behindLast, retrying: .outdatedOrDuplicate) { [core] page, tx in
      try ProcessStore(tx, vault: core.vault).lapsed(before: now, after: page.last, limit: page.limit)
    } do: { [core, dossiers] lapse, tx in
      guard let process = try ProcessStore(tx, vault: core.vault).find(lapse.id) else { return }
      var dossier = try dossiers.dossier(process, in: tx)
      _ = try dossiers.lapse(&dossier, in: tx)
    }
  }
}

extension Dossiers {
  /// A verification that still goes on, with its process. Effects ask for it: without one they are not wanted any more.
  func unfinished(_ verification: String, in tx: any SQLTransaction) throws -> Dossier? {
    guard let dossier = try dossier(.init(rawValue: verification), in: tx), dossier.process.status == .verifying,
      dossier.verification?.state.isClosed == false
    else { return nil }
    return dossier
  }

  /// Removes the activation of a process, unless that was done before.
  func removeActivation(of process: OnboardingProcess, in tx: any SQLTransaction) throws {
    guard let id = process.activation.map({ Activation.ID(rawValue: $0) }),
      let activation = try activations.find(id, in: tx), activation.state != .removed
    else { return }
    _ = try activations.remove(id, revokingRecovery: true, by: Self.actor, in: tx)
  }

  /// A picture in clear.
  /// - Throws: `PictureGone` when it is not there: the effect is tried again, and at last dead-lettered.
  func blob(_ key: String, _ context: String) async throws -> Data {
    guard let sealed = try await core.blobs.get(key) else { throw PictureGone() }
    return try await core.vault.open(sealed, context: context, in: core.database)
  }

  struct PictureGone: Error {}

  /// The day that decides what has expired, in UTC on purpose: a date of expiry names no zone, the
  /// document may be of any country, its holder in any other, and one process is judged by several nodes. At the edge
  /// of a day that is hours early or late by a local clock, and the same for all people; no zone would do better.
  var today: CalendarDate {
    CalendarDate(dayNumber: Int(core.world.now().seconds / 86_400))
      ?? {
        preconditionFailure("the clock shows a day between the years 1 and 9999")
      }()
  }

  var rules: VerificationPolicy {
    VerificationPolicy(
      today: today, minimumAge: policy.minimumAge, acceptsSpecimens: policy.acceptsSpecimens)
  }
}
