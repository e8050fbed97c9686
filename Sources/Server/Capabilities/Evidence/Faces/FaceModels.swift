// SPDX-License-Identifier: Apache-2.0

import CVision

/// A YuNet-format detector, loaded and tried.
final class FaceDetectorModel: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  let file: String

  /// The square that images are fitted into, in pixels.
  static let side: Int32 = 320

  /// - Throws: `ModelProblem`.
  init(file: String, scoreMin: Double) throws {
    var out: OpaquePointer?
    let status = cvision_detector_load(file, Self.side, Float(scoreMin), &out)
    guard status == CVISION_OK, let out else { throw ModelProblem(file: file, reason: CVisionFailure.lastReason) }
    handle = out
    self.file = file
  }

  deinit { cvision_detector_free(handle) }

  /// Faces as the recogniser takes them, largest first.
  func detect(in frame: Frame) throws -> [cvision_face] {
    var found = cvision_faces()
    try CVisionFailure.check(cvision_detector_detect(handle, frame.handle, &found))
    return withUnsafeBytes(of: found.faces) { raw in
      Array(raw.bindMemory(to: cvision_face.self).prefix(Int(found.count)))
    }.sorted { $0.box.width > $1.box.width }
  }
}

/// An SFace-format recogniser, loaded and tried.
final class FaceRecogniserModel: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  let file: String

  /// - Throws: `ModelProblem`.
  init(file: String) throws {
    var out: OpaquePointer?
    let status = cvision_recogniser_load(file, &out)
    guard status == CVISION_OK, let out else { throw ModelProblem(file: file, reason: CVisionFailure.lastReason) }
    handle = out
    self.file = file
  }

  deinit { cvision_recogniser_free(handle) }

  /// Cosine of the two faces' features, −1…1.
  func compare(_ a: Frame, _ faceA: cvision_face, _ b: Frame, _ faceB: cvision_face) throws -> Double {
    var cosine: Float = 0
    var faceA = faceA, faceB = faceB
    try CVisionFailure.check(cvision_recogniser_compare(handle, a.handle, &faceA, b.handle, &faceB, &cosine))
    return Double(cosine)
  }
}

/// A liveness classifier, loaded and tried.
final class LivenessModel: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  let file: String

  static let side: Int32 = 80
  /// How much of the surroundings the classifier needs, in sizes of the face.
  static let margin: Float = 2.7
  static let liveClass: Int32 = 1

  /// - Throws: `ModelProblem`.
  init(file: String) throws {
    var out: OpaquePointer?
    let status = cvision_classifier_load(file, Self.side, &out)
    guard status == CVISION_OK, let out else { throw ModelProblem(file: file, reason: CVisionFailure.lastReason) }
    handle = out
    self.file = file
  }

  deinit { cvision_classifier_free(handle) }

  /// Probability of the class `live`.
  func score(_ frame: Frame, face: cvision_box) throws -> Double {
    var score: Float = 0
    try CVisionFailure.check(
      cvision_classifier_score(handle, frame.handle, face, Self.margin, Self.liveClass, &score))
    return Double(score)
  }
}

extension String {
  /// The last part of a path: what may be told of a model.
  var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
