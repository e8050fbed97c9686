// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The national identity card, ID-1, 85.60 × 53.98 mm (ISO/IEC 7810; Doc 9303-5).
enum IdentityCard {
  static let width = 85.6
  static let height = 53.98
  private static let green = Colour(0x74AFA0)
  private static let sand = Colour(0xC9AE7C)
  private static let title = Colour(0x1D4F47)

  private static func page(_ side: SpecimenSide, _ fonts: Fonts) throws(SpecimenError) -> Page {
    let page = try Page(side, width: width, height: height, pixelsPerMillimetre: 16, fonts)
    Guilloche.ground(page.canvas, width: width, height: height, green, sand)
    return page
  }

  static func front(_ holder: Holder, _ papers: Papers, _ fonts: Fonts) throws(SpecimenError) -> Page {
    var page = try page(.front, fonts)
    let canvas = page.canvas
    Guilloche.rosette(canvas, 62, 31, radius: 16, petals: 16, green.with(alpha: 0.40))
    Guilloche.rosette(canvas, 62, 31, radius: 9, petals: 11, sand.with(alpha: 0.45))
    canvas.rectangle(0, 0, width, 9.6).fill(green.with(alpha: 0.34))
    Guilloche.arms(canvas, 7.2, 5.2, radius: 3.7, title.with(alpha: 0.9))
    canvas.text("UTOPIA", fonts.serif, size: 4.0, 13, 4.9, title)
    canvas.text("IDENTITY CARD · CARTE D'IDENTITÉ", fonts.bold, size: 2.0, 13, 8.2, title)
    canvas.text("SPECIMEN", fonts.plain, size: 1.9, 70.5, 8.2, Colour(0xA03A4A))

    page.portrait(try Portrait.draw(of: holder, on: papers.issueDate, width: 480, height: 617), 4, 12.4, 25.2, 32.4)
    let x = 32.0
    page.field("surname", "Surname / Nom", holder.surname.uppercased(), x, 13.2, maxWidth: 51, size: 2.9)
    page.field("givenNames", "Given names / Prénoms", holder.givenNames.uppercased(), x, 19.4, maxWidth: 51, size: 2.9)
    page.field("sex", "Sex / Sexe", holder.sex.rawValue, x, 25.6, maxWidth: 6, size: 2.9)
    page.field("nationality", "Nationality", "UTO", 44, 25.6, maxWidth: 12, size: 2.9)
    page.field("birthDate", "Date of birth / Naissance", holder.birthDate.dotted, 60.5, 25.6, maxWidth: 22, size: 2.9)
    page.field("birthPlace", "Place of birth / Lieu", holder.birthPlace.uppercased(), x, 31.8, maxWidth: 27, size: 2.9)
    page.field(
      "expiryDate", "Date of expiry / Expire le", papers.expiryDate.dotted, 60.5, 31.8, maxWidth: 22, size: 2.9)
    page.field("documentNumber", "Document No. / N°", papers.number, x, 38.0, maxWidth: 28, size: 3.2)
    if let personal = papers.personalNumber {
      page.field("personalNumber", "Personal No. / N° personnel", personal, 60.5, 38.0, maxWidth: 22, size: 2.9)
    }
    canvas.text("Signature", fonts.plain, size: 1.5, x, 51.6, Page.label)
    page.signature(holder, x + 9, 50, width: 18)
    return page
  }

  static func back(_ holder: Holder, _ papers: Papers, _ fonts: Fonts) throws(SpecimenError) -> Page {
    var page = try page(.back, fonts)
    let canvas = page.canvas
    Guilloche.rosette(canvas, 70, 15, radius: 11, petals: 14, green.with(alpha: 0.40))
    canvas.rectangle(0, 30.5, width, height - 30.5).fill(Colour(0xFAFAF6, 0.80))
    let address = "\(holder.street), \(holder.postalCode.prefix(5)) \(holder.town)"
    page.field("address", "Address / Adresse", address.uppercased(), 5, 5.0, maxWidth: 76, size: 2.6)
    page.field("authority", "Authority / Autorité", papers.authority, 5, 11.2, maxWidth: 40, size: 2.6)
    page.field("issueDate", "Date of issue / Délivrance", papers.issueDate.dotted, 5, 17.4, maxWidth: 24, size: 2.6)
    page.field("height", "Height / Taille", "\(holder.height) cm", 34, 17.4, maxWidth: 16, size: 2.6)
    page.field("eyes", "Eyes / Yeux", holder.eyes.printed, 5, 23.6, maxWidth: 20, size: 2.6)
    Guilloche.arms(canvas, 70, 15, radius: 4.4, title.with(alpha: 0.75))
    let lines = try MachineReadableZone.lines(.td1, code: "I", holder, papers)
    page.zone(lines, x: 4.7, baselines: [37.2, 43.55, 49.9])
    return page
  }
}
