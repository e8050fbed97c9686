// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

extension Liveness {
  /// Checks with the classifier of a folder, or is `inconclusive` when it has none; looks are read by its detector.
  ///
  /// The check is passive and of one image. It sees neither injected media nor what the model was not made for: the
  /// operator who installs a model answers for its error rates (APCER, BPCER).
  /// - Throws: `ModelProblem` when a model is damaged or of another format.
  package static func openCV(
    folder: ModelFolder, queue: EvidenceQueue, thresholds: FaceThresholds = FaceThresholds()
  ) throws -> Liveness {
    try LivenessChecker(folder, thresholds)?.port(on: queue) ?? .inconclusive
  }
}

/// A detector, the classifier that a folder may have beside it, and what its scores mean.
struct LivenessChecker: Sendable {
  let detector: FaceDetectorModel
  /// Nil when only looks are read.
  let model: LivenessModel?
  let thresholds: FaceThresholds

  /// - Returns: nil when the folder has no detector.
  /// - Throws: `ModelProblem`.
  init?(_ folder: ModelFolder, _ thresholds: FaceThresholds) throws {
    guard let detectorFile = folder.detector else { return nil }
    detector = try FaceDetectorModel(file: detectorFile, scoreMin: thresholds.faceScoreMin)
    model = try folder.liveness.map { try LivenessModel(file: $0) }
    self.thresholds = thresholds
  }

  func port(on queue: EvidenceQueue) -> Liveness {
    let looks = FaceDirectionDetector.openCV(detector, queue: queue)
    guard let model else { return Liveness(looks: looks, check: Liveness.inconclusive.check) }
    return Liveness(looks: looks) { bytes in
      try await queue.run(isAlone: { ImageLimits.faces.isLarge(bytes) }) { try check(bytes, by: model) }
    }
  }

  private func check(_ bytes: Data, by model: LivenessModel) throws -> LivenessResult {
    var result = LivenessResult(
      result: .undetermined, threshold: thresholds.liveFrom, model: model.file.fileName)
    let frame = try Frame.open(bytes, limits: .faces).frame
    let faces = try detector.detect(in: frame)
    guard let face = faces.first else {
      result.code = .noFace
      return result
    }
    guard faces.count == 1 || faces[1].box.width * 2 <= face.box.width else {
      result.code = .severalFaces
      return result
    }
    let score = try model.score(frame, face: face.box)
    result.score = (score * 10000).rounded() / 10000
    if score >= thresholds.liveFrom {
      result.result = .live
    } else if score < thresholds.spoofBelow {
      result.result = .spoof
    } else {
      result.code = .betweenThresholds
    }
    return result
  }
}
