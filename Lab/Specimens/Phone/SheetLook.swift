// SPDX-License-Identifier: Apache-2.0

/// How a phone shows its sheet of identifiers.
package struct SheetLook: Sendable, Codable, Equatable {
  package enum Layout: String, Sendable, Codable, CaseIterable {
    /// What `*#06#` opens on phones like Apple's: a label over each number, in cards.
    case iosSheet
    /// The page "About" of their settings: a label and a number in each row.
    case iosRows
    /// What `*#06#` opens on phones like Google's: a dialog over the keypad.
    case androidDialog
    /// The page of their settings: a label over each number.
    case androidList
  }

  package var layout: Layout
  package var isDark: Bool
  package var language: SheetTexts.Language
  /// Width of the screen in points: what a phone reckons in.
  package var points: Int
  /// Pixels a point.
  package var scale: Double
  /// Whether a barcode stands under each number, as the sheets have them.
  package var hasBarcodes: Bool
  /// Whether digits stand in groups.
  package var isGrouped: Bool
  /// Which of the ways of writing a label this phone has.
  package var manner: Int

  package static func random(seed: UInt64) -> SheetLook {
    var draw = Seeded(seed, for: "sheet look")
    let layout = draw.pick(Layout.allCases)
    let isSheet = layout == .iosSheet || layout == .androidDialog
    let isApple = layout == .iosSheet || layout == .iosRows
    return SheetLook(
      layout: layout, isDark: draw.chance(0.45), language: draw.pick(SheetTexts.Language.allCases),
      points: isApple ? draw.pick([375, 390, 393, 430]) : draw.pick([360, 384, 412]),
      scale: isApple ? draw.pick([2, 3]) : draw.pick([1.75, 2, 2.625, 3, 3.5]),
      hasBarcodes: isSheet && draw.chance(0.7), isGrouped: layout == .iosRows && draw.chance(0.7),
      manner: draw.whole(0, 3))
  }

  struct Colours {
    let ground: Colour, card: Colour, ink: Colour, faint: Colour, line: Colour, accent: Colour
  }

  var colours: Colours {
    switch (layout, isDark) {
    case (.iosSheet, false), (.iosRows, false):
      Colours(
        ground: Colour(0xF2F2F7), card: Colour(0xFFFFFF), ink: Colour(0x000000), faint: Colour(0x6C6C72),
        line: Colour(0xD4D4D8), accent: Colour(0x007AFF))
    case (.iosSheet, true), (.iosRows, true):
      Colours(
        ground: Colour(0x000000), card: Colour(0x1C1C1E), ink: Colour(0xFFFFFF), faint: Colour(0x98989F),
        line: Colour(0x38383A), accent: Colour(0x0A84FF))
    case (_, false):
      Colours(
        ground: Colour(0xFBF8FD), card: Colour(0xECE6F0), ink: Colour(0x1D1B20), faint: Colour(0x49454F),
        line: Colour(0xCAC4D0), accent: Colour(0x6750A4))
    case (_, true):
      Colours(
        ground: Colour(0x141218), card: Colour(0x2B2930), ink: Colour(0xE6E0E9), faint: Colour(0xCAC4D0),
        line: Colour(0x49454F), accent: Colour(0xD0BCFF))
    }
  }
}
