import Evidence
import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import Storage

/// Document images: taken, read by the worker, and taken over by the customer's process call (§6.7, §6.8).
package struct DocumentCommands: Sendable {
  /// Pictures of one side of one application.
  static let uploadsPerSide = RateLimit("document side", 5, per: .days(1))
  static let hintMax = 4096

  let runner: StepRunner
  let evidence: EvidenceReader
  var parts: RubixDependencies { runner.parts }

  package init(runner: StepRunner, evidence: EvidenceReader) {
    self.runner = runner
    self.evidence = evidence
  }

  package func upload(_ kind: RubixWire.DocumentKind, _ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(
      .uploadDocument(kind), request,
      admit: { dossier, _ in
        guard dossier.tenant.documents.accepted.contains(kind.documentType) else {
          throw Problem.stepOutOfOrder.with { $0.expectedSteps = dossier.nextSteps.map(\.path) }
        }
        return request.body
      },
      // Megabytes of base64 are understood here and not in the transaction, which is the only writer there is.
      work: { content in
        let body = try content.decode(as: DocumentUploadRequest.self)
        for (pointer, hint) in [("/mrz", body.mrz), ("/barcode", body.barcode)]
        where (hint?.utf8.count ?? 0) > Self.hintMax {
          throw Problem.validation([.init(pointer, "max", "At most \(Self.hintMax) bytes.")])
        }
        let (image, quality) = try await Problem.ofImages { try await evidence.inspectDocument(body.file) }
        guard quality.passes else { throw Problem.imageQuality(quality) }
        if let original = body.unprocessed {
          // The uncropped frame is kept sealed with the case; it must be an image like the other. No call shows it yet.
          let (frame, _) = try await Problem.ofImages { try await evidence.inspectDocument(original) }
          let kept = try await KeptImage.keep(image, quality: quality, parts)
          let key = CapturedImage.originalKey(kept.id)
          try await parts.blobs.put(key, parts.vault.seal(frame.bytes, context: CapturedImage.context(key)))
          return (kept, ClientHints(mrz: body.mrz, barcode: body.barcode))
        }
        return (
          try await KeptImage.keep(image, quality: quality, parts), ClientHints(mrz: body.mrz, barcode: body.barcode)
        )
      },
      commit: { dossier, taken, tx in
        let (kept, hints) = taken
        let side = "\(dossier.application.id) \(kind.rawValue)"
        let standing = try parts.limits.count(Self.uploadsPerSide, by: side, in: tx)
        guard !standing.isExceeded else { throw Problem.rateLimited(standing) }
        guard let session = dossier.session else { throw Problem.stepOutOfOrder }
        var image = kept.image(kind.documentType, nil, of: dossier, in: session, parts)
        let sealed = hints.isEmpty ? nil : try parts.vault.seal(hints, as: ClientHints.context(image.id))
        let machine = ImageMachine(image, of: dossier.tenant, hints: sealed, vault: parts.vault)
        try parts.mover.move(&image, on: .taken, of: machine, by: "customer", in: tx)
        dossier.images = try ImageStore(tx, vault: parts.vault).current(of: dossier.application.id)
        dossier.application.retaken(kind.documentType)
        dossier.application.drop(kind.processedStep)
        dossier.application.record(kind.uploadedStep)
        try runner.move(
          &dossier, on: .documentTaken, facts: ["kind": kind.rawValue, "image": image.id.rawValue], in: tx)
        try runner.save(&dossier, in: tx)
        return .created(image.view(showingScore: false))
      })
  }

  /// Takes over what the worker read. While it is still reading, the answer says so and nothing changes.
  package func process(_ kind: RubixWire.DocumentKind, _ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(.processDocument(kind), request, body: EmptyBody.self) { dossier, _, tx in
      guard let image = dossier.document(kind) else {
        throw Problem.stepOutOfOrder.with {
          $0.lastStep = dossier.application.lastStep.rawValue
          $0.expectedSteps = [RubixCall.uploadDocument(kind).path]
        }
      }
      let store = ImageStore(tx, vault: parts.vault)
      guard let sealed = try store.sealedReading(of: image.id) else {
        return .view(status: 200, ProcessedDocument(reading: image), retryAfterSeconds: 1)
      }
      let reading = try parts.vault.open(sealed, as: DocumentReading.self, context: StoredReading.context(image.id))
      if image.state != .processing {
        if let failure = reading.failure { return .problem(.failure(failure)) }
        return .ok(ProcessedDocument(image, reading))
      }
      var moved = image
      try parts.mover.move(
        &moved, on: reading.failure == nil ? .accepted : .refused,
        of: ImageMachine(image, of: dossier.tenant, vault: parts.vault), by: "system",
        facts: ["reason": reading.failure?.code.rawValue ?? ""], in: tx)
      dossier.images = try store.current(of: dossier.application.id)
      if let failure = reading.failure {
        // Another document may already be whole: what follows by itself still follows.
        try runner.save(&dossier, in: tx)
        return .problem(.failure(failure))
      }
      dossier.application.record(kind.processedStep)
      try runner.save(&dossier, in: tx)
      return .ok(ProcessedDocument(moved, reading))
    }
  }

  /// Images of document sides that are in force.
  package func list(_ customer: Customer) async throws -> DocumentList {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      let dossier = try runner.load(customer.id, tenant: customer.tenant, in: tx)
      return DocumentList(documents: dossier.documents.map { $0.view(showingScore: false) })
    }
  }

  package func find(_ id: String, by customer: Customer) async throws -> DocumentView {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      return try ImageStore(tx, vault: parts.vault).find(.init(rawValue: id), of: customer.id).view(showingScore: false)
    }
  }

  /// The stored picture, or the portrait that was cut out of it.
  package func preview(_ id: String, extracted: Bool, by customer: Customer) async throws -> Data {
    let key = try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      let image = try ImageStore(tx, vault: parts.vault).find(.init(rawValue: id), of: customer.id)
      guard image.state != .archived else { throw Problem.notFound }
      return extracted ? image.portraitKey : image.blobKey
    }
    return try await parts.openBlob(key)
  }
}

extension RubixDependencies {
  /// - Throws: `Problem` not-found when there is no such object any more.
  func openBlob(_ key: String) async throws -> Data {
    guard let sealed = try await blobs.get(key) else { throw Problem.notFound }
    return try vault.open(sealed, context: CapturedImage.context(key))
  }
}

/// What the app read on the device: used where the server's own reading fails, and marked as the client's.
struct ClientHints: Sendable, Codable {
  let mrz: String?
  let barcode: String?

  var isEmpty: Bool { mrz == nil && barcode == nil }

  static func context(_ id: CapturedImage.ID) -> String { "rubix_image.client_hints:\(id)" }
}

enum StoredReading {
  static func context(_ id: CapturedImage.ID) -> String { "rubix_image.reading:\(id)" }
}

extension Problem {
  static func failure(_ failure: DocumentReading.Failure) -> Problem {
    let detail =
      failure.code == .wrongDocumentType
      ? "The picture shows another document than the one asked for."
      : "The document could not be read. Take a new picture."
    return Problem(.unprocessable, failure.code.rawValue, detail).with {
      $0.fields = failure.fields.map { .init("/\($0)", "unreadable", "This field could not be read or did not check.") }
    }
  }
}
