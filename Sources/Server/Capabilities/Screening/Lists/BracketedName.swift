// SPDX-License-Identifier: Apache-2.0

/// Lists write more than a name into one field: how it is read, as in `Тамсин Окавелло (Tamsyn Okavelloe)`, or what it is
/// called for short, as in `OLD HARBOUR TRADE BANK (OHTB)`.
///
/// Customers write the name without the brackets. Compared with the whole field, what stands in them counts as left out:
/// the exact name of an organisation with its abbreviation behind it was no hit.
enum BracketedName {
  /// - Returns: the name before brackets that end it, when it has two words or more, or when what is in them is in
  ///   another script; in that case what is in them too, if it is a reading. Nothing for a name without such brackets
  ///   or with several.
  static func names(in name: String, _ countries: CountryNames) -> [String] {
    // Nearly all names have none.
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == 0xEF }),
      let open = name.firstIndex(where: { "(（".contains($0) })
    else { return [] }
    // Some lists forget to close them. What is within a name, such as `(Pty)`, is a part of it.
    let rest = name[name.index(after: open)...]
    let close = rest.firstIndex(where: { ")）".contains($0) }) ?? rest.endIndex
    guard rest[close...].dropFirst().allSatisfy(\.isWhitespace), !rest[..<close].contains(where: { "(（".contains($0) })
    else { return [] }
    // `original script: Тамсин` tells what follows.
    let within = EntryDraft.line(String(rest[..<close].split(separator: ":").last ?? ""))
    let without = EntryDraft.line(String(name[..<open]))
    let letters = [Letters(without), Letters(within)]
    if letters == [.latin, .other] || letters == [.other, .latin] {
      return isReading(within, of: without, countries) ? [without, within] : [without]
    }
    let words = without.split(separator: " ").filter { Letters($0) != .none }
    return words.count > 1 ? [without] : []
  }

  /// Whether what is in brackets behind a name in another script is the same name. In Latin letters it may be a remark
  /// instead, such as `(deceased)`, `(original script)` or `(North Korea)`, or an abbreviation: as a name of an
  /// organisation, a country's would find every company that is called after it.
  private static func isReading(_ text: String, of name: String, _ countries: CountryNames) -> Bool {
    guard countries.alpha3(text) == nil else { return false }
    guard Letters(text) == .latin else { return true }
    // Of `al-Okavello` the second part begins with a capital.
    let capitals = text.split { " -".contains($0) }.count { $0.first?.isUppercase == true }
    return capitals > 1 || capitals == 1 && !text.contains(" ") && !name.contains(" ")
  }

  /// Which letters a text has.
  enum Letters {
    case none
    case latin
    case other
    case both

    init(_ text: some StringProtocol) {
      var (hasLatin, hasOther) = (false, false)
      // Modifier letters are of no script: Arabic in Latin letters has `ʿ`.
      for scalar in text.unicodeScalars
      where scalar.properties.isAlphabetic && scalar.properties.generalCategory != .modifierLetter {
        // Basic Latin to Latin Extended-B, and Latin Extended Additional.
        let isLatin = scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value)
        (hasLatin, hasOther) = (hasLatin || isLatin, hasOther || !isLatin)
      }
      self = hasLatin && hasOther ? .both : hasLatin ? .latin : hasOther ? .other : .none
    }
  }
}
