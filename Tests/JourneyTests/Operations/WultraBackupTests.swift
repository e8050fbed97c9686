// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import Storage
import TestSupport
import Testing

@testable import WultraFlow
@testable import GatehouseApp

@Suite("Operations: backup of Wultra's pictures", .ownFile)
struct WultraBackupTests {
  /// An onboarding in the middle of its presence check, with a document, its portrait and a picture of the face.
  private func onboarding(in source: BackupTestApp) async throws -> (document: String, capture: String) {
    let dossiers = source.app.wultra.dossiers
    let core = dossiers.core
    let (document, capture) = (SubmittedDocument.ID(core.world), core.world.uuid())
    let portrait = SubmittedDocument.portraitKey(document)
    let process = OnboardingProcess(
      id: .init(rawValue: core.world.uuid()), tenant: "default", status: .activating, identificationDigest: capture,
      person: .init(user: "u", language: "en", consentRequired: false), createdAt: source.clock.now,
      deadline: source.clock.now + .minutes(5))
    let sealing = try await core.database.write { tx in
      try ProcessStore(tx, vault: core.vault).insert(process)
      return try dossiers.key(of: process, in: tx)
    }
    for (key, context) in [
      (document.rawValue, SubmittedDocument.context(document.rawValue)),
      (portrait, SubmittedDocument.context(portrait)),
      (capture, CaptureStore.context(capture)),
    ] {
      try await core.blobs.put(key, core.vault.seal(Data(key.utf8), context: context, under: sealing))
    }
    try await core.database.write { tx in
      let verification = IdentityVerification(
        id: .init(core.world), process: process.id, state: .uploading, createdAt: source.clock.now)
      try IdentityVerificationStore(tx).insert(verification)
      var submitted = SubmittedDocument(
        id: document, verification: verification.id, document: .idCard, side: .front, filename: "f", status: .reading,
        original: nil, hasImage: true, createdAt: source.clock.now)
      try SubmittedDocumentStore(tx, vault: core.vault).insert(submitted)
      submitted.hasPortrait = true
      try dossiers.move(&submitted, on: .read, reading: Data("{}".utf8), in: tx)
      try CaptureStore(tx).insert(capture, of: verification.id, presenceCheck: 1, at: source.clock.now)
    }
    return (document.rawValue, capture)
  }

  @Test("documents, portraits and captures are in a backup, and open after its restoration; what is missing is told")
  func pictures() async throws {
    let source = try await BackupTestApp()
    let whole = try await onboarding(in: source)
    let torn = try await onboarding(in: source)
    try await source.app.wultra.dossiers.core.blobs.delete(torn.capture)
    let target = source.folder.file("backup")
    let manifest = try await source.backup.take(to: target, withKeyring: true)
    #expect(manifest.blobs == 5 && manifest.missing == [torn.capture])
    let settings = BackupTestApp.settings("restored", in: source.folder)
    _ = try await Restore(settings: settings, world: source.clock.world).run(from: target, keyring: nil, force: false)
    let dossiers = try await BackupTestApp.open(settings, source.clock).wultra.dossiers
    let portrait = SubmittedDocument.portraitKey(.init(rawValue: whole.document))
    #expect(
      try await dossiers.blob(whole.document, SubmittedDocument.context(whole.document)) == Data(whole.document.utf8))
    #expect(try await dossiers.blob(portrait, SubmittedDocument.context(portrait)) == Data(portrait.utf8))
    #expect(try await dossiers.blob(whole.capture, CaptureStore.context(whole.capture)) == Data(whole.capture.utf8))
  }

  @Test("an erasure is proven, and the proof shows on a backup what of it can still be opened")
  func erased() async throws {
    let source = try await BackupTestApp()
    _ = try await onboarding(in: source)
    let closed = source.folder.file("closed")
    _ = try await source.backup.take(to: closed, withKeyring: false)
    let wultra = try source.app.module(named: WultraModule.name)
    let subject = DataSubject("u", of: "default", by: "operator")
    let reason = try #require(ErasureReason(rawValue: "art-17-request"))
    #expect(try await source.app.erasureProof(of: subject, from: wultra) == nil)
    _ = try await source.app.erase(subject, from: wultra, for: reason)
    try await source.settle()

    let document = try #require(try await source.app.erasureProof(of: subject, from: wultra))
    let proof = try ErasureProof(document, by: source.app.vault)
    #expect(proof.reason == "art-17-request" && proof.keys.count == 1 && proof.objects == 3)
    #expect(
      proof.values
        == ["wultra_process.person": 1, "wultra_document.filename": 1, "wultra_document.reading": 1])
    let stranger = DataSubject("u", of: "other", by: "operator")
    #expect(try await source.app.erasureProof(of: stranger, from: wultra) == nil)

    let check = BackupErasureCheck(settings: source.settings, world: source.clock.world)
    var readable = ErasureCheck.Report()
    (readable.hasKey, readable.keyOpens, readable.values, readable.objects) = (true, true, 3, 3)
    #expect(try await check.run(proof, on: closed, keyring: nil, epochKey: nil) == readable)
    let epochs = try #require(
      SubjectKeyEpochs(source.app.database, vault: source.app.vault, world: source.clock.world))
    for period in [SubjectKeys.epochLength, SubjectKeys.epochKept] {
      source.clock.advance(by: period)
      try await epochs.run()
    }
    readable.keyOpens = false
    let left = try await check.run(proof, on: closed, keyring: nil, epochKey: nil)
    #expect(left == readable && !left.isReadable)
    // Here the worker has emptied the rows and deleted the pictures.
    #expect(try await source.app.checkErasure(proof) == .init())
  }
}
