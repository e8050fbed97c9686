// SPDX-License-Identifier: Apache-2.0

import Activations
import Delivery
import Foundation
import Kit
import Storage

/// Gathers what is kept of one user. Being looked at is an audit line of each process and each activation, written
/// before anything is shown.
package struct UserExporter: Sendable {
  /// As many as one call of `UserErasure` forgets.
  private static let processesMax = UserErasure.pageMax * UserErasure.pagesMax

  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  package init(dossiers: Dossiers) { self.dossiers = dossiers }

  /// What there is of a user, as of one instant; the pictures are `addPictures`'s.
  /// - Parameter user: as the institution calls them.
  /// - Throws: `Problem` not-found for a user of whom nothing is kept.
  package func export(
    _ user: String, tenant: String, by actor: ActivationActor
  ) async throws -> UserExport {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let processes = try self.processes(of: user, tenant, in: tx)
      for process in processes {
        try dossiers.audit("process.exported", process, by: actor.text, in: tx)
      }
      let devices = try dossiers.activations.noteExport(user: user, tenant: tenant, by: actor, in: tx)
      guard processes.isEmpty, devices == 0 else { return }
      guard try hasKey(user, tenant, in: tx) else { throw Problem.notFound }
      // Of a key alone there is no story but the tenant's.
      try core.audit.append("wultra.user.exported", to: "wultra-tenant-\(tenant)", by: actor.text, in: tx)
    }
    return try await core.database.read { tx in try gathered(user, tenant, in: tx) }
  }

  /// Opens the pictures of an export one after the other, hands each one over and lists it. One that is gone is left
  /// out.
  package func addPictures(
    to export: inout UserExport, _ write: (ExportedFile, Data) throws -> Void
  ) async throws {
    for index in export.documents.indices where export.documents[index].erasedAt == nil {
      let id = export.documents[index].id
      for (what, key) in [("document", id), ("portrait", SubmittedDocument.portraitKey(.init(rawValue: id)))] {
        let picture = try await core.blobs.exported(
          key, as: what, context: SubmittedDocument.context(key), by: core.vault, in: core.database)
        guard let (file, bytes) = picture else { continue }
        try write(file, bytes)
        export.documents[index].files.append(file)
      }
    }
    for index in export.captures.indices {
      let id = export.captures[index].id
      let picture = try await core.blobs.exported(
        id, as: "face", context: CaptureStore.context(id), by: core.vault, in: core.database)
      guard let (file, bytes) = picture else { continue }
      try write(file, bytes)
      export.captures[index].files.append(file)
    }
  }

  /// Whether a key is kept of a user, also where nothing else is.
  private func hasKey(_ user: String, _ tenant: String, in tx: any SQLTransaction) throws -> Bool {
    try core.vault.hasSubjectKey(of: dossiers.activations.keySubject(of: user, tenant: tenant).id, in: tx)
  }

  private func gathered(_ user: String, _ tenant: String, in tx: any SQLTransaction) throws -> UserExport {
    let processes = try self.processes(of: user, tenant, in: tx)
    let verifications = try processes.flatMap { try self.verifications(of: $0.id, in: tx) }
    let activations = try dossiers.activations.exported(user: user, tenant: tenant, in: tx)
    let recoveryCodes = try dossiers.activations.exportedRecoveryCodes(user: user, tenant: tenant, in: tx)
    // Forgotten since the line was written.
    guard
      try !processes.isEmpty || !activations.isEmpty || !recoveryCodes.isEmpty || hasKey(user, tenant, in: tx)
    else { throw Problem.notFound }
    let shown = try processes.map { try self.shown($0, in: tx) }
    let documents = try verifications.flatMap { try self.documents(of: $0.id, in: tx) }
    let captures = try verifications.flatMap { try self.captures(of: $0.id, in: tx) }
    let consents = try processes.flatMap { try self.consents(of: $0.id, in: tx) }
    let reviews = try verifications.flatMap { try ReviewStore(tx).records(of: $0.id) }
    let subjects = processes.map(\.id.rawValue) + verifications.map(\.id.rawValue)
    let passcodes = try subjects.flatMap { try dossiers.passcodes.records(of: $0, in: tx) }
    return UserExport(
      exportedAt: core.world.now().rfc3339, tenant: tenant, user: user, processes: shown,
      verifications: verifications.map { UserExport.Verification($0) }, documents: documents, captures: captures,
      consents: consents,
      reviews: try reviews.map {
        UserExport.Review(
          $0, reason: try $0.reason(by: core.vault, in: tx), checks: try $0.checks(by: core.vault, in: tx))
      },
      passcodes: passcodes.map { UserExport.Code($0) }, activations: activations, recoveryCodes: recoveryCodes)
  }

  /// A user's, in the order in which they were begun.
  private func processes(
    of user: String, _ tenant: String, in tx: any SQLTransaction
  ) throws -> [OnboardingProcess] {
    let store = ProcessStore(tx, vault: core.vault)
    return try store.ids(ofUser: user, tenant: tenant, limit: Self.processesMax).compactMap { try store.find($0) }
      .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
  }

  private func shown(_ process: OnboardingProcess, in tx: any SQLTransaction) throws -> UserExport.Process {
    let id = process.id.rawValue
    return UserExport.Process(
      process, told: try Webhooks.told(about: id, in: tx), history: try AuditStore(tx).exported(id))
  }

  private func consents(
    of process: OnboardingProcess.ID, in tx: any SQLTransaction
  ) throws -> [UserExport.Consent] {
    try ConsentStore(tx).records(of: process).map { UserExport.Consent($0, of: process) }
  }

  private func captures(
    of verification: IdentityVerification.ID, in tx: any SQLTransaction
  ) throws -> [UserExport.Capture] {
    try CaptureStore(tx).all(of: verification).map { UserExport.Capture($0, of: verification) }
  }

  private func verifications(
    of process: OnboardingProcess.ID, in tx: any SQLTransaction
  ) throws -> [IdentityVerification] {
    let store = IdentityVerificationStore(tx)
    return try store.ids(of: process).compactMap { try store.find($0) }
  }

  /// Every picture that was sent, also those of which only the row is left.
  private func documents(
    of verification: IdentityVerification.ID, in tx: any SQLTransaction
  ) throws -> [UserExport.Document] {
    let store = SubmittedDocumentStore(tx, vault: core.vault)
    return try store.withErased(of: verification).map { document, erasedAt in
      UserExport.Document(document, erasedAt: erasedAt, reading: try store.reading(of: document.id))
    }
  }
}
