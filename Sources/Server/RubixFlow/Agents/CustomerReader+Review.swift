// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// What the agent who decides on an application is shown of it.
package struct ReviewRecord: Sendable {
  /// Unmasked.
  package let customer: CustomerRecord
  package let registeredName: String?
  package let reason: ReviewReason?
  /// In force, the oldest first.
  package let images: [Image]
  /// The last comparison of documents and faces; nil before the first one that decided something.
  package let outcome: VerificationOutcome?
  /// The forms in force.
  package let forms: [FilledForm]
  /// The call in which is decided; nil where none is booked.
  package let call: Appointment.ID?
  /// Applications that share something with this one.
  package let related: [RelatedApplication]

  package struct Image: Sendable {
    package let id: CapturedImage.ID
    package let type: DocumentType
    package let subType: SelfieSubType?
    package let width: Int
    package let height: Int
    package let liveness: LivenessOutcome?
    package let hasPortrait: Bool
    /// What the worker read; nil of faces, and while it reads.
    package let reading: DocumentReading?

    init(_ image: CapturedImage, reading: DocumentReading?) {
      (id, type, subType, liveness) = (image.id, image.type, image.subType, image.liveness)
      (width, height, hasPortrait) = (image.width, image.height, image.hasPortrait)
      self.reading = reading
    }
  }
}

extension CustomerReader {
  /// The pictures in force, for code that gives one of them out and audits that look.
  /// - Throws: `Problem` not-found.
  package func images(of id: Application.ID, tenant: Tenant) async throws -> [ReviewRecord.Image] {
    try await core.database.read { tx in
      try applications.load(id, tenant: tenant, in: tx).images.map { ReviewRecord.Image($0, reading: nil) }
    }
  }

  /// What is to be looked at before a verdict. The look is audited.
  /// - Throws: `Problem` forbidden without `read:customers` or in one's own case; not-found.
  package func review(_ id: Application.ID, by agent: Agent) async throws -> ReviewRecord {
    try agent.require(.readCustomers)
    return try await core.database.write(retrying: .outdated) { tx in
      let dossier = try admit(agent, to: id, what: ["what": "review"], in: tx)
      let (application, store) = (dossier.application, ImageStore(tx, vault: core.vault))
      let applicant = application.applicant
      let registered = [applicant.firstName, applicant.middleName, applicant.lastName]
        .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
      return ReviewRecord(
        customer: application.record, registeredName: registered.isEmpty ? nil : registered,
        reason: application.reviewReason,
        images: try dossier.images.map { ReviewRecord.Image($0, reading: try store.reading(of: $0.id)) },
        outcome: try VerificationStore(tx, vault: core.vault).all(of: id).last?.outcome,
        forms: try FilledForm.inForce(of: id, in: FormStore(tx, vault: core.vault)),
        call: dossier.appointment.flatMap { $0.reason == .verification ? $0.id : nil },
        related: try RelatedApplications(tx: tx, vault: core.vault).all(of: application))
    }
  }
}
