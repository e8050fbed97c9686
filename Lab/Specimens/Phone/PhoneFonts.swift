// SPDX-License-Identifier: Apache-2.0

/// The faces that a phone's own screens are drawn with.
struct PhoneFonts {
  let plain: Font
  let bold: Font

  init(condensed: Bool = false) throws(SpecimenError) {
    let name = condensed ? "DejaVuSansCondensed" : "DejaVuSans"
    plain = try Fonts.dejaVu(name)
    bold = try Fonts.dejaVu(name + "-Bold")
  }
}
