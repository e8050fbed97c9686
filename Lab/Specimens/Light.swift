// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import Foundation

/// Light that spoils a picture.
enum Light {
  /// A lamp mirrored in the laminate: a wide veil with a small burnt-out heart.
  static func glare(on canvas: Canvas, _ draw: inout Seeded, strength: Double) {
    let width = Double(canvas.width)
    let height = Double(canvas.height)
    let x = width * draw.between(0.2, 0.8)
    let y = height * draw.between(0.2, 0.8)
    let long = width * draw.between(0.07, 0.11) * strength.squareRoot()
    let short = long * draw.between(0.5, 0.9)
    let angle = draw.between(-1, 1)
    let heart = min(1, 0.62 * strength)
    canvas.compose(SPECIMEN_SCREEN) {
      canvas.translate(x, y)
      canvas.rotate(angle)
      canvas.scale(long, short)
      canvas.ellipse(0, 0, 2.6, 2.6)
      canvas.fillRadial(
        0, 0, radius: 2.6,
        [
          (0, Colour(1, 0.995, 0.98, heart)), (0.12, Colour(1, 0.995, 0.98, heart * 0.92)),
          (0.35, Colour(1, 0.99, 0.97, heart * 0.42)), (0.7, Colour(1, 0.99, 0.97, heart * 0.1)),
          (1, Colour(1, 1, 1, 0)),
        ])
    }
  }

  /// The photographer's soft-edged shadow over one corner or side.
  static func shadow(on canvas: Canvas, _ draw: inout Seeded, strength: Double) {
    let width = Double(canvas.width)
    let height = Double(canvas.height)
    let angle = draw.between(0, 2 * Double.pi)
    let reach = width * 0.5
    let edge = draw.between(0.42, 0.62)
    let dark = min(0.85, draw.between(0.28, 0.42) * strength)
    let (dx, dy) = (cos(angle) * reach, sin(angle) * reach)
    canvas.rectangle(0, 0, width, height).fillLinear(
      width / 2 - dx, height / 2 - dy, width / 2 + dx, height / 2 + dy,
      [
        (0, Colour(0.02, 0.02, 0.05, 0)), (edge - 0.09, Colour(0.02, 0.02, 0.05, 0)),
        (edge + 0.09, Colour(0.02, 0.02, 0.05, dark)), (1, Colour(0.02, 0.02, 0.05, dark)),
      ])
  }
}
