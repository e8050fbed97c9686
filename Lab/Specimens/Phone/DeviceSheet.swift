// SPDX-License-Identifier: Apache-2.0

import CSpecimen

/// Draws a phone's sheet of identifiers, as a screenshot of the whole screen.
struct DeviceSheet {
  let canvas: Canvas
  let look: SheetLook
  let fonts: PhoneFonts
  let texts: SheetTexts
  let colours: SheetLook.Colours
  /// Points.
  let width: Double
  let height: Double
  /// Above and below, in pixels, nothing but bars stands: what a person may cut off.
  private(set) var (top, bottom) = (0.0, 0.0)

  /// A label and what it names, in the order of the sheet.
  struct Row {
    var label: String
    var value: String
    var isDigits = true
  }

  init(_ numbers: PhoneNumbers, _ look: SheetLook, seed: UInt64) throws(SpecimenError) {
    (self.look, fonts) = (look, try PhoneFonts(condensed: look.manner == 3))
    texts = SheetTexts(look.language)
    colours = look.colours
    width = Double(look.points)
    height = (width * 2.1).rounded()
    canvas = try Canvas(width: Int(width * look.scale), height: Int(height * look.scale))
    canvas.scale(look.scale)
    canvas.rectangle(0, 0, width, height).fill(colours.ground)
    var draw = Seeded(seed, for: "device sheet")
    let rows = rows(of: numbers, &draw)
    switch look.layout {
    case .iosSheet: try drawSheet(rows)
    case .iosRows: try drawRows(rows, &draw)
    case .androidDialog: try drawDialog(rows)
    case .androidList: try drawList(rows)
    }
    statusBar(&draw)
  }

  private func rows(of numbers: PhoneNumbers, _ draw: inout Seeded) -> [Row] {
    func label(_ slot: Int) -> String {
      texts.imei(slot: slot, isAlone: numbers.imei2 == nil, layout: look.layout, manner: look.manner)
    }
    /// Nothing for a number that the phone does not have.
    func row(_ label: String, _ value: String?) -> [Row] { value.map { [Row(label: label, value: $0)] } ?? [] }
    let imeis: [Row] = row(label(1), numbers.imei) + row(label(2), numbers.imei2)
    let (eid, iccid, meid) = (row("EID", numbers.eid), row("ICCID", numbers.iccid), row("MEID", numbers.meid))
    let serial: [Row] = [Row(label: texts.serial, value: numbers.serial, isDigits: false)]
    switch look.layout {
    case .iosSheet: return eid + imeis + meid
    case .iosRows: return [serial, Array(imeis.prefix(1)), iccid, meid, eid, Array(imeis.dropFirst())].flatMap { $0 }
    case .androidDialog: return imeis + meid + eid + serial
    case .androidList:
      // The version of the software beside it: a number of two digits under a label that begins like the other one.
      let versions: [Row] = imeis.flatMap {
        [$0, Row(label: $0.label.replacing("IMEI", with: "IMEI SV"), value: draw.digits(2))]
      }
      return versions + eid + iccid + serial
    }
  }

  private func grouped(_ row: Row) -> String {
    guard look.isGrouped, row.isDigits, row.value.count == 15 else { return row.value }
    let digits = Array(row.value)
    return [digits[0..<2], digits[2..<8], digits[8..<14], digits[14...]].map { String($0) }.joined(separator: " ")
  }

  // MARK: The four layouts

  private mutating func drawSheet(_ rows: [Row]) throws(SpecimenError) {
    text(texts.done, fonts.plain, 17, 20, 78, colours.accent)
    centred(texts.title, fonts.bold, 17, 78, colours.ink)
    var y = 112.0
    top = 88
    for row in rows {
      let high = look.hasBarcodes ? 112.0 : 64.0
      canvas.rectangle(16, y, width - 32, high, radius: 12).fill(colours.card)
      text(row.label, fonts.plain, 13, 32, y + 24, colours.faint)
      fitted(row.value, 17, 32, y + 48, maxWidth: width - 64, colours.ink)
      if look.hasBarcodes { try barcode(row.value, 32, y + 60, min(width - 64, Double(row.value.count) * 13), 38) }
      y += high + 10
    }
    bottom = y
  }

  private mutating func drawRows(_ rows: [Row], _ draw: inout Seeded) throws(SpecimenError) {
    centred(texts.title, fonts.bold, 17, 78, colours.ink)
    top = 86
    let y = 100.0
    let all =
      [Row(label: texts.model, value: "M" + draw.letters("ABCDEFGHJKLNPQ0123456789", 4) + "/A", isDigits: false)] + rows
    canvas.rectangle(16, y, width - 32, Double(all.count) * 46, radius: 10).fill(colours.card)
    for (index, row) in all.enumerated() {
      let base = y + Double(index) * 46 + 29
      text(row.label, fonts.plain, 15, 32, base, colours.ink)
      let labelEnd = 32 + canvas.width(of: row.label, fonts.plain, size: 15)
      let value = grouped(row)
      let maxWidth = width - 32 - labelEnd - 14
      let size = min(15, 15 * maxWidth / canvas.width(of: value, fonts.plain, size: 15))
      text(value, fonts.plain, size, width - 32 - canvas.width(of: value, fonts.plain, size: size), base, colours.faint)
      if index > 0 { canvas.move(32, base - 29).line(width - 16, base - 29).stroke(colours.line, width: 0.6) }
    }
    bottom = y + Double(all.count) * 46 + 8
  }

