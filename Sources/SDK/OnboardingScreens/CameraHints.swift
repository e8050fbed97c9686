// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI

/// What the user does so that the picture becomes good.
public enum CameraHint: String, Sendable, CaseIterable {
  /// Nothing was measured yet, or no subject is seen.
  case findSubject
  case showWhole
  case comeCloser
  case goAway
  case holdStill
  case avoidReflections
  /// The picture would be good.
  case ready
}

/// Which hint belongs to what a camera measures. The most useful comes first: a sharp picture of half a card is no use.
///
/// The server judges each picture anew; these numbers only spare the user a refusal.
public struct CameraRules: Sendable, Equatable {
  /// The least and the most that the subject's longer side may be of the frame's.
  public var extent: ClosedRange<Double>
  /// The least sharpness.
  public var sharpnessMin: Double
  /// The most of the subject that may be blown out.
  public var glareMax: Double

  /// Creates the value from its members.
  public init(extent: ClosedRange<Double> = 0.6...0.98, sharpnessMin: Double = 0.4, glareMax: Double = 0.03) {
    (self.extent, self.sharpnessMin, self.glareMax) = (extent, sharpnessMin, glareMax)
  }

  /// For faces, which fill less of the frame and reflect less.
  public static let face = CameraRules(extent: 0.35...0.9, sharpnessMin: 0.3, glareMax: 0.1)

  /// 1. Nothing is seen. 2. A part is cut off. 3. Too far away. 4. Too near. 5. Blurred. 6. Reflections.
  public func hint(for reading: CameraReading) -> CameraHint {
    if reading.subject == .missing { return .findSubject }
    if reading.subject == .cut { return .showWhole }
    // A measurement that is no number says that nothing was measured.
    guard reading.extent >= extent.lowerBound else { return .comeCloser }
    guard reading.extent <= extent.upperBound else { return .goAway }
    guard reading.sharpness >= sharpnessMin else { return .holdStill }
    guard reading.glare <= glareMax else { return .avoidReflections }
    return .ready
  }
}

/// The hint that is shown: it changes when two measurements in a row ask for the same other one, so that it can be read
/// and is not spoken over and over.
public struct SteadyHint: Sendable, Equatable {
  /// What is shown.
  public private(set) var shown = CameraHint.findSubject
  private var candidate: CameraHint?

  /// Begins without a measurement.
  public init() {}

  /// Takes a measurement in.
  public mutating func take(_ hint: CameraHint) {
    if hint == shown {
      candidate = nil
    } else if hint == candidate {
      (shown, candidate) = (hint, nil)
    } else {
      candidate = hint
    }
  }
}
