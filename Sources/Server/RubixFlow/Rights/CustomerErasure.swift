// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Identity
import Kit
import RubixWire
import Scheduling
import Screening
import Storage

/// Another flow that keeps data under the ids of this flow's customers.
package protocol CustomerForgetting: Sendable {
  /// Erases what the flow keeps of a customer, in the transaction of the erasure here.
  func forget(_ subject: CustomerErasure.Subject, in tx: any SQLTransaction) throws
}

/// Erases a customer (GDPR art. 17): rows in one transaction, pictures after it by the worker. What stays is the audit
/// chain with its subject cut out, and that an erasure took place.
///
/// Killed at any point, either nothing happened or everything did but for pictures that the outbox still owes.
package struct CustomerErasure: Sendable {
  package enum Outcome: Sendable, Equatable {
    /// - Parameters:
    ///   - images: pictures that the worker deletes from now on.
    ///   - related: other applications of the institution with the same phone number, which were left alone.
    case erased(images: Int, related: [Application.ID])
    case erasedBefore(at: Instant)
  }

  let core: CoreDependencies
  let tenants: Tenants
  let sessions: Sessions
  let passcodes: Passcodes
  let applications: Applications
  let devOutbox: DevOutbox
  let erasures: SubjectErasures
  /// A flow that may know the customer, too; nil without one.
  let other: (any CustomerForgetting)?

  /// The customer whom other flows have to erase, and the reason.
  package struct Subject: Sendable {
    package let customer: String
    package let tenant: String
    package let reason: ErasureReason
    package let actor: String
  }

  /// - Parameters:
  ///   - actor: as in the audit log.
  ///   - despiteDuty: also when a duty to keep the file may stand against it (art. 17 (3) b).
  /// - Throws: `Problem` not-found; conflict `duty-to-keep` for one who became a customer, was declined or is under
  ///   review, and for one with a hit in a list that was not decided to be another person.
  package func erase(
    _ id: Application.ID, of tenant: Tenant, for reason: ErasureReason, by actor: String, despiteDuty: Bool = false
  ) async throws -> Outcome {
    try await core.database.write(retrying: .outdated) { tx in
      let digest = core.vault.digest("\(tenant.id)\u{0}\(id)", for: "erased customer")
      let store = ApplicationStore(tx, vault: core.vault)
      let file: (phase: ApplicationPhase, version: Int, applicant: Applicant?)
      do { file = try store.toErase(id, tenant: tenant.id) } catch let problem as Problem where problem == .notFound {
        guard let earlier = try ErasureStore(tx).erasedAt(digest) else { throw Problem.notFound }
        return .erasedBefore(at: earlier)
      }
      if !despiteDuty { try requireNoDuty(id, in: file.phase, in: tx) }
      let images = try ImageStore(tx, vault: core.vault).ids(of: id)
      let part = try erasures.part(of: id.keySubject(of: tenant.id), objects: images.count, in: tx)
      let related = try file.applicant.map { try store.withContact($0.contactNo, tenant: tenant.id, except: id) } ?? []
      try forgetOutside(id, of: tenant, device: file.applicant?.deviceID, images: images, by: actor, in: tx)
      // A file that is erased for its age may be of a person who is still a customer. Other flows erase their own rows
      // by their own age.
      if reason != .retention {
        try other?.forget(
          Subject(customer: id.rawValue, tenant: tenant.id, reason: reason, actor: actor), in: tx)
      }
      try deleteFile(id, version: file.version, in: tx)
      let chain = try core.audit.cutSubject(
        of: id.rawValue, reason: reason.rawValue, by: actor, facts: ["images": "\(images.count)"], in: tx)
      // From now on nothing of theirs can be opened here, and soon in no older copy either.
      try erasures.destroy([part], of: id.rawValue, for: reason, chains: [chain], in: tx)
      try ImageDeletion(core: core).owe(images, of: chain, in: tx)
      try ErasureStore(tx).insert(digest, tenant: tenant.id, reason: reason, at: core.world.now())
      return .erased(images: images.count, related: related)
    }
  }

  /// - Throws: `Problem` duty-to-keep.
  func requireNoDuty(_ id: Application.ID, in phase: ApplicationPhase, in tx: any SQLTransaction) throws {
    // A hit that a change of a list brought moves no application.
    guard try !phase.isUnderDuty && !Screening(core).hasUnclearedHit([id.rawValue], in: tx) else {
      throw Problem.dutyToKeep
    }
  }

  /// Erases what the capabilities keep of the customer.
  private func forgetOutside(
    _ application: Application.ID, of tenant: Tenant, device: String?, images: [CapturedImage.ID], by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let id = application.rawValue
    try sessions.forget(id, in: tx)
    try passcodes.forget(id, in: tx)
    try core.idempotency.forget(owner: id, in: tx)
    // The answer to the registration is remembered for the device, which others may have used as well.
    if let device {
      try core.idempotency.forget(
        owner: core.vault.digest("\(tenant.id)\u{0}\(device)", for: "device"), path: "POST /auth/register",
        where: { (try? WireJSON.decode(OnboardingView.self, stored: $0.body))?.id == id }, in: tx)
    }
    try RateCounterStore(tx).forget(id)
    try Screening(core).forget(id, in: tx)
    let calendar = try applications.appointments(of: tenant)
    // A call that runs ends for both sides, and for a recorder.
    for call in try calendar.all(for: id, in: tx) { try BrowserCalls.finish(call, by: actor, core, in: tx) }
    try calendar.forget(id, in: tx)
    try devOutbox.forget(about: id, in: tx)
    try MessageLog.forget(about: id, vault: core.vault, in: tx)
    // Those of a hit name the customer's id, and what is on its way could not be opened any more.
    try Webhooks.forget(about: id, in: tx)
    try FlowFigures.forget(id, in: tx)
    try OutboxStore(tx).forget(subject: id)
    for image in images { try OutboxStore(tx).forget(subject: image.rawValue) }
  }

  /// The rows of this flow, those that point at others first.
  private func deleteFile(_ id: Application.ID, version: Int, in tx: any SQLTransaction) throws {
    let vault = core.vault
    try core.cases.forget(person: id.rawValue, in: tx)
    try ScreeningNoteStore(tx, vault: vault).deleteAll(of: id)
    try VerdictStore(tx, vault: vault).deleteAll(of: id)
    try FormStore(tx, vault: vault).deleteAll(of: id)
    try VerificationStore(tx, vault: vault).deleteAll(of: id)
    try TraitStore(tx, vault: vault).deleteAll(of: id)
    try ImageStore(tx, vault: vault).deleteAll(of: id)
    try ApplicationStore(tx, vault: vault).delete(id, version: version)
  }
}

extension ApplicationPhase {
  /// Whether the law on money laundering commonly asks to keep such a file for years.
  var isUnderDuty: Bool { self == .completed || self == .rejected || self == .reviewingScreening }
}

extension Problem {
  static let dutyToKeep = Problem(
    .conflict, "duty-to-keep",
    "The file of a customer, or of a person who was declined or is under review, may have to be kept by law.")
}
