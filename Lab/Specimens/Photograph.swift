// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import Foundation

/// A document photographed on a desk.
///
/// The order of nature: the document lies somewhere (rotation, perspective), which is one projective map however many
/// degradations move it; then light, lens, sensor and file act on the whole picture in the order given.
struct Photograph {
  let canvas: Canvas
  /// From the flat document's pixels to the photograph's.
  let map: Homography

  /// - Parameters:
  ///   - isCard: Whether the corners are round (ISO/IEC 7810 §5.1.1: 3.18 mm on a card 85.60 mm wide).
  ///   - stream: Keeps the sides of one document from being degraded alike.
  ///   - share: How much of the desk is seen around it, as a share of its width.
  init(
    of flat: Canvas, isCard: Bool, _ degrade: [Degradation], seed: UInt64, stream: String, margin share: Double = 0.11
  ) throws(SpecimenError) {
    var draw = Seeded(seed, for: stream)
    let width = Double(flat.width)
    let height = Double(flat.height)
    let margin = width * share
    canvas = try Canvas(width: Int(width + 2 * margin), height: Int(height + 2 * margin))
    map = Self.lay(width, height, margin, degrade, &draw)

    Desk.draw(on: canvas, &draw)
    shadowUnder(width: width, height: height)
    let radius = isCard ? width * 3.18 / 85.6 : width * 0.004
    let cut = try Canvas(width: flat.width, height: flat.height)
    cut.rectangle(0, 0, width, height, radius: radius).clip()
    cut.picture(flat, 0, 0, width, height)
    specimen_warp(canvas.handle, cut.handle, map.inverse.m)

    for degradation in degrade {
      try Self.apply(degradation, to: canvas, &draw, width: width)
    }
  }

  /// Where the document lies: in the middle, turned and tilted as asked, and made smaller when a corner would leave.
  private static func lay(
    _ width: Double, _ height: Double, _ margin: Double, _ degrade: [Degradation], _ draw: inout Seeded
  ) -> Homography {
    let centre = (x: width / 2 + margin, y: height / 2 + margin)
    var corners = [
      (-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2),
    ]
    .map { (x: $0.0, y: $0.1) }
    func turn(by angle: Double) {
      corners = corners.map { (x: $0.x * cos(angle) - $0.y * sin(angle), y: $0.x * sin(angle) + $0.y * cos(angle)) }
    }
    for degradation in degrade {
      switch degradation.kind {
      case .rotate: turn(by: draw.signed(1.5, 6) * degradation.strength * .pi / 180)
      case .turn: turn(by: draw.between(-.pi, .pi) * min(1, degradation.strength))
      case .perspective:
        // A pinhole at 2.5 widths, the document tilted about both axes.
        let about = draw.signed(5, 11) * degradation.strength * .pi / 180
        let along = draw.signed(4, 9) * degradation.strength * .pi / 180
        let distance = width * 2.5
        corners = corners.map { corner in
          let z = corner.y * sin(about) + corner.x * cos(about) * sin(along)
          let scale = distance / (distance + z)
          return (x: corner.x * cos(along) * scale, y: corner.y * cos(about) * scale)
        }
      default: break
      }
    }
    let room = 0.965
    let widest = corners.map { abs($0.x) / (centre.x * room) }.max() ?? 1
    let highest = corners.map { abs($0.y) / (centre.y * room) }.max() ?? 1
    let shrink = max(1, widest, highest)
    return Homography(
      width: width, height: height, to: corners.map { (x: $0.x / shrink + centre.x, y: $0.y / shrink + centre.y) })
  }

  private func shadowUnder(width: Double, height: Double) {
    for step in 0..<8 {
      let grow = Double(step) * width * 0.0022
      for (index, corner) in [
        (-grow, -grow), (width + grow, -grow), (width + grow, height + grow), (-grow, height + grow),
      ]
      .enumerated() {
        let (x, y) = map.apply(corner.0, corner.1)
        if index == 0 { canvas.move(x + 3, y + 6) } else { canvas.line(x + 3, y + 6) }
      }
      canvas.close().fill(Colour(0, 0, 0, 0.06))
    }
  }

  /// Light, lens, sensor and file; what moves the document does nothing here.
  static func apply(
    _ degradation: Degradation, to canvas: Canvas, _ draw: inout Seeded, width: Double
  ) throws(SpecimenError) {
    let strength = degradation.strength
    guard strength > 0 else { return }
    switch degradation.kind {
    case .rotate, .perspective, .turn: break
    case .blur: specimen_blur(canvas.handle, width / 1000 * draw.between(0.55, 0.85) * strength)
    case .noise: specimen_noise(canvas.handle, draw.between(5, 9) * strength, draw.next())
    case .jpeg:
      let quality = Int32(max(4, draw.between(38, 58) / strength))
      guard specimen_jpeg_round_trip(canvas.handle, quality) != 0 else { throw .notEncoded }
    case .glare: Light.glare(on: canvas, &draw, strength: strength)
    case .shadow: Light.shadow(on: canvas, &draw, strength: strength)
    case .moire:
      // Bands from a twentieth to a third of the picture's width.
      let period = width * draw.between(0.05, 0.33)
      specimen_moire(canvas.handle, period, draw.between(0, .pi), draw.between(0.10, 0.22) * strength)
    case .lowres: try lowerResolution(of: canvas, by: draw.between(0.62, 0.74) / strength)
    }
  }

  /// Loses detail; the picture keeps its size, as phones that zoom digitally do.
  private static func lowerResolution(of canvas: Canvas, by factor: Double) throws(SpecimenError) {
    let share = min(1, max(0.05, factor))
    let small = try Canvas(
      width: max(1, Int(Double(canvas.width) * share)), height: max(1, Int(Double(canvas.height) * share)))
    small.picture(canvas, 0, 0, Double(small.width), Double(small.height))
    canvas.picture(small, 0, 0, Double(canvas.width), Double(canvas.height))
  }
}
