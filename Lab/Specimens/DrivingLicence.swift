// SPDX-License-Identifier: Apache-2.0

import CSpecimen

/// The driving licence, ID-1: numbered fields as in ISO/IEC 18013-1, a PDF417 as in AAMVA DL/ID 2020 on its back.
enum DrivingLicence {
  private static let width = IdentityCard.width
  private static let height = IdentityCard.height
  private static let rose = Colour(0xD69AAE)
  private static let violet = Colour(0x9E97C9)
  private static let title = Colour(0x6B1F45)
  private static let categories = "B"

  private static func page(_ side: SpecimenSide, _ fonts: Fonts) throws(SpecimenError) -> Page {
    let page = try Page(side, width: width, height: height, pixelsPerMillimetre: 16, fonts)
    Guilloche.ground(page.canvas, width: width, height: height, rose, violet)
    return page
  }

  static func front(_ holder: Holder, _ papers: Papers, _ fonts: Fonts) throws(SpecimenError) -> Page {
    var page = try page(.front, fonts)
    let canvas = page.canvas
    Guilloche.rosette(canvas, 60, 30, radius: 16, petals: 20, violet.with(alpha: 0.40))
    canvas.rectangle(0, 0, width, 9.6).fill(rose.with(alpha: 0.38))
    canvas.rectangle(3.4, 1.6, 9.6, 6.6, radius: 1).fill(title.with(alpha: 0.9))
    canvas.text("UTO", fonts.bold, size: 3.4, 4.5, 6.1, Colour(0xFFFFFF))
    canvas.text("DRIVING LICENCE", fonts.bold, size: 3.5, 16, 4.9, title)
    canvas.text("PERMIS DE CONDUIRE · UTOPIA", fonts.plain, size: 2.0, 16, 8.2, title)
    canvas.text("SPECIMEN", fonts.plain, size: 1.9, 70.5, 8.2, Colour(0xA03A4A))

    page.portrait(try Portrait.draw(of: holder, on: papers.issueDate, width: 480, height: 617), 4, 12.4, 23.4, 30.1)
    let x = 30.0
    let maxWidth = 53.0
    page.numbered("surname", "1.", holder.surname.uppercased(), x, 14.6, maxWidth: maxWidth, size: 3)
    page.numbered("givenNames", "2.", holder.givenNames.uppercased(), x, 19.2, maxWidth: maxWidth, size: 3)
    page.numbered("birthDate", "3.", holder.birthDate.dotted, x, 23.8, maxWidth: 26)
    page.put("birthPlace", holder.birthPlace.uppercased(), x + 24, 23.8, maxWidth: 29, size: 2.6)
    page.numbered("issueDate", "4a.", papers.issueDate.dotted, x, 28.2, maxWidth: 25)
    page.numbered("authority", "4c.", papers.authority, x + 25, 28.2, maxWidth: 28)
    page.numbered("expiryDate", "4b.", papers.expiryDate.dotted, x, 32.6, maxWidth: 25)
    if let personal = papers.personalNumber {
      page.numbered("personalNumber", "4d.", personal, x + 25, 32.6, maxWidth: 28)
    }
    page.numbered("documentNumber", "5.", papers.number, x, 37.0, maxWidth: 30, size: 3)
    let address = "\(holder.street), \(holder.town), VA \(holder.postalCode.prefix(5))".uppercased()
    page.numbered("address", "8.", address, x, 41.4, maxWidth: maxWidth, size: 2.3)
    page.numbered("categories", "9.", categories, x, 45.8, maxWidth: 20, size: 3)
    canvas.text("7.", fonts.plain, size: 1.9, 4, 46.2, Page.label)
    page.signature(holder, 7.5, 49.6, width: 14)
    return page
  }

  static func back(_ holder: Holder, _ papers: Papers, _ fonts: Fonts) throws(SpecimenError) -> Page {
    var page = try page(.back, fonts)
    let payload = DriverBarcode.payload(holder, papers, categories: categories)
    try barcode(payload, on: page.canvas, x: 5.3, y: 4.5, width: 75)
    page.truth.barcode = payload
    table(page, papers, y: 30)
    return page
  }

  /// The symbol in dark ink on a white patch with its quiet zone; rows three modules high (ISO/IEC 15438 §5.8.2).
  private static func barcode(
    _ payload: String, on canvas: Canvas, x: Double, y: Double, width: Double
  ) throws(SpecimenError) {
    let text = Array(payload.utf8)
    var columns: Int32 = 0
    var rows: Int32 = 0
    let bytes = specimen_pdf417(text, text.count, &columns, &rows)
    guard let modules = bytes.data, columns > 0, rows > 0 else { throw .barcodeTooLong(bytes: text.count) }
    defer { specimen_bytes_free(bytes) }
    let module = width / Double(columns)
    let quiet = module * 3
    canvas.rectangle(x - quiet, y - quiet, width + 2 * quiet, Double(rows) * module + 2 * quiet)
      .fill(Colour(0xFCFCFA))
    for row in 0..<Int(rows) {
      var column = 0
      while column < Int(columns) {
        guard modules[row * Int(columns) + column] == 1 else {
          column += 1
          continue
        }
        let start = column
        while column < Int(columns), modules[row * Int(columns) + column] == 1 { column += 1 }
        // A sliver of overlap downwards hides the seams that antialiasing would leave between rows.
        canvas.rectangle(
          x + Double(start) * module, y + Double(row) * module, Double(column - start) * module, module * 1.02)
      }
    }
    canvas.fill(Colour(0x141414))
  }

  /// Columns 9 to 12 of the category table; only the category held is filled in.
  private static func table(_ page: Page, _ papers: Papers, y: Double) {
    let canvas = page.canvas
    let xs = [5.3, 20.0, 40.0, 60.0, 80.3]
    let names = ["9.", "10.", "11.", "12."]
    let rows = ["AM", "A", "B", "C"]
    for (index, name) in names.enumerated() {
      canvas.text(name, page.fonts.plain, size: 1.9, xs[index] + 1, y + 2.6, Page.label)
    }
    for (index, name) in rows.enumerated() {
      let base = y + 6.4 + 4.0 * Double(index)
      canvas.text(name, page.fonts.bold, size: 2.3, xs[0] + 1, base, Page.ink)
      guard name == categories else { continue }
      canvas.text(papers.issueDate.dotted, page.fonts.plain, size: 2.2, xs[1] + 1, base, Page.ink)
      canvas.text(papers.expiryDate.dotted, page.fonts.plain, size: 2.2, xs[2] + 1, base, Page.ink)
    }
    for line in 0...5 {
      let at = y + (line == 0 ? 0 : 3.6 + 4.0 * Double(line - 1))
      canvas.move(xs[0], at).line(xs[4], at).stroke(Page.label.with(alpha: 0.6), width: 0.12)
    }
    for x in xs { canvas.move(x, y).line(x, y + 19.6).stroke(Page.label.with(alpha: 0.6), width: 0.12) }
  }
}
