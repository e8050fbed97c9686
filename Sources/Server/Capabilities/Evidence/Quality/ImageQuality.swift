// SPDX-License-Identifier: Apache-2.0

/// What can be said of an image as an image (identity-documents §7): measures, and what is wrong with them.
package struct ImageQuality: Codable, Equatable, Sendable {
  /// Variance of the Laplacian of the least sharp quarter that shows anything, at 1000 px width.
  package var sharpness: Double
  /// Share of the largest glare blob, 0…1.
  package var glare: Double
  /// Mean luma, 0…255.
  package var brightness: Double
  /// Share of pixels at luma 0.
  package var blackShare: Double
  /// Share of pixels at luma 255.
  package var whiteShare: Double
  /// Standard deviation of luma.
  package var contrast: Double
  /// Mean of max − min of R, G, B.
  package var colour: Double
  /// Width in pixels of what was measured, before scaling.
  package var subjectWidth: Int
  package var crop: Crop
  /// Largest difference of opposite edges, 0…1; nil when no outline was found.
  package var tilt: Double?
  /// Colour ripples of one frequency: their share of all ripples times their amplitude; nil where they were not looked
  /// for. An advisory score: print of many colours has it too, and a good screen has it not.
  package var ripple: Double?
  /// The part that fits least to the picture's first compression; nil where that is not seen. Advisory as well.
  package var edited: EditedRegion?
  /// The worst first.
  package var issues: [QualityIssue]

  /// How the document lies in the frame.
  package enum Crop: String, Codable, Sendable {
    /// Four edges inside the frame.
    case ok
    /// A corner of the outline touches the frame's edge. What has no document's shape is no outline at all.
    case cropped
    /// No outline: the document may fill the frame.
    case unknown
  }

  package var passes: Bool { !issues.contains { $0.severity == .fail } }

  enum CodingKeys: String, CodingKey {
    case sharpness, glare, brightness
    case blackShare = "black_share"
    case whiteShare = "white_share"
    case contrast, colour
    case subjectWidth = "subject_width"
    case crop, tilt, ripple, edited, issues
  }
}

/// One thing to do better, with a hint for the person who takes the picture.
package struct QualityIssue: Codable, Equatable, Sendable {
  package enum Code: String, Codable, Sendable, CaseIterable {
    case tooSmall = "too-small"
    case blurred
    case glare
    case tooDark = "too-dark"
    case tooBright = "too-bright"
    case lowContrast = "low-contrast"
    case cropped
    case tilted
    /// Advisory: for agents, and decides nothing.
    case grayscaleCopy = "grayscale-copy"
    /// Advisory: colour ripples as of a screen that was photographed.
    case screenRecapture = "screen-recapture"
    /// Advisory: a part of the picture may have come into it after its first compression.
    case editedRegion = "edited-region"
    case noFace = "no-face"
    case severalFaces = "several-faces"
    case faceTooSmall = "face-too-small"
  }

  package enum Severity: String, Codable, Sendable, Comparable {
    case flag, warn, fail

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .flag: 0
      case .warn: 1
      case .fail: 2
      }
    }
  }

  package var code: Code
  package var severity: Severity
  package var hint: String
  /// What was measured, in the unit of the measure; nil where nothing is.
  package var measured: Double?
  /// The threshold that it is beyond.
  package var limit: Double?

  package init(_ code: Code, _ severity: Severity, measured: Double? = nil, limit: Double? = nil) {
    self.code = code
    self.severity = severity
    hint = code.hint
    self.measured = measured.map { ($0 * 1000).rounded() / 1000 }
    self.limit = limit
  }

  /// The hint, with what was measured.
  package var text: String {
    guard let measured, let limit else { return hint }
    let bound = measured < limit ? "at least" : "at most"
    return "\(hint) Measured \(Self.figure(measured)), \(bound) \(Self.figure(limit))."
  }

  private static func figure(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
  }
}

extension QualityIssue.Code {
  /// One sentence for the capture screen.
  package var hint: String {
    switch self {
    case .tooSmall: "Move closer, or use a higher resolution."
    case .blurred: "Hold still and let the camera focus."
    case .glare: "Tilt away from the light: a reflection covers part of the picture."
    case .tooDark: "Find more light."
    case .tooBright: "Find softer light."
    case .lowContrast: "The picture is too flat: find better light and wipe the lens."
    case .cropped: "Show all four corners with a little room around them."
    case .tilted: "Hold the camera flat above the document."
    case .grayscaleCopy: "Use the original document, not a copy."
    case .screenRecapture: "Photograph the document itself, not a screen."
    case .editedRegion: "Send the picture as the camera made it."
    case .noFace: "Show the whole face to the camera."
    case .severalFaces: "Only one person may be in the picture."
    case .faceTooSmall: "Move closer to the camera."
    }
  }
}
