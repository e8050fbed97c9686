// SPDX-License-Identifier: Apache-2.0
import Activations
import Evidence
import Foundation
import Kit
import Storage

/// What there is to look at before a verdict.
package struct ReviewRecord: Sendable {
  package let review: ReviewCase
  /// Whether a decision is still due.
  package let isOpen: Bool
  /// As the institution calls them; nil when it knows none.
  package let user: String?
  /// Nil where the device is not known.
  package let activation: Activation?
  /// In the order of their numbers, from 1: documents, faces, portraits.
  package let pictures: [ReviewPicture]
  /// As they were when a person was asked; empty where another provider judged.
  package let checks: [VerificationOutcome.Rule]
  /// Other onboardings that share something with this one.
  package let related: [RelatedProcess]
  /// The story of the onboarding in the audit.
  package let chain: String
}

extension ReviewCommands {
  /// What there is to look at in a case, and what there was once it is decided, until that is erased. The look is
  /// audited.
  /// - Parameter actor: as the audit names them.
  /// - Throws: `Problem` not-found.
  package func record(of id: ReviewCase.ID, tenant: String, by actor: String) async throws -> ReviewRecord {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let (review, dossier, pictures) = try material(of: id, tenant: tenant, withDecided: true, in: tx)
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try dossiers.audit(
        "review.seen", dossier.process, by: actor, facts: ["review": id.rawValue, "why": why], in: tx)
      let (process, store) = (dossier.process, SubmittedDocumentStore(tx, vault: core.vault))
      return ReviewRecord(
        review: review, isOpen: try ReviewStore(tx).find(id, tenant: tenant) != nil, user: process.person.user,
        activation: try process.activation.flatMap { try dossiers.activations.find(.init(rawValue: $0), in: tx) },
        pictures: try pictures.map { picture in
          guard picture.document != nil, !picture.isPortrait else { return picture }
          var shown = picture
          // Of another provider's words nothing is taken.
          shown.reading = try store.reading(of: .init(rawValue: picture.key)).flatMap {
            try? JSONDecoder().decode(DocumentReading.self, from: $0)
          }
          return shown
        },
        checks: try ReviewStore(tx).records(of: review.verification).first { $0.review.id == id }?
          .checks(by: core.vault, in: tx) ?? [],
        related: try RelatedProcess.all(of: process, in: tx, vault: core.vault), chain: process.id.rawValue)
    }
  }
}
