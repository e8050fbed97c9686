// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The operator's folder of ONNX models.
///
/// | file | format | use |
/// |---|---|---|
/// | `face_detection_yunet*.onnx` | YuNet with outputs `loc`, `conf`, `iou` (the releases up to 2022mar) | find faces |
/// | `face_recognition_sface*.onnx` | SFace: 112 × 112 aligned face to feature vector | compare faces |
/// | `liveness*.onnx` | classifier: 1 × 3 × 80 × 80 BGR 0…255 to class scores, class 1 live | liveness |
///
/// Of several files that fit, the last by name is taken: names end in a date.
package struct ModelFolder: Sendable {
  package var detector: String?
  package var recogniser: String?
  package var liveness: String?

  /// - Throws: `ModelProblem` when the folder cannot be listed.
  package init(_ path: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".onnx") }.sorted()
    } catch {
      throw ModelProblem(file: path, reason: "the folder cannot be read")
    }
    func last(_ prefix: String) -> String? { names.last { $0.hasPrefix(prefix) }.map { path + "/" + $0 } }
    detector = last("face_detection_yunet")
    recogniser = last("face_recognition_sface")
    liveness = last("liveness")
  }
}

/// A model file that cannot be used, found when it is loaded.
package struct ModelProblem: Error, CustomStringConvertible, Sendable {
  package let file: String
  package let reason: String

  package var description: String { "model \(file): \(reason)" }
}
