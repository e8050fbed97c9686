// SPDX-License-Identifier: Apache-2.0

import CSpecimen

/// What happens to a screenshot on its way: cut, sent as a smaller picture, or photographed from another screen.
package struct ScreenWear: Sendable, Codable, Equatable {
  /// Of what may be cut off above and below without losing a line, 0…1.
  package var crop: Double
  /// Of its own width, at which it arrives.
  package var rescale: Double
  /// Afterwards, in this order.
  package var degrade: [Degradation]

  package init(crop: Double = 0, rescale: Double = 1, degrade: [Degradation] = []) {
    self.crop = min(1, max(0, crop))
    self.rescale = min(2, max(0.1, rescale))
    self.degrade = degrade
  }

  /// The wear of this number: none to much of each kind.
  package static func random(seed: UInt64) -> ScreenWear {
    var draw = Seeded(seed, for: "screen wear")
    var wear = ScreenWear(
      crop: draw.chance(0.4) ? draw.unit() : 0, rescale: draw.chance(0.5) ? draw.between(0.55, 0.95) : 1)
    if draw.chance(0.3) { wear.degrade.append(Degradation(.moire, strength: draw.between(0.3, 1.2))) }
    if draw.chance(0.45) { wear.degrade.append(Degradation(.blur, strength: draw.between(0.2, 1.2))) }
    if draw.chance(0.45) { wear.degrade.append(Degradation(.noise, strength: draw.between(0.2, 1.4))) }
    if draw.chance(0.7) { wear.degrade.append(Degradation(.jpeg, strength: draw.between(0.5, 1.6))) }
    return wear
  }

  /// - Parameters:
  ///   - top, bottom: pixels between which the lines are.
  func applied(
    to canvas: Canvas, top: Double, bottom: Double, seed: UInt64
  ) throws(SpecimenError) -> Canvas {
    var draw = Seeded(seed, for: "screen wearing")
    let (above, below) = (top * crop, (Double(canvas.height) - bottom) * crop)
    let high = Double(canvas.height) - above - below
    let worn = try Canvas(
      width: max(1, Int(Double(canvas.width) * rescale)), height: max(1, Int(high * rescale)))
    // The picture is laid so that what is cut lies outside.
    let share = Double(worn.width) / Double(canvas.width)
    worn.picture(canvas, 0, -above * share, Double(worn.width), Double(canvas.height) * share)
    for degradation in degrade { try Photograph.apply(degradation, to: worn, &draw, width: Double(worn.width)) }
    return worn
  }
}
