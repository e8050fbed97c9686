// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Foundation
import Identity
import Kit
import RubixWire
import Screening
import Storage

/// Gathers what is kept of one customer. Being looked at is an audit line, written before anything is shown.
package struct CustomerExporter: Sendable {
  let core: CoreDependencies
  let tenants: Tenants
  let sessions: Sessions
  let passcodes: Passcodes
  let applications: Applications
  let devOutbox: DevOutbox

  /// - Throws: `Problem` not-found.
  package func export(
    _ id: Application.ID, of tenant: Tenant, by actor: String
  ) async throws -> (customer: CustomerExport, restricted: RestrictedExport) {
    try await core.database.write(retrying: .outdated) { tx in
      let application = try ApplicationStore(tx, vault: core.vault).find(id, tenant: tenant.id)
      try core.audit.append("customer.exported", to: id.rawValue, by: actor, in: tx)
      let lines = try AuditStore(tx).whole(id.rawValue)
      return (
        try customer(application, tenant: tenant, lines: lines, in: tx),
        try restricted(application, lines: lines, in: tx)
      )
    }
  }

  /// The pictures of one image of an export, opened, one after the other. One that is gone is left out.
  package func pictures(of image: CustomerExport.Image) async throws -> [(file: CustomerExport.File, bytes: Data)] {
    var pictures: [(file: CustomerExport.File, bytes: Data)] = []
    for (what, key) in zip(["image", "portrait", "original"], CapturedImage.blobKeys(.init(rawValue: image.id))) {
      let picture = try await core.blobs.exported(
        key, as: what, context: CapturedImage.context(key), by: core.vault, in: core.database)
      if let picture { pictures.append(picture) }
    }
    return pictures
  }

  /// As it is given out: indented, members in the order of their names, in `snake_case`.
  package static func json(_ value: some Encodable) throws -> Data { try ExportText.json(value) }

  private func customer(
    _ application: Application, tenant: Tenant, lines: [AuditLine], in tx: any SQLTransaction
  ) throws -> CustomerExport {
    let (id, vault) = (application.id, core.vault)
    let calendar = try applications.appointments(of: tenant)
    let images = ImageStore(tx, vault: vault)
    return CustomerExport(
      exportedAt: core.world.now().wire, tenant: tenant.id, customerID: id.rawValue, application: .init(application),
      applicant: application.applicant,
      captureSessions: try images.sessions(of: id).map {
        .init(id: $0.session.id.rawValue, isActive: $0.isActive, createdAt: $0.session.createdAt.wire)
      },
      images: try images.all(of: id).map { try image($0, in: images) },
      verifications: try VerificationStore(tx, vault: vault).all(of: id).map {
        .init(id: $0.id.rawValue, attempt: $0.attempt, createdAt: $0.createdAt.wire, outcome: $0.outcome)
      },
      screenings: try screening.all(for: id.rawValue, in: tx).filter { $0.origin == .step }.map(\.customerView),
      forms: try FormStore(tx, vault: vault).all(of: id).map { .init(receipt: $0.form.receipt, answers: $0.answers) },
      appointments: try calendar.all(for: id.rawValue, in: tx).map {
        .init($0, try calendar.seats(of: $0.id, in: tx))
      },
      verdicts: try verdicts(of: id, in: VerdictStore(tx, vault: vault)),
      messages: try devOutbox.list(about: id.rawValue, in: tx).map { .init($0) },
      sentMessages: try MessageLog.list(about: id.rawValue, vault: vault, in: tx).map { .init($0) },
      sessions: try sessions.records(of: id.rawValue, in: tx).map { .init($0) },
      passcodes: try passcodes.records(of: id.rawValue, in: tx).map { .init($0) },
      history: CustomerExport.history(forSubject: lines))
  }

  private func restricted(
    _ application: Application, lines: [AuditLine], in tx: any SQLTransaction
  ) throws -> RestrictedExport {
    let id = application.id
    return RestrictedExport(
      exportedAt: core.world.now().wire, customerID: id.rawValue, phase: application.phase.rawValue,
      reviewReason: application.reviewReason?.rawValue,
      screenings: try screening.all(for: id.rawValue, in: tx).map { .init($0) },
      cases: try screening.cases(of: id.rawValue, in: tx).map { .init($0) },
      notes: try ScreeningNoteStore(tx, vault: core.vault).all(of: id).map { .init($0) },
      history: lines.map { .init($0) })
  }

  private var screening: Screening { Screening(core) }

  private func image(_ image: CapturedImage, in store: ImageStore) throws -> CustomerExport.Image {
    return CustomerExport.Image(
      id: image.id.rawValue, type: image.type.rawValue, subType: image.subType?.rawValue, state: image.state.rawValue,
      width: image.width, height: image.height, quality: image.quality, liveness: image.liveness,
      createdAt: image.createdAt.wire, appReading: try store.hints(of: image.id),
      reading: try store.reading(of: image.id))
  }

  private func verdicts(of id: Application.ID, in store: VerdictStore) throws -> [CustomerExport.Verdict] {
    let particulars = try store.particulars(of: id)
    return try store.all(of: id).map { verdict in
      let (written, checklist) = particulars[verdict.id] ?? (.init(notes: nil, call: nil), [])
      return CustomerExport.Verdict(
        id: verdict.id.rawValue, appointmentID: verdict.appointment, verdict: verdict.outcome.rawValue,
        failureReason: verdict.failureReason?.rawValue, retryAllowed: verdict.retryAllowed, checklist: checklist,
        notes: written.notes, call: written.call, decidedAt: verdict.decidedAt.wire)
    }
  }
}
