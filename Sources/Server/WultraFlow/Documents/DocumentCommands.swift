// SPDX-License-Identifier: Apache-2.0

import Activations
import Evidence
import Foundation
import Kit
import PowerAuthCore
import Storage
import WultraWire

/// Pictures of documents: how they come in and how they stand (wultra-onboarding.md §3 #6–#8, #13, §4).
package struct DocumentCommands: Sendable {
  /// Requests of one process that bring pictures of documents, those that nothing came of included.
  static let requests = RateLimit("wultra-pictures", 60, per: .hours(1))

  let dossiers: Dossiers
  let provider: DocumentProvider
  var core: CoreDependencies { dossiers.core }

  /// What the scanning library of the app is told. Changes nothing but a count.
  package func initSDK(
    _ request: Wultra.SDKInitRequest<[String: JSONValue]>, by caller: VerificationCaller
  ) async throws -> Wultra.SDKInitResponse<[String: JSONValue]> {
    let dossier = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let dossier = try dossiers.open(request.processId, of: caller, in: tx)
      if let dossier { try dossiers.spendQuestion(of: dossier, in: tx) }
      return dossier
    }
    guard let process = dossier?.process else { throw Problem.onboardingFailed }
    let query = ScanningQuery(
      tenant: process.tenant, processId: process.id.rawValue, userId: process.person.user,
      attributes: request.attributes)
    let attributes = try await dossiers.asking { try await provider.prepareScanning(query) }
    // Released apps take the first text that they find, and fail without one.
    guard attributes.values.contains(where: { $0.stringValue != nil }) else { throw Problem.institutionUnreachable }
    return Wultra.SDKInitResponse(attributes: attributes)
  }

  /// Takes pictures in. A picture that cannot be decoded is taken as one that failed, so that the app asks for it
  /// again.
  /// - Throws: `Problem` DOCUMENT_SUBMIT_FAILED, IDENTITY_VERIFICATION_LIMIT_REACHED after too many failed ones.
  package func submit(_ submission: Wultra.DocumentSubmission, by caller: VerificationCaller) async throws {
    let checked = try CheckedSubmission(submission)
    let ids = checked.files.map { $0.upload ?? SubmittedDocument.ID(core.world) }
    let new = zip(checked.files, ids).filter { $0.0.upload == nil }.map(\.1.rawValue)
    let (announced, key) = try await core.database.write(retrying: .outdatedOrDuplicate) {
      tx -> Decided<(Instant, SubjectKey?)> in
      guard let dossier = try uploading(checked, by: caller, in: tx) else { return .refused(.onboardingFailed) }
      return .answer((try admit(new, to: dossier, in: tx), try dossiers.key(of: dossier.process, in: tx)))
    }.get()
    let pictures = try await decode(checked, as: ids, under: key)
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try uploading(checked, by: caller, in: tx) else { return .refused(.onboardingFailed) }
      try OrphanedPictures(core: core).requireTimely(announced)
      return try keep(checked.files, pictures, &dossier, in: tx)
    }.get()
  }

  /// Refuses pictures that will be refused whatever they show, before they are read. Counts nothing.
  /// - Throws: `Problem` ONBOARDING_FAILED, DOCUMENT_SUBMIT_FAILED, rate-limited.
  package func requireUploading(_ activation: Activation.ID) async throws {
    try await core.database.read { tx in
      guard let process = try ProcessStore(tx, vault: core.vault).find(activation: activation.rawValue),
        process.status == .verifying
      else { throw Problem.onboardingFailed }
      let dossier = try dossiers.dossier(process, in: tx)
      guard dossier.verification?.state == .uploading, try dossiers.hasConsent(dossier, in: tx) else {
        throw Problem.documentSubmitFailed
      }
      try core.limits.require(Self.requests, by: process.id.rawValue, in: tx)
    }
  }

  /// Counts a request with pictures, before anything is unpacked or decoded, and announces what it will store.
  /// - Returns: when it was announced.
  /// - Throws: `Problem` rate-limited.
  func admit(_ keys: [String], to dossier: Dossier, in tx: any SQLTransaction) throws -> Instant {
    try core.limits.spend(Self.requests, by: dossier.process.id.rawValue, isTold: false, in: tx)
    return try OrphanedPictures(core: core).announce(keys, in: tx)
  }

  /// The caller's verification while it takes pictures, if the submission fits it.
  private func uploading(
    _ submission: CheckedSubmission, by caller: VerificationCaller, in tx: any SQLTransaction
  ) throws -> Dossier? {
    guard let dossier = try dossiers.open(submission.process, of: caller, in: tx) else { return nil }
    guard let verification = dossier.verification, verification.state == .uploading,
      try dossiers.hasConsent(dossier, in: tx)
    else { throw Problem.documentSubmitFailed }
    let documents = try SubmittedDocumentStore(tx, vault: core.vault).all(of: verification.id)
    guard documents.count + submission.files.count <= SubmittedDocumentStore.documentsMax else {
      throw Problem.documentSubmitFailed
    }
    let used = documents.filter { $0.status != .disposed && $0.status != .uploaded }
    for file in submission.files {
      if let original = file.original {
        let ofSide = used.filter { $0.document == file.document && $0.side == file.side }
        guard ofSide.contains(where: { $0.id == original }) || (ofSide.isEmpty && file.isMissingSide) else {
          throw Problem.documentSubmitFailed
        }
      }
      if let upload = file.upload {
        guard documents.contains(where: { $0.id == upload && $0.status == .uploaded }) else {
          throw Problem.documentSubmitFailed
        }
      }
    }
    return dossier
  }

  // MARK: Work

  /// What became of one picture.
  private enum Picture: Sendable {
    /// Stored, sealed, under this id.
    case stored(SubmittedDocument.ID)
    /// Was stored by an upload.
    case uploaded(SubmittedDocument.ID)
    case unusable(code: String)
  }

  private func decode(
    _ submission: CheckedSubmission, as ids: [SubmittedDocument.ID], under key: SubjectKey?
  ) async throws -> [Picture] {
    var entries: [String: Data] = [:]
    if let archive = submission.archive {
      do { entries = try ZipArchive(archive, limits: CheckedSubmission.zipLimits).files } catch {
        throw Problem.documentSubmitFailed
      }
    }
    var pictures: [Picture] = []
    for (file, id) in zip(submission.files, ids) {
      if let upload = file.upload {
        pictures.append(.uploaded(upload))
      } else {
        guard let bytes = entries[file.filename] else { throw Problem.documentSubmitFailed }
        pictures.append(try await store(bytes, as: id, under: key))
      }
    }
    return pictures
  }

  /// The blob is durable when this returns; the row that names it follows.
  private func store(_ bytes: Data, as id: SubmittedDocument.ID, under key: SubjectKey?) async throws -> Picture {
    do {
      let image = try await provider.take(bytes)
      try await core.blobs.put(
        id.rawValue, core.vault.seal(image, context: SubmittedDocument.context(id.rawValue), under: key))
      return .stored(id)
    } catch let problem as ImageProblem {
      return .unusable(code: problem.code)
    } catch is EvidenceQueue.Busy {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
  }

  // MARK: Commit

  private func keep(
    _ files: [CheckedSubmission.File], _ pictures: [Picture], _ dossier: inout Dossier, in tx: any SQLTransaction
  ) throws -> Decided<Void> {
    guard let verification = dossier.verification else { return .refused(.documentSubmitFailed) }
    let store = SubmittedDocumentStore(tx, vault: core.vault)
    try dossiers.hold(&dossier, in: tx)
    var before = try store.all(of: verification.id)
    var points = 0
    for (file, picture) in zip(files, pictures) {
      if let original = file.original {
        // A released app names the first picture of a side. The refused ones of the side go with it, or the app would be
        // asked for the side without end.
        let isReplaced = { (picture: SubmittedDocument) in
          picture.id == original || picture.isBad && picture.document == file.document && picture.side == file.side
        }
        for var replaced in before.filter(isReplaced) {
          try dossiers.move(&replaced, on: .replaced, by: "customer", in: tx)
        }
        before.removeAll(where: isReplaced)
      }
      switch picture {
      case .stored(let id):
        try store.insert(made(id, file, of: verification, .reading))
        try core.outbox.enqueue(
          WultraEffects.topic(DocumentEffect.readDocument), subject: id.rawValue, in: tx)
      case .uploaded(let id):
        var document = made(id, file, of: verification, .uploaded)
        try dossiers.move(&document, on: .submitted, by: "customer", in: tx)
      case .unusable(let code):
        try store.insert(
          made(.init(core.world), file, of: verification, .failed, errorCode: code, hasImage: false))
        points += WultraPolicy.Score.documentFailed
      }
    }
    try dossiers.audit(
      "documents.submitted", dossier.process, by: "customer",
      facts: ["count": "\(files.count)", "verification": verification.id.rawValue], in: tx)
    return try conclude(points, &dossier, in: tx)
  }

  private func conclude(_ points: Int, _ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Decided<Void> {
    if try points > 0 && dossiers.score(points, &dossier, in: tx) {
      try dossiers.save(&dossier, in: tx)
      return .refused(.processLimitReached)
    }
    let isOver = try dossiers.limitUploads(&dossier, in: tx)
    try dossiers.save(&dossier, in: tx)
    return isOver ? .refused(.verificationLimitReached) : .answer(())
  }

  private func made(
    _ id: SubmittedDocument.ID, _ file: CheckedSubmission.File, of verification: IdentityVerification,
    _ status: SubmittedDocument.Status, errorCode: String? = nil, hasImage: Bool = true
  ) -> SubmittedDocument {
    SubmittedDocument(
      id: id, verification: verification.id, document: file.document, side: file.side, filename: file.filename,
      status: status, errorCode: errorCode,
      original: file.isMissingSide ? nil : file.original, hasImage: hasImage, createdAt: core.world.now())
  }
}

extension CheckedSubmission.File {
  /// Whether it is sent in place of a side that was never sent.
  fileprivate var isMissingSide: Bool { original == MissingSide(document: document, side: side).id }
}

extension Dossiers {
  /// Ends a verification with too many failed pictures; the caller saves.
  /// - Returns: whether it did.
  func limitUploads(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Bool {
    guard let verification = dossier.verification else { return false }
    let failed = try SubmittedDocumentStore(tx, vault: core.vault).all(of: verification.id)
      .count { $0.errorCode != nil && !$0.isAskedAgain }
    guard failed >= policy.failedUploadsMax else { return false }
    try move(&dossier, on: .ended, failure: .maxFailedAttemptsDocumentUpload, in: tx)
    return true
  }
}
