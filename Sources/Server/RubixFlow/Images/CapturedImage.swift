// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import RubixWire
import Storage

/// One stored image of an application: a selfie, a liveness capture or a document side.
package struct CapturedImage: Sendable {
  package typealias ID = Identifier<CapturedImage>

  package let id: ID
  let application: Application.ID
  let session: CaptureSession.ID
  package let type: DocumentType
  /// Only selfies have one.
  package let subType: SelfieSubType?
  package internal(set) var state: ImageState
  let width: Int
  let height: Int
  let sha256: String
  let quality: RubixWire.ImageQuality
  let liveness: LivenessOutcome?
  /// True once the worker has read it, whatever came out.
  let isRead: Bool
  /// Its portrait was cropped and stored.
  let hasPortrait: Bool
  package let createdAt: Instant

  var blobKey: String { id.rawValue }
  var portraitKey: String { Self.portraitKey(id) }
  static func portraitKey(_ id: ID) -> String { "\(id.rawValue)-portrait" }
  /// The uncropped frame, where the app sent one.
  static func originalKey(_ id: ID) -> String { "\(id.rawValue)-original" }

  /// What a blob is sealed for, so that it opens nowhere else.
  package static func context(_ key: String) -> String { "rubix_image:\(key)" }
}

/// A biometric session: the selfies, liveness and documents that belong together.
package struct CaptureSession: Sendable {
  package typealias ID = Identifier<CaptureSession>

  package let id: ID
  let application: Application.ID
  let createdAt: Instant
}

/// How far an image has come. The names on the wire are the upper-case ones of rubix-onboarding §6.7.
package enum ImageState: String, Sendable, CaseIterable, SQLConvertible {
  case pending = "PENDING"
  case processing = "PROCESSING"
  case processed = "PROCESSED"
  case failed = "FAILED"
  case archived = "ARCHIVED"
}

package enum ImageEvent: String, Sendable, CaseIterable { case taken, accepted, refused, replaced }

package enum ImageEffect: String, Sendable, CaseIterable { case readDocument }

/// One image of a document side, a selfie or a liveness capture.
package let imageFlow: TransitionTable<ImageState, ImageEvent, ImageEffect> = .init([
  .init(.pending, on: .taken, to: .processing, do: .readDocument),
  .init(.pending, on: .accepted, to: .processed),
  .init(.pending, on: .refused, to: .failed),
  .init(.processing, on: .accepted, to: .processed),
  .init(.processing, on: .refused, to: .failed),
  .init(.processing, on: .replaced, to: .archived),
  .init(.processed, on: .replaced, to: .archived),
  .init(.failed, on: .replaced, to: .archived),
])

/// How one image moves. An image that is pending has no row yet: its first move inserts it, in the place of the one
/// before it; later moves are guarded by the state that it had.
struct ImageMachine: StateMachine {
  typealias State = ImageState
  typealias Event = ImageEvent
  typealias Effect = ImageEffect

  private let vault: Vault
  private let tenant: Tenant
  private let from: ImageState
  private let hints: ClientHints?

  /// - Parameters:
  ///   - image: the image before the move.
  ///   - hints: the app's own reading, of an image that has no row yet.
  init(_ image: CapturedImage, of tenant: Tenant, hints: ClientHints? = nil, vault: Vault) {
    (self.vault, self.tenant, self.hints, from) = (vault, tenant, hints, image.state)
  }

  var flow: String { "image" }
  var table: TransitionTable<State, Event, Effect> { imageFlow }
  var state: WritableKeyPath<CapturedImage, ImageState> { \.state }

  func save(_ image: inout CapturedImage, in tx: any SQLTransaction) throws {
    let store = ImageStore(tx, vault: vault)
    if from == .pending {
      let sealed = try hints.flatMap { hints in
        hints.isEmpty
          ? nil
          : try vault.seal(hints, as: ClientHints.context(image.id), of: image.application.keySubject, in: tx)
      }
      try store.insert(image, clientHints: sealed)
    } else {
      try store.setState(image.state, of: image.id, from: from)
    }
  }

  /// Only what came of a reading has its own line; an image that is taken is named by the move of its application.
  func auditEntry(for move: Move, of image: CapturedImage) -> AuditEntry? {
    guard move.from == .processing, move.event != .replaced, let kind = DocumentKind(documentType: image.type) else {
      return nil
    }
    return AuditEntry(
      "document.\(move.to.rawValue.lowercased())", chain: image.application.rawValue,
      facts: ["kind": kind.rawValue, "image": image.id.rawValue])
  }

  func owedEffect(_ effect: ImageEffect, for move: Move, of image: CapturedImage) -> OwedEffect? {
    OwedEffect("rubix.\(effect.rawValue)", subject: image.id.rawValue, payload: tenant.id)
  }
}

