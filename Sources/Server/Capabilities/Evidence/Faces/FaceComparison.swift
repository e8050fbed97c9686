// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The port that says whether two images show one person (identity-documents §8.4).
package struct FaceComparison: Sendable {
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`; never for what the images show.
  package var compare: @Sendable (_ a: FaceImage, _ b: FaceImage) async throws -> FaceComparisonResult

  package init(
    compare: @escaping @Sendable (_ a: FaceImage, _ b: FaceImage) async throws -> FaceComparisonResult
  ) {
    self.compare = compare
  }

  /// No model is installed: a person decides.
  package static let inconclusive = FaceComparison { _, _ in
    FaceComparisonResult(result: .undetermined, code: .noModel)
  }
}

/// An image with a face, and where it comes from: the requirements differ.
package struct FaceImage: Sendable {
  package enum Origin: String, Codable, Sendable {
    case selfie, liveness, portrait
  }

  package var bytes: Data
  package var origin: Origin

  package init(_ bytes: Data, _ origin: Origin) {
    self.bytes = bytes
    self.origin = origin
  }
}

/// What a comparison came to. Scores of different models cannot be compared.
package struct FaceComparisonResult: Codable, Equatable, Sendable {
  package enum Result: String, Codable, Sendable {
    case match
    case noMatch = "no_match"
    case undetermined
  }

  package var result: Result
  /// Why it is undetermined; nil otherwise.
  package var code: InconclusiveCode?
  /// 0…1; nil when nothing was compared.
  package var score: Double?
  /// From this score on it is a match.
  package var threshold: Double?
  package var model: String?
  /// Distance between the pupils in each image, in pixels.
  package var eyeDistanceA: Double?
  package var eyeDistanceB: Double?

  package init(
    result: Result, code: InconclusiveCode? = nil, score: Double? = nil, threshold: Double? = nil, model: String? = nil,
    eyeDistanceA: Double? = nil, eyeDistanceB: Double? = nil
  ) {
    self.result = result
    self.code = code
    self.score = score
    self.threshold = threshold
    self.model = model
    self.eyeDistanceA = eyeDistanceA
    self.eyeDistanceB = eyeDistanceB
  }

  enum CodingKeys: String, CodingKey {
    case result, code, score, threshold, model
    case eyeDistanceA = "quality_a"
    case eyeDistanceB = "quality_b"
  }
}

/// Why a face port cannot decide. Never a reason to say that two people differ.
package enum InconclusiveCode: String, Codable, Sendable, CaseIterable {
  case noModel = "no-model"
  case noFace = "no-face"
  case severalFaces = "several-faces"
  case faceTooSmall = "face-too-small"
  case betweenThresholds = "between-thresholds"
  /// The provider failed or did not answer.
  case providerError = "provider-error"
}
