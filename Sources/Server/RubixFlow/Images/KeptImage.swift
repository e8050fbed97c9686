import Evidence
import Foundation
import Kit
import RubixWire

/// An image that is stored, sealed, and waits for its row.
struct KeptImage: Sendable {
  let id: CapturedImage.ID
  let width: Int
  let height: Int
  let sha256: String
  let quality: RubixWire.ImageQuality

  /// The blob is durable when this returns; the row that names it follows in the step's transaction.
  static func keep(_ image: EvidenceImage, quality: Evidence.ImageQuality, _ parts: RubixDependencies) async throws
    -> KeptImage
  {
    let kept = KeptImage(
      id: .init(parts.world), width: image.width, height: image.height, sha256: image.sha256,
      quality: RubixWire.ImageQuality(quality))
    try await parts.blobs.put(
      kept.id.rawValue, parts.vault.seal(image.bytes, context: CapturedImage.context(kept.id.rawValue)))
    return kept
  }

  /// The image before its first move, which writes the row.
  func image(
    _ type: DocumentType, _ subType: SelfieSubType?, liveness: LivenessOutcome? = nil, of dossier: Dossier,
    in session: CaptureSession, _ parts: RubixDependencies
  ) -> CapturedImage {
    CapturedImage(
      id: id, application: dossier.application.id, session: session.id, type: type, subType: subType, state: .pending,
      width: width, height: height, sha256: sha256, quality: quality, liveness: liveness, isRead: false,
      hasPortrait: false, createdAt: parts.world.now())
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
      $0.fields = quality.issues.filter { $0.severity == .fail }.map { .init("/file", $0.code.rawValue, $0.hint) }
    }
  }
}
