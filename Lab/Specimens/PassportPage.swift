// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The data page of a passport, ID-3, 125 × 88 mm (Doc 9303-4 §3).
enum PassportPage {
  static let width = 125.0
  static let height = 88.0
  private static let blue = Colour(0x6F9CC4)
  private static let rose = Colour(0xC69AA6)
  private static let title = Colour(0x1E3A6B)

  /// 12 pixels per millimetre, about 305 dpi.
  static func draw(_ holder: Holder, _ papers: Papers, _ fonts: Fonts) throws(SpecimenError) -> Page {
    var page = try Page(.page, width: width, height: height, pixelsPerMillimetre: 12, fonts)
    let canvas = page.canvas
    Guilloche.ground(canvas, width: width, height: height, blue, rose)
    Guilloche.rosette(canvas, 84, 40, radius: 24, petals: 18, blue.with(alpha: 0.34))
    Guilloche.rosette(canvas, 84, 40, radius: 13, petals: 12, rose.with(alpha: 0.40))
    Guilloche.rosette(canvas, 112, 14, radius: 9, petals: 14, rose.with(alpha: 0.34))
    // The zone is printed on nearly plain paper (Doc 9303-3 §4.1: nothing may disturb its reading).
    canvas.rectangle(0, 64.8, width, height - 64.8).fill(Colour(0xFAFAF6, 0.80))

    canvas.rectangle(0, 0, width, 8.2).fill(blue.with(alpha: 0.30))
    Guilloche.arms(canvas, 8, 6.6, radius: 5, title.with(alpha: 0.9))
    canvas.text("UTOPIA", fonts.serif, size: 5.2, 15.5, 6.3, title)
    canvas.text("SPECIMEN", fonts.plain, size: 2.2, 16, 10.9, Colour(0xA03A4A))
    canvas.text("PASSPORT · PASSEPORT", fonts.bold, size: 2.7, 84, 5.4, title)

    page.portrait(try Portrait.draw(of: holder, on: papers.issueDate, width: 560, height: 720), 5, 16.5, 35, 45)
    // "PP" for ordinary passports since 2026 (Doc 9303-4 §4.2.2.3, harmonised codes).
    let code = papers.issueDate.year >= 2026 ? "PP" : "P"
    let x = 44.0
    page.field("documentCode", "Type / Type", code, x, 11.6, maxWidth: 16)
    page.field("issuingState", "Code of issuing State / Code", "UTO", 61, 11.6, maxWidth: 24)
    page.field("documentNumber", "Passport No. / N° de passeport", papers.number, 92, 11.6, maxWidth: 30, size: 3.4)
    page.field("surname", "Surname / Nom", holder.surname.uppercased(), x, 19.3, maxWidth: 76)
    page.field("givenNames", "Given names / Prénoms", holder.givenNames.uppercased(), x, 26.6, maxWidth: 76)
    page.field("nationality", "Nationality / Nationalité", "UTOPIAN", x, 33.9, maxWidth: 30)
    if let personal = papers.personalNumber {
      page.field("personalNumber", "Personal No. / N° personnel", personal, 86, 33.9, maxWidth: 34)
    }
    page.field("birthDate", "Date of birth / Date de naissance", holder.birthDate.passportStyle, x, 41.2, maxWidth: 36)
    page.field("sex", "Sex / Sexe", holder.sex.rawValue, x, 48.5, maxWidth: 8)
    page.field(
      "birthPlace", "Place of birth / Lieu de naissance", holder.birthPlace.uppercased(), 61, 48.5, maxWidth: 36)
    page.field(
      "issueDate", "Date of issue / Date de délivrance", papers.issueDate.passportStyle, 86, 41.2, maxWidth: 34)
    page.field(
      "expiryDate", "Date of expiry / Date d'expiration", papers.expiryDate.passportStyle, x, 55.8, maxWidth: 36)
    page.field("authority", "Authority / Autorité", papers.authority, 86, 55.8, maxWidth: 36, size: 2.6)
    canvas.text("Holder's signature", fonts.plain, size: 1.5, 100, 48.9, Page.label)
    page.signature(holder, 101, 53.4, width: 15)
    page.zone(try MachineReadableZone.lines(.td3, code: code, holder, papers), x: 6.1, baselines: [73.6, 79.95])
    return page
  }
}
