// SPDX-License-Identifier: Apache-2.0

/// The drawing of a face, from what lies behind to what lies in front.
extension Face {
  func draw(on canvas: Canvas) {
    hairBehind(canvas)
    bust(canvas)
    ears(canvas)
    head(canvas)
    sockets(canvas)
    for side in [-1.0, 1.0] { eye(canvas, side) }
    nose(canvas)
    mouth(canvas)
    if beard > 0 { drawBeard(canvas) }
    lines(canvas)
    hairFront(canvas)
  }

  private var shade: Colour { skin.darker(0.55).mixed(with: Colour(0x5A2A1E), 0.3) }
  private var light: Colour { skin.lighter(0.5).mixed(with: Colour(0xFFF2E0), 0.3) }

  /// How much skin shines: less on dark skin, where the same light would look wet.
  private var gloss: Double { 0.70 + 0.30 * skin.red }

  /// The outline from temple to temple round the chin, closed over the skull.
  private func outline(_ canvas: Canvas, grow: Double = 0) {
    let w = halfWidth + grow
    let j = jaw + grow
    canvas.move(-w, -0.25)
      .curve(-w * 1.01, 0.10, -w * 0.97, 0.42, -j * 1.22, 0.66)
      .curve(-j * 0.98, 0.86, -j * 0.48, 1.0 + grow, 0, 1.0 + grow)
      .curve(j * 0.48, 1.0 + grow, j * 0.98, 0.86, j * 1.22, 0.66)
      .curve(w * 0.97, 0.42, w * 1.01, 0.10, w, -0.25)
      .curve(w * 1.0, -0.82, w * 0.55, -1.08 - grow, 0, -1.08 - grow)
      .curve(-w * 0.55, -1.08 - grow, -w * 1.0, -0.82, -w, -0.25)
      .close()
  }

  private func bust(_ canvas: Canvas) {
    let n = jaw * 0.98
    canvas.saved {
      canvas.move(-n, 0.55).curve(-n, 1.1, -n * 1.05, 1.25, -n * 1.5, 1.6).line(0, 2.2).line(n * 1.5, 1.6)
        .curve(n * 1.05, 1.25, n, 1.1, n, 0.55).close()
      canvas.clip()
      canvas.rectangle(-2, 0, 4, 3).fill(skin.darker(0.10))
      canvas.spot(0, 1.0, n * 1.3, 0.36, shade.with(alpha: 0.8))
      canvas.spot(-n, 1.15, 0.24, 0.6, shade.with(alpha: 0.4))
      canvas.spot(n, 1.15, 0.24, 0.6, shade.with(alpha: 0.55))
    }
    // Shoulders, then a collar that opens at the throat
    canvas.move(-1.9, 2.6).curve(-1.8, 1.75, -1.35, 1.6, -n * 1.25, 1.32)
      .curve(-n * 0.6, 1.62, n * 0.6, 1.62, n * 1.25, 1.32).curve(1.35, 1.6, 1.8, 1.75, 1.9, 2.6).close()
      .fillLinear(0, 1.3, 0, 2.4, [(0, clothes.lighter(0.10)), (1, clothes.darker(0.25))])
    for side in [-1.0, 1.0] {
      canvas.move(side * n * 1.28, 1.24).curve(side * n * 0.9, 1.5, side * 0.25, 1.62, side * 0.06, 1.78)
        .line(side * 0.34, 2.0).curve(side * 0.6, 1.75, side * n * 1.3, 1.6, side * n * 1.5, 1.38).close()
        .fill(clothes.lighter(0.22))
    }
  }

  private func ears(_ canvas: Canvas) {
    for side in [-1.0, 1.0] {
      let x = side * (halfWidth + 0.035)
      canvas.ellipse(x, 0.09, 0.085, 0.21).fill(skin.darker(0.10))
      canvas.spot(x, 0.10, 0.06, 0.15, shade.with(alpha: 0.45))
    }
  }

