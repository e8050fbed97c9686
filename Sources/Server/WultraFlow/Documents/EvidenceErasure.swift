// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Forgets what a verification was decided on, once its retention is over (wultra-onboarding.md §5.1). That it was
/// decided, and how, stays.
struct EvidenceErasure: Sendable {
  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  /// First the pictures, then the rows that name them: killed in between, a repetition finds them again.
  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let id = IdentityVerification.ID(rawValue: item.subject)
    let keys = try await core.database.read { tx -> [String] in
      guard try IdentityVerificationStore(tx).find(id)?.state.isClosed == true else { return [] }
      let documents = try SubmittedDocumentStore(tx, vault: core.vault).all(of: id)
      return documents.flatMap { [$0.id.rawValue, $0.portraitKey] } + (try CaptureStore(tx).allIDs(of: id))
    }
    for key in keys { try await core.blobs.delete(key) }
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard let dossier = try dossiers.dossier(id, in: tx), dossier.verification?.state.isClosed == true else { return }
      let erased = try SubmittedDocumentStore(tx, vault: core.vault).erase(of: id, at: core.world.now())
      let captures = try CaptureStore(tx).deleteAll(of: id)
      try ReviewStore(tx).forgetChecks(of: id)
      try ProcessTraitStore(tx, vault: core.vault).deletePictures(of: id, in: dossier.process.id)
      guard !erased.isEmpty || !captures.isEmpty else { return }
      try dossiers.audit(
        "evidence.erased", dossier.process, by: "system",
        facts: ["verification": id.rawValue, "documents": "\(erased.count)", "captures": "\(captures.count)"], in: tx)
    }
  }
}
