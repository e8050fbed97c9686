import DocumentCore
import Foundation

/// Reads images of documents and faces: bytes in, values with confidence and place out (design §4).
///
/// Everything runs on the threads of an `EvidenceQueue`. Engines are loaded when first needed.
package struct EvidenceReader: Sendable {
  package let settings: EvidenceSettings
  package let queue: EvidenceQueue
  private let text: TextReader
  private let faces: FaceFinder

  package init(settings: EvidenceSettings = EvidenceSettings(), queue: EvidenceQueue? = nil) {
    self.settings = settings
    self.queue = queue ?? EvidenceQueue(concurrencyMax: settings.concurrencyMax, waitingMax: settings.waitingMax)
    text = TextReader(
      dataPath: settings.tesseractFolder, language: settings.tesseractLanguage, idleMax: settings.concurrencyMax)
    faces = FaceFinder(folders: settings.cascadeFolders ?? FaceFinder.usualFolders)
  }

  /// Takes an image of a document in and measures it, without reading it: enough to answer an upload.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectDocument(_ bytes: Data) async throws -> (image: EvidenceImage, quality: ImageQuality) {
    try await queue.run { [self] in
      let (image, frame) = try EvidenceImage.take(bytes, limits: settings.limits)
      let outline = try Page.outline(in: frame)
      return (image, try documentReader.quality(of: frame, outline: outline, zones: []))
    }
  }

  /// Takes a photo of any thing in and measures it.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectPhoto(
    _ bytes: Data, limits: ImageLimits
  ) async throws -> (image: EvidenceImage, quality: PhotoQuality) {
    try await queue.run {
      let (image, frame) = try EvidenceImage.take(bytes, limits: limits)
      return (image, try PhotoQuality(frame))
    }
  }

  /// Takes a selfie or liveness image in, measures it and finds its faces.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectFace(
    _ bytes: Data
  ) async throws -> (image: EvidenceImage, quality: ImageQuality, faces: FaceReport) {
    try await queue.run { [self] in
      let (image, frame) = try EvidenceImage.take(bytes, limits: settings.limits)
      let report = try faces.faces(in: frame)
      let quality = try FaceQuality(thresholds: settings.faceThresholds).quality(of: frame, faces: report)
      return (image, quality, report)
    }
  }

  /// Reads an image of a document.
  ///
  /// - Parameters:
  ///   - expected: what it should be; nil to take what it is.
  ///   - today: resolves two-digit years and decides what is expired.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure` when an engine is not installed.
  package func read(_ bytes: Data, as expected: DocumentKind? = nil, on today: CalendarDate) async throws
    -> ReadDocument
  {
    try await queue.run { [self] in try readNow(bytes, as: expected, on: today) }
  }

  /// The same on the calling thread: for command-line tools, and for callers that have their own threads.
  package func readNow(_ bytes: Data, as expected: DocumentKind? = nil, on today: CalendarDate) throws
    -> ReadDocument
  {
    let (image, frame) = try EvidenceImage.take(bytes, limits: settings.limits)
    return try documentReader.read(frame, image: image, as: expected, on: today)
  }

  /// Reads a screenshot of a phone's identifiers.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure` when an engine is not installed.
  package func readIdentifiers(_ bytes: Data, limits: ImageLimits) async throws -> IdentifierReading {
    try await queue.run { [self] in try readIdentifiersNow(bytes, limits: limits) }
  }

  /// The same on the calling thread.
  package func readIdentifiersNow(_ bytes: Data, limits: ImageLimits) throws -> IdentifierReading {
    try IdentifierReader(text: text).read(Frame.open(bytes, limits: limits).frame)
  }

  /// Reads the code from a photo of a secure screen: eleven digits, nil when they cannot be read for certain.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure` when an engine is not installed.
  package func readSecureScreen(_ bytes: Data, limits: ImageLimits) async throws -> String? {
    try await queue.run { [self] in try readSecureScreenNow(bytes, limits: limits) }
  }

  /// The same on the calling thread.
  package func readSecureScreenNow(_ bytes: Data, limits: ImageLimits) throws -> String? {
    try SecureScreenReader(text: text).read(Frame.open(bytes, limits: limits).frame)
  }

  private var documentReader: DocumentReader { DocumentReader(settings: settings, text: text, faces: faces) }
}