  private func head(_ canvas: Canvas) {
    outline(canvas)
    canvas.fill(skin)
    canvas.saved {
      outline(canvas)
      canvas.clip()
      // Round: darker to the rims, lighter to the middle, light from the upper left.
      for side in [-1.0, 1.0] {
        canvas.spot(side * halfWidth * 1.06, 0.15, 0.36, 1.15, shade.with(alpha: side < 0 ? 0.28 : 0.44))
        canvas.spot(side * jaw * 1.15, 0.84, 0.34, 0.34, shade.with(alpha: 0.34))
        canvas.spot(side * 0.40, 0.36, 0.26, 0.22, Colour(0xC8524A, skin.red > 0.6 ? 0.16 : 0.08))
        canvas.spot(side * 0.42, 0.24, 0.26, 0.18, light.with(alpha: gloss * (side < 0 ? 0.46 : 0.32)))
      }
      canvas.spot(0, 1.06, 0.5, 0.16, shade.with(alpha: 0.5))
      canvas.spot(-0.06, -0.52, 0.56, 0.34, light.with(alpha: gloss * 0.5))
      canvas.spot(-0.02, 0.87, 0.16, 0.10, light.with(alpha: 0.36))
      canvas.spot(0, -1.08, 0.8, 0.3, shade.with(alpha: 0.42))
    }
  }

  private func sockets(_ canvas: Canvas) {
    for side in [-1.0, 1.0] {
      canvas.spot(side * eyeDistance, -0.12, 0.27, 0.17, shade.with(alpha: 0.60))
      canvas.spot(side * eyeDistance * 0.55, -0.11, 0.12, 0.14, shade.with(alpha: 0.40))
      canvas.spot(side * eyeDistance, 0.07, 0.18, 0.06, shade.with(alpha: 0.16 + 0.22 * age))
    }
  }

  private func eye(_ canvas: Canvas, _ side: Double) {
    canvas.saved {
      canvas.translate(side * eyeDistance, -0.07)
      canvas.scale(side, 1)
      canvas.rotate(-eyeTilt)
      let w = eyeSize
      let h = eyeSize * (0.46 - 0.08 * age)
      func almond() {
        canvas.move(-w, 0.02).curve(-w * 0.5, -h * 1.25, w * 0.45, -h * 1.3, w, 0)
          .curve(w * 0.5, h * 0.95, -w * 0.45, h * 1.0, -w, 0.02).close()
      }
      canvas.saved {
        almond()
        canvas.clip()
        canvas.rectangle(-w, -w, 2 * w, 2 * w).fill(Colour(0xE4DDD6).mixed(with: skin, 0.30))
        let r = h * 1.02
        canvas.ellipse(0, -0.006, r, r).fillRadial(
          0, -0.006, radius: r, [(0, iris.lighter(0.16)), (0.75, iris), (1, iris.darker(0.6))])
        canvas.ellipse(0, -0.006, r * 0.46, r * 0.46).fill(Colour(0x0B0908))
        canvas.ellipse(-side * r * 0.35, -r * 0.4, r * 0.19, r * 0.19).fill(Colour(1, 1, 1, 0.92))
        canvas.spot(0, -h * 1.1, w * 1.2, h * 0.9, Colour(0x1C0F0A, 0.68))
      }
      // Lids: the upper one heavy with lashes, the lower one a breath
      canvas.move(-w, 0.02).curve(-w * 0.5, -h * 1.25, w * 0.45, -h * 1.3, w * 1.03, -0.005)
        .stroke(Colour(0x20120D, 0.9), width: 0.024)
      canvas.move(-w * 0.95, -h * 0.55).curve(-w * 0.4, -h * 1.95, w * 0.5, -h * 1.9, w * 1.02, -h * 0.6)
        .stroke(shade.with(alpha: 0.55), width: 0.014)
      canvas.move(-w * 0.9, 0.03).curve(-w * 0.45, h * 1.05, w * 0.5, h * 1.0, w, 0.01)
        .stroke(shade.with(alpha: 0.55), width: 0.011)
      // Brow
      let y = -browLift
      let colour = hair.mixed(with: Colour(0x2A1B12), 0.45)
      canvas.move(-w * 1.18, y + 0.035).curve(-w * 0.6, y - 0.05, w * 0.5, y - 0.075, w * 1.35, y + 0.035)
        .curve(w * 0.5, y - 0.075 + browWidth, -w * 0.6, y - 0.05 + browWidth * 1.5, -w * 1.14, y + 0.035 + browWidth)
        .close().fill(colour.with(alpha: 0.86))
    }
  }

