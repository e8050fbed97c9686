import DocumentCore
import Foundation

/// A name as the matcher sees it: upper-case Latin words, whatever the script, with the family name last when a comma
/// tells which it is.
struct ListedName: Sendable, Hashable {
  /// Longer names are cut: no real name has more parts.
  static let wordsMax = 12

  let words: [[UInt8]]

  init(_ text: String) {
    let parts = text.split(separator: ",", maxSplits: 1)
    let ordered = parts.count == 2 ? "\(parts[1]) \(parts[0])" : text
    let latin =
      ordered.unicodeScalars.contains(where: Self.isForeign)
      ? ordered.applyingTransform(.toLatin, reverse: false) ?? ordered : ordered
    words = Transliteration.words(of: latin).prefix(Self.wordsMax).map { Array($0.utf8) }
  }

  /// All words without blanks between them.
  var joined: [UInt8] { Array(words.joined()) }

  /// Scripts that Doc 9303-3 §6 has no table for, and Arabic, whose table spells names unlike any list does. Latin and
  /// Cyrillic lie below, save Latin's extensions.
  private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x370...0x3FF, 0x530...0x1DFF, 0x2C00...0xA63F, 0xA800...0xFAFF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
      0x10000...:
      true
    default: false
    }
  }
}

/// Words that say little about who a person is: particles, and titles that lists keep within names.
enum NameParticle {
  static let weight = 0.12

  static func isParticle(_ word: [UInt8]) -> Bool { all.contains(word) }

  private static let all = Set(
    """
    AL EL UL UR AD AN AS AR AT DE DA DI DU DEL DELLA DOS LA LE VAN VON DER DEN BIN BEN IBN BINT BT ABU ABOU UMM OULD \
    DR MR MRS PROF SHEIKH SHAYKH SHEIK SHAIKH MULLAH MULLA MAULAVI MAULAWI HAJI HAJJI HAJ GENERAL COLONEL MAJOR \
    CAPTAIN SAYYED SAYED SYED JR SR II III
    """.split(separator: " ").map { Array($0.utf8) })
}
