// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// The name field of Doc 9303-3 §4.6: PRIMARY`<<`SECONDARY, one filler between components.
  public enum NameField {
    /// Encodes a name into a field of the given length, shortening it only when it does not fit.
    ///
    /// 1. Everything fits: nothing is shortened, and fillers follow.
    /// 2. Otherwise given names lose letters from the last to the first, then primary components likewise; each keeps
    ///    at least its first letter.
    /// 3. When even first letters are too many, trailing given names go first, all but the first one.
    /// 4. A shortened field has no filler at its end, so that readers see that it may be shortened.
    ///
    /// - Returns: nil when the primary identifier holds no letter that can be written.
    public static func encode(
      surname: String, givenNames: String, length: Int, language: Transliteration.Language = .standard
    ) -> String? {
      let primary = components(of: surname, language: language)
      let secondary = components(of: givenNames, language: language)
      guard !primary.isEmpty, length >= 4 else { return nil }
      let whole = joined(primary, secondary)
      if whole.count <= length { return whole + String(repeating: "<", count: length - whole.count) }
      return shortened(primary, secondary, length: length)
    }

    /// The components of one identifier as they are written in a zone: upper-case Latin letters only.
    static func components(of identifier: String, language: Transliteration.Language) -> [String] {
      Transliteration.words(of: identifier, language: language)
    }

    /// Splits a field at its first double filler.
    static func split(_ field: [UInt8]) -> (primary: ArraySlice<UInt8>, secondary: ArraySlice<UInt8>) {
      guard field.count >= 2,
        let border = field.indices.dropLast().first(where: { field[$0].isFiller && field[$0 + 1].isFiller })
      else { return (field[...], []) }
      return (field[..<border], field[(border + 2)...])
    }

    private static func joined(_ primary: [String], _ secondary: [String]) -> String {
      let parts = secondary.isEmpty ? [primary] : [primary, secondary]
      return parts.map { $0.joined(separator: "<") }.joined(separator: "<<")
    }

    private static func shortened(_ primary: [String], _ secondary: [String], length: Int) -> String {
      var (primary, secondary) = (primary, secondary)
      func leastLength() -> Int { 2 * primary.count - 1 + (secondary.isEmpty ? 0 : 2 * secondary.count + 1) }
      while leastLength() > length, secondary.count > 1 { secondary.removeLast() }
      // Beyond what the rule foresees: more surnames than the field has room for initials.
      while leastLength() > length, primary.count > 1 { primary.removeLast() }
      var excess = joined(primary, secondary).count - length
      for index in secondary.indices.reversed() { shorten(&secondary[index], by: &excess) }
      for index in primary.indices.reversed() { shorten(&primary[index], by: &excess) }
      let field = joined(primary, secondary)
      // Dropping a component may free more than was missing.
      return field + String(repeating: "<", count: max(0, length - field.count))
    }

    private static func shorten(_ component: inout String, by excess: inout Int) {
      guard excess > 0 else { return }
      let cut = min(excess, component.count - 1)
      component.removeLast(cut)
      excess -= cut
    }
  }
}
