// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage
import WultraWire

extension DocumentCommands {
  /// How the pictures stand: those that count, or those that the filter names (wultra-onboarding.md §3 #8). What
  /// released apps do not read is never said.
  ///
  /// State and pictures are read in one transaction. A released app that has asked for the state just before takes this
  /// answer for the pictures of that state, and shows the camera when all of them are accepted. So, without a filter:
  ///
  /// 1. While pictures are taken, each one is told as it stands, and a missing side as one that was refused
  ///    (`MissingSide`).
  /// 2. While one of them is still being read, those that were refused are told as being checked. The app would ask for
  ///    another picture at once, and the judgement of the others, which takes no pictures, would come in between.
  /// 3. In any other state the verification has gone on since the app asked, and every picture is told as being checked:
  ///    the app waits and asks for the state again.
  package func status(
    _ request: Wultra.DocumentStatusRequest, by caller: VerificationCaller
  ) async throws -> Wultra.DocumentStates {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [dossiers] tx -> Decided<Wultra.DocumentStates> in
      guard let dossier = try asked(request.processId, by: caller, in: tx) else { return .refused(.onboardingFailed) }
      guard let verification = dossier.verification else {
        return .answer(Wultra.DocumentStates(status: .inProgress, documents: []))
      }
      let documents = try SubmittedDocumentStore(tx, vault: dossiers.core.vault).used(of: verification.id)
      let isUploading = verification.state == .uploading
      let isReading = documents.contains { $0.isBeingRead }
      let vault = dossiers.core.vault
      let words =
        try documents.contains(where: \.isAskedAgain)
        ? ReviewStore(tx).records(of: verification.id).last { $0.verdict == .retake }?.reason(by: vault, in: tx) : nil
      let missing = isUploading ? MissingSide.all(in: documents).map { $0.view } : []
      let views = documents.map { $0.view(words: words) } + missing
      guard let filter = request.filter, !filter.isEmpty else {
        // Before the presence check the phase is not initialized, and the documents are accepted.
        let status = verification.state.status == .notInitialized ? .accepted : verification.state.status
        let told = views.map { view in
          let isTold = isUploading && !(isReading && view.errors != nil)
          return isTold ? view : Self.asBeingChecked(view)
        }
        return .answer(Wultra.DocumentStates(status: status, documents: told))
      }
      let named = filter.compactMap { reference in views.first { $0.id == reference.documentId } }
      // A picture of another process counts as missing.
      guard named.count == filter.count else { return .answer(Wultra.DocumentStates(status: .failed, documents: [])) }
      return .answer(Wultra.DocumentStates(status: Self.status(of: named), documents: named))
    }.get()
  }

  /// The caller's process, also when it has finished since the app asked for the state.
  private func asked(_ id: String, by caller: VerificationCaller, in tx: any SQLTransaction) throws -> Dossier? {
    guard let process = try ProcessStore(tx, vault: dossiers.core.vault).find(.init(rawValue: id.lowercased())),
      process.activation == caller.activation.rawValue, process.status == .finished
    else { return try dossiers.open(id, of: caller, in: tx) }
    return try dossiers.dossier(process, in: tx)
  }

  private static func asBeingChecked(_ document: Wultra.DocumentState) -> Wultra.DocumentState {
    var document = document
    (document.status, document.errors) = (.verificationInProgress, nil)
    return document
  }

  private static func status(of documents: [Wultra.DocumentState]) -> Wultra.VerificationStatus {
    if documents.contains(where: { $0.status == .failed }) { return .failed }
    if documents.contains(where: { $0.status == .rejected }) { return .rejected }
    if documents.contains(where: { $0.status == .uploadInProgress }) { return .inProgress }
    return documents.allSatisfy { $0.status == .accepted } ? .accepted : .verificationPending
  }

  /// Takes one picture by itself, for a submission that names it later (§3 #13).
  /// - Parameter archive: a ZIP archive of exactly one file.
  /// - Throws: `Problem` DOCUMENT_SUBMIT_FAILED.
  package func upload(_ archive: Data, by caller: VerificationCaller) async throws -> Wultra.DocumentUpload {
    let (core, dossiers) = (dossiers.core, dossiers)
    let id = SubmittedDocument.ID(core.world)
    let (announced, key) = try await core.database.write(retrying: .outdatedOrDuplicate) {
      tx -> Decided<(Instant, SubjectKey?)> in
      guard let dossier = try uploading(by: caller, in: tx) else { return .refused(.onboardingFailed) }
      return .answer((try admit([id.rawValue], to: dossier, in: tx), try dossiers.key(of: dossier.process, in: tx)))
    }.get()
    guard let files = try? ZipArchive(archive, limits: CheckedSubmission.zipLimits).files, files.count == 1,
      let (name, bytes) = files.first, name.utf8.count <= CheckedSubmission.filenameBytesMax
    else { throw Problem.documentSubmitFailed }
    let image: Data
    do { image = try await provider.take(bytes) } catch is ImageProblem {
      throw Problem.documentSubmitFailed
    } catch is EvidenceQueue.Busy {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
    try await core.blobs.put(
      id.rawValue, core.vault.seal(image, context: SubmittedDocument.context(id.rawValue), under: key))
    return try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Wultra.DocumentUpload> in
      guard let dossier = try uploading(by: caller, in: tx), let verification = dossier.verification else {
        return .refused(.onboardingFailed)
      }
      try OrphanedPictures(core: core).requireTimely(announced)
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      // Which side of which document it is, the submission says.
      try store.insert(
        SubmittedDocument(
          id: id, verification: verification.id, document: .idCard, side: .front, filename: name, status: .uploaded,
          original: nil, hasImage: true, createdAt: core.world.now()))
      try dossiers.audit(
        "document.uploaded", dossier.process, by: "customer", facts: ["verification": verification.id.rawValue], in: tx)
      return .answer(Wultra.DocumentUpload(filename: name, id: id.rawValue))
    }.get()
  }

  private func uploading(by caller: VerificationCaller, in tx: any SQLTransaction) throws -> Dossier? {
    let store = ProcessStore(tx, vault: dossiers.core.vault)
    guard let process = try store.find(activation: caller.activation.rawValue),
      let dossier = try dossiers.open(process.id.rawValue, of: caller, in: tx)
    else { return nil }
    guard let verification = dossier.verification, verification.state == .uploading,
      try dossiers.hasConsent(dossier, in: tx),
      try SubmittedDocumentStore(tx, vault: dossiers.core.vault).all(of: verification.id).count
        < SubmittedDocumentStore.documentsMax
    else { throw Problem.documentSubmitFailed }
    return dossier
  }
}
