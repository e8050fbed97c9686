// SPDX-License-Identifier: Apache-2.0

import CSpecimen

/// A colour, straight alpha, each member 0…1.
struct Colour: Sendable {
  var red: Double, green: Double, blue: Double
  var alpha = 1.0

  init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  init(_ hex: UInt32, _ alpha: Double = 1) {
    self.init(
      Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255, alpha)
  }

  func with(alpha: Double) -> Colour { Colour(red, green, blue, alpha) }

  /// This colour moved towards another, 0…1.
  func mixed(with other: Colour, _ share: Double) -> Colour {
    Colour(
      red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share,
      alpha)
  }

  func darker(_ share: Double) -> Colour { mixed(with: Colour(0, 0, 0), share) }
  func lighter(_ share: Double) -> Colour { mixed(with: Colour(1, 1, 1), share) }
}

/// A picture that can be drawn on; the Swift face of `CSpecimen`.
final class Canvas {
  let handle: OpaquePointer
  let width: Int
  let height: Int

  /// - Throws: `SpecimenError.noCanvas` when there is no memory for it.
  init(width: Int, height: Int) throws(SpecimenError) {
    guard let width32 = Int32(exactly: width), let height32 = Int32(exactly: height),
      let handle = specimen_canvas_create(width32, height32)
    else { throw .noCanvas(width: width, height: height) }
    (self.handle, self.width, self.height) = (handle, width, height)
  }

  deinit { specimen_canvas_destroy(handle) }

  func scale(_ factor: Double) { specimen_scale(handle, factor, factor) }
  func scale(_ x: Double, _ y: Double) { specimen_scale(handle, x, y) }
  func translate(_ x: Double, _ y: Double) { specimen_translate(handle, x, y) }
  func rotate(_ radians: Double) { specimen_rotate(handle, radians) }
  func clip() { specimen_clip(handle) }

  /// Runs the drawing and puts clip, transform and operator back afterwards.
  func saved(_ body: () throws -> Void) rethrows {
    specimen_save(handle)
    defer { specimen_restore(handle) }
    try body()
  }

  func compose(_ how: SpecimenOperator, _ body: () -> Void) {
    saved {
      specimen_operator(handle, how)
      body()
    }
  }

  // MARK: Path

  @discardableResult func move(_ x: Double, _ y: Double) -> Canvas {
    specimen_move(handle, x, y)
    return self
  }

  @discardableResult func line(_ x: Double, _ y: Double) -> Canvas {
    specimen_line(handle, x, y)
    return self
  }

  @discardableResult func curve(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double
  ) -> Canvas {
    specimen_curve(handle, x1, y1, x2, y2, x, y)
    return self
  }

  @discardableResult func ellipse(_ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double) -> Canvas {
    specimen_ellipse(handle, x, y, radiusX, radiusY)
    return self
  }

  @discardableResult func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0
  ) -> Canvas {
    specimen_rectangle(handle, x, y, width, height, radius)
    return self
  }

  @discardableResult func close() -> Canvas {
    specimen_close(handle)
    return self
  }

  // MARK: Paint

  func fill(_ colour: Colour) {
    specimen_colour(handle, colour.red, colour.green, colour.blue, colour.alpha)
    specimen_fill(handle)
  }

  func stroke(_ colour: Colour, width: Double) {
    specimen_colour(handle, colour.red, colour.green, colour.blue, colour.alpha)
    specimen_stroke(handle, width)
  }

  func fillLinear(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ stops: [(Double, Colour)]) {
    let native = Self.native(stops)
    specimen_linear(handle, x0, y0, x1, y1, native, native.count)
    specimen_fill(handle)
  }

  func fillRadial(_ x: Double, _ y: Double, radius: Double, _ stops: [(Double, Colour)]) {
    let native = Self.native(stops)
    specimen_radial(handle, x, y, radius, native, native.count)
    specimen_fill(handle)
  }

  /// A soft elliptical spot: the colour in its middle, nothing at its rim.
  func spot(_ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, _ colour: Colour) {
    saved {
      translate(x, y)
      scale(radiusX, radiusY)
      ellipse(0, 0, 1, 1)
      let half = colour.with(alpha: colour.alpha * 0.45)
      fillRadial(0, 0, radius: 1, [(0, colour), (0.5, half), (1, colour.with(alpha: 0))])
    }
  }

  func picture(_ source: Canvas, _ x: Double, _ y: Double, _ width: Double, _ height: Double, alpha: Double = 1) {
    specimen_picture(handle, source.handle, x, y, width, height, alpha)
  }

  private static func native(_ stops: [(Double, Colour)]) -> [SpecimenStop] {
    stops.map { SpecimenStop(offset: $0, red: $1.red, green: $1.green, blue: $1.blue, alpha: $1.alpha) }
  }

  // MARK: Text

  func text(_ text: String, _ font: Font, size: Double, _ x: Double, _ y: Double, _ colour: Colour) {
    specimen_colour(handle, colour.red, colour.green, colour.blue, colour.alpha)
    specimen_text(handle, font.handle, size, x, y, text)
  }

  func width(of text: String, _ font: Font, size: Double) -> Double {
    specimen_text_width(handle, font.handle, size, text)
  }
}