  private mutating func drawDialog(_ rows: [Row]) throws(SpecimenError) {
    keypad()
    canvas.rectangle(0, 0, width, height).fill(Colour(0, 0, 0, 0.55))
    let step = look.hasBarcodes ? 92.0 : look.manner < 2 ? 34.0 : 54.0
    let high = Double(rows.count) * step + 120
    let y = max(60, (height - high) / 2)
    (top, bottom) = (y - 12, y + high + 12)
    canvas.rectangle(24, y, width - 48, high, radius: 24).fill(colours.card)
    centred(texts.title, fonts.plain, 20, y + 42, colours.ink)
    var base = y + 80
    for row in rows {
      let isCentred = look.hasBarcodes || look.manner == 2
      if look.hasBarcodes || look.manner >= 2 {
        put(row.label, fonts.plain, 14, isCentred, base, colours.faint)
        put(row.value, fonts.plain, 15, isCentred, base + 22, colours.ink)
        if look.hasBarcodes {
          let wide = min(width - 96, Double(row.value.count) * 14)
          try barcode(row.value, (width - wide) / 2, base + 30, wide, 34)
        }
      } else {
        fitted("\(row.label): \(row.value)", 14, 44, base, maxWidth: width - 88, colours.ink)
      }
      base += step
    }
    text("OK", fonts.bold, 14, width - 76, y + high - 24, colours.accent)
  }

  private mutating func drawList(_ rows: [Row]) throws(SpecimenError) {
    text("←", fonts.plain, 20, 18, 84, colours.ink)
    text(texts.title, fonts.plain, 21, 56, 84, colours.ink)
    top = 94
    var y = 124.0
    for row in rows {
      text(row.label, fonts.plain, 16, 24, y, colours.ink)
      fitted(row.value, 14, 24, y + 21, maxWidth: width - 48, colours.faint)
      y += 62
    }
    bottom = y
  }

  // MARK: Pieces

  private func statusBar(_ draw: inout Seeded) {
    let clock = "\(draw.whole(1, 23)):\(pad(draw.whole(0, 59), 2))"
    text(clock, fonts.bold, 14, 26, 30, colours.ink)
    let battery = "\(draw.whole(5, 100)) %"
    text(battery, fonts.plain, 12, width - 26 - canvas.width(of: battery, fonts.plain, size: 12), 30, colours.ink)
    canvas.rectangle(width * 0.32, height - 10, width * 0.36, 4, radius: 2).fill(colours.ink.with(alpha: 0.8))
  }

  /// What lies behind the dialog: the keys that the code was dialled with.
  private func keypad() {
    centred("*#06#", fonts.plain, 32, height * 0.52, colours.ink)
    for (index, key) in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"].enumerated() {
      let (x, y) = (width * (0.2 + 0.3 * Double(index % 3)), height * (0.6 + 0.085 * Double(index / 3)))
      canvas.ellipse(x, y, 32, 32).fill(colours.card)
      text(key, fonts.plain, 26, x - 8, y + 9, colours.ink)
    }
  }

  private func text(_ text: String, _ font: Font, _ size: Double, _ x: Double, _ y: Double, _ colour: Colour) {
    canvas.text(text, font, size: size, x, y, colour)
  }

  private func put(_ value: String, _ font: Font, _ size: Double, _ isCentred: Bool, _ y: Double, _ colour: Colour) {
    let maxWidth = width - 88
    let size = min(size, size * maxWidth / canvas.width(of: value, font, size: size))
    let x = isCentred ? (width - canvas.width(of: value, font, size: size)) / 2 : 44
    text(value, font, size, x, y, colour)
  }

  private func centred(_ value: String, _ font: Font, _ size: Double, _ y: Double, _ colour: Colour) {
    let size = min(size, size * (width - 150) / canvas.width(of: value, font, size: size))
    text(value, font, size, (width - canvas.width(of: value, font, size: size)) / 2, y, colour)
  }

  private func fitted(_ value: String, _ size: Double, _ x: Double, _ y: Double, maxWidth: Double, _ colour: Colour) {
    text(
      value, fonts.plain, min(size, size * maxWidth / canvas.width(of: value, fonts.plain, size: size)), x, y, colour)
  }

  /// In dark ink on its own light patch, also on a dark sheet.
  private func barcode(_ value: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double)
    throws(SpecimenError)
  {
    let bytes = specimen_code128(value)
    guard let modules = bytes.data, bytes.count > 0 else { throw .barcodeTooLong(bytes: value.utf8.count) }
    defer { specimen_bytes_free(bytes) }
    let module = width / Double(bytes.count + 20)
    canvas.rectangle(x, y - 2, width, height + 4).fill(Colour(0xFFFFFF))
    for index in 0..<bytes.count where modules[index] == 1 {
      canvas.rectangle(x + Double(index + 10) * module, y, module * 1.01, height)
    }
    canvas.fill(Colour(0x000000))
  }
}
