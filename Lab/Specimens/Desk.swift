// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a document lies on: dark wood with its grain, lit from one side.
enum Desk {
  private static let woods: [UInt32] = [0x4A3526, 0x3B2A20, 0x554032, 0x2F2B2A, 0x3A3F47]

  static func draw(on canvas: Canvas, _ draw: inout Seeded) {
    let width = Double(canvas.width)
    let height = Double(canvas.height)
    let wood = Colour(draw.pick(woods))
    canvas.rectangle(0, 0, width, height).fill(wood)
    for _ in 0..<90 {
      let y = draw.between(0, height)
      let bend = draw.between(-18, 18)
      let shade = draw.chance(0.5) ? wood.darker(0.35) : wood.lighter(0.14)
      canvas.move(-5, y)
        .curve(width * 0.3, y + bend, width * 0.6, y - bend, width + 5, y + bend * 0.6)
        .stroke(shade.with(alpha: draw.between(0.05, 0.22)), width: draw.between(1, 9))
    }
    let fromLeft = draw.chance(0.5)
    canvas.rectangle(0, 0, width, height).fillLinear(
      fromLeft ? 0 : width, 0, fromLeft ? width : 0, height,
      [(0, Colour(1, 1, 1, 0.10)), (0.5, Colour(0, 0, 0, 0)), (1, Colour(0, 0, 0, 0.28))])
  }
}
