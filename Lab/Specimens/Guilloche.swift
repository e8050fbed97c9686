// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Security printing: fine interlaced waves and rosettes, light enough that text on them stays easy to read.
enum Guilloche {
  /// Fills width × height with a tinted ground and two families of waves.
  static func ground(
    _ canvas: Canvas, width: Double, height: Double, _ first: Colour, _ second: Colour, paper: Colour = Colour(0xF7F6F1)
  ) {
    canvas.rectangle(0, 0, width, height).fill(paper)
    canvas.rectangle(0, 0, width, height).fillLinear(
      0, 0, width, height,
      [(0, first.with(alpha: 0.16)), (0.5, second.with(alpha: 0.10)), (1, first.with(alpha: 0.20))])
    waves(canvas, width, height, first.with(alpha: 0.30), count: Int(height * 1.1), bend: 3.2, turns: 2.3, phase: 0)
    waves(canvas, width, height, second.with(alpha: 0.26), count: Int(height * 1.1), bend: 4.4, turns: 1.6, phase: 2)
  }

  private static func waves(
    _ canvas: Canvas, _ width: Double, _ height: Double, _ colour: Colour, count: Int, bend: Double, turns: Double,
    phase: Double
  ) {
    let steps = 120
    for index in -6..<(count + 6) {
      let share = Double(index) / Double(count)
      for step in 0...steps {
        let along = Double(step) / Double(steps)
        let angle = along * turns * 2 * .pi + phase + share * 2.4
        let y = share * height + sin(angle) * bend + sin(angle * 2.7 + share * 9) * bend * 0.3
        if step == 0 { canvas.move(along * width, y) } else { canvas.line(along * width, y) }
      }
      canvas.stroke(colour, width: 0.09)
    }
  }

  /// A rosette: closed curves of one family around a centre.
  static func rosette(_ canvas: Canvas, _ x: Double, _ y: Double, radius: Double, petals: Int, _ colour: Colour) {
    for ring in 0..<9 {
      let size = radius * (0.42 + 0.065 * Double(ring))
      let steps = petals * 14
      for step in 0...steps {
        let angle = Double(step) / Double(steps) * 2 * .pi
        let r = size * (1 + 0.24 * sin(angle * Double(petals) + Double(ring) * 0.55))
        let px = x + cos(angle) * r
        let py = y + sin(angle) * r
        if step == 0 { canvas.move(px, py) } else { canvas.line(px, py) }
      }
      canvas.stroke(colour, width: 0.10)
    }
  }

  /// The arms of Utopia: an island shaped as a new moon around its bay, under a star (More, book II).
  static func arms(_ canvas: Canvas, _ x: Double, _ y: Double, radius: Double, _ colour: Colour) {
    canvas.ellipse(x, y, radius, radius).stroke(colour, width: radius * 0.07)
    canvas.ellipse(x, y, radius * 0.86, radius * 0.86).stroke(colour, width: radius * 0.03)
    let r = radius * 0.58
    canvas.move(x - r * 0.75, y - r * 0.66)
      .curve(x - r * 1.35, y + r * 0.2, x - r * 0.7, y + r * 1.05, x, y + r * 1.05)
      .curve(x + r * 0.7, y + r * 1.05, x + r * 1.35, y + r * 0.2, x + r * 0.75, y - r * 0.66)
      .curve(x + r * 0.85, y + r * 0.1, x + r * 0.5, y + r * 0.45, x, y + r * 0.45)
      .curve(x - r * 0.5, y + r * 0.45, x - r * 0.85, y + r * 0.1, x - r * 0.75, y - r * 0.66)
      .close().fill(colour)
    for point in 0..<10 {
      let angle = Double(point) / 10 * 2 * .pi - .pi / 2
      let size = r * (point.isMultiple(of: 2) ? 0.46 : 0.19)
      let px = x + cos(angle) * size
      let py = y - r * 0.35 + sin(angle) * size
      if point == 0 { canvas.move(px, py) } else { canvas.line(px, py) }
    }
    canvas.close().fill(colour)
  }
}
