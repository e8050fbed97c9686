// SPDX-License-Identifier: Apache-2.0

/// Where measures become issues (identity-documents §7).
package struct QualityThresholds: Codable, Sendable {
  /// In pixels, before scaling.
  package var subjectWidthMin: Int
  /// Below this it warns: small print may not be legible.
  package var subjectWidthWarn: Int
  /// Variance of the Laplacian at a quarter of the size, below which a quarter of the picture shows nothing.
  package var contentMin: Double
  package var sharpnessFail: Double
  package var sharpnessWarn: Double
  /// Largest glare blob of the whole subject.
  package var glareMax: Double
  /// Largest glare blob inside the portrait or the machine-readable zone.
  package var zoneGlareMax: Double
  package var brightness: ClosedRange<Double>
  /// Beyond this the exposure fails; within, but outside of `brightness`, it warns.
  package var brightnessFail: ClosedRange<Double>
  package var clippedMax: Double
  package var contrastMin: Double
  /// Mean chroma at or below which the picture is taken for a copy; nil when colour does not matter.
  package var colourMin: Double?
  package var tiltMax: Double
  /// Colour ripple above which a picture is flagged as one of a screen; nil when that does not matter.
  package var rippleMax: Double?
  /// Evidence above which a region is flagged as edited, as a natural logarithm; nil when that does not matter.
  package var editedMax: Double?

  /// For documents, at 1000 px width. Of our specimens all that were blurred to 23 were read, and some at 3: what
  /// cannot be read is found out by reading it. Of 48 specimens without moiré none had a ripple above 0.06, and 16 of 24
  /// with some had one.
  package static let document = QualityThresholds(
    subjectWidthMin: 600, subjectWidthWarn: 1000, contentMin: 100, sharpnessFail: 5, sharpnessWarn: 60,
    glareMax: 0.015, zoneGlareMax: 0.003, brightness: 60...200, brightnessFail: 35...235, clippedMax: 0.05,
    contrastMin: 25, colourMin: 4, tiltMax: 0.15, rippleMax: 0.06, editedMax: 40)

  /// For selfies: skin is smooth, and the background may be a white wall.
  package static let face = QualityThresholds(
    subjectWidthMin: 480, subjectWidthWarn: 480, contentMin: 0, sharpnessFail: 8, sharpnessWarn: 20, glareMax: 0.25,
    zoneGlareMax: 0.03, brightness: 50...215, brightnessFail: 30...240, clippedMax: 0.3, contrastMin: 18,
    colourMin: nil, tiltMax: 1, rippleMax: nil, editedMax: nil)
}
