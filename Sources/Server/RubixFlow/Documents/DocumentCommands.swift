// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// Document images: taken, read by the worker, and taken over by the customer's process call (§6.7, §6.8).
package struct DocumentCommands: Sendable {
  static let hintMax = 4096

  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let steps: Steps
  let evidence: EvidenceReader

  package func upload(_ kind: RubixWire.DocumentKind, _ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.uploadDocument(kind), request)
    if let earlier = step.earlier { return earlier }
    let id = CapturedImage.ID(core.world)
    do {
      guard step.dossier.tenant.documents.accepted.contains(kind.documentType) else {
        throw Problem.stepOutOfOrder.with { $0.expectedSteps = step.dossier.nextSteps.map(\.path) }
      }
      let (kept, hints) = try await Deadline.run(Steps.workLimit) { try await keepPicture(of: step, as: id) }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        var image = kept.image(kind.documentType, nil, of: dossier, in: session, at: core.world.now())
        try applications.take(&image, on: .taken, hints: hints, of: &dossier, in: tx)
        // Of documents only: how often pictures of two faces look alike is not measured.
        if let likeness = kept.likeness {
          try TraitStore(tx, vault: core.vault).note(likeness, of: image.id, in: dossier.application)
        }
        dossier.application.reconsider()
        dossier.application.drop(kind.processedStep)
        dossier.application.record(kind.uploadedStep)
        try applications.move(
          &dossier, on: .documentTaken, facts: ["kind": kind.rawValue, "image": image.id.rawValue], in: tx)
        try applications.save(&dossier, in: tx)
        return try steps.keep(.created(image.view(showingScore: false)), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, storing: id, after: error) }
  }

  /// Understands megabytes of base64 outside of a transaction, because there is only one writer.
  private func keepPicture(of step: Step, as id: CapturedImage.ID) async throws -> (KeptImage, ClientHints) {
    let body = try step.takeBody().decode(as: DocumentUploadRequest.self)
    for (pointer, hint) in [("/mrz", body.mrz), ("/barcode", body.barcode)]
    where (hint?.utf8.count ?? 0) > Self.hintMax {
      throw Problem.validation([.init(pointer, "max", "At most \(Self.hintMax) bytes.")])
    }
    let (image, quality) = try await Problem.ofImages { try await evidence.inspectDocument(body.file) }
    guard quality.passes else { throw Problem.imageQuality(quality) }
    var frame: EvidenceImage?
    if let original = body.unprocessed {
      // The uncropped frame is kept sealed with the case; it must be an image like the other. No call shows it yet.
      frame = try await Problem.ofImages { try await evidence.inspectDocument(original) }.0
    }
    _ = try await steps.countPicture(of: step)
    let application = step.dossier.application.id
    let kept = try await KeptImage.keep(image, quality: quality, as: id, of: application, core)
    if let frame { try await core.keepImage(frame.bytes, as: CapturedImage.originalKey(kept.id), of: application) }
    return (kept, ClientHints(mrz: body.mrz, barcode: body.barcode))
  }

  /// Takes over what the worker read. While it is still reading, the answer is `PROCESSING` and nothing changes.
  package func process(_ kind: RubixWire.DocumentKind, _ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.processDocument(kind), request)
    if let earlier = step.earlier { return earlier }
    do {
      _ = try step.body.decode(as: EmptyBody.self)
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        return try steps.keep(try takeOver(kind, &dossier, in: tx), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  private func takeOver(
    _ kind: RubixWire.DocumentKind, _ dossier: inout Dossier, in tx: any SQLTransaction
  ) throws -> StepReply {
    guard var image = dossier.document(kind) else {
      throw Problem.stepOutOfOrder.with {
        $0.lastStep = dossier.application.lastStep.rawValue
        $0.expectedSteps = [RubixCall.uploadDocument(kind).path]
      }
    }
    let store = ImageStore(tx, vault: core.vault)
    guard let reading = try store.reading(of: image.id) else {
      return .view(status: 200, ProcessedDocument(reading: image), retryAfterSeconds: 1)
    }
    if image.state == .processing {
      try ApplicationStore(tx, vault: core.vault).lock(dossier.application.id)
      try core.mover.move(
        &image, on: reading.failure == nil ? .accepted : .refused,
        of: ImageMachine(image, of: dossier.tenant, vault: core.vault), by: "system",
        facts: ["reason": reading.failure?.code.rawValue ?? ""], in: tx)
      dossier.images = try store.current(of: dossier.application.id)
      if reading.failure == nil {
        dossier.application.record(kind.processedStep)
        // One that cannot be read is still wanted.
        dossier.application.retaken(kind.documentType)
      }
      // After a refusal too: another document may already be whole, and what follows by itself still follows.
      try applications.save(&dossier, in: tx)
    }
    if let failure = reading.failure { return .problem(.failure(failure, reading.quality)) }
    return .ok(ProcessedDocument(image, reading))
  }

  /// Images of document sides that are in force.
  package func list(_ customer: Customer) async throws -> DocumentList {
    try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
      return DocumentList(documents: dossier.documents.map { $0.view(showingScore: false) })
    }
  }

  package func find(_ id: String, by customer: Customer) async throws -> DocumentView {
    try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      return try ImageStore(tx, vault: core.vault).find(.init(rawValue: id), of: customer.id).view(showingScore: false)
    }
  }

  /// The stored picture, or the portrait that was cut out of it.
  package func preview(_ id: String, extracted: Bool, by customer: Customer) async throws -> Data {
    let key = try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      let image = try ImageStore(tx, vault: core.vault).find(.init(rawValue: id), of: customer.id)
      guard image.state != .archived else { throw Problem.notFound }
      return extracted ? image.portraitKey : image.blobKey
    }
    return try await core.openImage(key)
  }
}

/// What the app read on the device: used where the server's own reading fails, and marked as the client's.
struct ClientHints: Sendable, Codable {
  let mrz: String?
  let barcode: String?

  var isEmpty: Bool { mrz == nil && barcode == nil }

  static func context(_ id: CapturedImage.ID) -> String { "rubix_image.client_hints:\(id)" }
}

/// What was read of a picture, sealed in its row.
package enum StoredReading {
  /// What it is sealed for, so that it opens nowhere else.
  package static func context(_ id: CapturedImage.ID) -> String { "rubix_image.reading:\(id)" }
}

extension Problem {
  /// - Parameter quality: tells what to do better; what is for agents only is left out.
  static func failure(_ failure: DocumentReading.Failure, _ quality: Evidence.ImageQuality) -> Problem {
    let detail =
      switch (failure.code, failure.shows) {
      case (.wrongDocumentType, .visa):
        "The picture shows a visa, which is no identity document. Show the page of the passport with the portrait."
      case (.wrongDocumentType, nil): "The picture shows another document than the one asked for."
      case (.documentUnreadable, _):
        "The document could not be read. "
          + (quality.issues.first { $0.severity >= .warn }?.hint
            ?? "Show all of it, flat and from close by, in even light.")
      }
    return Problem(.unprocessable, failure.code.rawValue, detail).with {
      $0.fields = failure.fields.map { .init("/\($0)", "unreadable", "This field could not be read or did not check.") }
    }
  }
}