/// An image that is stored, sealed, and waits for its row.
struct KeptImage: Sendable {
  let id: CapturedImage.ID
  let width: Int
  let height: Int
  let sha256: String
  let quality: RubixWire.ImageQuality
  /// Nil for a picture whose likeness is not compared.
  var likeness: PictureHash?

  /// The blob is durable when this returns; the row that names it follows in the step's transaction.
  static func keep(
    _ image: EvidenceImage, quality: Evidence.ImageQuality, as id: CapturedImage.ID, of application: Application.ID,
    _ core: CoreDependencies
  ) async throws -> KeptImage {
    let kept = KeptImage(
      id: id, width: image.width, height: image.height, sha256: image.sha256,
      quality: RubixWire.ImageQuality(quality), likeness: image.likeness)
    try await core.keepImage(image.bytes, as: kept.id.rawValue, of: application)
    return kept
  }

  /// The image before its first move, which writes the row.
  func image(
    _ type: DocumentType, _ subType: SelfieSubType?, liveness: LivenessOutcome? = nil, of dossier: Dossier,
    in session: CaptureSession, at now: Instant
  ) -> CapturedImage {
    CapturedImage(
      id: id, application: dossier.application.id, session: session.id, type: type, subType: subType, state: .pending,
      width: width, height: height, sha256: sha256, quality: quality, liveness: liveness, isRead: false,
      hasPortrait: false, createdAt: now)
  }
}

extension CoreDependencies {
  /// Stores the sealed picture of an image, its portrait or its uncropped frame.
  /// - Throws: `Problem` not-found when the application was erased.
  func keepImage(_ picture: Data, as key: String, of application: Application.ID) async throws {
    try await blobs.put(
      key, vault.seal(picture, context: CapturedImage.context(key), under: imageKey(of: application)))
  }

  /// - Returns: nil where data keys seal.
  private func imageKey(of application: Application.ID) async throws -> SubjectKey? {
    guard vault.subjectKeys != nil else { return nil }
    if let key = try await database.look({ [vault] in try vault.subjectKey(of: application.keySubject, in: $0) }) {
      return key
    }
    return try await database.write(retrying: .outdatedOrDuplicate) { [vault] tx in
      // Of an application that was erased meanwhile no key is made.
      guard let tenant = try ApplicationStore(tx, vault: vault).tenant(of: application) else { throw Problem.notFound }
      return try vault.subjectKey(of: application.keySubject(of: tenant), in: tx)
    }
  }

  /// - Throws: `Problem` not-found when there is no such object any more.
  package func openImage(_ key: String) async throws -> Data {
    guard let sealed = try await blobs.get(key) else { throw Problem.notFound }
    return try await vault.open(sealed, context: CapturedImage.context(key), in: database)
  }
}

extension CapturedImage {
  func view(showingScore: Bool) -> DocumentView {
    var outcome = liveness
    if !showingScore { outcome?.score = nil }
    return DocumentView(
      id: id.rawValue, type: type, status: DocumentStatus(rawValue: state.rawValue), side: side,
      image: ImageFacts(width: width, height: height, sha256: sha256), quality: quality, liveness: outcome,
      createdOn: createdAt.wire)
  }

  private var side: String? {
    switch type {
    case .nationalIDFrontSide: "front"
    case .nationalIDBackSide: "back"
    default: nil
    }
  }
}

extension RubixWire.ImageQuality {
  init(_ quality: Evidence.ImageQuality) {
    let crop: CropResult =
      switch quality.crop {
      case .ok: .ok
      case .cropped: .cropped
      case .unknown: .notFound
      }
    self.init(sharpness: quality.sharpness, glare: quality.glare, crop: crop, exposure: quality.brightness / 255)
  }
}

extension Problem {
  /// Turns what the image work throws into what the caller sees.
  static func ofImages<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let problem as ImageProblem { throw Problem(problem) } catch is EvidenceQueue
      .Busy
    {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
  }

  init(_ problem: ImageProblem) {
    switch problem {
    case .unsupportedMedia: self = .unsupportedMedia
    case .tooLarge: self = .payloadTooLarge
    case .empty, .notDecodable, .tooSmall, .dimensionsTooLarge:
      self = Problem(.unprocessable, "image-quality", "The image cannot be used.").with {
        $0.fields = [
          .init("/file", problem.code, "Send a whole JPEG or PNG picture of the size that the session names.")
        ]
      }
    }
  }

  static func imageQuality(_ quality: Evidence.ImageQuality) -> Problem {
    Problem(.unprocessable, "image-quality", "The picture is not good enough.").with {
      $0.fields = quality.issues.filter { $0.severity == .fail }.map { .init("/file", $0.code.rawValue, $0.text) }
    }
  }
}
