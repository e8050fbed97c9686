// SPDX-License-Identifier: Apache-2.0

/// One side of a document while it is drawn: a canvas in millimetres, and the truth that grows with it.
struct Page {
  let canvas: Canvas
  let fonts: Fonts
  var truth: SpecimenTruth.Side

  static let ink = Colour(0x1B1F2A)
  static let label = Colour(0x3F5275)

  /// Width × height in millimetres; resolution in pixels per millimetre.
  init(
    _ side: SpecimenSide, width: Double, height: Double, pixelsPerMillimetre: Double, _ fonts: Fonts
  ) throws(SpecimenError) {
    let pixelWidth = Int((width * pixelsPerMillimetre).rounded())
    let pixelHeight = Int((height * pixelsPerMillimetre).rounded())
    canvas = try Canvas(width: pixelWidth, height: pixelHeight)
    self.fonts = fonts
    let right = Double(pixelWidth)
    let bottom = Double(pixelHeight)
    truth = SpecimenTruth.Side(
      side: side, width: pixelWidth, height: pixelHeight,
      corners: [
        .init(x: 0, y: 0), .init(x: right, y: 0), .init(x: right, y: bottom), .init(x: 0, y: bottom),
      ],
      portrait: nil, printed: [:], mrz: [], barcode: nil)
    canvas.scale(pixelsPerMillimetre)
    scale = pixelsPerMillimetre
  }

  private let scale: Double

  /// A field: its label in small print, its value below. The value narrows rather than leave its `room`.
  mutating func field(
    _ name: String, _ label: String, _ value: String, _ x: Double, _ y: Double, maxWidth: Double, size: Double = 3.1
  ) {
    canvas.text(label, fonts.plain, size: 1.75, x, y, Self.label)
    put(name, value, x, y + size + 0.45, maxWidth: maxWidth, size: size)
  }

  /// A field whose number or label stands before the value, on one line.
  mutating func numbered(
    _ name: String, _ number: String, _ value: String, _ x: Double, _ y: Double, maxWidth: Double, size: Double = 2.6
  ) {
    canvas.text(number, fonts.plain, size: 1.9, x, y, Self.label)
    put(name, value, x + 5, y, maxWidth: maxWidth - 5, size: size)
  }

  /// A value alone, remembered under its name.
  mutating func put(_ name: String, _ value: String, _ x: Double, _ y: Double, maxWidth: Double, size: Double) {
    truth.printed[name] = value
    let width = canvas.width(of: value, fonts.plain, size: size)
    let narrow = min(1, maxWidth / max(width, 0.001))
    canvas.saved {
      canvas.translate(x, y)
      canvas.scale(narrow, 1)
      canvas.text(value, fonts.plain, size: size, 0, 0, Self.ink)
    }
  }

  /// The machine-readable zone: each character by itself at the standard's pitch of 2.54 mm, so that no rounding adds
  /// up over a line.
  mutating func zone(_ lines: [String], x: Double, baselines: [Double]) {
    truth.mrz = lines
    // The em at which the font's own advance is the pitch: OCR-B size 1.
    let size = 2.54 / canvas.width(of: "0", fonts.machine, size: 100) * 100
    for (line, baseline) in zip(lines, baselines) {
      for (index, character) in line.enumerated() {
        canvas.text(String(character), fonts.machine, size: size, x + 2.54 * Double(index), baseline, Colour(0x111111))
      }
    }
  }

  mutating func portrait(_ portrait: Canvas, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    canvas.picture(portrait, x, y, width, height)
    canvas.rectangle(x, y, width, height).stroke(Colour(0x5B6478, 0.6), width: 0.15)
    truth.portrait = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)].map {
      .init(x: $0.0 * scale, y: $0.1 * scale)
    }
  }

  /// The holder's name in an invented hand.
  func signature(_ holder: Holder, _ x: Double, _ y: Double, width: Double) {
    var draw = Seeded(holder.faceSeed, for: "signature")
    let strokes = 7 + holder.surname.count / 2
    let step = width / Double(strokes)
    canvas.move(x, y)
    var at = x
    for index in 0..<strokes {
      let rise = index == 0 ? draw.between(3.0, 4.2) : draw.between(0.5, 2.0)
      let drop = draw.chance(0.2) ? draw.between(0.8, 1.8) : draw.between(0, 0.35)
      canvas.curve(
        at + step * draw.between(0.1, 0.7), y - rise, at + step * draw.between(0.5, 1.3), y - rise * 0.8,
        at + step * 0.75, y + drop)
      at += step
      canvas.curve(at - step * 0.2, y + drop, at - step * 0.1, y - 0.4, at, y - draw.between(0, 0.5))
    }
    canvas.curve(at + 1, y - 1, at + 2.5, y + 0.4, at + 3.5, y - draw.between(-0.8, 1.2))
    canvas.stroke(Colour(0x22305F, 0.9), width: 0.26)
  }
}
