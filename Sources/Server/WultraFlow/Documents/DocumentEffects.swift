// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage

/// What the worker does with pictures of documents: reads each one, judges each one, compares all of them.
struct DocumentEffects: Sendable {
  let dossiers: Dossiers
  let provider: DocumentProvider
  private var core: CoreDependencies { dossiers.core }

  // MARK: Reading

  @Sendable
  func read(_ item: OutboxItem) async throws {
    let id = SubmittedDocument.ID(rawValue: item.subject)
    let found = try await core.database.read { tx -> (SubmittedDocument, SubjectKey?)? in
      guard let document = try SubmittedDocumentStore(tx, vault: core.vault).find(id),
        let dossier = try dossiers.dossier(document.verification, in: tx)
      else { return nil }
      return (document, try dossiers.key(of: dossier.process, in: tx))
    }
    guard let (document, key) = found, document.status == .reading,
      let kind = document.document.kind(document.side)
    else { return }
    let picture: Data
    // Whose it was is forgotten, and the picture is on its way out.
    do {
      picture = try await dossiers.blob(id.rawValue, SubmittedDocument.context(id.rawValue))
    } catch VaultError.erased { return }
    let finding: PictureFinding
    do { finding = try await provider.read(picture, kind, dossiers.today) } catch let problem as ImageProblem {
      return try await refuse(document, .failed, code: problem.code, points: WultraPolicy.Score.documentFailed)
    }
    switch finding {
    case .rejected(let code):
      try await refuse(document, .rejected, code: code, points: WultraPolicy.Score.documentRejected)
    case .read(let reading, let portrait):
      try await keep(document, reading, portrait, showing: ProcessTrait.of(picture, reading), under: key)
    }
  }

