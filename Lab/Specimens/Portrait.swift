// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import DocumentCore

/// The photograph on a document: frontal, even light, plain ground (Doc 9303-3 §3.9).
enum Portrait {
  static func draw(
    of holder: Holder, on date: CalendarDate, width: Int, height: Int
  ) throws(SpecimenError) -> Canvas {
    let canvas = try Canvas(width: width, height: height)
    let (w, h) = (Double(width), Double(height))
    canvas.rectangle(0, 0, w, h).fillLinear(0, 0, w, h, [(0, Colour(0xDDE3E8)), (1, Colour(0xC5CDD4))])
    canvas.saved {
      // Crown to chin takes seven tenths of the height.
      let unit = h * 0.70 / 2.15
      canvas.translate(w / 2, h * 0.50)
      canvas.scale(unit)
      Face(of: holder, on: date).draw(on: canvas)
    }
    specimen_blur(canvas.handle, h / 900)
    specimen_noise(canvas.handle, 2.2, holder.faceSeed)
    return canvas
  }
}