  private func nose(_ canvas: Canvas) {
    let tip = noseLength
    canvas.spot(0, 0.10, 0.08, 0.38, light.with(alpha: gloss * 0.6))
    canvas.spot(noseWidth * 0.75, 0.14, 0.08, 0.32, shade.with(alpha: 0.30))
    canvas.spot(-noseWidth * 0.72, 0.12, 0.05, 0.26, shade.with(alpha: 0.14))
    canvas.spot(0, tip + 0.085, noseWidth * 1.3, 0.085, shade.with(alpha: 0.55))
    canvas.spot(-0.01, tip - 0.03, noseWidth * 0.62, 0.085, light.with(alpha: gloss * 0.62))
    for side in [-1.0, 1.0] {
      canvas.spot(side * noseWidth * 0.82, tip, 0.07, 0.075, skin.darker(0.08).with(alpha: 0.8))
      canvas.move(side * noseWidth * 1.08, tip - 0.06)
        .curve(
          side * noseWidth * 1.3, tip + 0.0, side * noseWidth * 1.2, tip + 0.07, side * noseWidth * 0.8, tip + 0.055
        )
        .stroke(shade.with(alpha: 0.55), width: 0.014)
      canvas.ellipse(side * noseWidth * 0.50, tip + 0.050, noseWidth * 0.27, 0.021).fill(Colour(0x2A120C, 0.72))
    }
    canvas.spot(0, tip + 0.15, 0.05, 0.09, shade.with(alpha: 0.25))
  }

  private func mouth(_ canvas: Canvas) {
    let y = 0.635
    let w = mouthWidth
    let h = lipHeight
    canvas.move(-w, y).curve(-w * 0.6, y - h * 0.55, -w * 0.25, y - h * 0.95, -w * 0.1, y - h * 0.85)
      .curve(-w * 0.04, y - h * 0.65, w * 0.04, y - h * 0.65, w * 0.1, y - h * 0.85)
      .curve(w * 0.25, y - h * 0.95, w * 0.6, y - h * 0.55, w, y)
      .curve(w * 0.5, y + h * 0.12, -w * 0.5, y + h * 0.12, -w, y).close().fill(lips.darker(0.14))
    canvas.move(-w, y).curve(-w * 0.5, y + h * 0.10, w * 0.5, y + h * 0.10, w, y)
      .curve(w * 0.6, y + h * 1.15, w * 0.2, y + h * 1.35, 0, y + h * 1.35)
      .curve(-w * 0.2, y + h * 1.35, -w * 0.6, y + h * 1.15, -w, y).close().fill(lips)
    canvas.spot(-0.02, y + h * 0.72, w * 0.45, h * 0.36, light.with(alpha: 0.42))
    canvas.move(-w * 1.03, y - 0.004).curve(-w * 0.4, y + h * 0.20, w * 0.4, y + h * 0.20, w * 1.03, y - 0.004)
      .stroke(Colour(0x3A1512, 0.82), width: 0.017)
    canvas.spot(0, y + h * 1.75, w * 0.62, 0.055, shade.with(alpha: 0.42))
    for side in [-1.0, 1.0] { canvas.spot(side * w * 1.06, y, 0.05, 0.05, shade.with(alpha: 0.4)) }
  }

  private func drawBeard(_ canvas: Canvas) {
    let colour = hair.mixed(with: skin, 0.25)
    canvas.saved {
      outline(canvas)
      canvas.clip()
      for side in [-1.0, 1.0] {
        canvas.spot(side * jaw * 1.02, 0.70, 0.26, 0.36, colour.with(alpha: 0.62 * beard))
        canvas.spot(side * 0.17, 0.53, 0.18, 0.06, colour.with(alpha: 0.75 * beard))
      }
      canvas.spot(0, 0.95, 0.46, 0.19, colour.with(alpha: 0.85 * beard))
      canvas.spot(0, 0.80, 0.16, 0.08, colour.with(alpha: 0.5 * beard))
    }
  }

  private func lines(_ canvas: Canvas) {
    let ink = shade.with(alpha: 0.10 + 0.30 * age)
    for side in [-1.0, 1.0] {
      canvas.move(side * (noseWidth + 0.05), noseLength + 0.02)
        .curve(side * 0.30, 0.48, side * 0.36, 0.56, side * (mouthWidth + 0.07), 0.66).stroke(ink, width: 0.014)
      guard age > 0.35 else { continue }
      for line in 0..<3 {
        let y = -0.09 + 0.04 * Double(line)
        canvas.move(side * (eyeDistance + eyeSize * 1.2), y)
          .line(side * (eyeDistance + eyeSize * 1.45), y - 0.02 + 0.02 * Double(line))
          .stroke(ink.with(alpha: 0.25 * age), width: 0.008)
      }
    }
    guard age > 0.35 else { return }
    for line in 0..<2 {
      let y = -0.56 - 0.12 * Double(line)
      canvas.move(-0.36, y).curve(-0.15, y - 0.03, 0.15, y - 0.03, 0.36, y).stroke(
        ink.with(alpha: 0.28 * age), width: 0.012)
    }
  }
}
