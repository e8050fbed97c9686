// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import DocumentCore

/// A holder's picture of themself: the same face, nearer, in a room.
package enum Selfie {
  /// - Parameters:
  ///   - seed: Decides room, light and how the head is held.
  ///   - reference: The day of the picture.
  ///   - degrade: Of these, blur, noise, jpeg, lowres, shadow and glare act; a face cannot be laid on a desk.
  /// - Returns: A JPEG of 960 × 1280 pixels.
  package static func draw(
    of holder: Holder, seed: UInt64, reference: CalendarDate, degrade: [Degradation] = []
  ) throws(SpecimenError) -> Picture {
    var draw = Seeded(seed, for: "selfie")
    let canvas = try Canvas(width: 960, height: 1280)
    room(canvas, &draw)
    specimen_blur(canvas.handle, 9)
    canvas.saved {
      canvas.translate(480 + draw.between(-28, 28), 640 + draw.between(-30, 30))
      canvas.rotate(draw.between(-0.055, 0.055))
      canvas.scale(draw.between(335, 375))
      Face(of: holder, on: reference).draw(on: canvas)
    }
    // Warm light of the room from one side
    let fromLeft = draw.chance(0.5)
    canvas.rectangle(0, 0, 960, 1280).fillLinear(
      fromLeft ? 0 : 960, 0, fromLeft ? 960 : 0, 200,
      [(0, Colour(1, 0.93, 0.80, 0.10)), (0.5, Colour(0, 0, 0, 0)), (1, Colour(0.05, 0.05, 0.12, 0.16))])
    specimen_blur(canvas.handle, 0.9)
    specimen_noise(canvas.handle, 3, draw.next())
    for degradation in degrade { try Photograph.apply(degradation, to: canvas, &draw, width: 960) }
    return try canvas.encoded(as: .jpeg, quality: 90)
  }

  private static func room(_ canvas: Canvas, _ draw: inout Seeded) {
    let wall = Colour(draw.pick([0xCFC8BC, 0xBFC7CC, 0xD5CFC9, 0xB9C2B4, 0xC9C0C8]))
    canvas.rectangle(0, 0, 960, 1280).fillLinear(0, 0, 300, 1280, [(0, wall.lighter(0.15)), (1, wall.darker(0.22))])
    let isWindowLeft = draw.chance(0.5)
    let x = isWindowLeft ? 40.0 : 690.0
    canvas.rectangle(x, 90, 230, 420, radius: 4).fill(Colour(0xE6EDF2))
    canvas.rectangle(x, 90, 230, 420, radius: 4).stroke(Colour(0xA79F94), width: 16)
    canvas.move(x + 115, 90).line(x + 115, 510).stroke(Colour(0xA79F94), width: 10)
    let shelf = isWindowLeft ? 640.0 : 30.0
    canvas.rectangle(shelf, 420, 290, 18).fill(Colour(0x7B6450))
    var at = shelf + 8
    while at < shelf + 250 {
      let width = draw.between(18, 42)
      let height = draw.between(90, 150)
      let colour = Colour(draw.pick([0x8A4B3C, 0x47606B, 0x6C7350, 0xB09A6C, 0x5B4C63, 0x9C8C80]))
      canvas.rectangle(at, 420 - height, width, height).fill(colour)
      at += width + 3
    }
  }
}
