// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit

/// Reads images of documents and faces: bytes in, values with confidence and place out (design §4).
///
/// Everything runs on the threads of an `EvidenceQueue`, or in a worker process that such a thread waits for. Engines are
/// loaded when first needed.
package struct EvidenceReader: Sendable {
  /// How long a document may wait behind the rests of others: somewhat longer than one rest.
  private static let restPatience = RequestComputing.restMax + .seconds(30)

  package let settings: EvidenceSettings
  package let queue: EvidenceQueue
  private let text: TextReader
  private let lines: LineReader
  private let faces: FaceFinder
  /// nil where pictures are read in this process.
  package let workers: WorkerPool?

  package init(
    settings: EvidenceSettings = EvidenceSettings(), queue: EvidenceQueue? = nil,
    execution: EvidenceExecution = .inProcess, workerLimits: WorkerLimits = WorkerLimits()
  ) {
    self.settings = settings
    workers =
      switch execution {
      case .inProcess: nil
      case .workers(let command): WorkerPool(command: command, settings: settings, limits: workerLimits)
      }
    self.queue = queue ?? EvidenceQueue(concurrencyMax: settings.concurrencyMax, waitingMax: settings.waitingMax)
    text = TextReader(
      dataPath: settings.tesseractFolder, language: settings.tesseractLanguage, idleMax: settings.concurrencyMax)
    lines = LineReader(dataPath: settings.tesseractFolder)
    faces = FaceFinder(folders: settings.cascadeFolders ?? FaceFinder.usualFolders)
  }

  /// Whether Tesseract's model of Latin script (Debian: `tesseract-ocr-script-latn`) is where the reader looks for it.
  /// Without one that can be used lines of print are read by the model of English, which knows few diacritics. No
  /// engine is made.
  package static func latinModel(_ settings: EvidenceSettings) -> LatinModel {
    LineReader.latinModel(dataPath: settings.tesseractFolder)
  }

  /// Takes an image of a document in and measures it, without reading it: enough to answer an upload.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectDocument(_ bytes: Data) async throws -> (image: EvidenceImage, quality: ImageQuality) {
    let seen = try await run(.inspectDocument, bytes) { try $0.inspectDocumentNow(bytes) }
    return (seen.image, seen.quality)
  }

  func inspectDocumentNow(_ bytes: Data) throws -> InspectedDocument {
    let (image, frame) = try EvidenceImage.take(bytes, limits: settings.limits)
    return InspectedDocument(image: image, quality: try documentReader.inspect(frame))
  }

  /// Takes a photo of any thing in and measures it.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectPhoto(
    _ bytes: Data, limits: ImageLimits
  ) async throws -> (image: EvidenceImage, quality: PhotoQuality) {
    let seen = try await run(.inspectPhoto(limits), bytes) { try $0.inspectPhotoNow(bytes, limits: limits) }
    return (seen.image, seen.quality)
  }

  func inspectPhotoNow(_ bytes: Data, limits: ImageLimits) throws -> InspectedPhoto {
    let (image, frame) = try EvidenceImage.take(bytes, limits: limits)
    return InspectedPhoto(image: image, quality: try PhotoQuality(frame))
  }

  /// Takes a selfie or liveness image in, measures it and finds its faces.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`.
  package func inspectFace(
    _ bytes: Data
  ) async throws -> (image: EvidenceImage, quality: ImageQuality, faces: FaceReport) {
    let seen = try await run(.inspectFace, bytes) { try $0.inspectFaceNow(bytes) }
    return (seen.image, seen.quality, seen.faces)
  }

  func inspectFaceNow(_ bytes: Data) throws -> InspectedFace {
    let (image, frame) = try EvidenceImage.take(bytes, limits: settings.limits)
    let report = try faces.faces(in: frame)
    let quality = try FaceQuality(thresholds: settings.faceThresholds, eyesMin: settings.selfieEyesMin).quality(
      of: frame, faces: report)
    return InspectedFace(image: image, quality: quality, faces: report)
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
    try await run(.read(expected: expected, on: today.isoText), bytes, isUsable: { $0.reading.failure == nil }) {
      try $0.readNow(bytes, as: expected, on: today)
    }
  }

  /// The same on the calling thread: for command-line tools, and for callers that have their own threads.
  package func readNow(_ bytes: Data, as expected: DocumentKind? = nil, on today: CalendarDate) throws
    -> ReadDocument
  {
    var clock = StageClock()
    let (frame, format, edited) = try opened(bytes, &clock)
    let image = try EvidenceImage(of: frame, from: bytes, format, limits: settings.limits)
    clock.mark("pictures")
    return try documentReader.read(frame, image: image, edited: edited, as: expected, on: today, clock: clock)
  }

  /// Looks for edited regions first, and decodes the picture when the memory of that is free again.
  func opened(_ bytes: Data, _ clock: inout StageClock) throws -> (Frame, ImageFormat, EditedRegion?) {
    let (format, header) = try settings.limits.checked(bytes)
    let edited = try EditedRegion.find(in: bytes)
    clock.mark("quality")
    let frame = try Frame(
      decoding: bytes, format: format, header: header, wholeMax: settings.limits.wholePixelsMax(of: header))
    clock.mark("decode")
    return (frame, format, edited)
  }

  /// Reads a screenshot of a phone's identifiers.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure` when an engine is not installed.
  package func readIdentifiers(_ bytes: Data, limits: ImageLimits) async throws -> IdentifierReading {
    try await run(.readIdentifiers(limits), bytes) { try $0.readIdentifiersNow(bytes, limits: limits) }
  }

  /// The same on the calling thread.
  package func readIdentifiersNow(_ bytes: Data, limits: ImageLimits) throws -> IdentifierReading {
    try IdentifierReader(text: text).read(Frame.open(bytes, limits: limits).frame)
  }

  /// Reads the code from a photo of a secure screen: eleven digits, nil when they cannot be read for certain.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure` when an engine is not installed.
  package func readSecureScreen(_ bytes: Data, limits: ImageLimits) async throws -> String? {
    try await run(.readSecureScreen(limits), bytes) {
      ReadCode(digits: try $0.readSecureScreenNow(bytes, limits: limits))
    }.digits
  }

  /// The same on the calling thread.
  package func readSecureScreenNow(_ bytes: Data, limits: ImageLimits) throws -> String? {
    try SecureScreenReader(text: text).read(Frame.open(bytes, limits: limits).frame)
  }

  /// The task in a worker, or the same work in this process.
  private func run<Value: Codable & Sendable>(
    _ task: EvidenceTask, _ bytes: Data, isUsable: @escaping @Sendable (Value) -> Bool = { _ in true },
    here work: @escaping @Sendable (EvidenceReader) throws -> Value
  ) async throws -> Value {
    let limits =
      switch task {
      case .inspectPhoto(let limits), .readIdentifiers(let limits), .readSecureScreen(let limits): limits
      case .inspectDocument, .inspectFace, .read: settings.limits
      }
    let isRead = if case .read = task { true } else { false }
    let computing = RequestComputing.current
    // Most documents are read behind the answer to their upload, where no client waits.
    let patience = isRead ? computing?.mustRest == true ? Self.restPatience : nil : settings.patience
    return try await queue.run(
      patience: patience, computing: computing, isUsable: isUsable,
      isAlone: { limits.isLarge(bytes, isCompared: isRead) }
    ) { [self] in
      try workers.map { try $0.run(task, bytes, as: Value.self) } ?? work(self)
    }
  }

  private var documentReader: DocumentReader {
    DocumentReader(settings: settings, text: text, lines: lines, faces: faces)
  }
}
