// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

extension FaceComparison {
  /// Compares with the models of a folder, or is `inconclusive` when it has none.
  /// - Throws: `ModelProblem` when a model is damaged or of another format, or the folder cannot be read.
  package static func openCV(
    folder: ModelFolder, queue: EvidenceQueue, thresholds: FaceThresholds = FaceThresholds()
  ) throws -> FaceComparison {
    try FaceComparer(folder, thresholds)?.port(on: queue) ?? .inconclusive
  }
}

/// Two models and what their scores mean.
struct FaceComparer: Sendable {
  let detector: FaceDetectorModel
  let recogniser: FaceRecogniserModel
  let thresholds: FaceThresholds

  /// - Returns: nil when the folder has no two models for it.
  /// - Throws: `ModelProblem`.
  init?(_ folder: ModelFolder, _ thresholds: FaceThresholds) throws {
    guard let detectorFile = folder.detector, let recogniserFile = folder.recogniser else { return nil }
    detector = try FaceDetectorModel(file: detectorFile, scoreMin: thresholds.faceScoreMin)
    recogniser = try FaceRecogniserModel(file: recogniserFile)
    self.thresholds = thresholds
  }

  func port(on queue: EvidenceQueue) -> FaceComparison {
    FaceComparison { a, b in
      // Both pictures are held at once.
      try await queue.run(isAlone: { ImageLimits.faces.isLarge(a.bytes, b.bytes) }) { try compare(a, b) }
    }
  }

  func compare(_ a: FaceImage, _ b: FaceImage) throws -> FaceComparisonResult {
    var result = FaceComparisonResult(
      result: .undetermined, threshold: thresholds.matchFrom, model: recogniser.file.fileName)
    let left = try look(at: a), right = try look(at: b)
    result.eyeDistanceA = left.eyeDistance
    result.eyeDistanceB = right.eyeDistance
    guard let faceA = left.face, let faceB = right.face, left.doubt == nil, right.doubt == nil else {
      result.code = left.doubt ?? right.doubt ?? .noFace
      return result
    }
    let cosine = try recogniser.compare(left.frame, faceA, right.frame, faceB)
    result.score = (max(0, cosine) * 10000).rounded() / 10000
    if cosine >= thresholds.matchFrom {
      result.result = .match
    } else if cosine < thresholds.noMatchBelow {
      result.result = .noMatch
    } else {
      result.code = .betweenThresholds
    }
    return result
  }

  private struct Look {
    var frame: Frame
    var face: cvision_face?
    var eyeDistance: Double?
    var doubt: InconclusiveCode?
  }

  private func look(at image: FaceImage) throws -> Look {
    let frame = try Frame.open(image.bytes, limits: .faces).frame
    let faces = try detector.detect(in: frame)
    guard let face = faces.first else { return Look(frame: frame, doubt: .noFace) }
    let distance = FoundFace(face).eyeDistance
    let minimum = image.origin == .portrait ? thresholds.portraitEyesMin : thresholds.selfieEyesMin
    var doubt: InconclusiveCode?
    if faces.count > 1, faces[1].box.width * 2 > face.box.width {
      doubt = .severalFaces
    } else if distance < minimum {
      doubt = .faceTooSmall
    }
    return Look(frame: frame, face: face, eyeDistance: distance, doubt: doubt)
  }
}

extension ImageLimits {
  /// For images that were taken in before, portraits among them, which are small, and for selfies that only the models
  /// look at.
  package static var faces: ImageLimits {
    var limits = ImageLimits()
    limits.shortSideMin = 32
    return limits
  }
}
