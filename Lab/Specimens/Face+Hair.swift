// SPDX-License-Identifier: Apache-2.0

/// Hair: a mass behind the head, a cap in front of it, and strands over both.
extension Face {
  func hairBehind(_ canvas: Canvas) {
    let w = halfWidth
    let ground = [(0.0, hair.darker(0.15)), (1.0, hair.darker(0.42))]
    switch style {
    case .long:
      canvas.move(0, -1.24).curve(w * 1.25, -1.24, w * 1.36, -0.5, w * 1.26, 0.2)
        .curve(w * 1.3, 0.9, w * 1.6, 1.3, w * 1.35, 1.95).line(-w * 1.35, 1.95)
        .curve(-w * 1.6, 1.3, -w * 1.3, 0.9, -w * 1.26, 0.2).curve(-w * 1.36, -0.5, -w * 1.25, -1.24, 0, -1.24).close()
        .fillLinear(0, -1, 0, 1.8, ground)
    case .bob:
      canvas.move(0, -1.25).curve(w * 1.3, -1.25, w * 1.42, -0.5, w * 1.36, 0.2)
        .curve(w * 1.4, 0.6, w * 1.3, 0.85, w * 0.95, 0.9).line(-w * 0.95, 0.9)
        .curve(-w * 1.3, 0.85, -w * 1.4, 0.6, -w * 1.36, 0.2).curve(-w * 1.42, -0.5, -w * 1.3, -1.25, 0, -1.25).close()
        .fillLinear(0, -1, 0, 0.9, ground)
    case .tied:
      canvas.ellipse(0, -1.22, 0.30, 0.22).fill(hair.darker(0.3))
    case .short, .parted, .cropped, .receding: break
    }
  }

  func hairFront(_ canvas: Canvas) {
    let w = halfWidth
    // Where the hair ends: at the temples (side), and over the forehead (middle).
    let (rise, side, middle): (Double, Double, Double) =
      switch style {
      case .short: (0.13, -0.02, -0.72)
      case .parted: (0.16, -0.06, -0.68)
      case .cropped: (0.05, -0.12, -0.78)
      case .receding: (0.07, -0.12, -0.94)
      case .bob: (0.17, 0.40, -0.66)
      case .long: (0.16, 0.36, -0.74)
      case .tied: (0.10, -0.06, -0.78)
      }
    let part = style == .parted || style == .long ? -0.26 : style == .bob ? 0.2 : 0.0
    let top = -1.08 - rise
    let out = w + 0.035 + (style == .bob || style == .long ? 0.05 : 0)
    func cap() {
      canvas.move(-out, side).curve(-out * 1.10, -0.5, -out * 0.86, top, 0, top)
        .curve(out * 0.86, top, out * 1.10, -0.5, out, side)
        .curve(w * 0.95, -0.10, w * 0.93, -0.34, w * 0.87, -0.44)
        .curve(w * 0.80, -0.56, w * 0.78, middle + 0.06, w * 0.62, middle)
        .curve(w * 0.36, middle - 0.08, part + 0.18, middle - 0.07, part, middle - 0.10)
        .curve(part - 0.18, middle - 0.05, -w * 0.50, middle - 0.04, -w * 0.64, middle + 0.01)
        .curve(-w * 0.79, middle + 0.07, -w * 0.80, -0.56, -w * 0.87, -0.44)
        .curve(-w * 0.93, -0.34, -w * 0.95, -0.10, -out, side).close()
    }
    cap()
    let alpha = style == .cropped ? 0.86 : style == .receding ? 0.9 : 1
    canvas.fillLinear(
      0, top, 0, 0.2,
      [
        (0, hair.lighter(0.05).with(alpha: alpha)), (0.35, hair.with(alpha: alpha)),
        (1, hair.darker(0.3).with(alpha: alpha)),
      ])
    canvas.saved {
      cap()
      canvas.clip()
      strands(canvas, top: top, part: part)
      canvas.spot(-0.22, top + 0.22, 0.46, 0.15, hair.lighter(0.55).with(alpha: 0.30))
    }
    // A soft line where hair throws its shade on the forehead
    canvas.spot(part, middle - 0.03, w * 0.75, 0.07, Colour(0x2A160E, 0.26))
  }

  private func strands(_ canvas: Canvas, top: Double, part: Double) {
    for index in 0..<90 {
      let share = Double(index) / 89 * 2 - 1
      // Neither even in shade nor in place: combed hair, not a comb.
      let wander = Double((index * 37) % 11) / 11 - 0.5
      let colour = index.isMultiple(of: 3) ? hair.lighter(0.20) : hair.darker(0.35)
      canvas.move(part + share * 0.22 + wander * 0.06, top - 0.02)
        .curve(
          share * 0.62 + wander * 0.08, top + 0.10, share * halfWidth * 1.12, -0.72 + wander * 0.1,
          share * halfWidth * 1.22, 0.25
        )
        .stroke(colour.with(alpha: 0.16 + 0.08 * wander), width: 0.014)
    }
  }
}