  private func keep(
    _ document: SubmittedDocument, _ reading: Data, _ portrait: Data?, showing traits: [ProcessTrait],
    under sealing: SubjectKey?
  ) async throws {
    if let portrait {
      let key = document.portraitKey
      try await core.blobs.put(key, core.vault.seal(portrait, context: SubmittedDocument.context(key), under: sealing))
    }
    let isKept = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      guard var current = try store.find(document.id) else { return false }
      // Replaced meanwhile, or read by another worker.
      guard current.status == .reading else { return true }
      current.hasPortrait = portrait != nil
      guard var dossier = try dossiers.dossier(document.verification, in: tx), dossier.process.status == .verifying,
        dossier.verification?.state == .uploading
      else {
        try dossiers.move(&current, on: .read, reading: reading, in: tx)
        return true
      }
      // Also where nothing else changes: of two readings that end at once, one has to see the other.
      try dossiers.hold(&dossier, in: tx)
      try ProcessTraitStore(tx, vault: core.vault).note(
        traits, of: dossier.process, in: document.verification, at: core.world.now())
      try dossiers.move(&current, on: .read, reading: reading, in: tx)
      try step(&dossier, in: tx)
      dossier.hasUpdates = true
      try dossiers.save(&dossier, in: tx)
      return true
    }
    // Erased meanwhile: of that one no portrait may stay behind.
    if !isKept { try await core.blobs.delete(document.portraitKey) }
  }

  private func refuse(
    _ document: SubmittedDocument, _ event: DocumentEvent, code: String, points: Int
  ) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(document.verification.rawValue, in: tx) else { return }
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      guard var current = try store.find(document.id), current.status == .reading else { return }
      try dossiers.hold(&dossier, in: tx)
      current.errorCode = code
      try dossiers.move(&current, on: event, in: tx)
      try dossiers.audit(
        "document.\(event.rawValue)", dossier.process, by: "system",
        facts: ["document": document.id.rawValue, "code": code], in: tx)
      try fine(points, &dossier, in: tx)
      dossier.hasUpdates = true
      try dossiers.save(&dossier, in: tx)
    }
  }

  /// Counts what went wrong; where nothing ended by it, the verification goes on.
  private func fine(_ points: Int, _ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    guard try !dossiers.score(points, &dossier, in: tx), try !dossiers.limitUploads(&dossier, in: tx) else { return }
    try step(&dossier, in: tx)
  }

  /// Every picture is read, and one at least can be judged: on to the judgement.
  private func step(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    guard let verification = dossier.verification, verification.state == .uploading else { return }
    let documents = try SubmittedDocumentStore(tx, vault: core.vault).used(of: verification.id)
    guard DocumentEvaluation(documents, dossiers.policy) == .judgeable else { return }
    try dossiers.move(&dossier, on: .documentsRead, in: tx)
  }

  // MARK: Judging

  @Sendable
  func verify(_ item: OutboxItem) async throws {
    let id = IdentityVerification.ID(rawValue: item.subject)
    guard let sides = try await self.sides(of: id, in: .uploaded, where: { $0.status == .read }) else { return }
    let verdicts = try await provider.verify(sides, dossiers.rules)
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(item.subject, in: tx) else { return }
      guard dossier.verification?.state == .uploaded else { return }
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      var points = 0
      try dossiers.hold(&dossier, in: tx)
      for var document in try store.used(of: id) where document.status == .read {
        switch verdicts[document.id.rawValue] {
        case .accepted: try dossiers.move(&document, on: .accepted, in: tx)
        case .rejected(let code):
          document.errorCode = code
          try dossiers.move(&document, on: .rejected, in: tx)
          points += WultraPolicy.Score.documentRejected
        case nil: throw SQLError.outdated
        }
      }
      guard try !(points > 0 && dossiers.score(points, &dossier, in: tx)), try !dossiers.limitUploads(&dossier, in: tx)
      else { return try dossiers.save(&dossier, in: tx) }
      let judgement = DocumentEvaluation(try store.used(of: id), dossiers.policy)
      try dossiers.move(&dossier, on: judgement == .complete ? .documentsAccepted : .documentsIncomplete, in: tx)
      // Released apps forget which documents were chosen when they see the first of the two moves, and a reviewer may
      // still ask for another picture (decision 163).
      if judgement == .complete { try dossiers.move(&dossier, on: .crossCheckBegun, in: tx) }
      try dossiers.save(&dossier, in: tx)
    }
  }

  /// Ends the verification when every picture is accepted, a document is still needed, and none came for as long as the
  /// policy waits. The user can begin another one and choose again.
  @Sendable
  func endIdleUpload(_ item: OutboxItem) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(item.subject, in: tx) else { return }
      guard let verification = dossier.verification, verification.state == .uploading else { return }
      let documents = try SubmittedDocumentStore(tx, vault: core.vault).used(of: verification.id)
      guard documents.allSatisfy({ $0.status == .accepted }), MissingSide.all(in: documents).isEmpty,
        let newest = documents.map(\.createdAt).max(), newest + dossiers.policy.uploadPatience <= core.world.now()
      else { return }
      try dossiers.move(&dossier, on: .ended, failure: .documentsMissing, in: tx)
      try dossiers.save(&dossier, in: tx)
    }
  }

  @Sendable
  func crossCheck(_ item: OutboxItem) async throws {
    let id = IdentityVerification.ID(rawValue: item.subject)
    guard let sides = try await self.sides(of: id, in: .crossChecking, where: { $0.status == .accepted }) else {
      return
    }
    let verdict = try await provider.compare(sides, dossiers.rules)
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      guard var dossier = try dossiers.unfinished(item.subject, in: tx) else { return }
      guard dossier.verification?.state == .crossChecking, try !ReviewStore(tx).isOpen(id) else { return }
      switch verdict {
      case .accepted: try dossiers.move(&dossier, on: .crossCheckAccepted, in: tx)
      case .rejected(let codes):
        try dossiers.move(
          &dossier, on: .crossCheckRejected, failure: .documentVerificationRejected,
          facts: ["codes": codes.joined(separator: " ")], in: tx)
      case .inconclusive(let codes, let checks):
        try dossiers.ask(.documents, codes, checks, about: &dossier, in: tx)
      }
      try dossiers.save(&dossier, in: tx)
    }
  }

  /// What was read of a verification's pictures, in the order in which they came.
  /// - Returns: nil when the effect is not wanted any more.
  private func sides(
    of id: IdentityVerification.ID, in state: VerificationState,
    where isWanted: @escaping @Sendable (SubmittedDocument) -> Bool
  ) async throws -> [ReadDocumentSide]? {
    try await core.database.read { tx in
      guard try IdentityVerificationStore(tx).find(id)?.state == state else { return nil }
      let store = SubmittedDocumentStore(tx, vault: core.vault)
      return try store.used(of: id).filter(isWanted).compactMap { document in
        guard let kind = document.document.kind(document.side), let reading = try store.reading(of: document.id) else {
          return nil
        }
        return ReadDocumentSide(id: document.id.rawValue, kind: kind, reading: reading)
      }
    }
  }
}
