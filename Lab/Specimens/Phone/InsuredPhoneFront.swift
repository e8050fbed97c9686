// SPDX-License-Identifier: Apache-2.0

/// The front of a phone, flat and lit: the secure screen as apps show it (oneassist §7.2).
struct InsuredPhoneFront {
  let canvas: Canvas
  private(set) var screenCorners: [(x: Double, y: Double)] = []

  /// Width and height of the body in points; the screen is 390 wide.
  private static let (bodyWidth, bodyHeight, bezel) = (414.0, 868.0, 12.0)

  init(_ content: SecureScreenPhoto.Content, _ draw: inout Seeded) throws(SpecimenError) {
    // As many pixels as a camera spends on a phone that fills most of its picture.
    let scale = draw.between(1.7, 2.6)
    let fonts = try PhoneFonts()
    canvas = try Canvas(width: Int(Self.bodyWidth * scale), height: Int(Self.bodyHeight * scale))
    canvas.scale(scale)
    canvas.rectangle(0, 0, Self.bodyWidth, Self.bodyHeight, radius: 52).fill(
      Colour(draw.pick([0x0B0B0D, 0x17181B, 0x20242A])))
    let (width, height) = (Self.bodyWidth - 2 * Self.bezel, Self.bodyHeight - 2 * Self.bezel)
    canvas.saved {
      canvas.translate(Self.bezel, Self.bezel)
      canvas.rectangle(0, 0, width, height, radius: 42).fill(Colour(0xFFFFFF))
      canvas.rectangle(width / 2 - 55, 12, 110, 32, radius: 16).fill(Colour(0x050505))
      Self.content(content, canvas, fonts, width: width)
    }
    let (left, top) = (Self.bezel * scale, Self.bezel * scale)
    let (right, bottom) = (left + width * scale, top + height * scale)
    screenCorners = [(left, top), (right, top), (right, bottom), (left, bottom)].map { (x: $0.0, y: $0.1) }
  }

  private static func content(
    _ content: SecureScreenPhoto.Content, _ canvas: Canvas, _ fonts: PhoneFonts, width: Double
  ) {
    let ink = Colour(0x000000)
    func centred(_ text: String, _ font: Font, _ size: Double, _ y: Double, maxWidth: Double) {
      let size = min(size, size * maxWidth / canvas.width(of: text, font, size: size))
      canvas.text(text, font, size: size, (width - canvas.width(of: text, font, size: size)) / 2, y, ink)
    }
    canvas.move(34, 84).line(24, 94).line(34, 104).stroke(ink, width: 3)
    var y = 250.0
    for (label, imei) in [("IMEI", Optional(content.imei)), ("IMEI2", content.imei2)] {
      guard let imei else { continue }
      centred(label, fonts.plain, 17, y, maxWidth: width - 48)
      centred(imei, fonts.bold, 34, y + 42, maxWidth: width - 48)
      y += 92
    }
    let digits = Array(content.code)
    let groups = [digits.prefix(5), digits.dropFirst(5).prefix(5), digits.dropFirst(10)].map { String($0) }
    centred(groups.joined(separator: " "), fonts.bold, 46, y + 60, maxWidth: width - 40)
    centred(pad(content.hint, 2), fonts.plain, 30, y + 112, maxWidth: width)
  }
}
