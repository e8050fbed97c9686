// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The port that says whether an image was taken of a living person (ISO/IEC 30107-3; identity-documents §8.5).
package struct Liveness: Sendable {
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`; never for what the image shows.
  package var check: @Sendable (_ image: Data) async throws -> LivenessResult

  /// Says which way a face looks; nil without a detector that tells where eyes and nose are.
  package var looks: FaceDirectionDetector?

  package init(
    looks: FaceDirectionDetector? = nil, check: @escaping @Sendable (_ image: Data) async throws -> LivenessResult
  ) { (self.looks, self.check) = (looks, check) }

  /// No model is installed: a person decides.
  package static let inconclusive = Liveness { _ in LivenessResult(result: .undetermined, code: .noModel) }
}

/// What a presentation attack check came to. `spoof` and `undetermined` are different outcomes.
package struct LivenessResult: Codable, Equatable, Sendable {
  package enum Result: String, Codable, Sendable {
    case live, spoof, undetermined
  }

  package var result: Result
  /// Why it is undetermined; nil otherwise.
  package var code: InconclusiveCode?
  /// 0…1, of being live; nil when nothing was measured.
  package var score: Double?
  package var threshold: Double?
  package var model: String?

  package init(
    result: Result, code: InconclusiveCode? = nil, score: Double? = nil, threshold: Double? = nil, model: String? = nil
  ) {
    self.result = result
    self.code = code
    self.score = score
    self.threshold = threshold
    self.model = model
  }
}
