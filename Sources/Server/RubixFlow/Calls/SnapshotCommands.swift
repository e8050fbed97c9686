// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// A picture that an agent takes of a call on the pages of this server, which becomes evidence of the case: sealed,
/// with its line in the audit, exported and erased with the other pictures. Nothing else of a call is kept.
package struct SnapshotCommands: Sendable {
  let core: CoreDependencies
  let applications: Applications
  let evidence: EvidenceReader

  /// Keeps a picture of a call that runs.
  /// - Returns: the id of the image, which is an archived one when the next one is taken.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found; step-out-of-order while the
  ///   call does not run, and before the customer took any picture; image-quality.
  package func keep(_ picture: Data, of call: Appointment.ID, by agent: Agent) async throws -> CapturedImage.ID {
    try agent.require(.attendVideo)
    let application = try await core.database.read { tx in try admit(agent, to: call, in: tx).application.id }
    // What a line carries is smaller than what a camera takes: nothing is read from it, people look at it.
    let (image, quality) = try await Problem.ofImages {
      try await evidence.inspectPhoto(picture, limits: .screenshot)
    }
    let kept = KeptImage(
      id: CapturedImage.ID(core.world), width: image.width, height: image.height, sha256: image.sha256,
      quality: RubixWire.ImageQuality(sharpness: quality.sharpness, glare: 0, crop: .notFound))
    try await core.keepImage(image.bytes, as: kept.id.rawValue, of: application)
    do {
      try await core.database.write(retrying: .outdated) { tx in
        var dossier = try admit(agent, to: call, in: tx)
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        if dossier.tenant.verdictsNeedTwo {
          // What was agreed to is bound to the version of the row, and this picture is evidence.
          dossier.application = try ApplicationStore(tx, vault: core.vault).update(
            dossier.application, at: core.world.now())
        }
        var snapshot = kept.image(.callSnapshot, nil, of: dossier, in: session, at: core.world.now())
        try applications.take(&snapshot, on: .accepted, of: &dossier, in: tx)
        try core.audit.append(
          "call.snapshot", to: application.rawValue, by: agent.actor,
          facts: ["appointment": call.rawValue, "image": kept.id.rawValue], in: tx)
      }
    } catch {
      // What cannot be removed now is removed by the sweep of such objects.
      if error as? SQLError != .uncertain { try? await core.blobs.delete(kept.id.rawValue) }
      throw error
    }
    return kept.id
  }

  private func admit(_ agent: Agent, to id: Appointment.ID, in tx: any SQLTransaction) throws -> Dossier {
    guard let call = try applications.appointments(of: agent.tenant).find(id, in: tx) else { throw Problem.notFound }
    let dossier = try applications.load(.init(rawValue: call.customerID), tenant: agent.tenant, in: tx)
    try agent.requireOther(than: dossier.application)
    guard call.status == .inCall else { throw Problem.stepOutOfOrder }
    return dossier
  }
}

extension DocumentType {
  /// Taken by an agent in a call; no customer sends one.
  static let callSnapshot = DocumentType(rawValue: "CALL_SNAPSHOT")
}
