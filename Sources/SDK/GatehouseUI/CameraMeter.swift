// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Where a detector found the subject in a picture, in shares of its width and height from the top left.
public struct CameraBox: Sendable, Equatable {
  /// The corner at the top left, and the size.
  public var x, y, width, height: Double

  /// Creates the value from its members.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// Makes what a camera's screen shows (`CameraReading`) of what a detector found and of the picture's
/// brightness.
///
/// Sharpness goes by how wide edges are: a step from one pixel to the next is 1, an edge that is spread over four
/// pixels somewhat above 0.4, and one over sixteen below 0.2. It does not depend on how bright the picture or how
/// strong the edges are. Where the brightness hardly changes there is nothing to judge, and the sharpness is 0.
public enum CameraMeter {
  /// Nearer to the picture's edge, in shares of its side, the subject is cut off.
  static let edge = 0.005
  /// Pixels between the two that are compared for the strength of an edge.
  static let reach = 8
  /// Mean square of that difference below which nothing is seen but the noise of a sensor.
  static let contrastMin = 40.0
  /// From this brightness on, of 255, a pixel counts as blown out.
  static let glareMin: UInt8 = 250
  /// Lines that are looked at.
  static let linesMax = 240

  /// - Parameters:
  ///   - luma: brightness, one byte a pixel, line after line, such as the first plane of `420f`.
  ///   - width: pixels of a line.
  ///   - height: lines.
  ///   - bytesPerRow: from the beginning of one line to the next.
  ///   - subject: what the detector found; nil when it found nothing.
  /// - Returns: a missing subject also when the bytes are fewer than the size needs.
  public static func reading(
    luma: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, subject: CameraBox?
  ) -> CameraReading {
    guard let subject, width > 0, height > 0, bytesPerRow >= width,
      luma.count >= bytesPerRow * (height - 1) + width
    else { return CameraReading(subject: .missing) }
    let columns = pixels(subject.x, subject.width, of: width)
    let rows = pixels(subject.y, subject.height, of: height)
    guard columns.count > reach, !rows.isEmpty else { return CameraReading(subject: .missing) }
    let (sharpness, glare) = measure(luma, columns, rows, bytesPerRow)
    let isCut =
      min(subject.x, subject.y) < edge || max(subject.x + subject.width, subject.y + subject.height) > 1 - edge
    return CameraReading(
      subject: isCut ? .cut : .whole, extent: max(subject.width, subject.height), sharpness: sharpness, glare: glare)
  }

  /// What is no number, or lies outside, has no pixels.
  private static func pixels(_ begin: Double, _ length: Double, of count: Int) -> Range<Int> {
    guard begin.isFinite, length.isFinite, length > 0 else { return 0..<0 }
    let first = Int((max(0, min(1, begin)) * Double(count)).rounded(.down))
    let last = Int((max(0, min(1, begin + length)) * Double(count)).rounded(.up))
    return first..<max(first, min(last, count))
  }

  private static func measure(
    _ luma: UnsafeRawBufferPointer, _ columns: Range<Int>, _ rows: Range<Int>, _ bytesPerRow: Int
  ) -> (sharpness: Double, glare: Double) {
    var (near, far, blown, seen) = (0, 0, 0, 0)
    for row in stride(from: rows.lowerBound, to: rows.upperBound, by: max(1, rows.count / linesMax)) {
      let line = row * bytesPerRow
      for column in columns {
        let value = Int(luma[line + column])
        seen += 1
        if value >= Int(glareMin) { blown += 1 }
        guard column + reach < columns.upperBound else { continue }
        let (step, edge) = (Int(luma[line + column + 1]) - value, Int(luma[line + column + reach]) - value)
        near += step * step
        far += edge * edge
      }
    }
    let glare = Double(blown) / Double(seen)
    guard Double(far) / Double(seen) >= contrastMin else { return (0, glare) }
    // A step gives 1, and a slope that is longer than the reach its square's reciprocal, times the reach.
    let (ratio, slope) = (Double(reach * near) / Double(far), 1 / Double(reach))
    let share = (ratio - slope) / (1 - slope)
    return (share.squareRoot().clamped, glare)
  }
}

extension Double {
  /// Between 0 and 1; what is no number is 0.
  fileprivate var clamped: Double { self > 0 ? min(self, 1) : 0 }
}
