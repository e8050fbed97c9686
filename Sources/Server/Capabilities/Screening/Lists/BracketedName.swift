// SPDX-License-Identifier: Apache-2.0

/// Lists write a name and how it is read in one field: `Тамсин Окавелло (Tamsyn Okavelloe)`.
///
/// Compared as one name it has twice as many parts as what a customer gives, and is found by neither half. Brackets
/// with letters of the script that stands before them say something else, such as a place.
enum BracketedName {
  /// - Returns: the name before the brackets and the one within them, when one of the two is in Latin letters only
  ///   and the other one in other letters only; none otherwise.
  static func names(in name: String) -> [String] {
    // A look at the bytes tells of nearly all names that they are no such one: the brackets are those of ASCII, or the
    // wide ones of Chinese and Japanese.
    guard let last = name.utf8.last, last == UInt8(ascii: ")") || last == 0x89, let end = name.last,
      ")）".contains(end), let open = name.firstIndex(where: { "(（".contains($0) })
    else { return [] }
    let parts = [name[..<open], name[name.index(after: open)..<name.index(before: name.endIndex)]]
    guard !parts[1].contains(where: { "()（）".contains($0) }) else { return [] }
    let letters = parts.map(Letters.init)
    guard letters == [.latin, .other] || letters == [.other, .latin] else { return [] }
    return parts.map { EntryDraft.line(String($0)) }
  }

  /// Which letters a text has.
  enum Letters {
    case none
    case latin
    case other
    case both

    init(_ text: some StringProtocol) {
      var (hasLatin, hasOther) = (false, false)
      for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
        // Basic Latin to Latin Extended-B, and Latin Extended Additional.
        let isLatin = scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value)
        (hasLatin, hasOther) = (hasLatin || isLatin, hasOther || !isLatin)
      }
      self = hasLatin && hasOther ? .both : hasLatin ? .latin : hasOther ? .other : .none
    }
  }
}
