// SPDX-License-Identifier: Apache-2.0

/// The models of a folder in memory: a start looks whether they can be loaded, and serves with the same.
///
/// Comparison and liveness have a detector each, since a detector looks at one picture at a time.
package struct LoadedModels: Sendable {
  private let comparer: FaceComparer?
  private let checker: LivenessChecker?

  /// - Throws: `ModelProblem` when a model is damaged or of another format.
  package init(_ folder: ModelFolder, thresholds: FaceThresholds = FaceThresholds()) throws {
    comparer = try FaceComparer(folder, thresholds)
    checker = try LivenessChecker(folder, thresholds)
  }

  /// `inconclusive` where the folder has not both models for it.
  package func faces(on queue: EvidenceQueue) -> FaceComparison { comparer?.port(on: queue) ?? .inconclusive }

  /// `inconclusive` where the folder has no classifier.
  package func liveness(on queue: EvidenceQueue) -> Liveness { checker?.port(on: queue) ?? .inconclusive }
}
