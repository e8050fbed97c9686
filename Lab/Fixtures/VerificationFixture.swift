// SPDX-License-Identifier: Apache-2.0

import Activations
import Kit
import Storage
import WultraFlow

/// Verifications whose documents no camera took: for fault programs.
///
/// Reading a card takes seconds of a processor. What is broken there is everything else, so the pictures are stepped
/// over, and every row is written by the store that always writes it.
package struct VerificationFixture: Sendable {
  let dossiers: Dossiers

  package init(dossiers: Dossiers) { self.dossiers = dossiers }

  /// Takes a verification that waits for pictures to where a good card would have brought it. A repetition finds it
  /// done.
  package func acceptCard(of activation: Activation.ID) async throws {
    let core = dossiers.core
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard let process = try ProcessStore(tx, vault: core.vault).find(activation: activation.rawValue) else { return }
      var dossier = try dossiers.dossier(process, in: tx)
      guard let verification = dossier.verification, verification.state == .uploading else { return }
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      for side in IdentityDocument.idCard.sides {
        try store.insert(
          SubmittedDocument(
            id: .init(core.world), verification: verification.id, document: .idCard, side: side, filename: "stock",
            status: .accepted, original: nil, hasImage: false, createdAt: core.world.now()))
      }
      for event: VerificationEvent in [.documentsRead, .documentsAccepted, .crossCheckBegun, .crossCheckAccepted] {
        try dossiers.move(&dossier, on: event, facts: ["stock": "yes"], in: tx)
      }
      try dossiers.save(&dossier, in: tx)
    }
  }
}
