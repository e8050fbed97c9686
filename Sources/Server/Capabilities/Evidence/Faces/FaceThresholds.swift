// SPDX-License-Identifier: Apache-2.0

/// Where scores become decisions; calibrate on own images for the wanted false-match rate (identity-documents §8.4).
package struct FaceThresholds: Sendable {
  /// Cosine from which two faces are one person's. SFace's authors give 0.363 as their best single threshold.
  package var matchFrom = 0.45
  /// Cosine below which they are two people's.
  package var noMatchBelow = 0.25
  /// Detector score below which a detection does not count as a face.
  package var faceScoreMin = 0.7
  /// Distance between the pupils, in pixels.
  package var selfieEyesMin = 60.0
  package var portraitEyesMin = 90.0
  /// Score from which an image is live, and below which it is a spoof.
  package var liveFrom = 0.8
  package var spoofBelow = 0.4

  package init() {}
}
