// SPDX-License-Identifier: Apache-2.0

import Activations
import Delivery
import Kit
import Storage

/// Forgets whose processes were: a user's on request (GDPR art. 17), everybody's when the time for which
/// they are kept is over. Rows and audit stay as evidence of how a process went; nothing in them leads to a person.
package struct UserErasure: Sendable {
  /// Processes that one transaction forgets.
  static let pageMax = 50
  static let pagesMax = 200

  package struct Outcome: Sendable, Equatable {
    /// Processes that were forgotten; their pictures are deleted by the worker.
    package var processes = 0
    package var activations = 0
  }

  let dossiers: Dossiers
  let erasures: SubjectErasures
  var core: CoreDependencies { dossiers.core }

  package init(dossiers: Dossiers, erasures: SubjectErasures) {
    (self.dossiers, self.erasures) = (dossiers, erasures)
  }

  /// Ends what goes on of a user, has its pictures deleted at once and forgets whose it was. The user's activations go
  /// too, however they came to be: each is a credential in the name of the one who is to be forgotten. The keys that
  /// seal what is kept of the processes are destroyed, and the proof of it is kept.
  ///
  /// Killed in between, a repetition goes on; the same again changes nothing.
  /// - Parameters:
  ///   - actor: as in the audit log.
  ///   - progress: is told of each page once it is committed.
  package func erase(
    _ user: String, tenant: String, for reason: ErasureReason, by actor: ActivationActor,
    progress: WorkProgress = WorkProgress()
  ) async throws -> Outcome {
    var outcome = Outcome()
    progress.begin("activations")
    // The credentials first: what forgets a process unlinks it from its activation.
    for _ in 0..<Self.pagesMax {
      let count = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
        try eraseActivations(of: user, tenant, reason, actor, in: tx)
      }
      outcome.activations += count
      progress.advance(by: count)
      guard count == Activations.erasedMax else { break }
    }
    let all = try await core.database.read { [vault = core.vault] tx in
      try ProcessStore(tx, vault: vault).count(ofUser: user, tenant: tenant)
    }
    progress.begin("processes", of: all)
    for _ in 0..<Self.pagesMax {
      let count = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
        try erasePage(of: user, tenant, reason, actor, in: tx)
      }
      outcome.processes += count
      progress.advance(by: count)
      guard count == Self.pageMax else { break }
    }
    return outcome
  }

  /// - Returns: how many there were.
  private func eraseActivations(
    of user: String, _ tenant: String, _ reason: ErasureReason, _ actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Int {
    let subject = dossiers.activations.keySubject(of: user, tenant: tenant)
    let part = try erasures.part(of: subject, objects: 0, in: tx)
    let count = try dossiers.activations.forget(
      user: user, tenant: tenant, reason: reason.rawValue, by: actor, in: tx)
    try core.cases.forget(person: subject.id, in: tx)
    // Of a user without any, and of one who was erased before, nothing is proven.
    if try count > 0 || !part.values.isEmpty || core.vault.hasSubjectKey(of: subject.id, in: tx) {
      try erasures.destroy([part], of: proofName(user, tenant, actor), for: reason, chains: [], in: tx)
    }
    return count
  }

  private func proofName(_ user: String, _ tenant: String, _ actor: ActivationActor) -> String {
    DataSubject(user, of: tenant, by: actor.text).proofName(in: WultraModule.name)
  }

  private func erasePage(
    of user: String, _ tenant: String, _ reason: ErasureReason, _ actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Int {
    let store = ProcessStore(tx, vault: core.vault)
    let ids = try store.ids(ofUser: user, tenant: tenant, limit: Self.pageMax)
    var parts: [SubjectErasures.Part] = []
    for id in ids {
      guard let process = try store.find(id) else { continue }
      parts.append(
        try erasures.part(
          of: process.keySubject, objects: WultraBlobStore.count(of: id, in: tx), in: tx))
      var dossier = try dossiers.dossier(process, in: tx)
      if process.status.isOpen {
        try dossiers.fail(
          &dossier, .canceledProcess, by: actor.text, removesActivationAt: core.world.now(), in: tx)
        try dossiers.save(&dossier, in: tx)
      }
      for verification in try IdentityVerificationStore(tx).ids(of: id) {
        try core.outbox.enqueue(
          WultraEffects.topic(VerificationEffect.eraseEvidence), subject: verification.rawValue, in: tx)
      }
      try forget(dossier.process, for: reason.rawValue, by: actor.text, unlinking: true, in: tx)
    }
    if !parts.isEmpty {
      try erasures.destroy(
        parts, of: proofName(user, tenant, actor), for: reason, chains: ids.map(\.rawValue), in: tx)
    }
    return ids.count
  }

  /// Forgets whose processes were that ended long ago. Run regularly by the worker.
  package func sweepEnded() async throws {
    let horizon = core.world.now() - dossiers.policy.personRetention
    try await core.database.writeEachDue(retrying: .outdatedOrDuplicate) {
      [core] (page: DuePage<OnboardingProcess.ID>, tx) in
      // What failed is found again, in front of the rest.
      let ids = try ProcessStore(tx, vault: core.vault)
        .remembered(endedBefore: horizon, limit: page.limit + page.failed.count)
      return Array(ids.filter { !page.failed.contains($0) }.prefix(page.limit))
    } do: { id, tx in
      let store = ProcessStore(tx, vault: core.vault)
      // Another node was faster, or it was forgotten by a transaction whose answer was lost.
      guard try store.isRemembered(id, endedBefore: horizon), let process = try store.find(id) else { return }
      // The activation is the user's for as long as it lives, and says by itself whose it is.
      try forget(process, for: "retention", by: "system", unlinking: false, in: tx)
      _ = try core.vault.destroySubjectKey(of: process.id.rawValue, in: tx)
    }
  }

  private func forget(
    _ process: OnboardingProcess, for reason: String, by actor: String, unlinking: Bool, in tx: any SQLTransaction
  ) throws {
    guard try ProcessStore(tx, vault: core.vault).forget(process, unlinking: unlinking, at: core.world.now()) else {
      throw SQLError.outdated
    }
    try ReviewStore(tx).forgetWords(of: process.id)
    try ProcessTraitStore(tx, vault: core.vault).deleteAll(of: process.id)
    try core.cases.forget(person: process.id.rawValue, in: tx)
    try Webhooks.forget(about: process.id.rawValue, in: tx)
    try dossiers.audit("process.forgotten", process, by: actor, facts: ["reason": reason], in: tx)
  }
}
